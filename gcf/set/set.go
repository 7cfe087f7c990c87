package set

import (
	"slices"
	"strconv"
	"strings"

	"github.com/wirekit/wirekit/gcf/internal/lex"
	"github.com/wirekit/wirekit/internal/base/bound"
	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/wire"
)

// A Set is a keyed set of flat rows: what generic deltas compare (section 10a).
// The value of the field Key identifies a row; the order of rows means nothing.
// A row without a field and one with a null there are the same.
type Set struct {
	Tool   string       // the producing tool; may be empty
	Name   string       // of the table; empty means "rows", or no name if Keyed
	Key    string       // the identity field, one of Fields
	Fields []string     // the columns in their order
	Rows   []wire.Value // objects of scalars, with members named in Fields
	// Keyed writes the set as a keyed map (section 10a.7): identities are the
	// keys of an object and must be strings.
	Keyed bool
	// Doubles makes the pack root hash numbers with a point or an exponent as
	// the nearest double, which is what readers have that compute with doubles;
	// without it, as the wire spells them, with all their digits. Integers keep
	// their digits in either case. Decoders set it where the root of a document
	// is of that form and differs.
	Doubles bool
}

// New returns the set of rows, a list of flat structs or maps, or a [wire.Value] of such,
// whose fields are the members that rows have, in the order in which they appear; of no
// rows, the key.
func New(key string, rows any) (*Set, error) {
	v, err := wire.FromGo(rows)
	if err != nil {
		return nil, err
	}
	if v.Kind() != wire.KindArray {
		return nil, lex.Fault("invalid_row", wire.ErrShape, "", "a set is a list of rows, not "+v.Kind().String(), "")
	}
	s := &Set{Key: key, Rows: slices.Collect(v.Elements())}
	known := make(map[string]bool)
	var last *wire.Keys
	for i, row := range s.Rows {
		if row.Kind() != wire.KindObject {
			return nil, wire.AtIndex(notRow(row), i)
		}
		if row.Keys() == last {
			continue
		}
		last = row.Keys()
		for _, name := range last.All() {
			if !known[name] {
				known[name] = true
				s.Fields = append(s.Fields, name)
			}
		}
	}
	if len(s.Rows) == 0 {
		s.Fields = []string{key}
	}
	if _, err := newSchema(key, s.Fields); err != nil {
		return nil, err
	}
	return s, nil
}

// MarshalWire refuses: a set has a document of its own, which [Encode] writes, and gcf.Marshal
// would write the struct.
func (s *Set) MarshalWire() (wire.Value, error) {
	return wire.Value{}, lex.Fault("no_value", wire.ErrShape, "", "a set has a document of its own", "use set.Encode")
}

// defaultName is the name of a set's table that has none.
const defaultName = "rows"

// keyedRows are the checked rows of a set, or of a part of a delta.
type keyedRows struct {
	schema schema
	double bool           // records hold doubles, as Set.Doubles says
	rows   []wire.Value   // as they were given
	cells  []wire.Value   // row by row, in the order of the fields; null for what is absent
	text   []byte         // the records of section 10a.3
	named  int            // bytes of field names in them
	ends   []int          // of the records
	byID   map[string]int // rows by canonical identity
	ids    []string       // canonical identities
}

// schema is a checked list of fields.
type schema struct {
	key    string
	at     int // of the key among the fields
	fields []string
	sorted []int // positions of the fields in the byte order of their names
}

// newSchema checks fields: distinct, with the key among them, fit for path
// columns and records.
func newSchema(key string, fields []string) (schema, error) {
	s := schema{key: key, at: slices.Index(fields, key), fields: slices.Clone(fields)}
	if !lex.IsHeaderValue(key) {
		return s, lex.Fault("invalid_header_value", wire.ErrShape, "",
			"the key field's name "+lex.Quoted(key)+" holds something else than printable ASCII without spaces", "identify rows by another field")
	}
	for _, name := range fields {
		if lex.HoldsPath(name) {
			return s, lex.Fault("unsupported_field", wire.ErrShape, "", "the field name "+lex.Quoted(name)+` holds ">", which stands for nested objects`, "rename the field")
		}
		if strings.ContainsAny(name, "\t\n") {
			return s, lex.Fault("unsupported_field", wire.ErrShape, "", "the field name "+lex.Quoted(name)+" holds a tab or a line end, which the pack root cannot tell from its own", "rename the field")
		}
	}
	if s.at < 0 {
		return s, lex.Fault("missing_key", wire.ErrShape, "", "the key field "+lex.Quoted(key)+" is not among the fields", "")
	}
	s.sorted = inOrder(len(fields), func(a, b int) int { return strings.Compare(fields[a], fields[b]) })
	for i := 1; i < len(s.sorted); i++ {
		if name := fields[s.sorted[i]]; name == fields[s.sorted[i-1]] {
			return s, lex.Fault(wire.CodeDuplicateField, wire.ErrDuplicateKey, "", "the field "+lex.Quoted(name)+" is declared twice", "")
		}
	}
	return s, nil
}

