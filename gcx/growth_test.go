package gcx_test

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/wirekit/wirekit/gcx"
	"github.com/wirekit/wirekit/gcx/layouts"
	"github.com/wirekit/wirekit/internal/testkit/growth"
	"github.com/wirekit/wirekit/internal/testkit/resident"
	"github.com/wirekit/wirekit/wire"
)

// readers are all that takes a payload's bytes.
var readers = map[string]func(src []byte){
	"Decode":                func(src []byte) { _, _ = gcx.Codec{}.Decode(src) },
	"Decode as text":        func(src []byte) { _, _ = gcx.Codec{AllStrings: true, Lenient: true}.Decode(src) },
	"DecodeSections":        func(src []byte) { _, _ = gcx.Codec{}.DecodeSections(src) },
	"Decoder":               func(src []byte) { _ = drain(gcx.Codec{}.NewDecoder(bytes.NewReader(src))) },
	"Records":               func(src []byte) { _, _ = recordsOf(gcx.Codec{}.Records(bytes.NewReader(src))) },
	"Unmarshal any":         func(src []byte) { var v any; _ = gcx.Unmarshal(src, &v) },
	"Unmarshal rows":        func(src []byte) { var v []layouts.Task; _ = gcx.Unmarshal(src, &v) },
	"DecodeResult rows":     func(src []byte) { _ = gcx.Codec{}.DecodeResult(src, new(layouts.SearchSymbols)) },
	"DecodeResult sections": func(src []byte) { _ = gcx.Codec{}.DecodeResult(src, new(layouts.Graph)) },
	"DecodeResult value":    func(src []byte) { _ = gcx.Codec{}.DecodeResult(src, new(layouts.Analyze)) },
	"Sniff":                 func(src []byte) { _ = gcx.Codec{}.Sniff(src) },
}

