package gcx

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/wirekit/wirekit/internal/base/bound"
	"github.com/wirekit/wirekit/internal/govalue/gotext"
	"github.com/wirekit/wirekit/wire"
)

// Extras is embedded in the struct of a tool's result. It keeps what a payload has beyond
// the result's layout, which is written again: pairs in their headers, sections after the
// result's own.
//
// The struct declares the layout in tags; package layouts has those of the document.
// [Marshal] and [Codec.AppendResult] write it, [Unmarshal] and [Codec.DecodeResult] read it.
// A field is a section, in the order of the fields:
//
//	Hosts []Host     `gcx:"list_hosts"`          // rows, typed as those of [RowSection]
//	Host  Host       `gcx:"get_host"`            // exactly one row
//	Other wire.Value `gcx:"get_host.more"`       // as the generic fallback writes it
//	Disks wire.Value `gcx:"get_host.disks,list"` // always an array; null without the section
//
// Fields before it can be pairs of its header, an empty string none; whether its rows have
// a column; and whether it is there at all:
//
//	Total    int  `gcx:"total"`
//	WithNote bool `gcx:"note,column"`
//	HasHosts bool `gcx:",section"`
//
// A * in tools is the string of the field with the tag "*". While it is empty, their
// sections are not there. A tool that ends in =VALUE is for one such string, which the
// field of the same tool without =VALUE then leaves to it:
//
//	Kind  string     `gcx:"*"`
//	Loops []Loop     `gcx:"analyze.*=loops"`
//	Other wire.Value `gcx:"analyze.*"`
//
// An exported field without a tag is an error; one with the tag "-" is not in the payload.
// [wire.Options] read a payload as a value, never as a result.
type Extras struct {
	Meta     map[string][]Meta // further pairs of the headers, by their tools
	Sections []Section         // further sections
}

// AppendResult appends a tool's result in its layout: a struct with tags, see [Extras], or
// a pointer to one.
func (c Codec) AppendResult(dst []byte, result any) ([]byte, error) {
	if v := reflect.ValueOf(result); v.Kind() == reflect.Struct {
		p := reflect.New(v.Type())
		p.Elem().Set(v)
		result = p.Interface()
	}
	t, r, err := resultOf(result)
	if err != nil {
		return dst, err
	}
	x := exchange{c: c, extras: new(Extras), dst: dst, max: bound.Add(len(dst), c.Limits.Resolved().OutputBytes)}
	x.write(t, gotext.NewVar(t.node, r))
	if x.err == nil {
		x.err = checkText(x.dst[len(dst):])
	}
	if x.err != nil {
		return dst, x.err
	}
	return x.dst, nil
}

// DecodeResult reads a payload into the result that target points to, a struct with tags,
// see [Extras]. It is replaced as a whole or, on error, not at all. Pairs and
// sections that the layout does not have are kept in its Extras, if it has them;
// columns are passed over. A section without rows, or that is not there, gives a nil
// slice; where the layout wants exactly one row, that is an error, unless the codec is
// lenient.
func (c Codec) DecodeResult(src []byte, target any) error {
	t, r, err := resultOf(target)
	if err != nil {
		return err
	}
	x := &exchange{c: c}
	err = c.eachSection(src, func(s Section, header line, text string) {
		x.in = append(x.in, resultPart{Section: s, header: header, text: text})
	})
	if err != nil {
		return err
	}
	fresh := reflect.New(r.Type().Elem())
	x.read(t, gotext.NewVar(t.node, fresh))
	used := false
	for i := range x.in {
		if p := &x.in[i]; p.used {
			used = true
		} else if x.extras != nil {
			x.extras.Sections = append(x.extras.Sections, p.Section)
		}
	}
	switch {
	case x.err != nil:
		return x.err
	case !used:
		return shape("other_tool", "no section is one of this result's, the first is of "+strconv.Quote(x.in[0].Tool))
	}
	r.Elem().Set(fresh.Elem())
	return nil
}

// A resultPart is a section of a payload that a result is read from.
type resultPart struct {
	Section
	header line
	text   string // of the header and the rows
	used   bool   // the layout has the section
}

// An exchange writes a result's sections, or reads them. It keeps the first error.
type exchange struct {
	c      Codec
	extras *Extras // in reading, nil if the result has none
	err    error

	dst []byte // writing
	max int

	in []resultPart // reading
}

