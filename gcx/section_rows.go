package gcx

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/wirekit/wirekit/internal/base/decimal"
	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/codec/columns"
	"github.com/wirekit/wirekit/internal/codec/gowire"
	"github.com/wirekit/wirekit/internal/govalue/gotext"
	"github.com/wirekit/wirekit/internal/govalue/gotype"
	"github.com/wirekit/wirekit/wire"
)

// Typed rows are structs whose exported fields are columns, named by their
// wire or json tags. A cell is what the document makes of a value: strings as
// they are, numbers and booleans as in JSON, nothing for nil pointers, arrays
// and objects as compact JSON, times in RFC 3339. A field with the option
// omitempty is an empty cell when it is zero.
//
// They are read by name: columns may be in any order, be missing, or be
// unknown. A field of type map[string]string with the tag gcx:"unknown" takes
// the cells of unknown columns; one of type []string with the tag gcx:"comma" is a
// list with commas between its items.

// commaList returns the cell of a list, its items separated by commas: that of a field of
// type []string with the tag gcx:"comma". A list that has an empty item, one with a
// comma, or one that begins with a bracket is written as a JSON array instead, which is
// read as well.
func commaList(items []string) string {
	text := strings.Join(items, ",")
	if len(items) == 0 || strings.Count(text, ",") < len(items) && !slices.Contains(items, "") && text[0] != '[' {
		return text
	}
	values := make([]wire.Value, len(items))
	for i, item := range items {
		values[i] = wire.String(item)
	}
	return string(wire.AppendJSON(nil, wire.Array(values...)))
}

// parseCommaList reads a cell. The items of a plain list come into slab.
func parseCommaList(cell string, slab *cellSlab) []string {
	if cell == "" {
		return nil
	}
	if cell[0] == '[' {
		var items []string
		if v, err := wire.ParseJSON([]byte(cell)); err == nil && wire.ToGo(v, &items) == nil {
			return items
		}
	}
	items := slab.take(1 + strings.Count(cell, ","))
	for i := range items {
		items[i], cell, _ = strings.Cut(cell, ",")
	}
	return items
}

// A cellType is what is known of a struct type whose values are typed rows.
type cellType struct {
	list    *gotext.Node // of such rows
	names   []string
	index   map[string]int // of names, from 1 on
	fields  []cellField
	unknown gotext.Place // the field for unknown columns, if there is one
}

// A cellField is a field that is a column.
type cellField struct {
	gotext.Place
	omitEmpty bool
	// write and read are what the field is if nothing but its kind decides what
	// its cell is, and what the cell becomes; otherwise gotype.Other.
	write, read gotype.Op
	commas      bool // its cell is a commaList
}

func newCellField(f reflect.StructField, options []string) cellField {
	t := gowire.Types.Of(f.Type)
	c := cellField{Place: gotext.NewPlace(gotext.Leaf(t), f.Offset), omitEmpty: slices.Contains(options, "omitempty"), commas: f.Tag.Get("gcx") == "comma"}
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
	c := &cellType{list: gotext.Leaf(gowire.Types.Of(reflect.SliceOf(t))), index: make(map[string]int)}
	if err := c.add(t, 0); err != nil {
		return nil, err
	}
	known, _ := cellTypes.LoadOrStore(t, c)
	return known.(*cellType), nil
}