// hostilePayloads are payloads of about n bytes that are cheap to write and could
// be dear to read.
var hostilePayloads = map[string]func(n int) string{
	"blank rows": func(n int) string { return fmt.Sprintf("GCX1 tool=t fields=a rows=%d\n", n) + strings.Repeat("\n", n) },
	"blank values": func(n int) string {
		return fmt.Sprintf("GCX1 tool=t fields=value rows=%d\n", n) + strings.Repeat("\n", n)
	},
	"blank and short": func(n int) string {
		return fmt.Sprintf("GCX1 tool=t fields=a rows=%d\n", n) + strings.Repeat("\n1\n", n/3)
	},
	"blank and few": func(n int) string {
		return fmt.Sprintf("GCX1 tool=t fields=a rows=%d\n", 2*n) + strings.Repeat("\n1\n", n/3)
	},
	"short rows": func(n int) string {
		return fmt.Sprintf("GCX1 tool=t fields=a rows=%d\n", n/2) + strings.Repeat("1\n", n/2)
	},
	"uncounted rows": func(n int) string { return "GCX1 tool=t fields=a,b\n" + strings.Repeat("\t\n", n/2) },
	"omitted cells": func(n int) string {
		return "GCX1 tool=t fields=a,b,c,d,e,f,g,h,i,j,k,l\n" + strings.Repeat("x\n", n/2)
	},
	"omitted cells within bounds": func(n int) string {
		return "GCX1 tool=t fields=a,b,c,d,e,f,g\n" + strings.Repeat("x\n", n/5) + strings.Repeat("xxxxx\t\t\t\t\t\t\n", n/20)
	},
	"empty objects": func(n int) string { return "GCX1 tool=t fields=a\n[" + strings.Repeat("{},", n/3) + "{}]\n" },
	"numbers":       func(n int) string { return "GCX1 tool=t fields=a\n[" + strings.Repeat("1,", n/2) + "1]\n" },
	"own keys":      func(n int) string { return "GCX1 tool=t fields=a\n[" + ownKeys(n/12) + "]\n" },
	"deep":          func(n int) string { return "GCX1 tool=t fields=a\n" + strings.Repeat(nested(400)+"\n", n/800) },
	"unfinished": func(n int) string {
		return "GCX1 tool=t fields=a\n" + strings.Repeat(strings.Repeat("[1,", 300)+"\n", n/900)
	},
	"sections":     func(n int) string { return strings.Repeat("GCX1 tool=get_callers.nodes fields=a k=v\n", n/40) },
	"analyze":      func(n int) string { return "GCX1 tool=analyze.k fields=value\n" + strings.Repeat("1\n", n/2) },
	"many analyze": func(n int) string { return strings.Repeat("GCX1 tool=analyze.k fields=a\n1\n", n/31) },
	"symbols":      func(n int) string { return "GCX1 tool=search_symbols fields=line,id\n" + strings.Repeat("1\ta\n", n/4) },
	"definitions":  func(n int) string { return "GCX1 tool=tool_definitions fields=name,scope\n" + names(n/10) },
	"repos": func(n int) string {
		return "GCX1 tool=tool_request fields=tool,scope,repo\nt\tfan-out\t[" + strings.Repeat(`"a",`, n/4) + "\"b\"]\n"
	},
	"fields":          func(n int) string { return "GCX1 tool=t fields=a" + sequence(n/7, ",f%d") + "\nx\n" },
	"pairs":           func(n int) string { return "GCX1 tool=t fields=a" + sequence(n/9, " k%d=v") + "\nx\n" },
	"types":           func(n int) string { return "GCX1 tool=t fields=a types=" + strings.Repeat("m", n) + "\n1\n" },
	"escapes":         func(n int) string { return "GCX1 tool=t fields=a\n" + strings.Repeat("\\", n) + "\n" },
	"quoted escapes":  func(n int) string { return "GCX1 tool=t fields=a types=m\n\"" + strings.Repeat("\\\\n", n/3) + "\"\n" },
	"comments":        func(n int) string { return strings.Repeat("#\n", n/2) + "GCX1 tool=t fields=a\n1\n" },
	"blank beginning": func(n int) string { return strings.Repeat("\n", n) + "GCX1 tool=t fields=a\n1\n" },
	"long number":     func(n int) string { return "GCX1 tool=t fields=a\n" + strings.Repeat("1", n) + "\n" },
	"carriage returns": func(n int) string {
		return "GCX1 tool=t fields=a\n" + strings.Repeat("\\\\", n/4) + strings.Repeat("\r", n/2) + "\n"
	},
	"patterns": func(n int) string {
		return "GCX1 tool=t types=m fields=a" + sequence(63, ",f%d") + "\n" + patterns(n/100)
	},
}

func ownKeys(n int) string { return strings.TrimPrefix(sequence(n, `,{"k%d":1}`), ",") }

func names(n int) string { return sequence(n, "t%d\trepo\n") }

func sequence(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// TestReadingIsLinear: every reader takes time and memory in proportion to a
// payload's length, whatever the payload.
func TestReadingIsLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("runs without -short: it measures growth")
	}
	for reader, read := range readers {
		for name, payload := range hostilePayloads {
			if reader != "Decode" && reader != "DecodeSections" && reader != "Records" && !concerns(reader, name) {
				continue
			}
			t.Run(reader+" "+name, func(t *testing.T) {
				growth.Linear(t, 8<<10, func(n int) func() {
					src := []byte(payload(n))
					return func() { read(src) }
				})
			})
		}
	}
}

// concerns reports whether a payload takes a reader further than its first line.
func concerns(reader, payload string) bool {
	switch payload {
	case "symbols":
		return reader == "DecodeResult rows"
	case "sections":
		return reader == "DecodeResult sections"
	case "analyze", "many analyze":
		return reader == "DecodeResult value"
	case "definitions", "repos":
		return strings.HasPrefix(reader, "DecodeTool")
	case "comments", "blank beginning":
		return reader == "Sniff"
	}
	return strings.HasPrefix(reader, "Unmarshal") && strings.Contains(payload, "rows") || reader == "Decoder" && strings.Contains(payload, "blank")
}

