package cli

import (
	"cmp"
	"fmt"
	"io"
	"iter"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/proxy/rewrite"
	"github.com/wirekit/wirekit/wire"
)

// A Selection is the part of a document that flags name. The zero selection is all of it.
type Selection struct {
	At            string // a JSON pointer (RFC 6901), in which * is every element and member
	keep, omit    []string
	Limit, Sample Amount
}

// Add adds the flags.
func (s *Selection) Add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&s.At, "at", "", "part of the document to take, a JSON pointer such as /rows/0/items; * is every element, as in /rows/*/id (default: all)")
	f.StringSliceVar(&s.keep, "keep", nil, "members to keep, by paths such as id, user/name or '**/id'; what they are in stays")
	f.StringSliceVar(&s.omit, "omit", nil, "members to leave out, by paths such as user/node_id or '**/*_url'")
	f.Var(&s.Limit, "limit", "take this many elements of the list, the first (default: all)")
	f.Var(&s.Sample, "sample", "take this many elements of the list, evenly spread")
	cmd.MarkFlagsMutuallyExclusive("limit", "sample")
}

// Flags are those that make the selection.
func (s Selection) Flags() (words []string) {
	for _, f := range []struct{ name, value string }{
		{"--at", s.At}, {"--keep", strings.Join(s.keep, ",")}, {"--omit", strings.Join(s.omit, ",")},
		{"--limit", s.Limit.String()}, {"--sample", s.Sample.String()},
	} {
		if f.value != "" && f.value != "0" {
			words = append(words, f.name, f.value)
		}
	}
	return words
}

// All reports whether nothing is left out.
func (s Selection) All() bool { return s.At == "" && !s.thins() && s.Limit == 0 && s.Sample == 0 }

// thins reports whether members are left out.
func (s Selection) thins() bool { return len(s.keep)+len(s.omit) > 0 }

// Check finds what cannot be followed before anything is read.
func (s Selection) Check() error {
	for _, path := range slices.Concat(s.keep, s.omit) {
		if err := rewrite.CheckPath(path); err != nil {
			return Usage(err)
		}
	}
	if _, err := wire.Null().At(s.At); Code(err) == "invalid_pointer" {
		err = s.failed(err, "")
		if like := jsonPath.ReplaceAllString(s.At, "/$1$2"); like != s.At && strings.HasPrefix(like, "/") {
			err = fmt.Errorf("%w; did you mean %q?", err, like)
		}
		return Usage(err)
	}
	return nil
}

// Source reads the document that a FILE argument names, unless the selection cannot be
// followed.
func (s Selection) Source(c *Console, file string) ([]byte, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	return c.Read(file)
}

// jsonPath matches the steps of jq's paths and of JSONPath: .items[0].name
var jsonPath = regexp.MustCompile(`(?:^\$)?(?:\.([^.\[\]/]+)|\.?\[["']?([^\]"']*)["']?\])`)

// In returns the part of v that is selected, and notes what was left out of a list.
func (s Selection) In(c *Console, file string, v wire.Value) (wire.Value, error) {
	v, err := s.part(c, file, v)
	if err != nil {
		return v, err
	}
	if s.thins() {
		for _, path := range s.keep {
			if _, named := rewrite.Thin(v, nil, []string{path}); named == 0 {
				c.Note("%s: no member matches --keep %s", Title(file), path)
			}
		}
		var left int
		if v, left = rewrite.Thin(v, s.keep, s.omit); left == 0 {
			c.Note("%s: no member matches --keep or --omit; nothing is left out", Title(file))
		}
	}
	n := max(int(s.Limit), int(s.Sample))
	if n == 0 {
		return v, nil
	}
	if v.Kind() != wire.KindArray {
		return v, Usagef("--limit and --sample take elements of a list, and this is of kind %s%s", v.Kind(), listIn(s.At, v))
	}
	if n >= v.Len() {
		return v, nil
	}
	which, elements := "the first", make([]wire.Value, n)
	for i := range elements {
		elements[i] = v.Index(i)
		if s.Sample > 0 {
			which = "evenly spread"
			elements[i] = v.Index(i * v.Len() / n)
		}
	}
	c.Note("%s: %d of %d elements, %s; %d are left out", Title(file), n, v.Len(), which, v.Len()-n)
	return wire.Array(elements...), nil
}