// add adds the columns of a struct type, which begins at an offset of the row: its own one,
// or that of an embedded struct, whose fields are columns as they are members of JSON:
// those that Go's rules leave visible.
func (c *cellType) add(t reflect.Type, base uintptr) error {
	for i := range t.NumField() {
		f := t.Field(i)
		f.Offset += base
		tag, ok := f.Tag.Lookup("wire")
		if !ok {
			tag = f.Tag.Get("json")
		}
		label, rest, _ := strings.Cut(tag, ",")
		options := strings.Split(rest, ",")
		embeds := f.Anonymous || f.IsExported() && gotype.Flattens() && slices.Contains(options, "embed")
		switch {
		case tag == "-":
			continue
		case label == "" && embeds && f.Type.Kind() == reflect.Struct && !gowire.Types.Of(f.Type).ConvertsItself():
			if err := c.add(f.Type, f.Offset); err != nil {
				return err
			}
			continue
		case !f.IsExported():
			continue
		case f.Tag.Get("gcx") == "unknown":
			if f.Type != reflect.TypeFor[map[string]string]() {
				return shape("unknown_columns", "the field for unknown columns must be a map[string]string")
			}
			c.unknown = gotext.NewPlace(gotext.Leaf(gowire.Types.Of(f.Type)), f.Offset)
			continue
		case f.Tag.Get("gcx") == "comma" && f.Type != reflect.TypeFor[[]string]():
			return shape("comma_list", "field "+f.Name+" is separated by commas and must be a []string")
		}
		label = cmp.Or(label, f.Name)
		if t != c.list.Elem.Type.T && !c.visible(label, f.Offset) {
			continue
		}
		c.names = append(c.names, label)
		c.index[label] = len(c.names)
		c.fields = append(c.fields, newCellField(f, options))
	}
	return nil
}

// visible reports whether the field of an embedded struct is the one that the name means.
func (c *cellType) visible(name string, offset uintptr) bool {
	all := c.list.Elem.Type.Fields()
	if all.Rest != nil && all.Rest.Offset == offset && len(all.Rest.Hops) == 0 {
		return true
	}
	i := all.Find(name)
	return i >= 0 && all.List[i].Name == name && all.List[i].Offset == offset && len(all.List[i].Hops) == 0
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
	w := t.columns(h.Fields)
	s := Section{Header: h, Rows: make([][]string, list.Len())}
	cells := make([]string, len(s.Rows)*len(h.Fields))
	for i := range s.Rows {
		row := list.Index(i)
		if row.Kind() != reflect.Pointer {
			row = row.Addr()
		} else if row.IsNil() {
			return Section{}, wire.AtIndex(shape("nil_row", "a row is nil"), i)
		}
		s.Rows[i], cells = cells[:len(h.Fields):len(h.Fields)], cells[len(h.Fields):]
		if err = w.row(s.Rows[i], gotext.NewVar(t.list.Elem, row)); err != nil {
			return Section{}, wire.AtIndex(err, i)
		}
	}
	return s, nil
}

// cellColumns are the columns of typed rows.
type cellColumns struct {
	*cellType
	names  []string
	places []int // of their fields, -1 for those that the type has no field for
}

func (t *cellType) columns(names []string) cellColumns {
	places := make([]int, len(names))
	for col, name := range names {
		places[col] = t.index[name] - 1
	}
	return cellColumns{t, names, places}
}

// row sets the cells of a row, which are empty.
func (w *cellColumns) row(cells []string, row gotext.Var) (err error) {
	var buf [32]byte
	text := buf[:0]
	for col, i := range w.places {
		if i < 0 {
			if w.unknown.Node == nil {
				return shape("unknown_field", "the rows have no field "+strconv.Quote(w.names[col]))
			}
			extra := *gotext.As[map[string]string](w.unknown.Of(row))
			cells[col] = extra[w.names[col]]
			continue
		}
		f := &w.fields[i]
		if v := f.Of(row); f.write == gotype.String {
			cells[col] = v.Text()
		} else if text, err = f.appendText(text[:0], v); err != nil {
			return wire.AtKey(err, w.names[col])
		} else {
			cells[col] = string(text)
		}
	}
	return nil
}

// appendText appends the text of a field, not yet escaped.
func (f *cellField) appendText(dst []byte, v gotext.Var) ([]byte, error) {
	switch op := f.write; {
	case f.omitEmpty && v.Reflect().IsZero():
		return dst, nil
	case f.commas:
		return append(dst, commaList(*gotext.As[[]string](v))...), nil
	case op == gotype.Float64, op == gotype.Bool, op.IsInt(), op.IsUint():
		if out, ok := v.AppendNumber(dst); ok {
			return out, nil
		}
	}
	value, err := wire.FromGo(v.Reflect().Interface())
	if err != nil {
		return dst, renamed(err)
	}
	cell, err := cellText(value)
	return append(dst, cell...), err
}

