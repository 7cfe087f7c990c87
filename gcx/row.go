package gcx

import (
	"encoding"
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/wirekit/wirekit/internal/decimal"
	"github.com/wirekit/wirekit/internal/scan"
	"github.com/wirekit/wirekit/wire"
)

// Slices of flat structs are rows already, so they need no Values on their
// way. The functions of this file handle what is simple, and report false for
// all else, errors included: then the way through Values gives the result.

// A rowType is what is known of a struct type whose fields are all strings,
// integers, float64s and booleans.
type rowType struct {
	keys   *wire.Keys
	fields []rowField
}

type rowField struct {
	index int
	kind  cellKind
	bits  int // of an integer
}

type cellKind uint8

const (
	cellString cellKind = iota
	cellInt
	cellUint
	cellFloat
	cellBool
)

// rowTypes caches, by reflect.Type, the *rowType; nil for types that are none.
var rowTypes sync.Map

func rowTypeOf(t reflect.Type) *rowType {
	if known, ok := rowTypes.Load(t); ok {
		return known.(*rowType)
	}
	known, _ := rowTypes.LoadOrStore(t, newRowType(t))
	return known.(*rowType)
}

// ownMethods are the interfaces by which a type converts itself.
var ownMethods = []reflect.Type{
	reflect.TypeFor[wire.ValueMarshaler](), reflect.TypeFor[wire.ValueUnmarshaler](),
	reflect.TypeFor[json.Marshaler](), reflect.TypeFor[json.Unmarshaler](),
	reflect.TypeFor[encoding.TextMarshaler](), reflect.TypeFor[encoding.TextUnmarshaler](),
}

func convertsItself(t reflect.Type) bool {
	return slices.ContainsFunc(ownMethods, func(i reflect.Type) bool {
		return t.Implements(i) || reflect.PointerTo(t).Implements(i)
	})
}

func newRowType(t reflect.Type) *rowType {
	if t.Kind() != reflect.Struct || convertsItself(t) {
		return nil
	}
	row := &rowType{}
	var names []string
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous {
			return nil
		}
		if !f.IsExported() {
			continue
		}
		label, skip, ok := plainTag(f)
		if skip {
			continue
		}
		kind, bits := cellKindOf(f.Type)
		if !ok || bits == 0 || convertsItself(f.Type) {
			return nil
		}
		row.fields = append(row.fields, rowField{i, kind, bits})
		names = append(names, label)
	}
	keys, err := wire.NewKeys(names...)
	if err != nil || keys.Len() < 2 {
		return nil
	}
	row.keys = keys
	return row
}

// plainTag returns a field's name and whether its tag is a name and no more.
func plainTag(f reflect.StructField) (label string, skip, ok bool) {
	text, found := f.Tag.Lookup("wire")
	if !found {
		text = f.Tag.Get("json")
	}
	if text == "-" {
		return "", true, true
	}
	if text == "" {
		return f.Name, false, true
	}
	for i := range len(text) {
		if c := text[i] | 0x20; (c < 'a' || c > 'z') && text[i]-'0' > 9 && text[i] != '_' {
			return "", false, false
		}
	}
	return text, false, true
}

// cellKindOf returns the kind and the size of a type; size 0 for others.
func cellKindOf(t reflect.Type) (cellKind, int) {
	switch t.Kind() {
	case reflect.String:
		if t == reflect.TypeFor[json.Number]() {
			return 0, 0
		}
		return cellString, 64
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return cellInt, t.Bits()
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return cellUint, t.Bits()
	case reflect.Float64:
		return cellFloat, 64
	case reflect.Bool:
		return cellBool, 8
	}
	return 0, 0
}

// marshalRows encodes a slice of flat structs as AppendEncode would encode
// their values.
func (c Codec) marshalRows(v any) ([]byte, bool) {
	rows := reflect.ValueOf(v)
	if c.Plain || rows.Kind() != reflect.Slice || rows.Len() == 0 || convertsItself(rows.Type()) {
		return nil, false
	}
	t := rowTypeOf(rows.Type().Elem())
	if t == nil {
		return nil, false
	}
	e := borrowEncoder(c, make([]byte, 0, 2<<10))
	defer e.giveBack()
	e.rows(t, rows)
	payload, err := e.finish(wire.Value{})
	return payload, err == nil && !e.table.conflict
}

