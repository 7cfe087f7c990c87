package set

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/wirekit/wirekit/gcf/internal/lex"
	"github.com/wirekit/wirekit/wire"
)

// A Delta turns one keyed set into another (section 10a): rows to add,
// rows that replace those of the same identity, and identities to remove.
type Delta struct {
	Tool     string
	Key      string       // the identity field, one of Fields
	Fields   []string     // the columns in their order
	BaseRoot string       // the pack root of the set it applies to
	NewRoot  string       // the pack root of the result
	Added    []wire.Value // rows, as in Set
	Changed  []wire.Value // rows, as in Set
	Removed  []wire.Value // identities
	// DeltaTokens and FullTokens are what the delta and the full payload cost;
	// the encoder writes the saving in percent if both are known. Decoders set Savings.
	DeltaTokens int
	FullTokens  int
	Savings     int // written if it cannot be computed, and is not 0
}

// The sections of a generic delta (section 10a.2).
const (
	sectionAdded   = "added"
	sectionChanged = "changed"
	sectionRemoved = "removed"
)

// checkedDelta is a delta whose parts were checked, each for itself and against
// each other.
type checkedDelta struct {
	schema         schema
	added, changed *keyedRows
	removed        []string // canonical identities
}

// check checks the delta. It does not look at its roots.
func (d *Delta) check() (*checkedDelta, error) {
	if d == nil {
		return nil, lex.MissingArgument("delta")
	}
	schema, err := newSchema(d.Key, d.Fields)
	if err != nil {
		return nil, err
	}
	c := &checkedDelta{schema: schema}
	if c.added, err = schema.rows(d.Added, false); err != nil {
		return nil, wire.AtKey(err, sectionAdded)
	}
	if c.changed, err = schema.rows(d.Changed, false); err != nil {
		return nil, wire.AtKey(err, sectionChanged)
	}
	for i, id := range c.changed.ids {
		if _, ok := c.added.byID[id]; ok {
			return nil, lex.Malformed(sectionChanged, i, "the identity "+lex.Abbreviated(id)+" is added as well")
		}
	}
	seen := make(map[string]bool, len(d.Removed))
	for i, v := range d.Removed {
		id, err := canonicalIdentity(v)
		if err != nil {
			return nil, wire.AtKey(wire.AtIndex(err, i), sectionRemoved)
		}
		_, added := c.added.byID[id]
		_, changed := c.changed.byID[id]
		if added || changed || seen[id] {
			return nil, lex.Malformed(sectionRemoved, i, "the identity "+lex.Abbreviated(id)+" is there twice")
		}
		seen[id] = true
		c.removed = append(c.removed, id)
	}
	return c, nil
}

// EncodeDelta returns the delta's document.
func EncodeDelta(d *Delta) ([]byte, error) {
	c, err := d.check()
	if err != nil {
		return nil, err
	}
	if err := lex.CheckHeaderValue("tool", d.Tool); err != nil {
		return nil, err
	}
	if !lex.IsHeaderValue(d.BaseRoot) || !lex.IsHeaderValue(d.NewRoot) {
		return nil, lex.Fault("invalid_header_value", wire.ErrShape, "", "a delta needs both of its roots, in printable ASCII without spaces", "")
	}
	dst := lex.AppendDelta(nil, lex.ProfileGeneric, d.Tool, d.BaseRoot, d.NewRoot)
	dst = lex.AppendTextField(dst, "key", d.Key)
	dst = append(lex.AppendSavings(dst, d.DeltaTokens, d.FullTokens, d.Savings), '\n')
	dst = appendDeltaRows(dst, sectionAdded, c.added)
	dst = appendDeltaRows(dst, sectionChanged, c.changed)
	if len(d.Removed) > 0 {
		key := schema{fields: []string{d.Key}}
		dst = key.appendFields(appendSection(dst, sectionRemoved, len(d.Removed)))
		dst = append(dst, '\n')
		for _, id := range d.Removed {
			dst, _ = lex.AppendScalar(dst, id)
			dst = append(dst, '\n')
		}
	}
	return checkedText(dst)
}

func appendSection(dst []byte, name string, n int) []byte {
	dst = append(append(append(dst, "## "...), name...), " ["...)
	return append(strconv.AppendInt(dst, int64(n), 10), ']')
}