// write writes the result v.
func (x *exchange) write(t *resultType, v gotext.Var) {
	var name string
	if t.name.Node != nil {
		name = t.name.Of(v).Text()
	}
	if unnamed := func(s resultSection) bool { return !s.starred }; name == "" && !slices.ContainsFunc(t.sections, unnamed) {
		x.fail(shape("missing_tool", "the field that is the * of the result's tools is empty"))
	}
	if t.extras.Node != nil {
		x.extras = gotext.As[Extras](t.extras.Of(v))
	}
	for i := range t.sections {
		s := &t.sections[i]
		if x.err != nil || !t.has(s, name) || s.present.Node != nil && !s.present.Of(v).Bool() {
			continue
		}
		leaveOut := "" // a field that is not written
		if s.column != "" && !s.hasColumn.Of(v).Bool() {
			leaveOut = s.column
		}
		h, at := Header{Tool: strings.Replace(s.tool, "*", name, 1), Meta: s.meta(v)}, s.Of(v)
		switch s.form {
		case rowsSection:
			x.writeRows(h, at.Reflect(), leaveOut)
		case rowSection:
			rows := reflect.MakeSlice(reflect.SliceOf(s.Node.Type.T), 1, 1)
			rows.Index(0).Set(at.Reflect())
			x.writeRows(h, rows, leaveOut)
		default:
			if v := *gotext.As[wire.Value](at); s.form == valueSection || v.Kind() != wire.KindNull {
				x.writeValue(h.Tool, v)
			}
		}
	}
	for _, s := range x.extras.Sections {
		x.section(s)
	}
}

// meta returns the pairs of the section's header.
func (s *resultSection) meta(result gotext.Var) []Meta {
	if len(s.pairs) == 0 {
		return nil
	}
	meta := make([]Meta, 0, len(s.pairs))
	for i := range s.pairs {
		if text, ok := s.pairs[i].text(result); ok {
			meta = append(meta, Meta{s.pairs[i].key, text})
		}
	}
	return meta
}

// read reads what x has into the empty result v.
func (x *exchange) read(t *resultType, v gotext.Var) {
	var name string
	if t.name.Node != nil {
		name = x.nameOf(t)
		t.name.Of(v).SetText(name)
	}
	if t.extras.Node != nil {
		x.extras = gotext.As[Extras](t.extras.Of(v))
	}
	for i := range t.sections {
		s := &t.sections[i]
		if x.err != nil || !t.has(s, name) {
			continue
		}
		tool := strings.Replace(s.tool, "*", name, 1)
		in := x.take(tool)
		if in != nil {
			if s.present.Node != nil {
				s.present.Of(v).SetBool(true)
			}
			if s.column != "" {
				s.hasColumn.Of(v).SetBool(slices.Contains(in.Fields, s.column))
			}
			x.readMeta(in, s.pairs, v)
		} else if s.present.Node != nil {
			continue
		}
		at := s.Of(v).Reflect()
		switch {
		case s.form == rowSection:
			x.readRow(in, tool, at)
		case in == nil:
		case s.form == rowsSection:
			x.readRows(in, at)
		default:
			value := x.sectionValue(in)
			if s.form == listSection && x.err == nil && value.Kind() != wire.KindArray {
				value = wire.Array(value)
			}
			*gotext.As[wire.Value](s.Of(v)) = value
		}
	}
}

// nameOf returns what * is in the first tool that can be one of the result's.
func (x *exchange) nameOf(t *resultType) string {
	for i := range t.sections {
		before, after, ok := strings.Cut(t.sections[i].tool, "*")
		for j := range x.in {
			tool := x.in[j].Tool
			if ok && len(tool) > len(before)+len(after) && strings.HasPrefix(tool, before) && strings.HasSuffix(tool, after) {
				return tool[len(before) : len(tool)-len(after)]
			}
		}
	}
	return ""
}

func (x *exchange) fail(err error) {
	if x.err == nil {
		x.err = err
	}
}

