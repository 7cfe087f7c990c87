package gcx

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

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
	names     []string
	index     map[string]int // of names
	fields    []int          // of the struct
	omitEmpty []bool
	unknown   int // the field for unknown columns, -1 if there is none
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
		c.fields = append(c.fields, i)
		c.omitEmpty = append(c.omitEmpty, slices.Contains(strings.Split(options, ","), "omitempty"))
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
	s := Section{Header: h, Rows: make([][]string, list.Len())}
	for i := range s.Rows {
		row := list.Index(i)
		if row.Kind() == reflect.Pointer {
			if row.IsNil() {
				return Section{}, wire.AtIndex(shape("nil_row", "a row is nil"), i)
			}
			row = row.Elem()
		}
		if s.Rows[i], err = t.row(h.Fields, row); err != nil {
			return Section{}, wire.AtIndex(err, i)
		}
	}
	return s, nil
}

func (t *cellType) row(fields []string, row reflect.Value) ([]string, error) {
	cells := make([]string, len(fields))
	for col, label := range fields {
		i, ok := t.index[label]
		if !ok {
			if t.unknown < 0 {
				return nil, shape("unknown_field", "the rows have no field "+strconv.Quote(label))
			}
			if extra, ok := row.Field(t.unknown).Interface().(map[string]string); ok {
				cells[col] = extra[label]
			}
			continue
		}
		field := row.Field(t.fields[i])
		if t.omitEmpty[i] && field.IsZero() {
			continue
		}
		var err error
		if cells[col], err = typedCell(field); err != nil {
			return nil, wire.AtKey(err, label)
		}
	}
	return cells, nil
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
	places := make([]int, len(s.Fields))
	for col, label := range s.Fields {
		i, ok := t.index[label]
		if !ok {
			i = -1
		}
		places[col] = i
	}
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
		if err := scanCell(row.Field(t.fields[i]), cell); err != nil {
			return wire.AtKey(err, fields[col])
		}
	}
	if extra != nil {
		row.Field(t.unknown).Set(reflect.ValueOf(extra))
	}
	return nil
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
