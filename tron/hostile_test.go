package tron_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/internal/testkit/growth"
	"github.com/wirekit/wirekit/internal/testkit/resident"
	"github.com/wirekit/wirekit/internal/testkit/trials"
	"github.com/wirekit/wirekit/tron"
	"github.com/wirekit/wirekit/wire"
)

func numbered(n int, format string) string {
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		fmt.Fprintf(&b, format, i, i+1)
	}
	return b.String()
}

// hostile are texts of about n bytes that are cheap to write and could be dear to read.
func hostile(n int) map[string][]byte {
	texts := map[string][]byte{}
	for name, text := range map[string]string{
		"unused classes":         numbered(n, "class A%d:a\n") + "1",
		"a class of members":     "class A: a" + numbered(n, ",m%d") + "\n1",
		"its instance":           "class A: a" + numbered(n*3/4, ",m%d") + "\nA(1" + strings.Repeat(",1", n/8) + ")",
		"its value by names":     "class A: a" + numbered(n/2, ",m%d") + "\nA(a=1" + numbered(n/2, ",m%d=1") + ")",
		"members twice":          "class A: a" + strings.Repeat(",a", n/2) + "\n1",
		"members on lines":       "class A: a" + strings.Repeat("\n\n\n\n\"a\"", n/7),
		"chain of parents":       "class A0:a\n" + numbered(n, "class A%[2]d(A%[1]d):m%[1]d\n") + "1",
		"children of one parent": "class A: a" + numbered(n/2, ",m%d") + "\n" + numbered(n/2, "class B%d(A):b\n") + "1",
		"a wide class, open":     "class A: a" + numbered(n/2, ",m%d") + "\n" + strings.Repeat("A(", n/4),
		"a wide class, by name":  "class A: a" + numbered(n/2, ",m%d") + "\n" + strings.Repeat("A(m1=", n/10),
		"deep instances":         "class A: a\n" + strings.Repeat("A(", n/3) + "1" + strings.Repeat(")", n/3),
		"instances":              "class A: a\n[" + strings.Repeat("A(1),", n/5) + "]",
		"a long key":             "class A: " + strings.Repeat("k", n/2) + "\n[" + strings.Repeat("A(1),", n/10) + "A(2)]",
		"comments":               strings.Repeat("#\n", n/2) + "1", "a comment": "#" + strings.Repeat(" ", n) + "\n1", "commas": "[1" + strings.Repeat(" ,", n/2) + "]",
		"strings after a class": "class A: a\n" + strings.Repeat("\"a\";\n", n/5), "names": "[" + strings.Repeat("x", n), "separators": strings.Repeat(";\n", n/2),
		"shapes": "[" + numbered(n, `{"a%d":1},{"a%[1]d":1},`) + "1]", "one shape, many lists": "[" + strings.Repeat(`{"a":1,"b":[{"c":1}]},`, n/22) + "1]",
	} {
		texts[name] = []byte(text)
	}
	return texts
}

func TestGrowth(t *testing.T) {
	if testing.Short() {
		t.Skip("runs without -short: it measures growth")
	}
	codectest.Linear(t, tron.Codec{}, hostile)
	for name := range hostile(100) {
		t.Run("written "+name, func(t *testing.T) {
			growth.Linear(t, 8<<10, func(n int) func() {
				v, err := tron.Codec{}.Decode(hostile(n)[name])
				return func() {
					if err == nil {
						_ = codectest.Err(tron.Codec{}.AppendEncode(nil, v))
					}
				}
			})
		})
		t.Run("records of "+name, func(t *testing.T) {
			growth.Linear(t, 8<<10, func(n int) func() {
				src := hostile(n)[name]
				return func() {
					for range (tron.Codec{}).Records(strings.NewReader(string(src))) {
						continue
					}
				}
			})
		})
	}
}

func TestMemory(t *testing.T) { codectest.Resident(t, tron.Codec{}, hostile) }

