package partial_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/wirekit/wirekit/internal/testkit/growth"
	"github.com/wirekit/wirekit/internal/testkit/trials"
	"github.com/wirekit/wirekit/partial"
)

// feed reads a text in pieces and takes the value after each.
func feed(tb testing.TB, o partial.Options, text string, size int) {
	p := partial.NewParser(o)
	for at := 0; at < len(text); at += size {
		if _, err := p.WriteString(text[at:min(at+size, len(text))]); err != nil {
			tb.Fatal(err)
		}
		p.Value()
	}
	if err := p.Close(); err != nil {
		tb.Fatal(err)
	}
}

// table returns a text of about n bytes with what texts are made of.
func table(n int) string {
	var b strings.Builder
	b.WriteString(`{"rows":[`)
	for i := 0; b.Len() < n; i++ {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"id":%d,"name":"customer number %d","note":"a \"quoted\" text\nwith lines","price":%d.50,"open":true,"tags":["x","y"]}`, i, i*7, i)
	}
	return b.String() + "]}"
}

func BenchmarkPieces(b *testing.B) {
	text := table(1 << 20)
	for _, level := range []partial.Level{partial.Strict, partial.Lenient} {
		for _, size := range []int{64, 1, len(text)} {
			b.Run(fmt.Sprintf("%v/%d", level, size), func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				b.ReportAllocs()
				for range b.N {
					feed(b, partial.Options{Level: level}, text, size)
				}
			})
		}
	}
}

// TestLinear: pieces of one byte with the value after each take time and memory in proportion to
// the text.
func TestLinear(t *testing.T) {
	trials.OneGoroutine(t)
	shapes := map[string]func(n int) string{
		"elements": func(n int) string { return "[" + strings.Repeat("1,", n) + "1]" },
		"rows":     func(n int) string { return table(20 * n) },
		"string":   func(n int) string { return `"` + strings.Repeat("é\\n", n) + `"` },
		"number":   func(n int) string { return "[" + strings.Repeat("1", n) + "]" },
		"blanks":   func(n int) string { return "{" + strings.Repeat(" ", n) + "}" },
		"escapes":  func(n int) string { return `["` + strings.Repeat(`\ud83d\ude00`, n/4) + `"]` },
		"members": func(n int) string {
			var b strings.Builder
			for i := range n {
				fmt.Fprintf(&b, `,"k%d":%d`, i, i)
			}
			return "{" + b.String()[1:] + "}"
		},
		"repeated": func(n int) string { return "{" + strings.Repeat(`"a":1,"b":[],`, min(n, 400)) + `"a":2}` },
		"nested": func(n int) string {
			return strings.Repeat(`[`, 200) + strings.Repeat("1,", n) + "1" + strings.Repeat("]", 200)
		},
	}
	for name, text := range shapes {
		for _, level := range []partial.Level{partial.Strict, partial.Lenient} {
			t.Run(name+"/"+level.String(), func(t *testing.T) {
				growth.Linear(t, 1000, func(n int) func() {
					text := text(n)
					return func() { feed(t, partial.Options{Level: level}, text, 1) }
				})
			})
		}
	}
	for name, text := range map[string]func(n int) string{
		"prose":  func(n int) string { return strings.Repeat("{ x [", n) },
		"quotes": func(n int) string { return `{"a":"` + strings.Repeat(` "x`, n) },
		"spaces": func(n int) string { return `["a"` + strings.Repeat(" ", n) },
		"after":  func(n int) string { return `[1] a` + strings.Repeat("( {x} )", n) },
	} {
		t.Run(name, func(t *testing.T) {
			growth.Linear(t, 1000, func(n int) func() {
				text := text(n)
				return func() {
					p := partial.NewParser(partial.Options{Level: partial.Lenient})
					for i := range len(text) {
						if _, err := p.WriteString(text[i : i+1]); err != nil {
							break
						}
						p.Value()
					}
				}
			})
		})
	}
}

// TestSnapshot: the value so far takes no memory, however much there is.
func TestSnapshot(t *testing.T) {
	p := partial.NewParser(partial.Options{})
	if _, err := p.WriteString(strings.TrimSuffix(table(1<<20), "]}") + `,{"id":"x`); err != nil {
		t.Fatal(err)
	}
	growth.Allocs(t, 0, func() { p.Value() })
}
