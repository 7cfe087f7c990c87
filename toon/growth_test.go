package toon_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/wirekit/wirekit/internal/testkit/growth"
	"github.com/wirekit/wirekit/internal/testkit/resident"
	"github.com/wirekit/wirekit/toon"
)

// halfPlain are documents of about n bytes in which much seems to be plain, or
// seems to be as many as a header says, and is not.
var halfPlain = map[string]func(n int) string{
	"rows that are plain up to their ends": func(n int) string {
		return table("[%d]{a,b,c,d}:", "\n  1,x,\"y\\n\",z ", n)
	},
	"entries that are plain up to their ends": func(n int) string {
		var b strings.Builder
		fmt.Fprintf(&b, "[%d:]{a,b}:", n/12)
		for i := range n / 12 {
			fmt.Fprintf(&b, "\n  k%d: 1,2 ", i)
		}
		return b.String()
	},
	"fields that are plain up to their ends": func(n int) string { return table("[%d]:", "\n  - a: x \n    b: \"\\n\" ", n) },
	"groups that are plain up to their ends": func(n int) string {
		return table("[%d]{a{b,c},d{e,f}}:", "\n  1,2,3,4 ", n)
	},
	"items that are plain up to their ends": func(n int) string { return table("[%d]:", "\n  - [3]: 1,2,3 ", n) },
	"items with two headers": func(n int) string {
		return table("[%d]:", "\n  - [3]: 1,2,3\n  - [2]: 1,2", n)
	},
	"tables that declare too many rows": func(n int) string {
		return strings.Repeat(fmt.Sprintf("a[%d]{b}:\n  1\n", n/8), n/20)
	},
	"arrays that declare too many elements": func(n int) string {
		return strings.Repeat(fmt.Sprintf("a[%d]: 1%s\n", n/8, strings.Repeat(",1", 5000)), n/10_000)
	},
	"a line of strings with escapes":           func(n int) string { return inLine(n, `"\n"`) },
	"a line of strings with blanks behind":     func(n int) string { return inLine(n, `"x" `) },
	"a line of texts with a quotation mark":    func(n int) string { return inLine(n, `x"y"`) },
	"a line of texts with two thousand spaces": func(n int) string { return inLine(n, strings.Repeat(" ", 2000)+"x") },
	"a line of digits and a letter":            func(n int) string { return inLine(n, "1234567890123456789012345678901x") },
}

func table(header, row string, n int) string {
	n /= len(row)
	return fmt.Sprintf(header, n*strings.Count(row, "\n")) + strings.Repeat(row, n)
}

func inLine(n int, cell string) string {
	n /= len(cell) + 1
	return fmt.Sprintf("[%d]: %s", n+1, strings.Repeat(cell+",", n))
}

// TestGrowthOfDecoding: what is not plain, after all, takes no more than its length.
func TestGrowthOfDecoding(t *testing.T) {
	if testing.Short() {
		t.Skip("runs without -short: it measures growth")
	}
	for name, document := range halfPlain {
		t.Run(name, func(t *testing.T) {
			growth.Linear(t, 40_000, func(n int) func() {
				doc := []byte(document(n))
				return func() { decodeAll(doc) }
			})
		})
	}
}

func decodeAll(doc []byte) {
	for _, lenient := range []bool{false, true} {
		_, _ = toon.Codec{Lenient: lenient}.Decode(doc)
	}
	_ = toon.Unmarshal(doc, new(any))
}

// TestMemoryOfDecoding: nor does it take more memory than may be.
func TestMemoryOfDecoding(t *testing.T) {
	var cases []resident.Case
	for name, document := range halfPlain {
		cases = append(cases, resident.Case{
			Name:  name,
			Input: func() []byte { return []byte(document(1_000_000)) },
			Call:  decodeAll,
		})
	}
	resident.Check(t, cases...)
}