// TestMemoryOfRecords: a stream takes memory for a record, however many there are.
func TestMemoryOfRecords(t *testing.T) {
	resident.Check(t, resident.Case{Name: "records", Input: func() []byte { return hostile(8_000_000)["instances"] }, Call: func(src []byte) {
		n := 0
		for _, err := range (tron.Codec{}).Records(strings.NewReader(string(src))) {
			if err != nil {
				panic(err)
			}
			n++
		}
		if n < 1_000_000 {
			panic(n)
		}
	}})
}

// TestAmplification: a text that is far longer as JSON is read in little memory, written as
// TRON again, and refused where it is to be written out.
func TestAmplification(t *testing.T) {
	trials.OneGoroutine(t)
	src := hostile(3_000_000)["a long key"]
	v := codectest.Decoded(t, tron.Codec{}, src)
	require.Less(t, len(codectest.Encoded(t, tron.Codec{}, v)), len(src)+10)
	_, err := wire.JSON{}.AppendEncode(nil, v)
	require.ErrorIs(t, err, wire.ErrLimit)
}

// TestLimits: each is an error that names it, at the place where it is passed.
func TestLimits(t *testing.T) {
	for _, c := range []struct {
		limits       wire.Limits
		text, code   string
		line, column int
	}{
		{wire.Limits{Depth: 2}, "class A: a\n[A([])]", wire.CodeTooDeep, 2, 4},
		{wire.Limits{Depth: 2}, "class A: a\n[A(A(1))]", wire.CodeTooDeep, 2, 5},
		{wire.Limits{Values: 3}, "class A: a\n[A(1),1]", wire.CodeTooManyValues, 2, 7},
		{wire.Limits{Values: 3}, "class A: a,b\n[A(b=1,a=2)]", wire.CodeTooManyValues, 2, 10},
		{wire.Limits{Values: 3}, "class A: a,b\nclass B: c,d\n1", wire.CodeTooManyValues, 2, 12},
		{wire.Limits{InputBytes: 9}, "class A: a\n1", wire.CodeInputTooLong, 1, 10},
		{wire.Limits{}, string(hostile(1_000_000)["chain of parents"]), "too_many_members", 1461, 13},
	} {
		_, err := tron.Codec{Limits: c.limits}.Decode([]byte(c.text))
		e := codectest.Refused(t, err, c.code, wire.ErrLimit)
		require.Equal(t, []int{c.line, c.column}, []int{e.Line, e.Column}, "%v", e)
	}
}

func seeds(f *testing.F) {
	for _, c := range append(writeVectors, readVectors...) {
		f.Add([]byte(text(c)))
	}
	for _, c := range faults {
		f.Add([]byte(c.text))
	}
	for _, text := range hostile(80) {
		f.Add(text)
	}
}

// FuzzDecode: any text is read or refused with a place, alike whole, in records, in reused
// memory and as Go values, and what was read comes back.
func FuzzDecode(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, src []byte) {
		v, err := tron.Codec{}.Decode(src)
		codectest.Placed(t, err, src)
		codectest.Records(t, tron.Codec{}, src)
		codectest.SameAny(t, tron.Codec{}, src)
		codectest.SameLent(t, tron.Codec{}, src)
		codectest.NotJSON(t, tron.Codec{}, src)
		want, jsonErr := wire.ParseJSON(src)
		if jsonErr == nil && (err != nil || !wire.Identical(v, want)) {
			t.Fatalf("JSON is read as %v, %v", v, err)
		}
		if err != nil {
			return
		}
		text := codectest.Fixpoint(t, tron.Codec{}, v)
		if json := wire.AppendJSON(nil, v); len(text) > len(json) {
			t.Fatalf("%s\n%s", text, json)
		}
	})
}

// FuzzEncode: any value comes back.
func FuzzEncode(f *testing.F) {
	for _, c := range writeVectors {
		f.Add([]byte(c.json))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		if v, err := wire.ParseJSON(src); err == nil {
			codectest.Fixpoint(t, tron.Codec{}, v)
		}
	})
}