// append appends the line of a struct.
func (w *cellColumns) append(dst []byte, row gotext.Var) (_ []byte, err error) {
	start := len(dst)
	for col, i := range w.places {
		if col > 0 {
			dst = append(dst, '\t')
		}
		f := &w.fields[i]
		v, from := f.Of(row), len(dst)
		if f.write == gotype.String {
			dst = appendCell(dst, v.Text())
		} else if dst, err = f.appendText(dst, v); err != nil {
			return dst, wire.AtKey(err, w.names[col])
		} else if f.write == gotype.Other {
			dst = appendCell(dst[:from], string(dst[from:]))
		}
	}
	return guardRow(append(dst, '\n'), start), nil
}

// Scan stores the section's rows into a slice of structs that rows points to,
// by the names of the fields. What the slice held is replaced.
func (s *Section) Scan(rows any) error {
	target := reflect.ValueOf(rows)
	if target.Kind() != reflect.Pointer || target.IsNil() || target.Elem().Kind() != reflect.Slice {
		return shape("not_a_slice", fmt.Sprintf("typed rows go into a pointer to a slice of structs, this is %T", rows))
	}
	return s.scan(target.Elem())
}

// scan stores the rows into a slice of structs.
func (s *Section) scan(list reflect.Value) error {
	t, err := cellTypeOf(list.Type().Elem())
	if err != nil {
		return err
	}
	r := typedReader{cellColumns: t.columns(s.Fields)}
	made := reflect.MakeSlice(list.Type(), len(s.Rows), len(s.Rows))
	into := gotext.ItemsOf(t.list, made)
	for i, row := range s.Rows {
		if err := r.scan(into.At(i), row); err != nil {
			return wire.AtIndex(err, i)
		}
	}
	list.Set(made)
	return nil
}

// A typedReader makes typed rows of cells.
type typedReader struct {
	cellColumns
	items cellSlab // of lists
}

// scan stores the cells of a row into a struct, which is zero.
func (r *typedReader) scan(row gotext.Var, cells []string) error {
	var extra map[string]string
	for col, cell := range cells {
		i := r.places[col]
		if i < 0 {
			if r.unknown.Node != nil {
				if extra == nil {
					extra = make(map[string]string)
				}
				extra[r.names[col]] = cell
			}
			continue
		}
		if err := r.cell(&r.fields[i], row, cell); err != nil {
			return wire.AtKey(err, r.names[col])
		}
	}
	if extra != nil {
		*gotext.As[map[string]string](r.unknown.Of(row)) = extra
	}
	return nil
}

// cell stores a cell into a field of a struct.
func (r *typedReader) cell(f *cellField, row gotext.Var, cell string) error {
	v := f.Of(row)
	switch {
	case f.quick(v, cell):
		return nil
	case f.commas:
		*gotext.As[[]string](v) = parseCommaList(cell, &r.items)
		return nil
	case cell == "": // leaves the field as it is
		return nil
	}
	field := v.Reflect()
	err := wire.ToGo(cellValue(field.Type(), cell), field.Addr().Interface())
	if e, ok := err.(*wire.Error); ok {
		e.Format, e.Code = name, "wrong_cell"
	}
	return err
}

// quick stores a cell into a field whose kind says all, if it is what such a
// field's cell looks like, and reports that.
func (f *cellField) quick(v gotext.Var, cell string) bool {
	switch op := f.read; {
	case op == gotype.String:
		v.SetText(cell)
		return true
	case cell == "":
	case op == gotype.Bool:
		if cell == "true" || cell == "false" {
			v.SetBool(cell == "true")
			return true
		}
	case op.IsInt(), op.IsUint():
		n, end, whole := scan.Decimal(cell, 0)
		return whole && end == len(cell) && v.SetInt(n)
	case op == gotype.Float64:
		if x, end := decimal.ScanFloat(cell, 0); end == len(cell) {
			v.SetFloat(x)
			return true
		}
	}
	return false
}

// cellValue returns the value of a typed cell for a field of type t.
func cellValue(t reflect.Type, cell string) wire.Value {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case t.Kind() == reflect.String, cell == "null":
	case cell[0] == '[', cell[0] == '{':
		if v, err := wire.ParseJSON([]byte(cell)); err == nil {
			return v
		}
	default:
		return columns.Scalar(cell)
	}
	return wire.String(cell)
}