// same reports whether two schemas have the same key and fields, in any order.
func (s *schema) same(t *schema) bool {
	if s.key != t.key || len(s.fields) != len(t.fields) {
		return false
	}
	for i := range s.sorted {
		if s.fields[s.sorted[i]] != t.fields[t.sorted[i]] {
			return false
		}
	}
	return true
}

// newKeyedRows checks a whole set.
func newKeyedRows(s *Set) (*keyedRows, error) {
	if s == nil {
		return nil, lex.MissingArgument("set")
	}
	schema, err := newSchema(s.Key, s.Fields)
	if err != nil {
		return nil, err
	}
	t, err := schema.rows(s.Rows, s.Doubles)
	for i := 0; err == nil && s.Keyed && i < len(t.rows); i++ {
		if t.identity(i).Kind() != wire.KindString {
			err = wire.AtIndex(lex.Fault("invalid_identity", wire.ErrShape, "", "the identity of a row of a keyed map is a string", ""), i)
		}
	}
	if err != nil {
		return nil, err
	}
	return t, nil
}

// rows checks rows; double is as in keyedRows.
func (s schema) rows(rows []wire.Value, double bool) (*keyedRows, error) {
	t := &keyedRows{schema: s, double: double, byID: make(map[string]int, len(rows))}
	for i, row := range rows {
		if err := t.add(row); err != nil {
			return nil, wire.AtIndex(err, i)
		}
	}
	return t, nil
}

func notRow(v wire.Value) error {
	return lex.Fault("invalid_row", wire.ErrShape, "", "a row is an object, not "+v.Kind().String(), "")
}

func outOfRange(v wire.Value) error {
	return lex.Fault("out_of_range", wire.ErrRange, "", "the number "+lex.Abbreviated(v.Text())+" is outside GCF's domain", "make it a string")
}

// add checks a row and makes its record.
func (t *keyedRows) add(row wire.Value) error {
	if row.Kind() != wire.KindObject {
		return notRow(row)
	}
	from, found := len(t.cells), 0
	for _, name := range t.schema.fields {
		v, ok := row.Get(name)
		if lex.IsContainer(v.Kind()) {
			return wire.AtKey(lex.Fault("nested_value", wire.ErrShape, "", "a row of a set holds scalars only", "send the set without deltas"), name)
		}
		if ok {
			found++
		}
		t.cells = append(t.cells, v)
	}
	if found != row.Len() {
		for key := range row.Members() {
			if !slices.Contains(t.schema.fields, key) {
				return wire.AtKey(lex.Fault(wire.CodeUnknownMember, wire.ErrUnknownMember, "", "the row has a member that is not among the fields", "declare it"), key)
			}
		}
	}
	if err := t.nameRecord(); err != nil {
		return err
	}
	t.text = append(t.text, 'R')
	for _, at := range t.schema.sorted {
		t.text = append(append(append(t.text, '\t'), t.schema.fields[at]...), '\t')
		var ok bool
		cell := t.cells[from+at]
		if t.double {
			cell = nearestDouble(cell)
		}
		if t.text, ok = appendCanonical(t.text, cell); !ok {
			return wire.AtKey(outOfRange(t.cells[from+at]), t.schema.fields[at])
		}
	}
	t.text = append(t.text, '\n')
	id, err := canonicalIdentity(t.cells[from+t.schema.at])
	if err != nil {
		return wire.AtKey(err, t.schema.key)
	}
	if _, ok := t.byID[id]; ok {
		return wire.AtKey(lex.Fault("duplicate_identity", wire.ErrDuplicateKey, "", "two rows have the identity "+lex.Abbreviated(id), ""), t.schema.key)
	}
	t.byID[id] = len(t.rows)
	t.ids = append(t.ids, id)
	t.rows = append(t.rows, row)
	t.ends = append(t.ends, len(t.text))
	return nil
}

const (
	// freeNames and namesFactor bound what field names take in the records that
	// a root is over: each has all of them, so that a long name is as many times
	// as long as there are rows.
	freeNames   = 8 << 20
	namesFactor = 16
)

