package gcx

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/wirekit/wirekit/internal/bound"
	"github.com/wirekit/wirekit/internal/gotype"
	"github.com/wirekit/wirekit/wire"
)

// A Result is a tool's result in a layout of its own: it embeds [Extras] and names
// its sections, which [Codec.AppendResult] writes and [Codec.DecodeResult] reads. The
// document's are in package layouts.
type Result interface {
	// Exchange names the result's sections to x, in their order, and does not keep x.
	// To read it is called with a zero result, and again with one if that has not led
	// to an end.
	Exchange(x *Exchange)
	extended
}

// extended is what embeds [Extras].
type extended interface{ extras() *Extras }

// Extras are what a payload has beyond its layout. They are written behind
// what the layout has.
type Extras struct {
	Meta     []Meta            // further pairs of the first section's header
	Later    map[string][]Meta // those of the layout's other sections, by their tools
	Sections []Section         // further sections
}

func (e *Extras) extras() *Extras { return e }

// AppendResult appends a result in its layout.
func (c Codec) AppendResult(dst []byte, r Result) ([]byte, error) {
	x := exchanges.Get().(*Exchange)
	x.c, x.extras, x.dst, x.max = c, r.extras(), dst, bound.Add(len(dst), c.Limits.Resolved().OutputBytes)
	r.Exchange(x)
	for i := range x.extras.Sections {
		x.section(x.extras.Sections[i])
	}
	out, err := x.dst, x.err
	*x = Exchange{}
	exchanges.Put(x)
	if err == nil {
		err = checkText(out[len(dst):])
	}
	if err != nil {
		return dst, err
	}
	return out, nil
}

// exchanges are those that wrote a result.
var exchanges = sync.Pool{New: func() any { return new(Exchange) }}

// DecodeResult reads a payload into a result, which it replaces as a whole or,
// on error, not at all. Columns, pairs and sections that the layout does not
// have are kept in its Extras or, columns, passed over. A section without rows,
// or that is not there, gives a nil slice; where the layout wants exactly one
// row, that is an error, unless the codec is lenient.
func (c Codec) DecodeResult(src []byte, r Result) error {
	if c.readText(src, r) {
		return nil
	}
	return c.decodeResult(src, r)
}

// decodeResult is DecodeResult by way of sections.
func (c Codec) decodeResult(src []byte, target Result) error {
	sections, headers, err := c.decodeSections(src)
	if err != nil {
		return err
	}
	x := &Exchange{c: c, reading: true, src: src, in: sections, places: make([]sectionPlace, len(sections))}
	for i := range headers {
		x.places[i].header = headers[i]
	}
	fresh := freshResult(target)
	if x.read(fresh); x.err != nil {
		return x.err
	}
	if !x.anyUsed() {
		return shape("other_tool", "no section is one of this result's, the first is of "+strconv.Quote(x.in[0].Tool))
	}
	x.end()
	store(target, fresh)
	return nil
}

// freshResult returns an empty result of the same type.
func freshResult(r Result) Result {
	fresh, _ := reflect.New(reflect.TypeOf(r).Elem()).Interface().(Result)
	return fresh
}

// store stores in a result another one of the same type.
func store(target, r Result) { reflect.ValueOf(target).Elem().Set(reflect.ValueOf(r).Elem()) }

// read reads what x has into an empty result.
func (x *Exchange) read(r Result) {
	x.extras = r.extras()
	r.Exchange(x)
}

// anyUsed reports whether a section is one of the layout's.
func (x *Exchange) anyUsed() bool {
	return slices.ContainsFunc(x.places, func(p sectionPlace) bool { return p.used })
}

// end keeps the sections that the layout does not have.
func (x *Exchange) end() {
	for i := range x.places {
		if !x.places[i].used {
			x.extras.Sections = append(x.extras.Sections, x.in[i])
		}
	}
}

// An Exchange writes a result's sections, or reads them: each method does the one or
// the other with what it is given. After an error, and it keeps the first, they do
// nothing.
type Exchange struct {
	c       Codec
	extras  *Extras
	reading bool
	err     error

	dst      []byte // writing
	max      int
	begun    bool
	leaveOut string // a field that is not written

	src    []byte // reading
	in     []Section
	places []sectionPlace // of in
	text   *resultText    // of which in has the headers, if the sections were not read
}

// A sectionPlace is what a result's reader knows of a section.
type sectionPlace struct {
	header line // which begins there
	used   bool // the layout has the section

	// In a text of which the sections were not read:
	begin, end int        // of the rows
	declared   int        // the rows= of the header
	known      *knownHead // the header up to its pairs, nil if it may be another
}

// A MetaField is a pair of a header and the field it is kept in: an *int or a
// *bool, always written, or a *string, written if not empty.
type MetaField struct {
	Key   string
	Field any
}

// Reading reports whether the result is read, and not written.
func (x *Exchange) Reading() bool { return x.reading }

// LeaveOut makes [Exchange.Rows] write no column of that name.
func (x *Exchange) LeaveOut(field string) { x.leaveOut = field }