// rows is section for a slice of structs.
func (e *valueEncoder) rows(t *rowType, rows reflect.Value) {
	n := rows.Len()
	table := &e.table
	table.reset(wire.Value{})
	table.keys, table.list, table.n = t.keys, true, n
	table.sets = slices.Grow(table.sets[:0], len(t.fields))[:len(t.fields)]
	for i, f := range t.fields {
		if table.sets[i] = numberLetters; f.kind == cellString {
			table.sets[i] = anyLetter
		}
	}
	e.dst = append(append(e.dst, tag+" tool="...), e.baseToken()...)
	e.fields()
	e.dst = strconv.AppendInt(append(e.dst, " "+metaRows+"="...), int64(n), 10)
	typesAt := len(e.dst)
	e.dst = append(e.dst, '\n')
	const measured = 16 // rows, to estimate the length of all
	for i := range n {
		if i == measured {
			e.dst = slices.Grow(e.dst, min(e.max, (len(e.dst)/measured+8)*(n-measured)+n))
		}
		e.structRow(t, rows.Index(i))
		if e.err != nil || table.conflict {
			return
		}
	}
	e.insertTypes(typesAt, false)
}

func (e *valueEncoder) structRow(t *rowType, row reflect.Value) {
	// A local slice: the encoder's own would cost a write barrier per cell.
	dst, start := e.dst, len(e.dst)
	for i := range t.fields {
		f := &t.fields[i]
		if i > 0 {
			dst = append(dst, '\t')
		}
		cell := row.Field(f.index)
		switch f.kind {
		case cellString:
			var set letterSet
			dst, set = appendString(dst, cell.String())
			e.table.allow(i, set)
		case cellInt:
			dst = strconv.AppendInt(dst, cell.Int(), 10)
		case cellUint:
			dst = strconv.AppendUint(dst, cell.Uint(), 10)
		case cellFloat:
			x := cell.Float()
			if math.IsNaN(x) || math.IsInf(x, 0) {
				e.table.conflict = true
				return
			}
			dst = appendFloat(dst, x)
		case cellBool:
			dst = appendBool(dst, cell.Bool())
		}
	}
	e.dst = dst
	e.endRow(start)
}

// appendFloat is decimal.AppendFloat with a shorter way for numbers of up to
// four decimals. If n/10^4 rounds to x and n has at most 15 digits, no other
// number of at most 15 digits does, so it is the shortest.
func appendFloat(dst []byte, x float64) []byte {
	const scale, most = 1e4, 1e15
	scaled := math.Round(x * scale)
	if x == 0 || math.Abs(scaled) >= most || scaled/scale != x {
		return decimal.AppendFloat(dst, x)
	}
	n := int64(scaled)
	if n < 0 {
		dst, n = append(dst, '-'), -n
	}
	dst = strconv.AppendInt(dst, n/scale, 10)
	rest := n % scale
	if rest == 0 {
		return dst
	}
	dst = append(dst, '.', '0'+byte(rest/1000), '0'+byte(rest/100%10), '0'+byte(rest/10%10), '0'+byte(rest%10))
	for dst[len(dst)-1] == '0' {
		dst = dst[:len(dst)-1]
	}
	return dst
}

// rowDecoder decodes the one section of a payload into structs.
type rowDecoder struct {
	payload
	cellReader
	types  []byte
	fields []*rowField // of each column; nil for a column that no field wants
	rows   reflect.Value
	n      int
}

// unmarshalRows decodes a payload of one list into a slice of flat structs.
func (c Codec) unmarshalRows(src []byte, v any) bool {
	target := reflect.ValueOf(v)
	if target.Kind() != reflect.Pointer || target.IsNil() {
		return false
	}
	slice := target.Elem()
	if slice.Kind() != reflect.Slice || slice.Cap() > 0 || convertsItself(slice.Type()) {
		return false
	}
	t := rowTypeOf(slice.Type().Elem())
	if t == nil {
		return false
	}
	p, err := newPayload(c, src)
	if err != nil {
		return false
	}
	d := rowDecoder{payload: p}
	if !d.decode(t, slice.Type()) {
		return false
	}
	slice.Set(d.rows.Slice(0, d.n))
	return true
}

func (d *rowDecoder) decode(t *rowType, slice reflect.Type) bool {
	i, err := d.start()
	if err != nil {
		return false
	}
	h, keys, i, err := d.header(i)
	if err != nil || h.dotted || h.rows < 0 || len(h.Meta) > 2 || keys.Len() < 2 ||
		len(h.Meta) == 2 && h.types == "" || h.sections > 0 {
		return false
	}
	if !d.columns(t, &h, keys) {
		return false
	}
	n := min(h.rows, 1+strings.Count(d.text[i:], "\n"))
	if n > (d.limits.Values-1)/(keys.Len()+1) {
		return false
	}
	d.rows = reflect.MakeSlice(slice, n, n)
	var count lineCount
	for i < len(d.text) {
		switch d.kindOf(i) {
		case lineRow:
			if d.n == n {
				return false
			}
			if i = d.row(d.rows.Index(d.n), i); i < 0 {
				return false
			}
			d.n++
		case lineHeader:
			return false
		case lineComment:
			end := d.lineEnd(i)
			count.budget = count.budget || budgetCut(d.text[i:end])
			i = min(end+1, len(d.text))
		case lineBlank:
			i = min(d.lineEnd(i)+1, len(d.text))
		}
	}
	count.rows = d.n
	return d.endSection(&h, &count, i) == nil
}