// nameRecord counts the names in one more record.
func (t *keyedRows) nameRecord() error {
	values := len(t.text) - t.named
	for _, name := range t.schema.fields {
		t.named = bound.Add(t.named, len(name)+2)
	}
	if t.named > bound.Add(freeNames, bound.Times(values, namesFactor)) {
		return lex.Fault("set_too_large", wire.ErrLimit, "",
			"the names of the fields, which each row's record repeats, take more than 8 MiB and 16 times the values",
			"shorten the names, or send the set without deltas")
	}
	return nil
}

// canonicalIdentity returns the text that identities are compared by.
func canonicalIdentity(v wire.Value) (string, error) {
	switch {
	case v.Kind() == wire.KindNull:
		return "", lex.Fault("missing_identity", wire.ErrShape, "", "a row without an identity", "")
	case lex.IsContainer(v.Kind()):
		return "", lex.Fault("nested_value", wire.ErrShape, "", "an identity is a scalar", "")
	}
	id, ok := appendCanonical(nil, v)
	if !ok {
		return "", outOfRange(v)
	}
	return string(id), nil
}

// record returns the record of a row.
func (t *keyedRows) record(i int) []byte {
	from := 0
	if i > 0 {
		from = t.ends[i-1]
	}
	return t.text[from:t.ends[i]]
}

// row returns the cells of a row.
func (t *keyedRows) row(i int) []wire.Value {
	n := len(t.schema.fields)
	return t.cells[i*n : (i+1)*n]
}

func (t *keyedRows) identity(i int) wire.Value { return t.row(i)[t.schema.at] }

// appendFields appends the field declaration with the marked key (section
// 10a.1).
func (s *schema) appendFields(dst []byte) []byte {
	dst = append(dst, '{')
	for i, name := range s.fields {
		if i > 0 {
			dst = append(dst, ',')
		}
		if i == s.at {
			dst = append(dst, '@')
		}
		dst = lex.AppendKey(dst, name)
	}
	return append(dst, '}')
}

// appendTable appends the declaration of the fields and the rows. The rows' numbers
// are known to be in the domain.
func (t *keyedRows) appendTable(dst []byte) []byte {
	dst = append(t.schema.appendFields(dst), '\n')
	for i := range t.rows {
		for j, v := range t.row(i) {
			if j > 0 {
				dst = append(dst, '|')
			}
			dst, _ = lex.AppendScalar(dst, v)
		}
		dst = append(dst, '\n')
	}
	return dst
}

// Encode returns the set's full payload, with its pack root and its key: the
// base of deltas to come.
func Encode(s *Set) ([]byte, error) {
	t, err := newKeyedRows(s)
	if err != nil {
		return nil, err
	}
	return t.full(s.Tool, s.Name, s.Keyed, t.packRoot())
}

// full returns the full payload.
func (t *keyedRows) full(tool, name string, keyed bool, root string) ([]byte, error) {
	if err := lex.CheckHeaderValue("tool", tool); err != nil {
		return nil, err
	}
	dst := append([]byte(nil), "GCF profile=generic"...)
	dst = lex.AppendTextField(dst, "tool", tool)
	dst = lex.AppendTextField(dst, "pack_root", root)
	dst = append(lex.AppendTextField(dst, "key", t.schema.key), "\n## "...)
	switch {
	case name != "":
		dst = append(lex.AppendKey(dst, name), ' ')
	case !keyed:
		dst = append(dst, defaultName+" "...)
	}
	dst = strconv.AppendInt(append(dst, '['), int64(len(t.rows)), 10)
	if keyed {
		if t.schema.at != 0 || len(t.schema.fields) < 2 || len(t.rows) == 0 {
			return nil, lex.Fault("unsupported_shape", wire.ErrShape, "",
				"a keyed map has the key as its first field, another field, and a row", "set Keyed to false")
		}
		dst = append(dst, ':')
	}
	return checkedText(t.appendTable(append(dst, ']')))
}

// checkedText returns a finished document, unless it is too long or not UTF-8.
func checkedText(dst []byte) ([]byte, error) {
	if len(dst) > bound.OutputBytes {
		return nil, lex.Fault(wire.CodeOutputTooLong, wire.ErrLimit, "", "the document gets longer than the limit", "")
	}
	if n := scan.ValidUTF8(dst); n < len(dst) {
		return nil, lex.Fault(wire.CodeInvalidUTF8, wire.ErrUTF8, "", "a name or a string is not UTF-8", "")
	}
	return dst, nil
}