// writers are all that takes a value.
var writers = map[string]func(v wire.Value) error{
	"AppendEncode": func(v wire.Value) error { return second(gcx.Codec{}.AppendEncode(nil, v)) },
	"Single":       func(v wire.Value) error { return second(gcx.Codec{Single: true}.AppendEncode(nil, v)) },
	"Plain":        func(v wire.Value) error { return second(gcx.Codec{Plain: true}.AppendEncode(nil, v)) },
	"Reorder":      func(v wire.Value) error { return second(gcx.Codec{Reorder: true}.AppendEncode(nil, v)) },
	"plain wrapped": func(v wire.Value) error {
		return second(gcx.Codec{Plain: true}.AppendObject(nil, v))
	},
	"result": func(v wire.Value) error {
		return second(gcx.Codec{}.AppendResult(nil, &layouts.Analyze{Kind: "k", Other: v}))
	},
	"records": func(v wire.Value) error {
		w, err := gcx.Codec{}.NewRecordWriter(io.Discard, nil)
		if err == nil {
			err = w.Write(v)
		}
		return err
	},
}

// hostileValues are JSON texts of about n bytes that could be dear to write.
var hostileValues = map[string]func(n int) string{
	"own keys":      func(n int) string { return "[" + ownKeys(n/14) + "]" },
	"long own keys": func(n int) string { return "[" + strings.TrimPrefix(sequence(n/214, `,{"%0200d":1}`), ",") + "]" },
	"few in a wide one": func(n int) string {
		return `[{"a":1` + sequence(n/18, `,"k%d":1`) + "}" + strings.Repeat(`,{"a":1}`, n/18) + "]"
	},
	"two orders": func(n int) string {
		return "[" + strings.Repeat(`{"a":1,"b":2},{"b":1,"a":2},`, n/28) + `{"a":1,"b":2}]`
	},
	"lists": func(n int) string {
		return "{" + strings.TrimPrefix(sequence(n/40, `,"k%d":[{"a":1,"b":2},{"a":1,"b":2}]`), ",") + "}"
	},
	"any order": func(n int) string {
		return "[" + strings.TrimPrefix(sequence(n/55, `,{"k%[1]d":1,"b":1},{"b":1,"c":2,"k%[1]d":1}`), ",") + "]"
	},
	"sparse": func(n int) string {
		var b strings.Builder
		for i := range n / 30 {
			fmt.Fprintf(&b, `,{"option%d":1,"option%d":2}`, i%40, 40+i%39)
		}
		return "[" + strings.TrimPrefix(b.String(), ",") + "]"
	},
	"quoted": func(n int) string {
		return "[" + strings.Repeat(`{"a":"1","b":null},{"a":1,"b":""},`, n/34) + `{"a":1,"b":2}]`
	},
	"deep":    func(n int) string { return "[" + strings.Repeat(nested(400)+",", n/801) + "1]" },
	"escapes": func(n int) string { return `["` + strings.Repeat(`\\`, n/2) + `"]` },
	"own orders": func(n int) string {
		return "[" + strings.TrimPrefix(sequence(n/40, `,{"k%[1]d":{"b":1,"a%[1]d":2,"A":3}}`), ",") + "]"
	},
}

func TestWritingIsLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("runs without -short: it measures growth")
	}
	for writer, write := range writers {
		for name, text := range hostileValues {
			if name == "long own keys" || strings.Contains(writer, "lain") && (name == "own keys" || name == "own orders" || name == "any order" || name == "few in a wide one") || writer == "result" && name != "two orders" {
				continue // the document's form is a table of all keys by all rows, bounded below
			}
			t.Run(writer+" "+name, func(t *testing.T) {
				growth.Linear(t, 8<<10, func(n int) func() {
					v := parse(t, text(n))
					return func() { _ = write(v) }
				})
			})
		}
	}
}

