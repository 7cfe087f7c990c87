package pack

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/wirekit/wirekit/bcp"
	"github.com/wirekit/wirekit/wire"
)

// A Section is a block that is not a file of the folder: a difference, the log,
// a turn of a conversation.
type Section struct {
	Body     bcp.Body
	Summary  string       // "" for none
	Priority bcp.Priority // 0 means normal
}

// sections adds those of the options after the files, at last the instruction. Secrets are
// masked in them; differences of files that would be left out by their name are left out.
func (w *walker) sections(p *builder, report *Report) error {
	all := w.Sections
	if w.Instruction != "" {
		turn := &bcp.Conversation{Role: "user", Content: []byte(w.Instruction)}
		all = append(slices.Clone(all), Section{Body: turn, Priority: bcp.PriorityCritical})
	}
	for i, s := range all {
		s.Priority = cmp.Or(s.Priority, bcp.PriorityNormal)
		if block := (bcp.Block{Body: s.Body}); block.Type() == 0 || s.Priority > bcp.PriorityBackground || !utf8.ValidString(s.Summary) {
			return failure(wire.CodeInvalidOption, wire.ErrRange, "section %d has no body, the priority %d, or a summary that is not UTF-8", i, s.Priority)
		}
		if d, ok := s.Body.(*bcp.Diff); ok {
			if why := w.byName(d.Path, 0, &rules{}); why != "" {
				report.Skipped = append(report.Skipped, Skipped{strings.ToValidUTF8(d.Path, "\uFFFD"), why, "its difference"})
				continue
			}
		}
		body := s.Body
		if !w.KeepSecrets {
			var inBody []Secret
			body, inBody = maskedBody(body)
			summary, inSummary := mask("", []byte(s.Summary))
			s.Summary = string(summary)
			report.Masked = append(append(report.Masked, inBody...), inSummary...)
		}
		p.summarize(p.add(body, s.Priority), s.Summary)
	}
	return nil
}

// maskedBody returns a body without secrets.
func maskedBody(body bcp.Body) (bcp.Body, []Secret) {
	switch b := body.(type) {
	case *bcp.Conversation:
		c := *b
		return &c, maskIn("", &c.Content)
	case *bcp.ToolResult:
		c := *b
		return &c, maskIn("", &c.Content)
	case *bcp.Document:
		c := *b
		return &c, maskIn("", &c.Content)
	case *bcp.StructuredData:
		c := *b
		return &c, maskIn("", &c.Content)
	case *bcp.Diff:
		return maskedDiff(b)
	}
	return body, nil
}

// maskIn masks what it points to, of the file called name.
func maskIn(name string, content *[]byte) (found []Secret) {
	*content, found = mask(name, *content)
	return found
}

// maskedDiff masks the hunks. A private key that begins or ends outside of a
// hunk is not seen as one.
func maskedDiff(b *bcp.Diff) (bcp.Body, []Secret) {
	var all []Secret
	c := *b
	c.Hunks = slices.Clone(b.Hunks)
	for i := range c.Hunks {
		h := &c.Hunks[i]
		for _, s := range maskIn(b.Path, &h.Lines) {
			s.Line += int(h.NewStart) - 1
			all = append(all, s)
		}
	}
	return &c, all
}