func appendDeltaRows(dst []byte, name string, t *keyedRows) []byte {
	if len(t.rows) == 0 {
		return dst
	}
	return t.appendTable(appendSection(dst, name, len(t.rows)))
}

// DecodeDelta reads a delta of the generic profile. It refuses unknown
// sections, and operations that contradict each other; whether the delta fits a
// set, [Apply] finds out.
func DecodeDelta(src []byte) (*Delta, error) {
	var d decoder
	h := d.start(src)
	if !h.Is("delta") {
		d.Refuse(0, wire.Error{Code: "not_a_delta", Kind: wire.ErrShape,
			Message: "the document is not a delta", Hint: "use Decode, or gcf.DecodeGeneric"})
	}
	delta := &Delta{Key: d.key}
	delta.Tool, delta.BaseRoot, delta.NewRoot = h.Delta()
	if delta.BaseRoot == "" || delta.NewRoot == "" || d.key == "" {
		d.RefuseSyntax(0, "malformed_delta", "a delta's header has base_root, new_root and key")
	}
	delta.Savings = d.HeaderSavings(&h)
	if d.delta(delta); d.Err == nil {
		_, err := delta.check()
		d.StopAtEnd(err)
	}
	if d.Err != nil {
		return nil, d.Err
	}
	return delta, nil
}

// delta reads the sections.
func (d *decoder) delta(delta *Delta) {
	seen := make(map[string]bool, 3)
	for !d.Done && !strings.HasPrefix(d.Line(), "##!") {
		at := d.Lines.Start
		if !strings.HasPrefix(d.Line(), "## ") {
			d.RefuseSyntax(at, "malformed_delta", "a line outside the sections of the delta")
			return
		}
		t := d.tableHeader()
		if seen[t.name] || t.keyed {
			d.RefuseSyntax(at, "malformed_delta", "the section is there twice, or a keyed map")
		}
		seen[t.name] = true
		switch t.name {
		case sectionAdded:
			delta.Added = d.deltaRows(t, at, delta)
		case sectionChanged:
			delta.Changed = d.deltaRows(t, at, delta)
		case sectionRemoved:
			delta.Removed = d.identities(t, at)
		default:
			d.RefuseSyntax(at, "malformed_delta", "the sections of a delta are added, changed and removed")
		}
	}
	if delta.Fields == nil {
		delta.Fields = []string{d.key}
	}
	d.ending()
}

// deltaRows reads the rows of a section; all sections declare the same fields.
func (d *decoder) deltaRows(t tableHead, at int, delta *Delta) []wire.Value {
	if delta.Fields != nil && !slices.Equal(delta.Fields, t.fields) {
		d.RefuseSyntax(at, "malformed_delta", "the sections of the delta declare different fields")
	}
	delta.Fields = t.fields
	return d.tableRows(t)
}

func (d *decoder) identities(t tableHead, at int) []wire.Value {
	if len(t.fields) != 1 {
		d.RefuseSyntax(at, "malformed_delta", "removed rows are named by their identities only")
	}
	rows := d.tableRows(t)
	for i := range rows {
		rows[i] = rows[i].Index(0)
	}
	return rows
}

// Diff returns the delta that turns base into next. Its roots are computed;
// rows are in the order of their identities' text. Sets of different keys or
// fields, or of which one is a keyed map, have no delta (section 10a.7): the error's code
// is schema_mismatch, and the producer sends next in full. Whether roots are over doubles is what next
// says.
func Diff(base, next *Set) (*Delta, error) {
	is, err := newKeyedRows(next)
	if err != nil {
		return nil, err
	}
	if base != nil && base.Doubles != next.Doubles {
		like := *base
		like.Doubles = next.Doubles
		base = &like
	}
	was, err := newKeyedRows(base)
	if err != nil {
		return nil, err
	}
	if !was.schema.same(&is.schema) || base.Keyed != next.Keyed {
		return nil, schemaMismatch()
	}
	d := was.diff(is)
	d.Tool, d.BaseRoot, d.NewRoot = next.Tool, was.packRoot(), is.packRoot()
	return d, nil
}

func schemaMismatch() error {
	return lex.Fault("schema_mismatch", wire.ErrShape, "", "the sets have different keys, fields or forms, so there is no delta between them", "send a full payload")
}

