package toon

import (
	"math"
	"strings"

	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/wire"
)

// A line is a line of the text that is neither blank nor a comment, prepared as
// section 12 says: its content is s[text:end], without indentation, trailing
// spaces and line end.
type line struct {
	start, text, end int
	depth            int // of its indentation, less what the enclosing scopes are shifted
	fault            fault
}

// fault is what is wrong with a line's indentation.
type fault uint8

const (
	faultNone     fault = iota
	faultTab            // a tab in it
	faultMultiple       // no multiple of the unit
)

// noLine is the depth of the line after the last: no scope has a line there.
const noLine = math.MinInt / 2

// ended reports whether there is no line any more.
func (p *parser) ended() bool { return p.line.start == p.end }

// advance makes the next line the current one. It passes over comments and blank
// lines, and notes the first of the latter.
func (p *parser) advance() {
	s, l := p.s, &p.line
	p.blank = -1
	for p.next < p.end {
		start := p.next
		end := start + strings.IndexByte(s[start:], '\n')
		p.next = end + 1
		if end > start && s[end-1] == '\r' {
			end--
		}
		i := start
		for scan.Load64(s, i) == ' '*scan.Ones {
			i += 8
		}
		for s[i] == ' ' {
			i++
		}
		if i >= end {
			p.noteBlank(start)
			continue
		}
		for s[end-1] == ' ' {
			end--
		}
		if s[i] == '#' && p.comments {
			continue
		}
		l.start, l.text, l.end, l.fault = start, i, end, faultNone
		if s[i] == '\t' {
			if p.tabbed() {
				return
			}
			continue
		}
		n := i - start
		l.depth = n / p.unit
		if p.strict && l.depth*p.unit != n {
			l.fault = faultMultiple
		}
		l.depth -= p.shift
		return
	}
	*l = line{start: p.end, text: p.end, end: p.end, depth: noLine}
}

// tabbed makes the current line of one with a tab in its indentation. It reports
// false if the line is blank.
func (p *parser) tabbed() bool {
	l, tabs := &p.line, 0
	i := l.text
	for ; i < l.end && (p.s[i] == ' ' || p.s[i] == '\t'); i++ {
		if p.s[i] == '\t' {
			tabs++
		}
	}
	if p.strict {
		l.fault = faultTab
	} else if i == l.end {
		p.noteBlank(l.start)
		return false
	}
	l.text = i
	l.depth = tabs + (i-l.start-tabs)/p.unit - p.shift
	return true
}

func (p *parser) noteBlank(start int) {
	if p.blank < 0 {
		p.blank = start
	}
}

// take accepts the current line as a part of the scope that looks at it.
func (p *parser) take() bool {
	if p.line.fault != faultNone {
		return p.faulty()
	}
	if p.blank >= 0 && p.spans > 0 && p.strict {
		return p.blankLine()
	}
	return true
}

func (p *parser) blankLine() bool {
	return p.fail(p.blank, "blank_line", wire.ErrSyntax, "a blank line among the rows, items or entries of a header", "take it out")
}

// faulty fails because of the current line's indentation.
func (p *parser) faulty() bool {
	if p.line.fault == faultTab {
		i := p.line.start + strings.IndexByte(p.s[p.line.start:], '\t')
		return p.fail(i, "tab_indent", wire.ErrSyntax, "a tab in a line's indentation", "indent with spaces")
	}
	return p.fail(p.line.text, "indent_multiple", wire.ErrSyntax, "the line's indentation is not a multiple of "+count(p.unit, "space"),
		"indent with a fixed number of spaces a level; Codec.Indent sets it")
}

// stray fails because the current line is deeper than what came before can
// take.
func (p *parser) stray() bool {
	if p.line.fault != faultNone {
		return p.faulty()
	}
	return p.fail(p.line.text, "over_indented", wire.ErrSyntax, "the line is deeper than anything before it can take",
		"only lines under \"key:\" or under a header are deeper")
}

// noItem fails because the current line, at the depth of a list's items or
// deeper, is none of them.
func (p *parser) noItem(depth int) bool {
	p.whole()
	if _, colon := p.colon(p.line.text, p.line.end); p.line.depth > depth || colon >= 0 || p.line.fault != faultNone {
		return p.stray()
	}
	return p.scalarLine()
}

// scalarLine fails because the current line is a value where none can be.
func (p *parser) scalarLine() bool {
	p.whole()
	hint := "a field needs a colon after its key"
	if s := p.s[p.line.text:p.line.end]; s == "-" || strings.HasPrefix(s, "- ") {
		hint = "a list needs a header with the number of its items, such as items[2]:"
	}
	return p.fail(p.line.text, "scalar_line", wire.ErrSyntax, "a line without a colon where a field is expected", hint)
}

// open begins a scope whose content is at the depth. In a lenient reading
// its first line may be deeper: then all its lines are read as if they stood
// that much less deep (section 14.4, 5), which is what it returns.
func (p *parser) open(depth int) (jump int, ok bool) {
	if p.line.depth <= depth {
		return 0, true
	}
	if p.strict {
		if p.line.fault != faultNone {
			return 0, p.faulty()
		}
		return 0, p.fail(p.line.text, "depth_jump", wire.ErrSyntax,
			"the line is more than one level deeper than the one that it belongs to", "indent it by "+count((depth+p.shift)*p.unit, "space"))
	}
	jump = p.line.depth - depth
	p.shift += jump
	p.line.depth = depth
	return jump, true
}

// closeScope ends what open began.
func (p *parser) closeScope(depth, jump int) bool {
	if p.shift -= jump; jump == 0 || p.ended() {
		return true
	}
	if p.line.depth += jump; p.line.depth >= depth {
		return p.betweenDepths()
	}
	return true
}

func (p *parser) betweenDepths() bool {
	return p.fail(p.line.text, "depth_jump", wire.ErrSyntax,
		"the line is between the depth where its scope begins and that of the scope's first line", "")
}
