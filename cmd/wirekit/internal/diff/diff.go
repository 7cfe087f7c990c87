// Package diff has the verbs of differences between documents: diff and patch. It imports
// cli, not other verbs.
package diff

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/cli"
	"github.com/wirekit/wirekit/glyph"
	"github.com/wirekit/wirekit/internal/codec/builder"
	"github.com/wirekit/wirekit/wire"
)

// A change is one operation of a JSON Patch (RFC 6902), which makes some of the difference
// between two values.
type change struct {
	op       string // add, remove or replace
	path     string // a JSON pointer
	old, new wire.Value
}

// changes are what makes b of a, in the order in which they apply. The values are not
// equal.
func changes(list []change, path string, a, b wire.Value) []change {
	switch {
	case wire.Equal(a, b):
		return list
	case a.Kind() == wire.KindObject && b.Kind() == wire.KindObject:
		for key, old := range a.Members() {
			if v, ok := b.Get(key); ok {
				list = changes(list, path+"/"+cli.PointerToken(key), old, v)
			} else {
				list = append(list, change{op: "remove", path: path + "/" + cli.PointerToken(key), old: old})
			}
		}
		for key, v := range b.Members() {
			if _, ok := a.Get(key); !ok {
				list = append(list, change{op: "add", path: path + "/" + cli.PointerToken(key), new: v})
			}
		}
		return list
	case a.Kind() == wire.KindArray && b.Kind() == wire.KindArray:
		return elementChanges(list, path, a, b)
	}
	return append(list, change{"replace", path, a, b})
}

// elementChanges are those of arrays: what they begin and end with alike stays.
func elementChanges(list []change, path string, a, b wire.Value) []change {
	from, m, n := 0, a.Len(), b.Len()
	for from < min(m, n) && wire.Equal(a.Index(from), b.Index(from)) {
		from++
	}
	for m > from && n > from && wire.Equal(a.Index(m-1), b.Index(n-1)) {
		m, n = m-1, n-1
	}
	at := func(i int) string { return path + "/" + strconv.Itoa(i) }
	for i := from; i < min(m, n); i++ {
		list = changes(list, at(i), a.Index(i), b.Index(i))
	}
	for i := m - 1; i >= n; i-- {
		list = append(list, change{op: "remove", path: at(i), old: a.Index(i)})
	}
	for i := m; i < n; i++ {
		list = append(list, change{op: "add", path: at(i), new: b.Index(i)})
	}
	return list
}

// jsonPatch is the list as a JSON Patch.
func jsonPatch(list []change) wire.Value {
	operations := make([]wire.Value, len(list))
	for i, c := range list {
		members := []wire.Member{{Key: "op", Value: wire.String(c.op)}, {Key: "path", Value: wire.String(c.path)}}
		if c.op != "remove" {
			members = append(members, wire.Member{Key: "value", Value: c.new})
		}
		operations[i] = builder.Object(members...)
	}
	return wire.Array(operations...)
}

// maxShown is how much of a value's JSON a difference for people shows.
const maxShown = 300

// text is the change for people, with old and new value, and its colour on a terminal.
func (c change) text() (colour int, line string) {
	path := cmp.Or(c.path, "the document")
	switch c.op {
	case "add":
		return 32, "+ " + path + ": " + shown(c.new)
	case "remove":
		return 31, "- " + path + ": " + shown(c.old)
	}
	return 33, "~ " + path + ": " + shown(c.old) + " → " + shown(c.new)
}

func shown(v wire.Value) string {
	text := string(wire.AppendJSON(nil, v))
	if len(text) > maxShown {
		return fmt.Sprintf("%s… (%d bytes)", strings.ToValidUTF8(text[:maxShown], ""), len(text))
	}
	return text
}

// The errors for differences that a merge patch cannot make: in it, null takes a member
// away; and a list would be the patch itself, which may look like a JSON Patch.
var (
	errNoMergePatch = errors.New("a merge patch cannot make this difference, since null in it removes a member; say --json-patch")
	errJSONPatch    = errors.New("the merge patch would be read as a JSON Patch; say --json-patch")
)

