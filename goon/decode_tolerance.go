package goon

import (
	"strings"

	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/wire"
)

// A text can differ from the document in two ways. The servers that write GOON
// have known quirks: they lose nothing, and only Codec.Strict refuses them.
// Everything else is a fault, which only Codec.Lenient overlooks. What is not
// refused is a warning.

// fail ends the reading with the error at the byte at of the text, unless one did before.
func (d *decoder) fail(at int, code string, kind error, message string) {
	d.report(true, "", at, code, kind, message)
}

// tolerate notes a fault that only lenient decoding overlooks, or fails with it.
func (d *decoder) tolerate(at int, code string, kind error, message string) {
	d.report(!d.c.Lenient, "Codec.Lenient (goon:lenient) overlooks it", at, code, kind, message)
}

// quirk notes a fault that only strict decoding refuses, or fails with it.
func (d *decoder) quirk(at int, code string, kind error, message string) {
	d.report(d.c.Strict, "servers are known to write it; only goon:strict (Codec.Strict) refuses it", at, code, kind, message)
}

// note keeps a warning.
func (d *decoder) note(at int, code string, kind error, message string) {
	d.report(false, "", at, code, kind, message)
}

// report keeps the first error, or a warning of what is not refused. Finding its position
// takes time, so warnings beyond the bound are not made.
func (d *decoder) report(refused bool, hint string, at int, code string, kind error, message string) {
	if d.err != nil || !refused && (d.c.Warn == nil || len(d.warned) == maxWarnings) {
		return
	}
	e := wire.ErrorAt(d.src, at+d.bom, wire.Error{Format: name, Code: code, Kind: kind, Message: message})
	if !refused {
		d.warned = append(d.warned, e)
		return
	}
	e.Hint = hint
	d.err, d.more, d.next = e, false, len(d.text)
}

// blankLine is the code of lines that lenient decoding drops.
const blankLine = "blank_line"

// maxWarnings bounds how often Codec.Warn is called for one text.
const maxWarnings = 64

// countEdges compares the header's number of edges with what is listed. Servers
// count before they drop repeated edges.
func (d *decoder) countEdges() {
	n := len(d.doc.Edges)
	if c, ok := d.declared["edges"]; ok && c.n > uint64(n) && !d.c.Lenient {
		d.quirk(c.at, wire.CodeCount, wire.ErrChecksum, mismatch("edges", c.n, n)+": repeated edges are counted, or the text was cut")
		return
	}
	d.count("edges", n)
}

// lastSection notices a text that ends before its last section. Servers leave
// out @paths where there are none, and @rows together with the number of rows.
func (d *decoder) lastSection(stage int) {
	const code, message = "missing_section", "the text ends before its last section"
	_, counted := d.declared["rows"]
	edges, declared := d.declared["edges"]
	switch aggregation := d.doc.QueryType == queryAggregation; {
	case stage == 1 && d.doc.QueryType == queryPathFinding && declared && edges.n == 0:
		d.quirk(len(d.text), code, wire.ErrTruncated, "there are no paths, and no section "+pathsMark)
	case stage == 2 && aggregation && !counted:
		d.quirk(len(d.text), code, wire.ErrTruncated, "the aggregation has no rows, and no section "+rowsMark)
	case stage < 2 || stage < 3 && aggregation:
		d.tolerate(len(d.text), code, wire.ErrTruncated, message)
	case aggregation && !counted:
		d.tolerate(d.headerEnd, "missing_field", wire.ErrSyntax, "the header has no line rows")
	}
}

// blankInDate returns the end of a date and time with blanks between the two,
// of which the date is line[i:j], or 0. Servers write some of them bare.
func (d *decoder) blankInDate(i, j int) int {
	rest := strings.TrimLeft(d.line[j:], " ")
	part, _, _ := strings.Cut(rest, " ")
	if part == "" || part[0]-'0' > 9 || !strings.Contains(part, ":") || strings.Contains(part, "=") || !dateLike(d.line[i:j]) {
		return 0
	}
	return len(d.line) - len(rest) + len(part)
}

// dateLike reports whether s is three numbers with hyphens between.
func dateLike(s string) bool {
	parts := strings.Split(strings.TrimLeft(s, "+-"), "-")
	for _, part := range parts {
		if part == "" || len(part) > 6 || scan.Digits(part, 0) < len(part) {
			return false
		}
	}
	return len(parts) == 3
}
