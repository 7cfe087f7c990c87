package negotiate

import (
	"fmt"
	"maps"
	"mime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// String writes a range in the grammar of RFC 9110.
func (r mediaRange) String() string {
	var b strings.Builder
	b.WriteString(r.kind + "/" + r.subtype)
	for _, name := range slices.Sorted(maps.Keys(r.params)) {
		b.WriteString(";" + name + `="` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(r.params[name]) + `"`)
	}
	fmt.Fprintf(&b, ";q=%d.%03d", r.weight/1000, r.weight%1000)
	return b.String()
}

// FuzzAccept holds that what is read is what is written, that a list is read as
// its elements are, and that mime, where it reads an element too, reads the same.
func FuzzAccept(f *testing.F) {
	for _, s := range []string{"", "*/*", "text/*;q=0.5, a/b", `a/b;c="d,e\"";q=0.1;x=y`, "a/b;;q=1.000", `a/b;c="`, ",,,", "a/b c", "A/B;Q=0"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		ranges := parseAccept([]string{s})
		var parts []string
		for _, r := range ranges {
			if r.weight < 0 || r.weight > 1000 || r.kind == "" || r.subtype == "" {
				t.Fatalf("%q: %v", s, r)
			}
			parts = append(parts, r.String())
		}
		again := parseAccept([]string{strings.Join(parts, ", ")})
		require.Equal(t, ranges, again, "%q", s)
		require.Equal(t, append(again, ranges...), parseAccept([]string{strings.Join(parts, ","), s}))
		if base, params, err := mime.ParseMediaType(s); err == nil && len(ranges) == 1 && !strings.ContainsAny(s, ",\"\\*%") && strings.Count(strings.ToLower(s), "q=") == 0 {
			require.Equal(t, base, ranges[0].kind+"/"+ranges[0].subtype, "%q", s)
			delete(params, "charset")
			require.Equal(t, params, ranges[0].params, "%q", s)
		}
	})
}
