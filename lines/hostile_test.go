package lines_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/wirekit/wirekit/internal/testkit/growth"
	"github.com/wirekit/wirekit/internal/testkit/resident"
	"github.com/wirekit/wirekit/lines"
)

// hostile are texts of n bytes that could take more than linear time or memory.
var hostile = map[string]func(n int) string{
	"one line":          func(n int) string { return strings.Repeat("the same word again; ", n/21) },
	"one word":          func(n int) string { return strings.Repeat("a", n) },
	"punctuation":       func(n int) string { return strings.Repeat("(){}[]<>=,;", n/11) },
	"mixed punctuation": func(n int) string { return mixed(n, "(){}[]<>=,;\"'") },
	"mixed words":       func(n int) string { return mixed(n, "ab ") },
	"empty lines":       func(n int) string { return strings.Repeat("\n", n) },
	"lines alike":       func(n int) string { return strings.Repeat("refused by the upstream\n", n/24) },
	"lines all different": func(n int) string {
		return noise(n)
	},
	"two lines in turns": func(n int) string { return strings.Repeat("a\nb\n", n/4) },
	"lines of two kinds": func(n int) string { return strings.ReplaceAll(mixed(n/2, "ab"), "", "\n") },
	"longer and longer": func(n int) string {
		var b strings.Builder
		for i := 1; b.Len() < n; i++ {
			b.WriteString(strings.Repeat("ab ", i) + "\n")
		}
		return b.String()[:n]
	},
	"longer blocks": func(n int) string {
		var b strings.Builder
		for i := 1; b.Len() < n; i++ {
			for k := range i {
				fmt.Fprintf(&b, "l%d\n", k)
			}
			fmt.Fprintf(&b, "end %d\n", i)
		}
		return b.String()[:n]
	},
	"beginnings alike": func(n int) string {
		var b strings.Builder
		for i := 0; b.Len() < n; i++ {
			fmt.Fprintf(&b, "a/b/c/d/%d\n", i)
		}
		return b.String()
	},
	"long beginnings alike": func(n int) string {
		var b strings.Builder
		for i := 0; b.Len() < n; i++ {
			fmt.Fprintf(&b, "%s%d\n", strings.Repeat("a/", 500), i)
		}
		return b.String()
	},
	"legends of legends": func(n int) string {
		return strings.Repeat("lines v1; $1 to $2 stand for the texts below\n$1=$2$2\n$2=$1$1\n$1 $2\n", n/70)
	},
}

// mixed is n characters of a set, in no order.
func mixed(n int, set string) string {
	b := make([]byte, n)
	state := uint32(1)
	for i := range b {
		state = state*1664525 + 1013904223
		b[i] = set[int(state>>16)%len(set)]
	}
	return string(b)
}

// TestEncodeGrowth: any text is encoded in linear time and memory.
func TestEncodeGrowth(t *testing.T) {
	if testing.Short() {
		t.Skip("runs without -short: it measures growth")
	}
	for name, make := range hostile {
		t.Run(name, func(t *testing.T) {
			growth.Linear(t, 16<<10, func(n int) func() {
				text := []byte(make(n))
				return func() { lines.Encode(text, lines.Options{MaxBytes: -1, MinSaving: -1}) }
			})
		})
	}
}

// TestHostileExact: such texts come back.
func TestHostileExact(t *testing.T) {
	for name, make := range hostile {
		t.Run(name, func(t *testing.T) {
			encode(t, []byte(make(40<<10)), lines.Options{MinSaving: -1})
		})
	}
}

// TestDecodeGrowth: any text is decoded in time and memory that are linear in it and
// in what it stands for.
func TestDecodeGrowth(t *testing.T) {
	if testing.Short() {
		t.Skip("runs without -short: it measures growth")
	}
	for name, make := range map[string]func(n int) string{
		"references": func(n int) string { return legendHead + strings.Repeat("$1;$2 x\n", n/8) },
		"headings":   func(n int) string { return headingHead + strings.Repeat(">a/\nb\n", n/6) },
		"repeats":    func(n int) string { return repeatHead + "&1, 1 lines:\na\n" + strings.Repeat("&1*7\n", n/5) },
		"blocks": func(n int) string {
			var b strings.Builder
			for i := range n / 16 {
				fmt.Fprintf(&b, "&%d, 1 lines:\na\n", i+1)
			}
			return repeatHead + b.String()
		},
		"sigils": func(n int) string { return legendHead + strings.Repeat("$", n) },
	} {
		t.Run(name, func(t *testing.T) {
			growth.Linear(t, 16<<10, func(n int) func() {
				text := []byte(make(n))
				return func() { _, _ = lines.Decode(text) }
			})
		})
	}
}

// TestMemory: no text takes more resident memory than the rule of the module allows.
func TestMemory(t *testing.T) {
	var cases []resident.Case
	for _, name := range []string{"mixed punctuation", "empty lines", "lines all different", "two lines in turns", "lines of two kinds"} {
		cases = append(cases, resident.Case{
			Name:  name,
			Input: func() []byte { return []byte(hostile[name](1 << 20)) },
			Call:  func(text []byte) { lines.Encode(text, lines.Options{MaxBytes: -1, MinSaving: -1}) },
		})
	}
	for name, text := range map[string]string{
		"decoding lines":  repeatHead + "\n&*99999\n" + strings.Repeat("&*99999\n", 99),
		"decoding blocks": repeatHead + "&1, 9 lines:\n" + strings.Repeat("\n", 9) + strings.Repeat("&1*99999\n", 99),
		"decoding texts":  "lines v1; $1 to $1 stand for the texts below\n$1=" + strings.Repeat("a", 1<<12) + "\n" + strings.Repeat("$1\n", 1<<12),
	} {
		cases = append(cases, resident.Case{
			Name:  name,
			Input: func() []byte { return []byte(text) },
			Call:  func(text []byte) { _, _ = lines.Decode(text) },
		})
	}
	resident.Check(t, cases...)
}

func BenchmarkEncode(b *testing.B) {
	for name, text := range goldenTexts(b) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				lines.Encode(text, eager)
			}
		})
	}
	b.Run("256KB", func(b *testing.B) {
		text := bytes.Repeat(goldenTexts(b)["events"], 200)[:lines.DefaultMaxBytes]
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			lines.Encode(text, eager)
		}
	})
}

func BenchmarkDecode(b *testing.B) {
	for name, text := range goldenTexts(b) {
		out, _ := lines.Encode(text, eager)
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				_, _ = lines.Decode(out)
			}
		})
	}
}
