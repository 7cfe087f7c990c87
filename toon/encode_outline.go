package toon

import "github.com/wirekit/wirekit/wire"

// Objects in a list, or at one place of the objects of a list, mostly have the same
// keys at the same depth. What their lines begin with is put together for the second
// one at a place, and copied for those behind it.

// outlines holds what is known of the places in the value that is written.
type outlines struct {
	list  []outline
	spots []spot // the first one is that of the document's elements
	text  []byte // lineRoom bytes can be copied from where each line begins
}

// An outline is how the lines of objects with these keys begin at a depth. Their
// members are spots from the first on.
type outline struct {
	keys  *wire.Keys
	depth int
	first int
}

// A spot is a place where objects are written, one in each of the objects around
// it, or the elements of an array there.
type spot struct {
	keys  *wire.Keys // of the last object
	known int32      // the number of its outline, or none
	// The member's line begins with text[from:to]: line end, indentation, key, and
	// what is before a scalar.
	from, to int32
}

const (
	none = -1 // no spot, or no outline
	// maxSpots and maxOutlined bound what one document makes, in spots and in bytes
	// of text.
	maxSpots    = 1 << 12
	maxOutlined = 1 << 16
	// fewObjects is the number of objects up to which an array is too short for
	// outlines.
	fewObjects = 3
	// lastOutlines is among how many outlines that of other keys is looked for.
	lastOutlines = 8
	// lineRoom is the length of the beginnings that are copied as a whole.
	lineRoom = 32
)

// reset forgets everything, and gives up memory that a document with long keys took.
func (o *outlines) reset() {
	if cap(o.text) > 2*maxOutlined {
		o.text = nil
	}
	clear(o.spots)
	clear(o.list)
	o.list, o.text = o.list[:0], o.text[:0]
	o.spots = append(o.spots[:0], spot{known: none})
}

// spot returns a new spot for n objects, or none.
func (o *outlines) spot(n int) int {
	if n < fewObjects || len(o.spots) >= maxSpots {
		return none
	}
	o.spots = append(o.spots, spot{known: none})
	return len(o.spots) - 1
}

// leave forgets a spot that no outline was made at or behind.
func (o *outlines) leave(at int) {
	if at == len(o.spots)-1 && at > 0 {
		o.spots[at] = spot{} // whose keys are the caller's
		o.spots = o.spots[:at]
	}
}

// outline returns the first of the spots of the members of an object with the keys
// that is written at the spot and at the depth; none if it is the first one there.
func (e *encoder) outline(at int, keys *wire.Keys, depth int) int {
	if at == none {
		return none
	}
	o := &e.outlines
	s := &o.spots[at]
	if s.keys != keys {
		s.keys, s.known = keys, o.find(keys, depth)
	} else if s.known == none && len(o.spots)+keys.Len() <= maxSpots && len(o.text) <= maxOutlined {
		s.known = int32(len(o.list))
		o.add(keys, depth, e.unit) // the spots may move
		s = &o.spots[at]
	}
	if s.known == none || o.list[s.known].depth != depth {
		return none
	}
	return o.list[s.known].first
}

// find returns the number of the outline, if it is among the last ones made.
func (o *outlines) find(keys *wire.Keys, depth int) int32 {
	for i := len(o.list) - 1; i >= max(0, len(o.list)-lastOutlines); i-- {
		if o.list[i].keys == keys && o.list[i].depth == depth {
			return int32(i)
		}
	}
	return none
}

func (o *outlines) add(keys *wire.Keys, depth, unit int) {
	o.list = append(o.list, outline{keys, depth, len(o.spots)})
	for _, key := range keys.All() {
		from := len(o.text)
		o.text = append(appendKey(appendNewline(o.text, depth*unit), key), scalarMark...)
		o.spots = append(o.spots, spot{known: none, from: int32(from), to: int32(len(o.text))})
	}
	var room [lineRoom]byte
	o.text = append(o.text, room[:]...)
}

// outlined is fields for an object whose members have spots from at on.
func (e *encoder) outlined(v wire.Value, depth, at int, inLine bool) {
	dst, indent := e.dst, depth*e.unit
	spots, text := e.outlines.spots[at:at+v.Len()], e.outlines.text // which may move
	for i := range spots {
		begin := text[spots[i].from:]
		n := int(spots[i].to - spots[i].from)
		if i == 0 && inLine {
			begin, n = begin[1+indent:], n-1-indent
		} else if e.indented += indent; (e.indented > e.spare || len(dst) > e.maxLen) && !e.roomy(dst, indent) {
			return
		}
		if end := len(dst); n > lineRoom || cap(dst)-end < lineRoom {
			dst = append(dst, begin[:n]...)
		} else {
			*(*[lineRoom]byte)(dst[end : end+lineRoom]) = *(*[lineRoom]byte)(begin[:lineRoom])
			dst = dst[:end+n]
		}
		switch member := v.Index(i); member.Kind() {
		case wire.KindString:
			dst = appendString(dst, member.Text(), e.delim)
		case wire.KindArray, wire.KindObject:
			e.dst = dst[:len(dst)-len(scalarMark)]
			if e.field(member, depth, at+i); e.err != nil {
				wire.AtKey(e.err, v.Key(i))
				return
			}
			dst = e.dst
		default:
			dst = e.appendScalar(dst, member)
		}
	}
	e.dst = dst
	e.leave()
}