// columns finds the field of each column. A column whose name differs from a
// field's in case only is left to wire.ToGo.
func (d *rowDecoder) columns(t *rowType, h *sectionHeader, keys *wire.Keys) bool {
	d.types = make([]byte, keys.Len())
	d.fields = make([]*rowField, keys.Len())
	for col, name := range keys.All() {
		d.types[col] = columnType(h.types, col)
		if d.c.Text && h.types == "" {
			d.types[col] = 's'
		}
		if i := t.keys.Index(name); i >= 0 {
			d.fields[col] = &t.fields[i]
			continue
		}
		for _, label := range t.keys.All() {
			if strings.EqualFold(label, name) {
				return false
			}
		}
	}
	return true
}

// row decodes the row at i and returns where the next line begins, or -1.
func (d *rowDecoder) row(row reflect.Value, i int) int {
	text := d.text
	for col := 0; ; col++ {
		if col == len(d.types) {
			return -1
		}
		s, end := d.cellText(text, i)
		if f := d.fields[col]; f != nil {
			if !d.cell(f, row, d.types[col], s) {
				return -1
			}
		} else if !d.unwanted(d.types[col], s) {
			return -1
		}
		if end < len(text) && text[end] == '\t' {
			i = end + 1
			continue
		}
		if col+1 < len(d.types) {
			return -1 // omitted cells
		}
		if end < len(text) && text[end] == '\r' {
			end++
		}
		return min(end+1, len(text))
	}
}

// unwanted reports whether a cell that no field wants can be skipped; the
// nested ones might exceed a limit.
func (d *rowDecoder) unwanted(letter byte, s string) bool {
	return s == "" || letter == 's' || letter == 'M' || letter == 'N' || s[0] != '[' && s[0] != '{'
}

// cell stores a cell that its column's letter makes a value of the field's
// kind, and reports whether it is one.
func (d *rowDecoder) cell(f *rowField, row reflect.Value, letter byte, s string) bool {
	if s == "" {
		// Missing or null leaves the field as it is; "" fits strings only.
		return letter != 'a' && letter != 's' || f.kind == cellString
	}
	inferred := letter == 'a' || letter == 'm' || letter == 'n'
	if f.kind == cellString {
		if inferred && !isString(letter, s) {
			return false
		}
		row.Field(f.index).SetString(s)
		return true
	}
	if !inferred {
		return false
	}
	switch f.kind {
	case cellInt:
		n, ok := integer(s)
		if !ok || n<<(64-f.bits)>>(64-f.bits) != n {
			return false
		}
		row.Field(f.index).SetInt(n)
	case cellUint:
		n, ok := integer(s)
		if !ok || n < 0 || uint64(n)<<(64-f.bits)>>(64-f.bits) != uint64(n) {
			return false
		}
		row.Field(f.index).SetUint(uint64(n))
	case cellFloat:
		x, ok := float(s)
		if !ok {
			return false
		}
		row.Field(f.index).SetFloat(x)
	case cellBool:
		if s != "true" && s != "false" {
			return false
		}
		row.Field(f.index).SetBool(s == "true")
	}
	return true
}

// float reads a number in JSON's grammar that a float64 can hold. Up to 15 digits
// without an exponent are one exact integer divided by one exact power of ten,
// which rounds once and hence correctly.
func float(s string) (float64, bool) {
	const most = 15
	i, n := 0, int64(0)
	if s[0] == '-' {
		i++
	}
	digits, point := i, -1
	for ; i < len(s) && i-digits <= most; i++ {
		if c := s[i]; c-'0' <= 9 {
			n = n*10 + int64(c-'0')
		} else if c == '.' && point < 0 && i > digits {
			point = i
		} else {
			break
		}
	}
	decimals := 0
	if point >= 0 {
		decimals = i - point - 1
	}
	plain := i == len(s) && i > digits && (point < 0 || decimals > 0) &&
		(s[digits] != '0' || i == digits+1 || point == digits+1)
	if !plain || i-digits > most {
		if scan.Number(s) != len(s) {
			return 0, false
		}
		x, err := strconv.ParseFloat(s, 64)
		return x, err == nil
	}
	x := float64(n) / tenTo[decimals]
	if s[0] == '-' {
		x = -x
	}
	return x, true
}

var tenTo = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}

// isString reports whether an inferred cell certainly is the string s.
func isString(letter byte, s string) bool {
	set := letterA
	if letter != 'a' {
		set = letterM
	}
	return readableLetters(s)&set != 0
}