// Fail ends the exchange with an error, unless it has one.
func (x *Exchange) Fail(err error) { x.fail(err) }

func (x *Exchange) fail(err error) {
	if x.err == nil {
		x.err = err
	}
}

// Rows exchanges the section of a tool. Rows is a pointer to a slice of typed rows,
// see [RowSection]; meta are the pairs of the header that the layout has.
func (x *Exchange) Rows(tool string, rows any, meta ...MetaField) {
	if x.err != nil {
		return
	}
	if x.reading {
		x.readRows(tool, rows, meta)
		return
	}
	h := Header{Tool: tool}
	if len(meta) > 0 {
		h.Meta = make([]Meta, 0, len(meta))
	}
	for _, m := range meta {
		if text := m.text(); text != "" {
			h.Meta = append(h.Meta, Meta{m.Key, text})
		}
	}
	target := reflect.ValueOf(rows)
	if t, err := cellTypeOf(target.Type().Elem().Elem()); err == nil {
		if list := gotype.At[gotype.Slice](target.UnsafePointer()); x.typedRows(h, t, list.Data, list.Len) {
			return
		}
	}
	x.cellRows(h, rows)
}

// readRows is Rows for reading.
func (x *Exchange) readRows(tool string, rows any, meta []MetaField) {
	s := x.take(tool)
	if s == nil {
		return
	}
	x.readMeta(s, meta)
	if x.text != nil {
		x.text.list(&x.places[x.place(s)], s.Fields, reflect.ValueOf(rows).Elem())
		return
	}
	if len(s.Rows) == 0 {
		return
	}
	if err := s.Scan(rows); err != nil {
		x.fail(wire.AtKey(err, tool))
	}
}

// cellRows writes typed rows by their cells.
func (x *Exchange) cellRows(h Header, rows any) {
	s, err := RowSection(h, reflect.ValueOf(rows).Elem().Interface())
	if err == nil && x.leaveOut != "" {
		fields := slices.DeleteFunc(slices.Clone(s.Fields), func(f string) bool { return f == x.leaveOut })
		h.Fields = fields
		s, err = RowSection(h, reflect.ValueOf(rows).Elem().Interface())
	}
	if err != nil {
		x.fail(wire.AtKey(err, h.Tool))
		return
	}
	x.section(s)
}

// Row is Rows for a section of exactly one: row is a pointer to a struct.
func (x *Exchange) Row(tool string, row any) {
	if x.err != nil {
		return
	}
	target := reflect.ValueOf(row)
	if !x.reading {
		if t, err := cellTypeOf(target.Type().Elem()); err == nil && x.typedRows(Header{Tool: tool}, t, target.UnsafePointer(), 1) {
			return
		}
	}
	target = target.Elem()
	if x.text != nil {
		if s := x.take(tool); s != nil {
			x.readMeta(s, nil)
			x.text.one(&x.places[x.place(s)], s.Fields, target)
			return
		}
	}
	rows := reflect.New(reflect.SliceOf(target.Type()))
	if !x.reading {
		rows.Elem().Set(reflect.Append(rows.Elem(), target))
		x.cellRows(Header{Tool: tool}, rows.Interface())
		return
	}
	if x.readRows(tool, rows.Interface(), nil); x.err != nil {
		return
	}
	switch n := rows.Elem().Len(); {
	case n == 1, n > 1 && x.c.Lenient:
		target.Set(rows.Elem().Index(0))
	case x.c.Lenient:
		target.SetZero()
	default:
		x.fail(&wire.Error{Format: name, Code: wire.CodeCount, Kind: wire.ErrChecksum,
			Message: "section " + strconv.Quote(tool) + " must have exactly one row"})
	}
}

// List exchanges the section of a tool, which the generic fallback writes and
// whose value is an array, however many rows it has.
func (x *Exchange) List(tool string, v *wire.Value) {
	if x.Value(tool, v); x.reading && x.err == nil && v.Kind() != wire.KindArray && x.Header(tool) != nil {
		*v = wire.Array(*v)
	}
}

// Value exchanges the section of a tool, which the generic fallback writes.
func (x *Exchange) Value(tool string, v *wire.Value) {
	if x.err != nil {
		return
	}
	if x.reading {
		s := x.take(tool)
		if s == nil {
			*v = wire.Value{}
			return
		}
		x.readMeta(s, nil)
		var err error
		if *v, err = x.sectionValue(s); err != nil {
			x.fail(err)
		}
		return
	}
	e := newValueEncoder(x.c, x.dst)
	e.plainSection(plainTool(tool), *v, x.furtherMeta(tool), 0)
	out, err := e.finish(*v)
	x.dst = out
	x.fail(err)
	if err == nil && len(out) > x.max {
		x.fail(outputTooLong())
	}
}

// sectionValue returns the value of a section alone, from its text: where a row
// is a blank line, that alone tells it from none.
func (x *Exchange) sectionValue(s *Section) (wire.Value, error) {
	i := x.place(s)
	if x.text != nil && !x.text.simple(&x.places[i], len(s.Fields)) {
		return wire.Value{}, nil
	}
	begin, end := &x.places[i].header, len(x.src)
	if i+1 < len(x.places) {
		end = x.places[i+1].header.at
	}
	v, err := x.c.sectionValue(x.src[begin.at:end])
	if e, ok := err.(*wire.Error); ok {
		return wire.Value{}, e.Moved(begin.at, begin.number-1)
	}
	return v, err
}

