package gcf

import (
	"strings"

	"github.com/wirekit/wirekit/wire"
)

// A document whose counts are deferred ends with a summary that gives them
// (section 8.4). A reader must accept one without (section 8.6), which may have
// been cut. What a reader can tell is told: a last line without its line feed is
// a cut line, unless it is the summary and its counts are right, and a missing
// summary is an error for strict readers and a warning for others.
type ending struct {
	strict bool
	warn   func(*wire.Error) // nil for nobody

	hasSummary bool // there was one
	counted    bool // it gave all counts, and they were right
	incomplete bool // the document is whole only if nobody cut it behind a line
}

// checkDeferred checks the end of a document of which some counts are deferred.
// cut says that its last line has no line feed.
func (l *lines) checkDeferred(e *ending, cut bool) error {
	if cut && !e.counted {
		return l.fail(len(l.text), wire.Error{Code: "line_cut", Kind: wire.ErrTruncated,
			Message: "the last line of a document with deferred counts has no line feed: it is cut",
			Hint:    "ask for the whole document, or end the line if it is whole"})
	}
	if e.hasSummary {
		return nil
	}
	e.incomplete = true
	err := l.fail(len(l.text), wire.Error{Code: "missing_summary", Kind: wire.ErrTruncated,
		Message: `the document has deferred counts and ends without the "##! summary" that gives them: it may be cut`,
		Hint:    "ask for the whole document"})
	if e.strict {
		return err
	}
	if e.warn != nil {
		e.warn(err.(*wire.Error))
	}
	return nil
}

// isCut reports whether the last line has no line feed.
func (l *lines) isCut() bool { return l.text != "" && !strings.HasSuffix(l.text, "\n") }

// checkEnd is checkDeferred for a document of the generic profile.
func (d *decoder) checkEnd(cut bool) error {
	if len(d.deferred) == 0 {
		return nil
	}
	return d.checkDeferred(&d.ending, cut)
}

// checkEnd is checkDeferred for a graph. The header of a stream has no counts;
// that the summary's are right was found before.
func (d *graphDecoder) checkEnd(cut bool) error {
	if !d.deferred {
		return nil
	}
	cut = cut && d.section != sectionHeader // a header alone is an empty graph
	d.counted = d.hasSummary && d.symbols >= 0 && d.edges >= 0
	return d.checkDeferred(&d.ending, cut)
}