// writeRows writes a slice of structs without the field leaveOut: as [RowSection] makes them,
// or straight from their fields where the header depends on no cell and nothing is refused.
func (x *exchange) writeRows(h Header, rows reflect.Value, leaveOut string) {
	t, err := cellTypeOf(rows.Type().Elem())
	if err != nil {
		x.fail(wire.AtKey(err, h.Tool))
		return
	}
	h.Fields = slices.DeleteFunc(slices.Clone(t.names), func(f string) bool { return f == leaveOut })
	further := x.extras.Meta[h.Tool]
	h.Meta = append(slices.Clip(h.Meta), further...)
	twice := len(t.index) < len(t.names) // there is a name that two fields have
	if x.c.Interop || len(further) > 0 || len(h.Fields) < 2 || twice || h.Tool == "" || h.hasCR() || h.checkMeta(false) != nil {
		s, err := RowSection(h, rows.Interface())
		x.fail(wire.AtKey(err, h.Tool))
		x.section(s)
		return
	}
	w, items := t.columns(h.Fields), gotext.ItemsOf(t.list, rows)
	dst := h.append(x.dst)
	for i := 0; i < items.Len && x.err == nil; i++ {
		if dst, err = w.append(dst, items.At(i)); err != nil {
			x.fail(wire.AtKey(wire.AtIndex(err, i), h.Tool))
		} else if len(dst) > x.max {
			x.fail(outputTooLong())
		}
	}
	x.dst = dst
}

// readRows reads a section into a slice of structs, which is nil.
func (x *exchange) readRows(p *resultPart, list reflect.Value) {
	if len(p.Rows) > 0 {
		x.fail(wire.AtKey(p.scan(list), p.Tool))
	}
}

// readRow reads a section of exactly one row, nil if it is not there, into a struct.
func (x *exchange) readRow(p *resultPart, tool string, row reflect.Value) {
	rows := reflect.New(reflect.SliceOf(row.Type())).Elem()
	if p != nil {
		if x.readRows(p, rows); x.err != nil {
			return
		}
	}
	switch n := rows.Len(); {
	case n == 1, n > 1 && x.c.Lenient:
		row.Set(rows.Index(0))
	case !x.c.Lenient:
		x.fail(miscount(wire.CodeCount, false, "section "+strconv.Quote(tool)+" must have exactly one row"))
	}
}

// writeValue writes a section as the generic fallback does.
func (x *exchange) writeValue(tool string, v wire.Value) {
	c := x.c
	c.Plain = true
	e := new(valueEncoder).begin(&c, x.dst)
	e.max = x.max
	e.plainSection(plainTool(tool), v, slices.Clip(x.extras.Meta[tool]), 0)
	x.dst, x.err = e.finish(v)
}

// sectionValue returns the value of a section alone, from its text: where a row
// is a blank line, that alone tells it from none.
func (x *exchange) sectionValue(p *resultPart) wire.Value {
	d := newValueDecoder(new(Decoder))
	var s decodedSection
	err := d.begin(&x.c, []byte(p.text))
	if err == nil {
		s, err = d.section()
	}
	if e, ok := err.(*wire.Error); ok {
		x.fail(wire.Internal.Shift(e, p.header.at, p.header.number-1, 0))
		return wire.Value{}
	}
	return s.alone()
}

// section writes a section.
func (x *exchange) section(s Section) {
	if x.err == nil {
		x.dst, x.err = x.c.appendSection(x.dst, &s, x.max)
	}
}

// take returns the section of a tool that was not taken, and notes that the layout has
// it; nil if there is none.
func (x *exchange) take(tool string) *resultPart {
	for i := range x.in {
		if p := &x.in[i]; p.Tool == tool && !p.used {
			p.used = true
			return p
		}
	}
	return nil
}

// readMeta stores the pairs of a header in a result and keeps those that the
// layout does not have, but for the numbers of rows and sections, which may become
// others.
func (x *exchange) readMeta(s *resultPart, pairs []resultPair, result gotext.Var) {
	for _, m := range s.Meta {
		i := slices.IndexFunc(pairs, func(f resultPair) bool { return f.key == m.Key })
		if i >= 0 {
			x.fail(pairs[i].set(result, m.Value))
			continue
		}
		if x.extras == nil || m.Key == metaRows || m.Key == metaSections && s.sections() > 0 {
			continue
		}
		if x.extras.Meta == nil {
			x.extras.Meta = make(map[string][]Meta)
		}
		x.extras.Meta[s.Tool] = append(x.extras.Meta[s.Tool], m)
	}
}