// Decode reads the full payload of a keyed set and checks its pack root.
// Nested values are refused. Every row of the result has all fields; a field
// that the wire marks as absent is null.
func Decode(src []byte) (*Set, error) {
	set, _, err := decode(src)
	return set, err
}

func decode(src []byte) (*Set, *keyedRows, error) {
	var d decoder
	h := d.start(src)
	root, hasRoot := h.Get("pack_root")
	if !hasRoot || d.key == "" || h.Is("delta") || h.Is("unchanged") {
		d.Refuse(0, wire.Error{Code: "not_a_set", Kind: wire.ErrShape,
			Message: "the document is not the full payload of a keyed set: its header needs pack_root and key"})
	}
	set := &Set{Key: d.key}
	set.Tool, _ = h.Get("tool")
	d.full(set)
	if d.Err != nil {
		return nil, nil, d.Err
	}
	t, err := newKeyedRows(set)
	if err != nil {
		d.StopAtEnd(err)
		return nil, nil, d.Err
	}
	if is := t.packRoot(); strings.HasPrefix(root, lex.RootPrefix) && is != root {
		over, doubles, err := set.withOtherRoot()
		if err != nil || doubles.packRoot() != root {
			d.StopAtRoot(&h, lex.RootMismatch(is, root))
			return nil, nil, d.Err
		}
		return over, doubles, nil
	}
	return set, t, nil
}

// withOtherRoot returns the set with its root over doubles, or over the numbers' texts,
// whichever it is not.
func (s *Set) withOtherRoot() (*Set, *keyedRows, error) {
	like := *s
	like.Doubles = !s.Doubles
	t, err := newKeyedRows(&like)
	return &like, t, err
}

// decoder reads full payloads and deltas of keyed sets.
type decoder struct {
	lex.Scalars
	key    string // what the header's key= says
	values int    // left
}

// start reads the header.
func (d *decoder) start(src []byte) lex.Header {
	limits := wire.Limits{}.Resolved()
	d.values = limits.Values
	h := d.Begin(src, limits)
	if h.Profile != lex.ProfileGeneric {
		d.Refuse(0, wire.Error{Code: "unknown_profile", Kind: wire.ErrVersion,
			Message: "the document is not in the generic profile", Hint: "use package gcf"})
	}
	d.key, _ = h.Get("key")
	return h
}

// full reads the one table of a full payload.
func (d *decoder) full(set *Set) {
	if d.Done || !strings.HasPrefix(d.Line(), "## ") {
		d.RefuseSyntax(d.Lines.Start, "invalid_line", "a keyed set is one table")
		return
	}
	t := d.tableHeader()
	set.Name, set.Keyed, set.Fields = t.name, t.keyed, t.fields
	if t.keyed && (len(t.fields) < 2 || t.n == 0) {
		d.RefuseSyntax(t.at, "invalid_count", "a keyed map has at least two fields and a row")
	}
	set.Rows = d.tableRows(t)
	d.ending()
}

// ending checks that nothing but a summary follows.
func (d *decoder) ending() {
	if !d.Done && strings.HasPrefix(d.Line(), "##!") {
		d.SummaryFields(d.Lines.Start + len("##!"))
		d.Advance()
	}
	if !d.Done {
		d.RefuseSyntax(d.Lines.Start, "trailing_content", "a line after the end of the document")
	}
}

// tableHead is the header of a table with a marked field.
type tableHead struct {
	at     int // of the count
	name   string
	n      int
	keyed  bool
	fields []string
}

// tableHeader reads "## name [N]{@key,…}" and makes the line after it current.
func (d *decoder) tableHeader() (t tableHead) {
	if d.Indent != 0 {
		d.RefuseSyntax(d.Lines.Start, "invalid_indent", "the line is indented")
	}
	const badCount = "a count is 0 or a number without leading zeros"
	name, i := d.readKey(d.SkipBlanks(d.Lines.Start+len("##"), d.End))
	t.name, t.at = name, d.SkipBlanks(i, d.End)
	count := d.expect(t.at, '[', "invalid_count", "a table of a keyed set has a count")
	if t.n, i = d.Count(count, d.End); i == count {
		d.RefuseSyntax(i, "invalid_count", badCount)
	}
	if i < d.End && d.Doc[i] == ':' {
		t.keyed = true
		i++
	}
	i = d.expect(i, ']', "invalid_count", badCount)
	i = d.expect(i, '{', "invalid_field_declaration", "a table of a keyed set declares its fields")
	t.fields, i = d.fields(i)
	if d.SkipBlanks(i, d.End) != d.End {
		d.RefuseSyntax(i, "trailing_characters", "characters after the field declaration")
	}
	d.Advance()
	return t
}