// listIn is a hint that names a list in an object, or in what is in it.
func listIn(at string, v wire.Value) string {
	for key, m := range v.Members() {
		if m.Kind() == wire.KindArray {
			return fmt.Sprintf("; --at %s/%s takes a list in it", at, PointerToken(key))
		}
	}
	for key, m := range v.Members() {
		if hint := listIn(at+"/"+PointerToken(key), m); hint != "" {
			return hint
		}
	}
	return ""
}

// unfit adds to an error of a format for tables what can be selected of v that is one.
func (s Selection) unfit(err error, v wire.Value) error {
	switch Code(err) {
	case "not_a_table":
		return fmt.Errorf("%w%s", err, listIn(s.At, v))
	case "nested_cell":
		key := path.Base(Fault(err).Path())
		return fmt.Errorf("%w; --omit %s leaves it out", err, ShellWords([]string{key}))
	}
	return err
}

// part returns what --at leads to: a value, or where it has a *, a list of those that are
// there.
func (s Selection) part(c *Console, file string, v wire.Value) (wire.Value, error) {
	if !strings.Contains(s.At+"/", "/*/") {
		v, err := v.At(s.At)
		return v, s.failed(err, "")
	}
	w := &wildcard{Selection: s}
	w.collect(v, "", s.At)
	if len(w.found) == 0 && w.err != nil {
		return v, w.err
	}
	if w.missing > 0 {
		c.Note("%s: --at %s: %d of %d have no such part", Title(file), s.At, w.missing, w.missing+len(w.found))
	}
	return wire.Array(w.found...), nil
}

// failed returns an error of the pointer's for the user who wrote it. where is the place
// that the pointer was followed from.
func (s Selection) failed(err error, where string) error {
	if e := Fault(err); e != nil {
		message := e.Message
		if where != "" {
			message = strings.Replace(message, "the root", where, 1)
		}
		return fmt.Errorf("--at %s: %s", s.At, message)
	}
	return err
}

// A wildcard collects the values that a pointer with * leads to.
type wildcard struct {
	Selection
	found   []wire.Value
	missing int
	err     error // the first
}

// collect follows a pointer from v, which is at where. A member named * is that member.
func (w *wildcard) collect(v wire.Value, where, at string) {
	head, rest, star := strings.Cut(at+"/", "/*/")
	if !star {
		head = at
	}
	v, err := v.At(head)
	switch {
	case err != nil:
		w.missing++
		w.err = cmp.Or(w.err, w.failed(err, where))
		return
	case !star:
		w.found = append(w.found, v)
		return
	}
	if rest = strings.TrimSuffix(rest, "/"); rest != "" {
		rest = "/" + rest
	}
	where += head
	if m, ok := v.Get("*"); ok {
		w.collect(m, where+"/*", rest)
		return
	}
	switch v.Kind() {
	case wire.KindArray:
		for i := range v.Len() {
			w.collect(v.Index(i), fmt.Sprintf("%s/%d", where, i), rest)
		}
	case wire.KindObject:
		for key, e := range v.Members() {
			w.collect(e, where+"/"+key, rest)
		}
	default:
		w.missing++
		w.err = cmp.Or(w.err, fmt.Errorf("--at %s: %s is of kind %s and has no elements for *", w.At, cmp.Or(where, "the root"), v.Kind()))
	}
}

// A Projected source is one of records that a selection leaves members out of, or takes
// the first of.
type Projected struct {
	wire.Streamer
	Selection
}

// Records implements wire.Streamer.
func (p Projected) Records(in io.Reader) iter.Seq2[wire.Value, error] {
	return func(yield func(wire.Value, error) bool) {
		n := 0
		for v, err := range p.Streamer.Records(in) {
			if err == nil && p.thins() {
				v, _ = rewrite.Thin(v, p.keep, p.omit)
			}
			if n++; !yield(v, err) || n == int(p.Limit) {
				return
			}
		}
	}
}

// PointerToken is a key as JSON pointers have it.
func PointerToken(key string) string { return scan.PointerEscapes.Replace(key) }
