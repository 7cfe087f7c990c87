//go:build go1.27 && goexperiment.jsonv2

package govalues

import (
	"encoding/json/jsontext"
	"time"
)

type (
	embedInner struct {
		X int
		Y string `json:"y,omitempty"`
	}
	embedMap struct {
		ID   int            `json:"id"`
		More map[string]int `json:",embed"`
		Last string
	}
)

// embeddingValues are structs with the tag option embed, which Go 1.27 has and Go 1.26
// ignores.
func embeddingValues() (all []any) {
	type named struct {
		N int
		E embedInner `json:",embed"`
	}
	type pointer struct {
		E *embedInner `json:",embed"`
		N int
	}
	type odd struct {
		A embedInner   `json:"a,embed"`
		B int          `json:",embed"`
		C **embedInner `json:",embed"`
		D any          `json:",embed"`
		F []byte       `json:",embed"`
		G embedInner   `json:", embed"`
		e embedInner   `json:",embed"` //lint:ignore U1000 it does not take part
	}
	type rivals struct {
		A embedInner `json:",embed"`
		B embedInner `json:",embed"`
		N int
	}
	type over struct {
		X string
		A embedInner `json:",omitempty,embed"`
	}
	type methods struct {
		T time.Time `json:",embed"`
		S toStruct  `json:",embed"`
		N int
	}
	type mapPointer struct {
		M *map[string]any `json:",embed"`
		N int             `json:",omitempty"`
	}
	type mapKeyed struct {
		M map[appendString]int `json:",embed"`
		K map[kept]embedInner  `json:",embed"`
	}
	type mapNested struct {
		embedMap
		N int
	}
	type mapOfMap struct {
		A embedMap       `json:",embed"`
		B map[string]any `json:",embed"`
	}
	type maps struct {
		A map[string]int `json:",embed"`
		B map[string]int `json:",embed"`
		N int
	}
	type tagNames struct {
		A int `json:"a\"b"`
		B int `json:"\u2028 🙂"`
		C int `json:"'quoted',omitempty"`
		D int `json:"1\\"`
		E int `json:"_e'f"`
		F int `json:" "`
	}
	type text struct {
		N int
		V jsontext.Value `json:",embed"`
	}
	in, more := embedInner{1, "y"}, map[string]any{"q": 1, "a": []any{"x", nil}}
	for _, list := range [][]any{
		places(named{1, in}), places(named{}), places(pointer{&in, 2}), places(pointer{N: 3}), places(odd{A: in, D: in, G: in}), places(rivals{in, in, 4}),
		places(over{"x", in}), places(methods{N: 5}), places(embedMap{1, map[string]int{"b": 2, "a": 1}, "z"}), places(embedMap{}),
		places(embedMap{1, map[string]int{"id": 2}, "z"}), places(mapPointer{&more, 1}), places(mapPointer{}),
		places(mapKeyed{map[appendString]int{"k": 1}, map[kept]embedInner{"e": in}}), places(mapNested{embedMap{1, map[string]int{"b": 2}, "z"}, 2}),
		places(mapOfMap{embedMap{1, map[string]int{"b": 2}, "z"}, more}), places(maps{map[string]int{"a": 1}, map[string]int{"b": 1}, 1}),
		places(text{1, jsontext.Value(`{"b":1,"a":[2.50]}`)}), places(text{}), places(tagNames{1, 2, 3, 4, 5, 6}), places(text{1, jsontext.Value(`[1]`)}),
	} {
		all = append(all, list...)
	}
	return all
}

type kept string
