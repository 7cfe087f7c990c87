package lex

import (
	"strings"

	"github.com/wirekit/wirekit/wire"
)

// A document whose counts are deferred ends with a summary that gives them
// (section 8.4). A reader must accept one without (section 8.6), which may have
// been cut. What a reader can see is reported: a last line without its line feed is
// a cut line, unless it is the summary and its counts are right, and a missing
// summary is an error for strict readers and a warning for others.
type Ending struct {
	Strict bool
	Warn   func(*wire.Error) // may be nil

	HasSummary bool // there was one
	Counted    bool // it gave all counts, and they were right
}

// CheckDeferred checks the end of a document of which some counts are deferred.
// cut says that its last line has no line feed.
func (l *Lines) CheckDeferred(e *Ending, cut bool) error {
	if cut && !e.Counted {
		return l.Fail(len(l.Doc), wire.Error{Code: "line_cut", Kind: wire.ErrTruncated,
			Message: "the last line of a document with deferred counts has no line feed: it is cut",
			Hint:    "ask for the whole document, or end the line if it is whole"})
	}
	if e.HasSummary {
		return nil
	}
	err := l.Fail(len(l.Doc), wire.Error{Code: "missing_summary", Kind: wire.ErrTruncated,
		Message: `the document has deferred counts and ends without the "##! summary" that gives them: it may be cut`,
		Hint:    "ask for the whole document"})
	if e.Strict {
		return err
	}
	if e.Warn != nil {
		e.Warn(err.(*wire.Error))
	}
	return nil
}

// IsCut reports whether the last line has no line feed.
func (l *Lines) IsCut() bool { return l.Doc != "" && !strings.HasSuffix(l.Doc, "\n") }
