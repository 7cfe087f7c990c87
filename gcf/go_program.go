package gcf

import (
	"slices"
	"strings"

	"github.com/wirekit/wirekit/gcf/internal/lex"
	"github.com/wirekit/wirekit/internal/gotype"
	"github.com/wirekit/wirekit/internal/scan"
)

// A goProgram says where the cells of a table's rows go in structs of one type.
// It is made once for a type and a declaration.
type goProgram struct {
	declared string // the declaration, from its opening brace to the line's end
	cells    []goCell
	attached int // cells that wait for attachments
	next     *goProgram
	count    int // of this and those behind it
}

// goCell is one column.
type goCell struct {
	top  *goField  // the field of the row that it belongs to
	leaf *goField  // the field that its scalar goes to; nil for elements of maps and columns that are no scalars
	op   gotype.Op // of a leaf that is no pointer; of all others Other
	// delim stands behind the cell, or behind the last one of its group.
	delim byte
	// offset is where the scalar lies: in the row's struct, or in the one that the
	// pointer of a group points to.
	offset uintptr
	key    string // of a map
	// group is, at the first cell of a group, how many cells it has: those of the
	// struct that a pointer points to, or of a map.
	group  int
	number int // of an attachment
}

const (
	// maxGoPrograms bounds the programs kept for a type, maxGoCells the cells of
	// one, maxGoAttached the attachments of a row.
	maxGoPrograms = 16
	maxGoCells    = 256
	maxGoAttached = 8
)

// program returns what a declaration means, nil if it needs Values.
func (s *goStruct) program(declared string) *goProgram {
	known := s.programs.Load()
	for g := known; g != nil; g = g.next {
		if g.declared == declared {
			return g
		}
	}
	names := declaredNames(declared)
	if names == nil {
		return nil
	}
	g := &goProgram{declared: strings.Clone(declared), next: known, count: 1}
	if known != nil {
		g.count += known.count
	}
	for i := 0; i < len(names); {
		n := g.column(s, names[i:])
		if n == 0 {
			return nil
		}
		i += n
	}
	for i := range g.cells {
		c := &g.cells[i]
		if c.delim = '|'; i+max(1, c.group) == len(g.cells) {
			c.delim = '\n'
		}
		if c.leaf != nil && c.leaf.form == goScalar {
			c.op = c.leaf.Op
		}
	}
	if g.count <= maxGoPrograms {
		s.programs.CompareAndSwap(known, g)
	}
	return g
}

// declaredNames returns the names of a declaration without escapes, nil for any
// other, or if one occurs twice.
func declaredNames(declared string) []string {
	var names []string
	for i := 1; i < len(declared); i++ {
		var name string
		if declared[i] == '"' {
			end := scan.StringEnd(declared, i+1)
			if end >= len(declared) || declared[end] != '"' {
				return nil
			}
			name, i = declared[i+1:end], end+1
		} else {
			end := lex.BareKeyEnd(declared, i)
			name, i = declared[i:end], end
		}
		if name == "" || slices.Contains(names, name) || len(names) == maxGoCells || i == len(declared) {
			return nil
		}
		names = append(names, strings.Clone(name))
		switch declared[i] {
		case ',':
		case '}':
			if i+1 == len(declared) {
				return names
			}
			return nil
		default:
			return nil
		}
	}
	return nil
}

// column adds the first of names, or all that are a group with it, and returns
// how many they are; 0 for what needs Values.
func (g *goProgram) column(s *goStruct, names []string) int {
	top, _, isPath := strings.Cut(names[0], ">")
	i := slices.Index(s.Type.Fields().Names, top)
	if i < 0 {
		return 0
	}
	f := &s.fields[i]
	for j := range g.cells {
		if g.cells[j].top == f {
			return 0 // twice, or a group in two parts
		}
	}
	if !isPath {
		c := goCell{top: f, offset: f.Offset}
		switch f.form {
		case goScalar, goPointer:
			c.leaf = f
		case goRows, goList:
			if g.attached == maxGoAttached {
				return 0
			}
			c.number = g.attached
			g.attached++
		}
		g.cells = append(g.cells, c)
		return 1
	}
	prefix, from, n := top+">", len(g.cells), 0
	for n < len(names) && strings.HasPrefix(names[n], prefix) {
		rest := names[n][len(prefix):]
		c := goCell{top: f}
		switch f.form {
		case goStructValue, goStructPointer:
			if c.leaf, c.offset = f.inner.leaf(rest); c.leaf == nil {
				return 0
			}
			if f.form == goStructValue {
				c.offset += f.Offset
			}
		case goMap:
			if c.key = rest; rest == "" || lex.HoldsPath(rest) {
				return 0
			}
		default:
			return 0
		}
		g.cells = append(g.cells, c)
		n++
	}
	if f.form != goStructValue {
		g.cells[from].group = n
	}
	return n
}

// leaf returns the field at a path, and where it lies in the struct.
func (s *goStruct) leaf(path string) (*goField, uintptr) {
	top, rest, more := strings.Cut(path, ">")
	i := slices.Index(s.Type.Fields().Names, top)
	if i < 0 {
		return nil, 0
	}
	f := &s.fields[i]
	switch {
	case more && f.form == goStructValue:
		inner, offset := f.inner.leaf(rest)
		return inner, offset + f.Offset
	case more || f.form > goPointer:
		return nil, 0
	}
	return f, f.Offset
}
