package gotype

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Fields are the fields of a struct type that take part, in the order of their
// declaration.
type Fields struct {
	List  []Field
	Names []string // of List
	// Rest is the field with the option embed that takes the members that no field of
	// List does: a map or a jsontext.Value, or a pointer to one. It is nil if there is none.
	Rest *Field

	exact  map[string]int
	folded map[string]int // by what appendFold appends
}

// A Field is a field that takes part, perhaps one of an embedded struct.
type Field struct {
	Name string
	Type *Type
	// Offset is the field's, within the struct; after the last of the Hops, if
	// there are any, within the struct that it leads to.
	Offset uintptr
	Hops   []Hop
	// Hidden says that the field itself is not exported: an embedded struct with
	// a name from a tag, or a pointer to one. Its methods are not asked, and a
	// pointer cannot be set.
	Hidden bool

	OmitEmpty bool
	OmitZero  bool
	// IsZero is the type's own notion of zero for OmitZero, asked of a variable; nil if it
	// has none.
	IsZero func(reflect.Value) bool
	// Quoted is the option "string", on a type that it applies to.
	Quoted bool
	embed  bool // the option of that name

	path []int // as for reflect.Value.FieldByIndex
}

// A Hop is an embedded pointer on the way to a field.
type Hop struct {
	Offset uintptr // of the pointer, as a Field's
	Type   *Type   // of the pointer
	Hidden bool    // the pointer cannot be set
}

// Optional reports whether a value of the struct can lack the field.
func (f *Field) Optional() bool { return f.OmitEmpty || f.OmitZero || len(f.Hops) > 0 }

// RunsCode reports whether a method of the program decides that the field is absent. It
// may change anything, so what plans hold about the struct is not sure any more.
func (f *Field) RunsCode() bool { return f.IsZero != nil && f.Type.Pointee().Op != Time }

// Find returns the position of the field that the key of a member means: the one
// of exactly that name, else the first whose name differs in case only, else -1.
func (s *Fields) Find(key string) int {
	if i, ok := s.exact[key]; ok {
		return i
	}
	var buf [64]byte
	if i, ok := s.folded[string(appendFold(buf[:0], key))]; ok {
		return i
	}
	return -1
}

// parseTag reads the tag wire, which replaces the tag json where both are, into a Field
// whose Name is empty if the tag has none. It reports false for a field to be skipped.
func parseTag(tag reflect.StructTag) (f Field, ok bool) {
	text, ok := tag.Lookup("wire")
	if !ok {
		text = tag.Get("json")
	}
	if text == "-" {
		return f, false
	}
	name, options, _ := strings.Cut(text, ",")
	f.Name = tagName(name)
	for option := range strings.SplitSeq(options, ",") {
		switch option {
		case "omitempty":
			f.OmitEmpty = true
		case "omitzero":
			f.OmitZero = true
		case "string":
			f.Quoted = true
		case "embed":
			f.embed = Flattens()
		}
	}
	return f, true
}