// readKey reads the key at i, and returns the position after it: the line's end after an error.
func (d *decoder) readKey(i int) (key string, next int) {
	key, next, err := d.Scalars.ReadKey(i, d.End)
	if err != nil {
		d.Stop(err)
		next = d.End
	}
	return key, next
}

// expect returns the position after the byte at i, which must be c, else the line's end.
func (d *decoder) expect(i int, c byte, code, message string) (next int) {
	if i < d.End && d.Doc[i] == c {
		return i + 1
	}
	d.RefuseSyntax(i, code, message)
	return d.End
}

// fields reads a field declaration from after its brace. The field marked with
// @ must be the header's key.
func (d *decoder) fields(i int) (fields []string, next int) {
	seen := make(map[string]bool)
	marked := false
	for {
		i = d.SkipBlanks(i, d.End)
		at := i
		isKey := i < d.End && d.Doc[i] == '@'
		if isKey {
			i++
		}
		name, next := d.readKey(i)
		switch {
		case next == i:
			d.RefuseSyntax(i, "invalid_field_declaration", "a field's name is missing")
		case seen[name]:
			d.Refuse(at, wire.Error{Code: wire.CodeDuplicateField, Kind: wire.ErrDuplicateKey, Message: "the field is declared twice"})
		case isKey && (marked || name != d.key):
			d.RefuseSyntax(at, "identity_mismatch", "the marked field is not the one that the header's key= names, or not the only one")
		}
		seen[name] = true
		marked = marked || isKey
		fields = append(fields, name)
		i = d.SkipBlanks(next, d.End)
		if i < d.End && d.Doc[i] == ',' {
			i++
			continue
		}
		i = d.expect(i, '}', "invalid_field_declaration", "a comma or a brace is missing")
		if !marked {
			d.RefuseSyntax(at, "identity_mismatch", "no field is marked with @")
		}
		return fields, i
	}
}

// tableRows reads the rows of a table; the line after them becomes current.
func (d *decoder) tableRows(t tableHead) (rows []wire.Value) {
	keys, err := wire.NewKeys(t.fields...)
	if d.Stop(err); d.Err != nil {
		return nil
	}
	for len(rows) < t.n && !d.atSection() {
		if d.Indent != 0 {
			d.RefuseSyntax(d.Lines.Start, "invalid_indent", "a row is indented")
		}
		rows = append(rows, d.tableRow(keys))
		d.Advance()
	}
	if len(rows) < t.n {
		d.CountMismatch(t.at, "fewer rows than the header says")
	} else if !d.atSection() {
		d.CountMismatch(d.Lines.Start, "more rows than the header says")
	}
	return rows
}

// atSection reports whether the document ends or a header or summary is current.
func (d *decoder) atSection() bool {
	return d.Done || strings.HasPrefix(d.Line(), "## ") || strings.HasPrefix(d.Line(), "##!")
}

func (d *decoder) tableRow(keys *wire.Keys) wire.Value {
	if d.Doc[d.Lines.Start] == '@' {
		d.RefuseSyntax(d.Lines.Start, "invalid_attachment_marker", "a row of a keyed set has no attachments, so no id")
	}
	if d.values -= keys.Len(); d.values < 0 {
		d.Refuse(d.Lines.Start, wire.Error{Code: wire.CodeTooManyValues, Kind: wire.ErrLimit,
			Message: "more values than the limit", Hint: "raise Limits.Values"})
	}
	slots, n := d.Slots(keys.Len()), 0
	for i, more := d.Lines.Start, true; more; n++ {
		v, next, err := d.Token(i, d.End, '|')
		d.Stop(err)
		switch wire.Internal.Tag(v) {
		case lex.MarkAbsent:
			v = wire.Null()
		case lex.MarkAttachment, lex.MarkSchema:
			d.RefuseSyntax(i, "invalid_attachment_marker", "a row of a keyed set holds scalars only")
		}
		if n < len(slots) {
			slots[n] = v
		}
		more = err == nil && next < d.End
		i = next + 1
	}
	if n != keys.Len() {
		d.RefuseSyntax(d.Lines.Start, wire.CodeRowWidth, "the row has another number of values than there are fields")
	}
	return d.RowOf(keys, slots)
}