const megabyte = 1_000_000

func TestMemoryOfReading(t *testing.T) {
	var cases []resident.Case
	for name, payload := range hostilePayloads {
		for _, reader := range []string{"Decode", "DecodeSections", "Records", "Unmarshal rows", "DecodeResult rows"} {
			if strings.Contains(reader, "rows") && !concerns(reader, name) || reader == "Records" && !strings.Contains(name, "blank") {
				continue
			}
			cases = append(cases, resident.Case{Name: reader + " " + name, Input: func() []byte { return []byte(payload(megabyte)) }, Call: readers[reader]})
		}
	}
	resident.Check(t, cases...)
}

func TestMemoryOfWriting(t *testing.T) {
	var cases []resident.Case
	for name, text := range hostileValues {
		for writer, write := range writers {
			for _, n := range []int{megabyte / 8, megabyte} {
				if n < megabyte && !strings.Contains(writer, "lain") {
					continue // where the table of all keys by all rows was worst
				}
				cases = append(cases, resident.Case{Name: fmt.Sprintf("%s %s %d", writer, name, n), Input: func() []byte { return []byte(text(n)) },
					Call: func(src []byte) {
						if v, err := wire.ParseJSON(src); err == nil {
							_ = write(v)
						}
					}})
			}
		}
	}
	resident.Check(t, cases...)
}

// A branch holds itself.
type branch struct {
	Kids    []branch `json:"kids,omitempty"`
	A, B, C string   `json:",omitempty"`
}

// TestListsInListsOfCells: a list in a cell begins with memory for as many elements
// as the last one had, but not each of those within it, too.
func TestListsInListsOfCells(t *testing.T) {
	const deep = 40
	long := `[` + strings.Repeat("{},", 1023) + "{}]\n"
	short := strings.Repeat(`[{"kids":`, deep) + "[{}]" + strings.Repeat("}]", deep) + "\n"
	src := []byte("GCX1 tool=t fields=kids rows=40\n" + strings.Repeat(long+short, 20))
	growth.Bytes(t, uint64(128*len(src)), func() {
		var branches []branch
		if err := gcx.Unmarshal(src, &branches); err != nil {
			t.Fatal(err)
		}
	})
}

// TestClaimsOfRows: a payload that seems to have more rows than it has takes no more
// memory than its length allows, however long a row is in memory.
func TestClaimsOfRows(t *testing.T) {
	type row struct {
		A, B string
		C    [1 << 10]string `json:"-"`
	}
	type list struct{ Rows []row }
	const n = 100_000
	blank, tabs := strings.Repeat("\n", n), strings.Repeat("\t", n)+"\n"
	var rows []row
	for name, c := range map[string]struct {
		src string
		to  any
	}{
		"blank lines":      {fmt.Sprintf("GCX1 tool=t fields=A,B rows=%d\n", n) + blank, &rows},
		"declared":         {fmt.Sprintf("GCX1 tool=t.Rows fields=A,B rows=%d\n", n/2) + tabs, &list{}},
		"cells of results": {"GCX1 tool=t fields=A,B\n" + tabs, &rowsResult[row]{}},
	} {
		t.Run(name, func(t *testing.T) {
			growth.Bytes(t, 80*uint64(len(c.src)), func() {
				var err error
				if r, ok := c.to.(*rowsResult[row]); ok {
					err = gcx.Codec{}.DecodeResult([]byte(c.src), r)
				} else {
					err = gcx.Unmarshal([]byte(c.src), c.to)
				}
				if err == nil {
					t.Fatal("it is read")
				}
			})
		})
	}
}

// A rowsResult has one section of rows.
type rowsResult[T any] struct {
	gcx.Extras
	Rows []T `gcx:"t"`
}