// tagName returns the name that encoding/json takes from that part of a tag: letters,
// digits and printable ASCII without quotation marks and backslash, or nothing. On
// encoding/json/v2 it takes other characters as well, and of a name with a quotation mark
// or a backslash the letters and digits that it begins with.
func tagName(text string) string {
	odd := strings.IndexFunc(text, func(r rune) bool {
		return strings.ContainsRune("\"'`\\", r) || !OnV2() && (r < ' ' || r > '~') && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	switch {
	case odd < 0:
		return strings.ToValidUTF8(text, "\uFFFD")
	case !OnV2():
		return ""
	}
	isWord := func(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsNumber(r) }
	word := text[:len(text)-len(strings.TrimLeftFunc(text, isWord))]
	if first, _ := utf8.DecodeRuneInString(word); unicode.IsNumber(first) {
		return ""
	}
	return word
}

func (u *Universe) newFields(t reflect.Type) *Fields {
	all, rests := u.candidates(t)
	s := &Fields{
		List:   dominantFields(all),
		exact:  make(map[string]int),
		folded: make(map[string]int),
	}
	if n := len(rests); n == 1 || n > 1 && len(rests[0].path) < len(rests[1].path) {
		s.Rest = &rests[0].Field
		u.locate(s.Rest, t)
	}
	s.Names = make([]string, len(s.List))
	for i := range s.List {
		f := &s.List[i]
		u.locate(f, t)
		s.Names[i] = f.Name
		s.exact[f.Name] = i
		folded := string(appendFold(nil, f.Name))
		if _, ok := s.folded[folded]; !ok {
			s.folded[folded] = i
		}
	}
	return s
}

// locate finds the way to the field that the path leads to.
func (u *Universe) locate(f *Field, t reflect.Type) {
	for n, i := range f.path {
		sf := t.Field(i)
		f.Offset += sf.Offset
		if n == len(f.path)-1 {
			f.Hidden = !sf.IsExported()
			return
		}
		if t = sf.Type; t.Kind() == reflect.Pointer {
			f.Hops = append(f.Hops, Hop{f.Offset, u.Of(t), !sf.IsExported()})
			f.Offset = 0
			t = t.Elem()
		}
	}
}

// candidate is a field before Go's rules for embedded fields have chosen among
// those of one name.
type candidate struct {
	Field
	tagged bool
}

// candidates returns the fields of t and of the structs embedded in it, level
// by level. A struct type that is embedded twice on one level gives its fields
// twice: neither is then dominant. One that is embedded again on a deeper
// level gives nothing there, because its fields are hidden. The rests are the
// candidates for Fields.Rest, the least deep ones first.
func (u *Universe) candidates(t reflect.Type) (found, rests []candidate) {
	type embedded struct {
		t     reflect.Type
		path  []int
		twice bool
	}
	seen := map[reflect.Type]bool{t: true}
	for level := []embedded{{t: t}}; len(level) > 0; {
		var next []embedded
		for _, e := range level {
			for i := range e.t.NumField() {
				sf := e.t.Field(i)
				if !takesPart(sf) {
					continue
				}
				f, ok := parseTag(sf.Tag)
				if !ok {
					continue
				}
				path := append(slices.Clone(e.path), i)
				base := pointee(sf.Type)
				// A Value is a struct by chance only.
				embeds := f.Name == "" && base != u.Value && (sf.Anonymous || f.embed)
				if embeds && base.Kind() == reflect.Struct {
					if j := slices.IndexFunc(next, func(o embedded) bool { return o.t == base }); j >= 0 {
						next[j].twice = true
					} else if !seen[base] {
						next = append(next, embedded{t: base, path: path})
					}
					continue
				}
				if !sf.IsExported() && u.asked(base) {
					continue
				}
				c, to := candidate{u.complete(f, sf, path), f.Name != ""}, &found
				if f.embed && embeds && u.takesMembers(base) {
					to = &rests
				}
				*to = append(*to, c)
				if e.twice {
					*to = append(*to, c)
				}
			}
		}
		for _, e := range next {
			seen[e.t] = true
		}
		level = next
	}
	return found, rests
}

// asked reports whether an embedded struct of an unexported type, which a tag names, does
// not take part because it has methods that cannot be called: encoding/json on
// encoding/json/v2 leaves it out. Before, it panicked.
func (u *Universe) asked(t reflect.Type) bool { return OnV2() && u.Of(t).ConvertsItself() }

// takesMembers reports whether values of the type can be the rest of a struct's members.
func (u *Universe) takesMembers(t reflect.Type) bool {
	if t.Kind() == reflect.Map {
		return t.Key().Kind() == reflect.String && !u.Of(t.Key()).ConvertsItself()
	}
	return t.PkgPath() == jsontext && t.Name() == "Value"
}

// takesPart reports whether a field or what is embedded in it can be reached:
// an unexported struct that is embedded may have exported fields.
func takesPart(sf reflect.StructField) bool {
	return sf.IsExported() || sf.Anonymous && pointee(sf.Type).Kind() == reflect.Struct
}

// complete adds to what the tag says of a field what its type does.
func (u *Universe) complete(f Field, sf reflect.StructField, path []int) Field {
	f.Name, f.Type, f.path = cmp.Or(f.Name, sf.Name), u.Of(sf.Type), path
	f.Quoted = f.Quoted && quotable(sf.Type)
	if f.OmitZero {
		f.IsZero = zeroMethod(sf.Type)
	}
	return f
}

func pointee(t reflect.Type) reflect.Type {
	if t.Name() == "" && t.Kind() == reflect.Pointer {
		return t.Elem()
	}
	return t
}

// quotable reports whether the option "string" applies to a field of type t.
func quotable(t reflect.Type) bool {
	switch k := pointee(t).Kind(); k {
	case reflect.String, reflect.Float32, reflect.Float64:
		return true
	default:
		return reflect.Bool <= k && k <= reflect.Uintptr
	}
}

type zeroer interface{ IsZero() bool }

var zeroerType = reflect.TypeFor[zeroer]()

// zeroMethod returns the type's own notion of zero, nil if it has none.
func zeroMethod(t reflect.Type) func(reflect.Value) bool {
	call := func(v reflect.Value) bool { return v.Interface().(zeroer).IsZero() }
	switch {
	case t.Kind() == reflect.Interface && t.Implements(zeroerType):
		return func(v reflect.Value) bool {
			return v.IsNil() || v.Elem().Kind() == reflect.Pointer && v.Elem().IsNil() || call(v)
		}
	case t.Kind() == reflect.Pointer && t.Implements(zeroerType):
		return func(v reflect.Value) bool { return v.IsNil() || call(v) }
	case t.Implements(zeroerType):
		return call
	case reflect.PointerTo(t).Implements(zeroerType):
		return func(v reflect.Value) bool { return call(v.Addr()) }
	}
	return nil
}

// dominantFields chooses among the candidates of each name by Go's rules for
// embedded fields, extended as encoding/json does: the least deep wins, among
// those one with a name from a tag; if more than one is left, none of that name
// takes part. The result is in the order of declaration.
func dominantFields(all []candidate) []Field {
	byName := make(map[string][]candidate)
	for _, c := range all {
		rivals := byName[c.Name]
		if len(rivals) > 0 {
			switch winner := rivals[0]; {
			case len(c.path) > len(winner.path) || len(c.path) == len(winner.path) && winner.tagged && !c.tagged:
				continue
			case len(c.path) < len(winner.path) || c.tagged && !winner.tagged:
				rivals = rivals[:0]
			}
		}
		byName[c.Name] = append(rivals, c)
	}
	var fields []Field
	for _, rivals := range byName {
		if len(rivals) == 1 {
			fields = append(fields, rivals[0].Field)
		}
	}
	slices.SortStableFunc(fields, func(a, b Field) int { return slices.Compare(a.path, b.path) })
	return fields
}

// appendFold appends one name for all that differ in case only, by Unicode's simple
// folding.
func appendFold(dst []byte, name string) []byte {
	for _, r := range name {
		if 'a' <= r && r <= 'z' {
			r -= 'a' - 'A'
		} else if r >= utf8.RuneSelf {
			r = smallestFold(r)
		}
		dst = utf8.AppendRune(dst, r)
	}
	return dst
}

// smallestFold returns the smallest of the runes that r folds with. The runes
// of a set form a cycle that ascends but for one step.
func smallestFold(r rune) rune {
	for {
		next := unicode.SimpleFold(r)
		if next <= r {
			return next
		}
		r = next
	}
}