// mergePatch is what makes b of a as a JSON Merge Patch (RFC 7396).
func mergePatch(a, b wire.Value) (wire.Value, error) {
	patch := mergeDifference(a, b)
	switch {
	case isJSONPatch(patch):
		return patch, errJSONPatch
	case !wire.Equal(applyMergePatch(a, patch), b):
		return patch, errNoMergePatch
	}
	return patch, nil
}

// isJSONPatch reports whether a patch is a JSON Patch and not a merge patch that replaces
// the document: a list that is empty or has an object in it.
func isJSONPatch(patch wire.Value) bool {
	isObject := func(e wire.Value) bool { return e.Kind() == wire.KindObject }
	return patch.Kind() == wire.KindArray && (patch.Len() == 0 || slices.ContainsFunc(slices.Collect(patch.Elements()), isObject))
}

func mergeDifference(a, b wire.Value) wire.Value {
	if a.Kind() != wire.KindObject || b.Kind() != wire.KindObject {
		return b
	}
	var members []wire.Member
	for key, v := range b.Members() {
		old, ok := a.Get(key)
		if !ok || !wire.Equal(old, v) {
			members = append(members, wire.Member{Key: key, Value: mergeDifference(old, v)})
		}
	}
	for key := range a.Members() {
		if _, ok := b.Get(key); !ok {
			members = append(members, wire.Member{Key: key, Value: wire.Null()})
		}
	}
	return builder.Object(members...)
}

// applyMergePatch is MergePatch of RFC 7396, section 2.
func applyMergePatch(target, patch wire.Value) wire.Value {
	if patch.Kind() != wire.KindObject {
		return patch
	}
	var members []wire.Member
	for key, v := range target.Members() {
		p, ok := patch.Get(key)
		switch {
		case !ok:
			members = append(members, wire.Member{Key: key, Value: v})
		case p.Kind() != wire.KindNull:
			members = append(members, wire.Member{Key: key, Value: applyMergePatch(v, p)})
		}
	}
	for key, p := range patch.Members() {
		if _, ok := target.Get(key); !ok && p.Kind() != wire.KindNull {
			members = append(members, wire.Member{Key: key, Value: applyMergePatch(wire.Null(), p)})
		}
	}
	return builder.Object(members...)
}

// applyJSONPatch applies the operations of a JSON Patch, all or none.
func applyJSONPatch(v, patch wire.Value) (wire.Value, error) {
	for i := range patch.Len() {
		var err error
		if v, err = applyOperation(v, patch.Index(i)); err != nil {
			return v, fmt.Errorf("operation %d of the patch, %s: %w", i, shown(patch.Index(i)), err)
		}
	}
	return v, nil
}

func applyOperation(v, operation wire.Value) (wire.Value, error) {
	if operation.Kind() != wire.KindObject {
		return v, errors.New("it is not an object; a list that replaces the document needs --merge-patch")
	}
	text := func(key string) (string, error) {
		s, _ := operation.Get(key)
		if s.Kind() != wire.KindString {
			return "", fmt.Errorf("it has no text %q", key)
		}
		return s.Text(), nil
	}
	op, err := text("op")
	path, failed := text("path")
	if err = cmp.Or(err, failed); err != nil {
		return v, err
	}
	value, given := operation.Get("value")
	old, missing := v.At(path)
	switch op {
	case "move", "copy":
		from, err := text("from")
		if err != nil {
			return v, err
		}
		if value, err = v.At(from); err == nil && op == "move" {
			if strings.HasPrefix(path, from+"/") {
				return v, errors.New("a value cannot move into itself")
			}
			v, err = without(v, from)
		}
		if err != nil {
			return v, err
		}
		return inserted(v, path, value)
	case "remove":
		return without(v, path)
	case "add", "replace", "test":
	default:
		return v, fmt.Errorf(`unknown operation %q; known are add, remove, replace, move, copy, test`, op)
	}
	switch {
	case !given:
		return v, errors.New(`it has no "value"`)
	case op == "add":
		return inserted(v, path, value)
	case missing != nil:
		return v, missing
	case op == "replace":
		return v.Set(path, value)
	case !wire.Equal(old, value):
		return v, fmt.Errorf("the document has %s there", shown(old))
	}
	return v, nil
}

