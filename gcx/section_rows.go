package gcx

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/wirekit/wirekit/internal/gotype"
	"github.com/wirekit/wirekit/internal/gowire"
	"github.com/wirekit/wirekit/internal/scan"
	"github.com/wirekit/wirekit/wire"
)

// Typed rows are structs whose exported fields are columns, named by their
// wire or json tags. A cell is what the document makes of a value: strings as
// they are, numbers and booleans as in JSON, nothing for nil pointers, arrays
// and objects as compact JSON, times in RFC 3339. A field with the option
// omitempty is an empty cell when it is zero.
//
// They are read by name: columns may stand in any order, be missing, or be
// unknown. A field of type map[string]string with the tag gcx:"unknown" takes
// the cells of unknown columns.

// A CommaList is a list in one cell, its items separated by commas. A list that
// has an empty item, one with a comma, or one that begins with a bracket is
// written as a JSON array instead, which is read as well.
type CommaList []string

// cell returns the list's text.
func (l CommaList) cell() string {
	for i, item := range l {
		if item == "" || strings.ContainsRune(item, ',') || i == 0 && item[0] == '[' {
			values := make([]wire.Value, len(l))
			for i, item := range l {
				values[i] = wire.String(item)
			}
			return string(wire.AppendJSON(nil, wire.Array(values...)))
		}
	}
	return strings.Join(l, ",")
}

func commaList(cell string) CommaList {
	if cell == "" {
		return nil
	}
	if cell[0] == '[' {
		var items []string
		if v, err := wire.ParseJSON([]byte(cell)); err == nil && wire.ToGo(v, &items) == nil {
			return items
		}
	}
	return strings.Split(cell, ",")
}

var commaListType = reflect.TypeFor[CommaList]()

// A cellType is what is known of a struct type whose values are typed rows.
type cellType struct {
	names   []string
	index   map[string]int // of names
	fields  []cellField
	unknown int // the field for unknown columns, -1 if there is none
}

// A cellField is a field that is a column.
type cellField struct {
	index     int // in the struct
	omitEmpty bool
	// write and read are what the field is if nothing but its kind decides what
	// its cell is, and what the cell becomes; otherwise gotype.Other.
	write, read gotype.Op
}

func newCellField(index int, f reflect.StructField, options string) cellField {
	c := cellField{index: index, omitEmpty: slices.Contains(strings.Split(options, ","), "omitempty")}
	t := gowire.Types.Of(f.Type)
	if t.MarshalValue == gotype.NoMethod {
		c.write = t.Op
	}
	if !t.ConvertsItself() {
		c.read = t.Op
	}
	return c
}

// cellTypes caches, by reflect.Type, the *cellType.
var cellTypes sync.Map

func cellTypeOf(t reflect.Type) (*cellType, error) {
	if t.Kind() != reflect.Struct {
		return nil, shape("not_a_struct", "typed rows are structs, this is "+t.String())
	}
	if known, ok := cellTypes.Load(t); ok {
		return known.(*cellType), nil
	}
	c := &cellType{index: make(map[string]int), unknown: -1}
	for i := range t.NumField() {
		f := t.Field(i)
		if !f.IsExported() {
			continue
		}
		if f.Tag.Get("gcx") == "unknown" {
			if f.Type != reflect.TypeFor[map[string]string]() {
				return nil, shape("unknown_columns", "the field for unknown columns must be a map[string]string")
			}
			c.unknown = i
			continue
		}
		tag, ok := f.Tag.Lookup("wire")
		if !ok {
			tag = f.Tag.Get("json")
		}
		label, options, _ := strings.Cut(tag, ",")
		if tag == "-" {
			continue
		}
		if label == "" {
			label = f.Name
		}
		c.index[label] = len(c.names)
		c.names = append(c.names, label)
		c.fields = append(c.fields, newCellField(i, f, options))
	}
	known, _ := cellTypes.LoadOrStore(t, c)
	return known.(*cellType), nil
}

// RowSection returns the section of typed rows, a slice of structs or of
// pointers to structs. Without fields in the header, all of the struct's are
// columns; else those that the header names.
func RowSection(h Header, rows any) (Section, error) {
	list := reflect.ValueOf(rows)
	if list.Kind() != reflect.Slice {
		return Section{}, shape("not_a_slice", fmt.Sprintf("typed rows are a slice of structs, this is %T", rows))
	}
	element := list.Type().Elem()
	if element.Kind() == reflect.Pointer {
		element = element.Elem()
	}
	t, err := cellTypeOf(element)
	if err != nil {
		return Section{}, err
	}
	if h.Fields == nil {
		h.Fields = slices.Clone(t.names)
	}
	w := cellWriter{cellType: t, names: h.Fields, places: t.places(h.Fields)}
	s := Section{Header: h, Rows: make([][]string, list.Len())}
	cells := make([]string, len(s.Rows)*len(h.Fields))
	for i := range s.Rows {
		row := list.Index(i)
		if row.Kind() == reflect.Pointer {
			if row.IsNil() {
				return Section{}, wire.AtIndex(shape("nil_row", "a row is nil"), i)
			}
			row = row.Elem()
		}
		s.Rows[i], cells = cells[:len(h.Fields):len(h.Fields)], cells[len(h.Fields):]
		if err = w.row(s.Rows[i], row); err != nil {
			return Section{}, wire.AtIndex(err, i)
		}
	}
	return s, nil
}