// diff returns the delta from t to next, which has the same schema, without its
// roots.
func (t *keyedRows) diff(next *keyedRows) *Delta {
	d := &Delta{Key: next.schema.key, Fields: next.schema.fields}
	for _, i := range byIdentity(next.ids) {
		at, ok := t.byID[next.ids[i]]
		switch {
		case !ok:
			d.Added = append(d.Added, next.rows[i])
		case string(t.record(at)) != string(next.record(i)):
			d.Changed = append(d.Changed, next.rows[i])
		}
	}
	for _, i := range byIdentity(t.ids) {
		if _, ok := next.byID[t.ids[i]]; !ok {
			d.Removed = append(d.Removed, t.identity(i))
		}
	}
	return d
}

// byIdentity returns the positions of identities in their byte order.
func byIdentity(ids []string) []int {
	return inOrder(len(ids), func(a, b int) int { return strings.Compare(ids[a], ids[b]) })
}

// Apply returns the set that d turns base into (section 10a.5). It
// checks that base has the delta's base root, that every operation fits, and
// that the result has the new root; base is not changed, whatever happens. The
// consumer that gets an error keeps base and asks for a full payload.
//
// The result has base's name and columns, its rows in their order, and the added
// ones after them.
func Apply(base *Set, d *Delta) (*Set, error) {
	was, err := newKeyedRows(base)
	if err != nil {
		return nil, err
	}
	next, _, err := was.apply(base, d)
	return next, err
}

// apply is applyAs, with roots of the other kind where the delta's are.
func (t *keyedRows) apply(base *Set, d *Delta) (*Set, *keyedRows, error) {
	next, rows, err := t.applyAs(base, d)
	if err == nil || !errors.Is(err, wire.ErrChecksum) {
		return next, rows, err
	}
	like, other, failed := base.withOtherRoot()
	if failed != nil {
		return nil, nil, err
	}
	if next, rows, failed = other.applyAs(like, d); failed != nil {
		return nil, nil, err
	}
	return next, rows, nil
}

func (t *keyedRows) applyAs(base *Set, d *Delta) (*Set, *keyedRows, error) {
	if d == nil {
		return nil, nil, lex.MissingArgument("delta")
	}
	if err := lex.CheckBase(t.packRoot(), d.BaseRoot); err != nil {
		return nil, nil, err
	}
	c, err := d.check()
	if err != nil {
		return nil, nil, err
	}
	if t.schema.key != d.Key || len(d.Added)+len(d.Changed) > 0 && !t.schema.same(&c.schema) {
		return nil, nil, schemaMismatch()
	}
	rows, err := t.applyRows(c)
	if err != nil {
		return nil, nil, err
	}
	next := &Set{Tool: d.Tool, Name: base.Name, Key: base.Key, Fields: slices.Clone(base.Fields), Rows: rows, Keyed: base.Keyed, Doubles: base.Doubles}
	is, err := newKeyedRows(next)
	if err != nil {
		return nil, nil, err
	}
	if root := is.packRoot(); root != d.NewRoot {
		return nil, nil, lex.RootMismatch(root, d.NewRoot)
	}
	return next, is, nil
}

// applyRows returns the rows of the result.
func (t *keyedRows) applyRows(c *checkedDelta) ([]wire.Value, error) {
	for i, id := range c.added.ids {
		if _, ok := t.byID[id]; ok {
			return nil, lex.Malformed(sectionAdded, i, "the identity "+lex.Abbreviated(id)+" already exists in the base")
		}
	}
	rows := slices.Clone(t.rows)
	for i, id := range c.changed.ids {
		at, ok := t.byID[id]
		if !ok {
			return nil, lex.Malformed(sectionChanged, i, "the identity "+lex.Abbreviated(id)+" is not in the base")
		}
		rows[at] = c.changed.rows[i]
	}
	removed := make([]bool, len(rows))
	for i, id := range c.removed {
		at, ok := t.byID[id]
		if !ok {
			return nil, lex.Malformed(sectionRemoved, i, "the identity "+lex.Abbreviated(id)+" is not in the base")
		}
		removed[at] = true
	}
	kept := rows[:0]
	for i, row := range rows {
		if !removed[i] {
			kept = append(kept, row)
		}
	}
	return append(kept, c.added.rows...), nil
}
