package gcx

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/wirekit/wirekit/internal/codec/gowire"
	"github.com/wirekit/wirekit/internal/govalue/gotext"
	"github.com/wirekit/wirekit/internal/govalue/gotype"
	"github.com/wirekit/wirekit/wire"
)

// A resultType is how the structs of a type are results, as their gcx tags say.
type resultType struct {
	node     *gotext.Node
	sections []resultSection
	name     gotext.Place // of the string that * is, if a tool has one
	extras   gotext.Place // of the embedded Extras, if there is one
}

// A resultSection is a field that is a section.
type resultSection struct {
	gotext.Place
	index   int // of the field
	form    sectionForm
	tool    string // may have a *
	starred bool

	only string // the name that * must be, if the tag has one

	pairs     []resultPair // of the header
	column    string       // which the section has if the bool at hasColumn is set
	hasColumn gotext.Place
	present   gotext.Place // of the bool that says whether the section is there, if there is one
}

// A resultPair is a field that is a pair of a header.
type resultPair struct {
	key          string
	gotext.Place // an int, a bool or a string
}

type sectionForm uint8

const (
	rowsSection  sectionForm = iota // a slice of structs
	rowSection                      // a struct
	valueSection                    // a Value
	listSection                     // a Value that is an array, or null without the section
)

// resultTypes caches, by reflect.Type, the *resultType.
var resultTypes sync.Map

var (
	extrasType = reflect.TypeFor[Extras]()
	valueType  = reflect.TypeFor[wire.Value]()
)

// resultOf returns how the struct that r points to is a result, and where it is.
func resultOf(r any) (*resultType, reflect.Value, error) {
	p := reflect.ValueOf(r)
	if p.Kind() != reflect.Pointer || p.IsNil() || p.Type().Elem().Kind() != reflect.Struct {
		return nil, p, shape("not_a_result", "a result is a pointer to a struct")
	}
	t := p.Type().Elem()
	if known, ok := resultTypes.Load(t); ok {
		return known.(*resultType), p, nil
	}
	made := &resultType{node: gotext.Leaf(gowire.Types.Of(t))}
	if err := made.init(t); err != nil {
		return nil, p, err
	}
	known, _ := resultTypes.LoadOrStore(t, made)
	return known.(*resultType), p, nil
}

// invalidResult returns the error for a field whose tag says nothing that holds for it.
func invalidResult(t reflect.Type, f reflect.StructField, why string) error {
	return shape("invalid_result", "field "+f.Name+" of "+t.String()+" "+why)
}

func (r *resultType) init(t reflect.Type) error {
	var next resultSection // what is known of the next section
	for i := range t.NumField() {
		f := t.Field(i)
		place := gotext.NewPlace(gotext.Leaf(gowire.Types.Of(f.Type)), f.Offset)
		tag, tagged := f.Tag.Lookup("gcx")
		switch {
		case f.Anonymous && f.Type == extrasType:
			r.extras = place
			continue
		case tag == "-" || !tagged && !f.IsExported():
			continue
		case !tagged || !f.IsExported():
			return invalidResult(t, f, "needs a gcx tag, and to be exported")
		}
		label, option, _ := strings.Cut(tag, ",")
		isBool := f.Type.Kind() == reflect.Bool
		switch {
		case label == "*" && f.Type.Kind() == reflect.String:
			r.name = place
		case isBool && option == "column" && next.column == "" && label != "":
			next.column, next.hasColumn = label, place
		case isBool && option == "section" && label == "":
			next.present = place
		case label == "":
			return invalidResult(t, f, "has a gcx tag without a name")
		case option == "" && (isBool || f.Type == reflect.TypeFor[int]() || f.Type == reflect.TypeFor[string]()):
			next.pairs = append(next.pairs, resultPair{label, place})
		default:
			next.index, next.Place = i, place
			next.tool, next.only, _ = strings.Cut(label, "=")
			if why := next.init(f.Type, option); why != "" {
				return invalidResult(t, f, why)
			}
			r.sections = append(r.sections, next)
			next = resultSection{}
		}
	}
	return r.check(t, &next)
}

// init makes the section that of its type. It returns why that cannot be, or nothing.
func (s *resultSection) init(t reflect.Type, option string) string {
	rows := t
	switch {
	case t == valueType && option == "list":
		s.form = listSection
	case t == valueType && option == "":
		s.form = valueSection
	case option != "":
		return "cannot have the option " + strconv.Quote(option)
	case t.Kind() == reflect.Slice:
		rows, s.form = t.Elem(), rowsSection
	default:
		s.form = rowSection
	}
	switch {
	case s.form <= rowSection && rows.Kind() != reflect.Struct:
		return "is a " + t.String() + ", which is neither a section nor a pair of a header"
	case s.form > rowSection && (s.pairs != nil || s.column != ""):
		return "is a value, whose header has neither pairs nor columns of the result's"
	}
	return ""
}

// check checks what fields say of each other.
func (r *resultType) check(t reflect.Type, left *resultSection) error {
	if len(r.sections) == 0 || left.pairs != nil || left.column != "" || left.present.Node != nil {
		return shape("invalid_result", t.String()+" has no section after its last field")
	}
	for i := range r.sections {
		s := &r.sections[i]
		stars := strings.Count(s.tool, "*")
		if stars > 1 || stars == 1 && r.name.Node == nil || stars == 0 && s.only != "" {
			return shape("invalid_result", t.String()+`: the tool of field `+t.Field(s.index).Name+` wants a *, and a field with the tag "*"`)
		}
		s.starred = stars == 1
	}
	return nil
}

// has reports whether a result of that name has the section: unless it is for one name, it
// leaves those to others of the same tool that these are for.
func (r *resultType) has(s *resultSection, name string) bool {
	if s.only != "" || !s.starred {
		return s.only == "" || s.only == name
	}
	return name != "" && !slices.ContainsFunc(r.sections, func(o resultSection) bool { return o.tool == s.tool && o.only == name })
}

// text returns the pair's text, and whether it is written.
func (f *resultPair) text(result gotext.Var) (string, bool) {
	v := f.Of(result)
	if f.Op == gotype.String {
		return v.Text(), v.Text() != ""
	}
	var buf [20]byte
	text, _ := v.AppendNumber(buf[:0])
	return string(text), true
}

func (f *resultPair) set(result gotext.Var, text string) error {
	var err error
	switch v := f.Of(result); f.Op {
	case gotype.String:
		v.SetText(text)
	case gotype.Bool:
		var b bool
		b, err = strconv.ParseBool(text)
		v.SetBool(b)
	default:
		*gotext.As[int](v), err = strconv.Atoi(text)
	}
	if err != nil {
		return shape("wrong_meta", "meta pair "+f.key+"="+strconv.Quote(text))
	}
	return nil
}