// places returns, for each column of that name, the place of its field, -1 for
// those that the type has no field for.
func (t *cellType) places(names []string) []int {
	places := make([]int, len(names))
	for col, name := range names {
		i, ok := t.index[name]
		if !ok {
			i = -1
		}
		places[col] = i
	}
	return places
}

// A cellWriter makes the cells of typed rows.
type cellWriter struct {
	*cellType
	names   []string // of the columns
	places  []int
	text    strings.Builder // cells that have no text of their own, one after the other
	scratch []byte
}

// row sets the cells of a row, which are empty.
func (w *cellWriter) row(cells []string, row reflect.Value) (err error) {
	for col, i := range w.places {
		if i < 0 {
			if w.unknown < 0 {
				return shape("unknown_field", "the rows have no field "+strconv.Quote(w.names[col]))
			}
			if extra, ok := row.Field(w.unknown).Interface().(map[string]string); ok {
				cells[col] = extra[w.names[col]]
			}
			continue
		}
		f := &w.fields[i]
		field := row.Field(f.index)
		if f.omitEmpty && field.IsZero() {
			continue
		}
		if cells[col], err = w.cell(f.write, field); err != nil {
			return wire.AtKey(err, w.names[col])
		}
	}
	return nil
}

// cell returns the text of a field.
func (w *cellWriter) cell(op gotype.Op, field reflect.Value) (string, error) {
	switch {
	case op == gotype.String:
		return field.String(), nil
	case op == gotype.Bool:
		return boolText(field.Bool()), nil
	case op.IsInt():
		return w.keep(strconv.AppendInt(w.scratch[:0], field.Int(), 10)), nil
	case op.IsUint():
		return w.keep(strconv.AppendUint(w.scratch[:0], field.Uint(), 10)), nil
	case op == gotype.Float64:
		if f := field.Float(); f-f == 0 {
			return w.keep(wire.Float(f).AppendNumber(w.scratch[:0])), nil
		}
	}
	return typedCell(field)
}

// append appends the line of a row.
func (w *cellWriter) append(dst []byte, row reflect.Value) (_ []byte, err error) {
	start := len(dst)
	for col, i := range w.places {
		if col > 0 {
			dst = append(dst, '\t')
		}
		f := &w.fields[i]
		field := row.Field(f.index)
		if f.omitEmpty && field.IsZero() {
			continue
		}
		if dst, err = appendTyped(dst, f.write, field); err != nil {
			return dst, wire.AtKey(err, w.names[col])
		}
	}
	return append(guard(dst, start), '\n'), nil
}

// appendTyped appends the cell of a field.
func appendTyped(dst []byte, op gotype.Op, field reflect.Value) ([]byte, error) {
	switch {
	case op == gotype.String:
		return appendCell(dst, field.String()), nil
	case op == gotype.Bool:
		return appendBool(dst, field.Bool()), nil
	case op.IsInt():
		return strconv.AppendInt(dst, field.Int(), 10), nil
	case op.IsUint():
		return strconv.AppendUint(dst, field.Uint(), 10), nil
	case op == gotype.Float64:
		if f := field.Float(); f-f == 0 {
			return wire.Float(f).AppendNumber(dst), nil
		}
	}
	cell, err := typedCell(field)
	return appendCell(dst, cell), err
}

// typedRows writes a section of typed rows, which are structs, as section writes
// what [RowSection] makes of them, but straight from their fields. It reports
// false, and has done nothing, where the section needs more than its rows.
func (x *Exchange) typedRows(h Header, list reflect.Value) bool {
	t, err := cellTypeOf(list.Type().Elem())
	if err != nil || x.c.Interop || len(x.extras.Later[h.Tool]) > 0 || !x.begun && len(x.extras.Meta) > 0 {
		return false
	}
	h.Fields = slices.DeleteFunc(slices.Clone(t.names), func(f string) bool { return f == x.leaveOut })
	if len(h.Fields) < 2 { // a single cell may be a blank line
		return false
	}
	x.begun = true
	w := cellWriter{cellType: t, names: h.Fields, places: t.places(h.Fields)}
	h = x.c.written(h)
	if err := h.check(x.c.Interop); err != nil {
		x.fail(err)
		return true
	}
	x.dst = h.append(x.dst)
	start, n := len(x.dst), list.Len()
	for i := range n {
		if i == typedSample {
			x.dst = slices.Grow(x.dst, min((len(x.dst)-start)/typedSample*(n-i)*9/8, maxTypedGuess))
		}
		if x.dst, err = w.append(x.dst, list.Index(i)); err != nil {
			x.fail(wire.AtKey(wire.AtIndex(err, i), h.Tool))
			return true
		}
		if len(x.dst) > x.max {
			x.fail(outputTooLong())
			return true
		}
	}
	return true
}

