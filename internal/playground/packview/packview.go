// Package packview adds context packs to the playground's program, and all formats.
//
// To the requests of package playground it adds
//
//	pack    files           the body holds the files' texts, one after the other; each of
//	                        files has path, bytes and perhaps priority
//	render  counter mode? budget?   the pack as text, and how much of each block is shown
package packview

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing/fstest" // the standard library's file system in memory

	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/bcp"
	"github.com/wirekit/wirekit/bcp/render"
	"github.com/wirekit/wirekit/fold"
	"github.com/wirekit/wirekit/internal/playground"
	"github.com/wirekit/wirekit/pack"
	"github.com/wirekit/wirekit/tokens"
	"github.com/wirekit/wirekit/wire"
)

// Engine returns what answers with all formats and with context packs.
func Engine() *playground.Engine {
	formats, _ := wire.NewRegistry(append(wirekit.Registry().Codecs(), fold.Codec{})...) // their names differ
	p := &packs{}
	return &playground.Engine{
		Formats: formats,
		Texts:   texts,
		Detect:  detect,
		WithCounter: func(c wire.Codec, counter tokens.Counter) (wire.Codec, bool) {
			switch c := c.(type) {
			case fold.Codec:
				c.Options.Counter = counter
				return c, true
			case textCodec:
				c.counter = counter
				return c, true
			}
			return c, false
		},
		More: map[string]playground.Operation{"pack": p.pack, "render": p.render},
	}
}

// packs holds the pack that render requests are about.
type packs struct {
	payload *bcp.Payload
	report  *pack.Report
}

func (p *packs) pack(_ *playground.Engine, r playground.Request) playground.Answer {
	p.payload = nil
	files, options := filesOf(r)
	payload, report, err := options.Pack(context.Background(), files)
	playground.Must(payload, err)
	p.payload, p.report = payload, report
	var taken, left, masked []wire.Value
	for _, f := range report.Files {
		taken = append(taken, playground.Object(playground.Text("path", f.Path), playground.Int("bytes", f.Bytes),
			playground.Text("priority", f.Priority.String()), playground.Text("why", f.Why())))
	}
	for _, l := range report.Skipped {
		left = append(left, playground.Object(playground.Text("path", l.Path), playground.Text("reason", l.Reason.String())))
	}
	for _, s := range report.Masked {
		masked = append(masked, playground.Object(playground.Text("path", s.Path), playground.Int("line", s.Line), playground.Text("rule", s.Rule)))
	}
	return playground.Answer{Head: []wire.Member{
		{Key: "files", Value: wire.Array(taken...)}, {Key: "skipped", Value: wire.Array(left...)}, {Key: "masked", Value: wire.Array(masked...)},
	}}
}

// filesOf reads the files of a request, and their priorities.
func filesOf(r playground.Request) (fs.FS, pack.Options) {
	files, options := fstest.MapFS{}, pack.Options{}
	list := r.Member("files")
	if list.Kind() != wire.KindArray {
		playground.Refuse(errors.New("pack needs files"))
	}
	body := r.Body
	for f := range list.Elements() {
		if f.Kind() != wire.KindObject {
			playground.Refuse(errors.New("a file is an object"))
		}
		path, _ := f.Get("path")
		size, _ := f.Get("bytes")
		n, ok := size.Int64()
		if path.Kind() != wire.KindString || !ok || n < 0 || n > int64(len(body)) {
			playground.Refuse(errors.New("a file has a path, and as many bytes as are in the body"))
		}
		name := path.Text()
		if !fs.ValidPath(name) || name == "." {
			playground.Refuse(fmt.Errorf("%q is not a file's path: write names between slashes", name))
		}
		if files[name] != nil {
			playground.Refuse(fmt.Errorf("there are two files %q", name))
		}
		files[name] = &fstest.MapFile{Data: body[:n:n], Mode: 0o644}
		body = body[n:]
		if rank, _ := f.Get("priority"); rank.Kind() == wire.KindString && rank.Text() != "" {
			var priority bcp.Priority
			playground.Must(rank, priority.UnmarshalText([]byte(rank.Text())))
			options.Priorities = append(options.Priorities, pack.PriorityRule{Glob: "/" + literal(name), Priority: priority})
		}
	}
	return files, options
}

// literal escapes what is special in a pattern.
func literal(name string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`, ` `, `\ `).Replace(name)
}

func (p *packs) render(e *playground.Engine, r playground.Request) playground.Answer {
	if p.payload == nil {
		playground.Refuse(errors.New("there is no pack"))
	}
	o := render.Options{Compact: true, Counter: playground.Must(e.Counter(r))}
	if name := r.Text("mode"); name != "" {
		playground.Must(name, o.Mode.UnmarshalText([]byte(name)))
	}
	if budget := r.Int("budget", -1); budget >= 0 {
		o.Budget = &budget
	}
	result := playground.Must(o.Render(p.payload))
	var shown []wire.Value
	for _, f := range p.report.Files {
		shown = append(shown, playground.Object(playground.Text("path", f.Path), playground.Text("level", result.Levels[f.Block])))
	}
	return playground.Answer{
		Head: []wire.Member{playground.Int("tokens", result.Tokens), {Key: "files", Value: wire.Array(shown...)}},
		Body: result.Text,
	}
}
