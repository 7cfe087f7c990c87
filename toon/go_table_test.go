package toon_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/internal/testkit/trials"
	"github.com/wirekit/wirekit/toon"
	"github.com/wirekit/wirekit/wire"
)

// sameMarshal holds that v has the text, or the fault, that its Value has.
func sameMarshal(t *testing.T, v any) {
	t.Helper()
	want, wantErr := wire.Marshal(codectest.Values(toon.Codec{}), v)
	got, err := toon.Marshal(v)
	if string(want) != string(got) || fmt.Sprint(wantErr) != fmt.Sprint(err) {
		t.Fatalf("%#v\n%s\n%v\nby way of a Value\n%s\n%v", v, got, err, want, wantErr)
	}
}

type placed struct {
	Field string            `json:"field"`
	Map   map[string]string `json:"map"`
	Table []placedRow       `json:"table"`
	Line  []string          `json:"line"`
}

type placedRow struct {
	Cell string `json:"cell"`
	N    int    `json:"n"`
}

// TestTextsOfEveryLength: a byte that is quoted, escaped, no ASCII or no UTF-8 is
// noticed wherever it is in a text, and wherever the text is.
func TestTextsOfEveryLength(t *testing.T) {
	trials.OneGoroutine(t)
	odd := []string{"\x00", "\n", "\x1f", " ", "\"", "#", ",", "-", ":", "[", "\\", "]", "_", "{", "|", "}", "~", "\x7f", "\x80", "\xff", "é", "\xe9", "\xac", "\xba", "º", "漢"}
	for n := range 42 {
		for _, piece := range odd {
			for at := 0; at+len(piece) <= n; at++ {
				text := strings.Repeat("x", at) + piece + strings.Repeat("x", n-at-len(piece))
				sameMarshal(t, &placed{Field: text})
				if at%3 == 0 {
					sameMarshal(t, &placed{Map: map[string]string{text: "v"}})
					sameMarshal(t, &placed{Map: map[string]string{"k": text}})
					sameMarshal(t, &placed{Table: []placedRow{{"a", 1}, {text, 2}}})
					sameMarshal(t, &placed{Line: []string{"a", text}})
				}
			}
		}
	}
}

type optional struct {
	A int     `json:"a,omitempty"`
	B string  `json:"b,omitempty"`
	C float64 `json:"c,omitempty"`
}

// TestOptionalColumns: rows are a table if all lack the same members, one table after
// another.
func TestOptionalColumns(t *testing.T) {
	row := func(k int) optional { return optional{k & 1, "x"[:k>>1&1], float64(k >> 2 & 1)} }
	var tables [][]optional
	for k := range 8 * 8 * 8 {
		rows := []optional{row(k & 7), row(k >> 3 & 7), row(k >> 6)}
		sameMarshal(t, rows)
		tables = append(tables, rows[:1+k%3])
	}
	sameMarshal(t, tables)
	type listed struct {
		Rows []optional  `json:"rows"`
		More []placedRow `json:"more"`
	}
	var lists []listed
	for _, rows := range tables {
		lists = append(lists, listed{rows, []placedRow{{"a", 1}}})
	}
	sameMarshal(t, lists)
}

// TestManyOptionalColumns: so many members may be absent that a word has no bit for
// each.
func TestManyOptionalColumns(t *testing.T) {
	for _, n := range []int{63, 64, 65, 130} {
		fields := make([]reflect.StructField, n)
		for i := range fields {
			fields[i] = reflect.StructField{Name: fmt.Sprintf("F%d", i), Type: reflect.TypeFor[int](), Tag: `json:",omitempty"`}
		}
		for _, absent := range []int{0, 1, 63, 64, n - 1} {
			rows := reflect.MakeSlice(reflect.SliceOf(reflect.StructOf(fields)), 3, 3)
			for r := range 3 {
				for i := range n {
					if i != absent || r == 1 {
						rows.Index(r).Field(i).SetInt(int64(r + i + 1))
					}
				}
			}
			sameMarshal(t, rows.Interface())
			sameMarshal(t, rows.Slice(1, 2).Interface())
			sameMarshal(t, rows.Slice(2, 3).Interface())
		}
	}
}