const (
	// typedSample is the number of rows by which the length of all is guessed.
	typedSample = 16
	// maxTypedGuess bounds what a wrong guess can cost.
	maxTypedGuess = 4 << 20
)

// textChunk is how much room is made for the text of cells at a time.
const textChunk = 4 << 10

// keep returns the text, which is in the scratch buffer, as a string.
func (w *cellWriter) keep(text []byte) string {
	w.scratch = text
	if w.text.Cap()-w.text.Len() < len(text) {
		w.text.Reset()
		w.text.Grow(max(textChunk, len(text)))
	}
	from := w.text.Len()
	w.text.Write(text)
	return w.text.String()[from:]
}

func boolText(b bool) string {
	if b {
		return "true"
	}
	return "false"
}

func typedCell(field reflect.Value) (string, error) {
	if field.Type() == commaListType {
		return CommaList(field.Interface().(CommaList)).cell(), nil
	}
	v, err := wire.FromGo(field.Interface())
	if err != nil {
		if e, ok := err.(*wire.Error); ok {
			e.Format = name
		}
		return "", err
	}
	return cellText(v)
}

// Scan stores the section's rows into a slice of structs that rows points to,
// by the names of the fields. What the slice held is replaced.
func (s *Section) Scan(rows any) error {
	target := reflect.ValueOf(rows)
	if target.Kind() != reflect.Pointer || target.IsNil() || target.Elem().Kind() != reflect.Slice {
		return shape("not_a_slice", fmt.Sprintf("typed rows go into a pointer to a slice of structs, this is %T", rows))
	}
	list := target.Elem()
	t, err := cellTypeOf(list.Type().Elem())
	if err != nil {
		return err
	}
	places := t.places(s.Fields)
	made := reflect.MakeSlice(list.Type(), len(s.Rows), len(s.Rows))
	for i, row := range s.Rows {
		if err := t.scan(made.Index(i), s.Fields, places, row); err != nil {
			return wire.AtIndex(err, i)
		}
	}
	list.Set(made)
	return nil
}

func (t *cellType) scan(row reflect.Value, fields []string, places []int, cells []string) error {
	var extra map[string]string
	for col, cell := range cells {
		i := places[col]
		if i < 0 {
			if t.unknown >= 0 {
				if extra == nil {
					extra = make(map[string]string)
				}
				extra[fields[col]] = cell
			}
			continue
		}
		f := &t.fields[i]
		field := row.Field(f.index)
		if quickCell(f.read, field, cell) {
			continue
		}
		if err := scanCell(field, cell); err != nil {
			return wire.AtKey(err, fields[col])
		}
	}
	if extra != nil {
		row.Field(t.unknown).Set(reflect.ValueOf(extra))
	}
	return nil
}

// quickCell stores a cell into a field whose kind says all, if it is what such a
// field's cell looks like, and reports that.
func quickCell(op gotype.Op, field reflect.Value, cell string) bool {
	switch {
	case op == gotype.String:
		field.SetString(cell)
		return true
	case cell == "":
	case op == gotype.Bool:
		if cell == "true" || cell == "false" {
			field.SetBool(cell == "true")
			return true
		}
	case op.IsInt():
		n, ok := integer(cell)
		if ok && !field.OverflowInt(n) {
			field.SetInt(n)
			return true
		}
	case op == gotype.Float64:
		if scan.Number(cell) == len(cell) {
			if f, _ := number(cell).Float64(); f-f == 0 {
				field.SetFloat(f)
				return true
			}
		}
	}
	return false
}

// scanCell stores a cell into a field; an empty one leaves it as it is.
func scanCell(field reflect.Value, cell string) error {
	t := field.Type()
	switch {
	case t == commaListType:
		field.Set(reflect.ValueOf(commaList(cell)))
		return nil
	case t.Kind() == reflect.String && !gowire.Types.Of(t).ConvertsItself():
		field.SetString(cell)
		return nil
	case cell == "":
		return nil
	}
	err := wire.ToGo(cellValue(t, cell), field.Addr().Interface())
	if e, ok := err.(*wire.Error); ok {
		e.Format, e.Code = name, "wrong_cell"
	}
	return err
}

// cellValue returns the value of a typed cell for a field of type t.
func cellValue(t reflect.Type, cell string) wire.Value {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case t.Kind() == reflect.String:
	case cell == "true", cell == "false":
		return wire.Bool(cell == "true")
	case cell[0] == '[', cell[0] == '{':
		if v, err := wire.ParseJSON([]byte(cell)); err == nil {
			return v
		}
	case scan.Number(cell) == len(cell):
		return number(cell)
	}
	return wire.String(cell)
}