// sectionValue returns the value of the section that text is.
func (c Codec) sectionValue(text []byte) (wire.Value, error) {
	d := new(valueDecoder)
	if err := d.begin(&c, text); err != nil {
		return wire.Value{}, err
	}
	h, keys, next, err := d.header(0)
	if err != nil {
		return wire.Value{}, err
	}
	rows, _, err := d.rows(&h, keys, next)
	if err != nil {
		return wire.Value{}, err
	}
	return (&decodedSection{&h, rows}).alone(), nil
}

// section writes a section; the first one gets the further pairs.
func (x *Exchange) section(s Section) {
	if x.err != nil {
		return
	}
	s.Meta = append(slices.Clip(s.Meta), x.furtherMeta(s.Tool)...)
	out, err := x.c.appendSection(x.dst, &s, x.max)
	x.dst = out
	x.fail(err)
}

// furtherMeta returns the pairs of a section's header that its layout does not
// have. It is asked once for each section, in order.
func (x *Exchange) furtherMeta(tool string) []Meta {
	meta := slices.Clone(x.extras.Later[tool])
	if !x.begun {
		meta = append(meta, x.extras.Meta...)
	}
	x.begun = true
	return meta
}

// Section returns the section of a tool that is read, nil if there is none.
// Header does if its rows are not asked for.
func (x *Exchange) Section(tool string) *Section {
	s := x.find(tool)
	if s != nil && x.text != nil {
		x.readCells(x.place(s))
	}
	return s
}

// Header returns the header of the section of a tool that is read, nil if there is
// none.
func (x *Exchange) Header(tool string) *Header {
	s := x.find(tool)
	if s == nil {
		return nil
	}
	if place := &x.places[x.place(s)]; place.known != nil {
		s.Fields, place.known = slices.Clone(s.Fields), nil // the caller may change them
	}
	return &s.Header
}

func (x *Exchange) find(tool string) *Section {
	for i := range x.in {
		if x.in[i].Tool == tool {
			return &x.in[i]
		}
	}
	return nil
}

// place returns which of the sections that are read s is.
func (x *Exchange) place(s *Section) int {
	i := 0
	for &x.in[i] != s {
		i++
	}
	return i
}

// take is find for a section that was not taken, and notes that the layout has the section.
func (x *Exchange) take(tool string) *Section {
	for i := range x.in {
		if x.in[i].Tool == tool && !x.places[i].used {
			x.places[i].used = true
			return &x.in[i]
		}
	}
	return nil
}

// ToolWithSuffix returns what stands before the first of the suffixes that the tool
// of some section read has.
func (x *Exchange) ToolWithSuffix(suffixes ...string) string {
	for _, suffix := range suffixes {
		for i := range x.in {
			if base, ok := strings.CutSuffix(x.in[i].Tool, suffix); ok && base != "" {
				return base
			}
		}
	}
	return ""
}

// ToolWithPrefix returns what follows the prefix in the first tool read that has it.
func (x *Exchange) ToolWithPrefix(prefix string) string {
	for i := range x.in {
		if suffix, ok := strings.CutPrefix(x.in[i].Tool, prefix); ok {
			return suffix
		}
	}
	return ""
}

// readMeta stores the pairs of a header and keeps those that the layout does
// not have, but for the numbers of rows and sections, which may become others.
func (x *Exchange) readMeta(s *Section, fields []MetaField) {
	for _, m := range s.Meta {
		i := slices.IndexFunc(fields, func(f MetaField) bool { return f.Key == m.Key })
		if i >= 0 {
			if err := fields[i].set(m.Value); err != nil {
				x.fail(err)
			}
			continue
		}
		if m.Key == metaRows || m.Key == metaSections && s.sections() > 0 {
			continue
		}
		if s == &x.in[0] {
			x.extras.Meta = append(x.extras.Meta, m)
			continue
		}
		if x.extras.Later == nil {
			x.extras.Later = make(map[string][]Meta)
		}
		x.extras.Later[s.Tool] = append(x.extras.Later[s.Tool], m)
	}
}

func (f MetaField) text() string {
	switch p := f.Field.(type) {
	case *int:
		return strconv.Itoa(*p)
	case *bool:
		return strconv.FormatBool(*p)
	case *string:
		return *p
	}
	return ""
}

func (f MetaField) set(text string) error {
	var err error
	switch p := f.Field.(type) {
	case *int:
		*p, err = strconv.Atoi(text)
	case *bool:
		*p, err = strconv.ParseBool(text)
	case *string:
		*p = text
	}
	if err != nil {
		return &wire.Error{Format: name, Code: "wrong_meta", Kind: wire.ErrShape,
			Message: "meta pair " + f.Key + "=" + strconv.Quote(text)}
	}
	return nil
}
