package payload

import (
	_ "embed"
	"strings"
)

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