// without returns v without what is at path; all of it is null.
func without(v wire.Value, path string) (wire.Value, error) {
	if path == "" {
		return wire.Null(), nil
	}
	return v.Delete(path)
}

// inserted returns v with a value at path, before the element that an array has there.
func inserted(v wire.Value, path string, value wire.Value) (wire.Value, error) {
	cut := strings.LastIndexByte(path, '/')
	if cut < 0 {
		return v.Set(path, value)
	}
	array, err := v.At(path[:cut])
	if err != nil || array.Kind() != wire.KindArray || path[cut+1:] == "-" {
		return v.Set(path, value)
	}
	elements := slices.Collect(array.Elements())
	i, err := strconv.Atoi(path[cut+1:])
	if err != nil || i < 0 || i > len(elements) || strconv.Itoa(i) != path[cut+1:] {
		return v, fmt.Errorf("%s has %d elements, and %q is not a place among them", path[:cut], len(elements), path[cut+1:])
	}
	return v.Set(path[:cut], wire.Array(slices.Insert(elements, i, value)...))
}

// New returns the verb diff.
func New(c *cli.Console) *cobra.Command {
	var o diffOptions
	cmd := cli.NewCommand("diff", cli.Two("A", "B"), func(_ *cobra.Command, args []string) error { return o.run(c, args[0], args[1]) })
	o.input.Add(cmd)
	cmd.Flags().StringVar(&o.fromA, "from-a", "", "format of A alone")
	cmd.Flags().StringVar(&o.fromB, "from-b", "", "format of B alone")
	cmd.Flags().StringVarP(&o.out, "out", "o", "", "file to write the patch to (default: standard output)")
	cmd.Flags().BoolVarP(&o.quiet, "quiet", "q", false, "print no patch")
	cmd.Flags().BoolVar(&o.text, "text", false, "print old and new values, as on a terminal")
	cmd.Flags().BoolVar(&o.jsonPatch, "json-patch", false, "print a JSON Patch (RFC 6902)")
	cmd.Flags().BoolVar(&o.mergePatch, "merge-patch", false, "print a JSON Merge Patch (RFC 7396)")
	cmd.MarkFlagsMutuallyExclusive("quiet", "text", "json-patch", "merge-patch")
	return cmd
}

type diffOptions struct {
	input                              cli.InputOptions
	fromA, fromB                       string
	out                                string
	quiet, text, jsonPatch, mergePatch bool
}

func (o diffOptions) run(c *cli.Console, from, to string) error {
	defer c.Progress("comparing "+cli.Title(from)+" and "+cli.Title(to), cli.NoCount)()
	a, err := o.load(c, from, o.fromA)
	if err != nil {
		return err
	}
	b, err := o.load(c, to, o.fromB)
	if err != nil {
		return err
	}
	if wire.Equal(a.Value, b.Value) {
		return nil
	}
	if !o.quiet {
		text, err := o.difference(c, from, to, a.Value, b.Value)
		if err != nil {
			return err
		}
		if err := c.Write(o.out, text); err != nil {
			return err
		}
	}
	return cli.ExitStatus(cli.ExitInput)
}

// load reads one of the documents, in its own format if it is named.
func (o diffOptions) load(c *cli.Console, file, format string) (cli.Document, error) {
	input := o.input
	input.From = cmp.Or(format, input.From)
	d, err := input.Load(c, file)
	if cli.Fault(err) != nil && format == "" && input.From != "" {
		err = fmt.Errorf("%w; --from is for both documents, --from-a and --from-b for one", err)
	}
	return d, cli.About(file, err)
}

