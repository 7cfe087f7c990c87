package serve

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/wirekit/wirekit/bcp"
	"github.com/wirekit/wirekit/internal/repo/outline"
	"github.com/wirekit/wirekit/pack"
)

// Bounds of grep and read.
const (
	usualMatches = 100 // lines
	usualLines   = 500
	mostOfLine   = 400      // bytes of a line that matches
	mostRead     = 64 << 10 // bytes of a file at once
)

// texts are the files of some paths as packs have them: none that is ignored, binary or
// secret unless it is named, and secrets in others masked.
func (b toolbox) texts(ctx context.Context, paths ...string) ([]*bcp.Code, error) {
	p, err := b.packed(ctx, pack.Options{NoSummaries: true}, paths...)
	if err != nil {
		return nil, err
	}
	var all []*bcp.Code
	for _, block := range p.Blocks {
		if code, ok := block.Body.(*bcp.Code); ok {
			all = append(all, code)
		}
	}
	return all, nil
}

type grepArguments struct {
	Pattern string   `json:"pattern"`
	Paths   []string `json:"paths"`
	Limit   int      `json:"limit"`
}

// grep lists the lines that a pattern matches.
func (b toolbox) grep(ctx context.Context, a grepArguments) (string, error) {
	if a.Pattern == "" {
		return "", errors.New("grep wants a pattern")
	}
	pattern, err := regexp.Compile(a.Pattern)
	if err != nil {
		return "", fmt.Errorf("the pattern is not RE2: %w", err)
	}
	files, err := b.texts(ctx, a.Paths...)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	limit := cmp.Or(a.Limit, usualMatches)
	found, more, others := 0, 0, 0
	for _, f := range files {
		if err := ctx.Err(); err != nil {
			return "", err
		}
		n, before := 0, more
		for line := range bytes.Lines(f.Content) {
			n++
			line = bytes.TrimRight(line, "\r\n")
			switch {
			case !pattern.Match(line):
			case found < limit:
				found++
				fmt.Fprintf(&out, "%s:%d: %s\n", f.Path, n, outline.Cut(string(line), mostOfLine))
			default:
				more++
			}
		}
		if more > before {
			others++
		}
	}
	switch {
	case found == 0:
		return fmt.Sprintf("no line of %d files matches", len(files)), nil
	case more > 0:
		fmt.Fprintf(&out, "%d more lines match, in %d files: narrow the pattern or the paths, or raise limit\n", more, others)
	}
	return out.String(), nil
}

type readArguments struct {
	Path  string `json:"path"`
	From  int    `json:"from"`
	Lines int    `json:"lines"`
}

// read returns lines of a file, after a line that says which.
func (b toolbox) read(ctx context.Context, a readArguments) (string, error) {
	if a.Path == "" {
		return "", errors.New("read wants the path of a file")
	}
	files, err := b.texts(ctx, a.Path)
	if err != nil {
		return "", err
	}
	if name, err := b.below(a.Path); err != nil || len(files) != 1 || files[0].Path != name {
		return "", fmt.Errorf("%s is not one file; pack and grep take folders", a.Path)
	}
	from := cmp.Or(a.From, 1)
	most := cmp.Or(a.Lines, usualLines)
	var out []byte
	n, last := 0, 0
	full := false
	for line := range bytes.Lines(files[0].Content) {
		n++
		full = full || len(out) > 0 && len(out)+len(line) > mostRead
		if n >= from && n-from < most && !full {
			out = append(out, outline.Cut(string(line), mostRead)...)
			last = n
		}
	}
	if last == 0 {
		return "", fmt.Errorf("%s has %d lines, none from %d on", a.Path, n, from)
	}
	return fmt.Sprintf("%s, lines %d to %d of %d\n%s", files[0].Path, from, last, n, out), nil
}
