package pack

import (
	"bytes"
	"cmp"
	"context"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/wirekit/wirekit/bcp"
)

// The tag of blocks that the reader of an earlier pack has, or can make of it:
// package render does not show them.
const (
	unchangedTag = "since:unchanged"
	changedTag   = "since:changed" // a difference follows
)

// An earlier pack, as its reader has it.
type earlier struct {
	id       string
	files    map[string][]byte
	outlines map[string]string
	same     map[string]int // files that are the same, by folder
	diffs    []bcp.Diff
}

// newEarlier reads a pack. Without one there were no files.
func newEarlier(p *bcp.Payload) (*earlier, error) {
	e := &earlier{files: make(map[string][]byte), outlines: make(map[string]string), same: make(map[string]int)}
	if p == nil {
		return e, nil
	}
	for _, b := range p.Blocks {
		if b.Type() == 0 {
			continue // its encoding says so
		}
		switch body := b.Body.(type) {
		case *bcp.Code:
			e.files[body.Path] = body.Content
		case *bcp.Document:
			e.outlines[body.Title] = string(body.Content)
		}
	}
	// The same, however it was written.
	whole := bcp.Payload{Blocks: slices.Clone(p.Blocks)}
	for i := range whole.Blocks {
		whole.Blocks[i].Flags = 0
	}
	data, err := bcp.EncodeOptions{}.AppendEncode(context.Background(), nil, &whole)
	if err != nil {
		return nil, err
	}
	e.id = bcp.HashOf(data).String()[:8]
	return e, nil
}

// tag returns how the block of a file is marked, "" if it is to be shown.
func (e *earlier) tag(f file) string {
	before, ok := e.files[f.Path]
	delete(e.files, f.Path)
	switch {
	case !ok:
		return ""
	case bytes.Equal(before, f.text):
		e.same[path.Dir(f.Path)]++
		return unchangedTag
	}
	d := bcp.Diff{Path: f.Path}
	if d.Hunks, ok = lineDiff(before, f.text); !ok {
		return ""
	}
	size := 0
	for _, h := range d.Hunks {
		size += len(h.Lines)
	}
	if 2*size > len(f.text) {
		return ""
	}
	e.diffs = append(e.diffs, d)
	return changedTag
}

// report describes what has not changed and what is gone.
func (e *earlier) report() string {
	var same []string
	for _, folder := range slices.Sorted(maps.Keys(e.same)) {
		same = append(same, folder+"/ "+count(e.same[folder], "file"))
	}
	text := "Unchanged since pack " + e.id + ": " + cmp.Or(strings.Join(same, ", "), "nothing")
	if gone := slices.Sorted(maps.Keys(e.files)); len(gone) > 0 { // those that were not met
		text += "\nNo longer there: " + strings.Join(gone, " ")
	}
	return text
}
