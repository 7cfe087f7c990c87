// Package payload holds answers of programs, of many kinds, on which tests and
// tables measure what formats and folding save.
//
// Recorded answers are what a program printed, cut to a usual length; paths,
// addresses and authors were replaced. Generated ones were made to have the shape of
// such an answer, member by member, with values that vary as those of real answers do.
// Each is a file named after its kind, with "_" for a blank and "__" for a colon.
package payload

import (
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
	Recorded bool   // printed by a program, not made for this
	JSON     []byte // compact
	Value    wire.Value
}

//go:embed recorded/*.json.gz generated/*.json.gz
var files embed.FS

// All returns every payload, by kind. The caller may not change them.
var All = sync.OnceValue(func() []Payload {
	all := append(folder("recorded"), folder("generated")...)
	slices.SortFunc(all, func(a, b Payload) int { return strings.Compare(strings.ToLower(a.Kind), strings.ToLower(b.Kind)) })
	return all
})

// folder returns the payloads of a folder.
func folder(name string) (all []Payload) {
	kinds := strings.NewReplacer(".json.gz", "", "__", ": ", "_", " ")
	for _, f := range must(files.ReadDir(name)) {
		r := must(gzip.NewReader(must(files.Open(name + "/" + f.Name()))))
		text := must(io.ReadAll(r))
		all = append(all, Payload{Kind: kinds.Replace(f.Name()), Recorded: name == "recorded", JSON: text, Value: must(wire.ParseJSON(text))})
	}
	return all
}

// must returns what a call without an error returned: the files are part of the program.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
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
		for e := range v.Elements() {
			find(e)
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

// A Group is a field that answers come from.
type Group struct {
	Name  string
	Kinds []string
}

//go:embed groups.txt
var groups string

// Groups returns the fields, each with the kinds of its answers. Every kind is
// in one of them.
func Groups() (all []Group) {
	for line := range strings.Lines(groups) {
		name, kinds, _ := strings.Cut(strings.TrimSpace(line), "\t")
		all = append(all, Group{name, strings.Split(kinds, ", ")})
	}
	return all
}