// difference is what makes b of a, in the form that the flags ask for.
func (o diffOptions) difference(c *cli.Console, from, to string, a, b wire.Value) ([]byte, error) {
	switch {
	case o.jsonPatch:
		return append(wire.AppendJSON(nil, jsonPatch(changes(nil, "", a, b))), '\n'), nil
	case o.mergePatch:
		patch, err := mergePatch(a, b)
		return append(wire.AppendJSON(nil, patch), '\n'), err
	case o.text || o.out == "" && cli.IsDevice(c.Out):
		var lines strings.Builder
		write := func(colour int, line string) {
			if o.out == "" && cli.IsTerminal(c.Out) {
				line = fmt.Sprintf("\x1b[%dm%s\x1b[0m", colour, line)
			}
			lines.WriteString(line + "\n")
		}
		const bold = 1
		write(bold, "--- "+cli.Title(from))
		write(bold, "+++ "+cli.Title(to))
		for _, change := range changes(nil, "", a, b) {
			colour, line := change.text()
			write(colour, cli.OneLine(line))
		}
		return []byte(lines.String()), nil
	}
	patch, err := glyph.Diff(a, b)
	if err != nil {
		return nil, err
	}
	text, err := patch.AppendText(nil)
	return append(text, '\n'), err
}

// NewPatch returns the verb patch.
func NewPatch(c *cli.Console) *cobra.Command {
	var o patchOptions
	cmd := cli.NewCommand("patch", cli.Two("BASE", "PATCH"), func(_ *cobra.Command, args []string) error { return o.run(c, args[0], args[1]) })
	o.input.Add(cmd)
	o.OutputOptions.Add(cmd, "format of the output (default: that of BASE)")
	cmd.Flags().BoolVar(&o.mergePatch, "merge-patch", false, "PATCH is a JSON Merge Patch (RFC 7396), whatever it looks like")
	return cmd
}

type patchOptions struct {
	input cli.InputOptions
	cli.OutputOptions
	mergePatch bool
}

func (o patchOptions) run(c *cli.Console, base, file string) error {
	doc, err := o.input.Load(c, base)
	if err != nil {
		return cli.About(base, err)
	}
	text, err := c.Read(file)
	if err != nil {
		return err
	}
	apply, err := o.parse(text)
	if err != nil {
		return cli.About(file, err)
	}
	v, err := apply(doc.Value)
	if err != nil {
		return fmt.Errorf("%s does not apply to %s: %w", cli.Title(file), cli.Title(base), err)
	}
	return o.OutputOptions.Encode(c, base, doc.Codec, v, len(doc.Src)+len(text))
}

// parse reads a patch in one of the forms that diff prints: a list of operations is a JSON
// Patch, any other JSON a JSON Merge Patch, and anything else is GLYPH's.
func (o patchOptions) parse(text []byte) (func(wire.Value) (wire.Value, error), error) {
	trimmed := bytes.TrimSpace(text)
	if len(trimmed) == 0 {
		return nil, errors.New("the patch is empty")
	}
	if first := trimmed[0]; (first == '@' || first == '#' && bytes.Contains(text, []byte("@patch"))) && !o.mergePatch {
		patch, err := glyph.ParsePatch(string(text), nil)
		if err != nil {
			return nil, err
		}
		return patch.Apply, nil
	}
	patch, err := cli.Roomy(wire.JSON{RejectDuplicates: true}, len(text)).Decode(text)
	switch first := trimmed[0]; {
	case err != nil && first != '[' && first != '{':
		return nil, fmt.Errorf("%w; a patch is what \"wirekit diff\" writes, a JSON Patch or a merge patch", err)
	case err != nil:
		return nil, err
	case isJSONPatch(patch) && !o.mergePatch:
		return func(v wire.Value) (wire.Value, error) { return applyJSONPatch(v, patch) }, nil
	}
	return func(v wire.Value) (wire.Value, error) { return applyMergePatch(v, patch), nil }, nil
}
