// Package payload holds answers of programs, of many kinds, on which tests and
// tables measure what formats and folding save.
//
// Recorded answers are what a program printed, cut to a usual length; paths,
// addresses and authors were replaced. Generated ones have the shape of such an
// answer, member by member, with values that vary as those of real answers do.
// Every answer is the same in each run and on each platform.
package payload

import (
	"bytes"
	"compress/gzip"
	"embed"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/wirekit/wirekit/wire"
)

// A Payload is one answer.
type Payload struct {
	Kind     string // what it is: "git log", "Kubernetes pods"
	Recorded bool   // printed by a program, not made here
	JSON     []byte // compact
	Value    wire.Value
}

//go:embed recorded/*.json.gz
var recorded embed.FS

// All returns every payload, by kind. The caller may not change them.
var All = sync.OnceValue(func() []Payload {
	var all []Payload
	for _, f := range must(recorded.ReadDir("recorded")) {
		text := unpacked("recorded/" + f.Name())
		kind := strings.ReplaceAll(strings.TrimSuffix(f.Name(), ".json.gz"), "_", " ")
		all = append(all, Payload{Kind: kind, Recorded: true, JSON: text, Value: must(wire.ParseJSON(text))})
	}
	for kind, generate := range generators {
		v := value(generate(newMaker(kind)))
		all = append(all, Payload{Kind: kind, JSON: wire.AppendJSON(nil, v), Value: v})
	}
	slices.SortFunc(all, func(a, b Payload) int { return strings.Compare(strings.ToLower(a.Kind), strings.ToLower(b.Kind)) })
	return all
})

func unpacked(file string) []byte {
	r := must(gzip.NewReader(bytes.NewReader(must(recorded.ReadFile(file)))))
	return must(io.ReadAll(r))
}

// Pages cuts the payload's largest array of objects into pages, each with the
// row that brings it to size bytes of JSON, and returns the first few of them.
func (p Payload) Pages(size, most int) []wire.Value {
	var rows wire.Value
	largest := 0
	var find func(v wire.Value)
	find = func(v wire.Value) {
		if v.Kind() == wire.KindArray && v.Len() > 1 && v.Index(0).Kind() == wire.KindObject {
			if n := len(wire.AppendJSON(nil, v)); n > largest {
				rows, largest = v, n
			}
			return // the outermost is the list of rows
		}
		if v.Kind() != wire.KindArray && v.Kind() != wire.KindObject {
			return
		}
		for i := range v.Len() {
			find(v.Index(i))
		}
	}
	find(p.Value)
	if largest == 0 {
		return nil
	}
	var pages, page []wire.Value
	length := 0
	for i := range rows.Len() {
		if len(pages) == most {
			break
		}
		row := rows.Index(i)
		page, length = append(page, row), length+len(wire.AppendJSON(nil, row))+1
		if length >= size {
			pages = append(pages, wire.Array(page...))
			page, length = nil, 0
		}
	}
	return pages
}
