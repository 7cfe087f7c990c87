package lines

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/wire"
)

// Decode returns the text that an encoded one means, within the default limits.
// An error is a [*wire.Error] with the line, and comes without a text.
func Decode(text []byte) ([]byte, error) { return DecodeWithin(text, wire.Limits{}) }

// DecodeWithin is Decode within limits: InputBytes bounds the encoded text,
// OutputBytes the result, below 2 GiB and by default in proportion to it, since a text of
// a few bytes may mean a very long one.
func DecodeWithin(text []byte, l wire.Limits) ([]byte, error) {
	l.OutputBytes = cmp.Or(l.OutputBytes, leastOutput+outputFactor*len(text))
	l = l.Resolved()
	d := decoder{src: text, most: min(l.OutputBytes, math.MaxInt32)}
	if len(text) > l.InputBytes {
		return nil, d.fault(0, "too_long", wire.ErrLimit, "the text has %d bytes; at most %d are read", len(text), l.InputBytes)
	}
	for _, read := range []func() error{d.head, d.legend, d.body} {
		if err := read(); err != nil {
			return nil, err
		}
	}
	return d.out, nil
}

// A text becomes at most so many bytes, and so many times its own, by default.
const leastOutput, outputFactor = 1 << 20, 32

type decoder struct {
	src     []byte
	at      int // where in src the next line begins
	marks   marks
	texts   [][]byte // the legend
	entries int      // how many the head announces

	out    []byte
	most   int
	begins []int32 // of the lines in out
	blocks []span
	above  []byte // the heading
}

// A span is lines of out, by their numbers from 0.
type span struct{ from, to int }

func (d *decoder) fault(at int, code string, kind error, format string, args ...any) error {
	return wire.ErrorAt(d.src, at, wire.Error{Format: "lines", Code: code, Kind: kind, Message: fmt.Sprintf(format, args...)})
}

// next returns the next line and where it begins. More is false if no line feed ends
// it.
func (d *decoder) next() (line []byte, at int, more bool) {
	line, rest, more := bytes.Cut(d.src[d.at:], []byte{'\n'})
	at, d.at = d.at, len(d.src)-len(rest)
	return line, at, more
}

// headForm has the marks of a head, and the number of its entries.
var headForm = func() *regexp.Regexp {
	const mark = "([!-+\\-/:<-@[-`{-~])" // ASCII punctuation but what a head itself is made of
	step := func(says string) string {
		return "(?:; " + strings.ReplaceAll(regexp.QuoteMeta(says), "%", mark) + ")?"
	}
	return regexp.MustCompile("^" + family + version + "(?:; " + mark + "1 to " + mark + `([1-9]\d{0,8})` + saysTexts + ")?" + step(saysHeading) + step(saysRepeat) + "$")
}()

// head reads the first line.
func (d *decoder) head() error {
	if !Sniff(d.src) {
		return d.fault(0, "no_head", wire.ErrSyntax, "the text has no head: it would begin with %q", family+version+"; ")
	}
	line, _, more := d.next()
	if !more {
		return d.fault(len(line), "cut_head", wire.ErrTruncated, "the text ends in its head: a line feed and the lines of the text would follow")
	}
	number, _, _ := bytes.Cut(line[len(family):], []byte{';'})
	if string(number) != version {
		return d.fault(len(family), "unknown_version", wire.ErrVersion, "version %.20q; version %s is what is read", number, version)
	}
	says := headForm.FindStringSubmatch(string(line))
	same := func(a, b int) bool { return says[a] != "" && says[a] == says[b] }
	if says == nil || len(line) == len(family+version) || says[1] != says[2] || says[5] != says[6] || same(1, 4) || same(1, 5) || same(4, 5) {
		return d.fault(len(family+version), "malformed_head", wire.ErrSyntax, "%.80q are not the steps of a head: legend, headings and repeats, in this order, one at least, with marks of their own", line[len(family+version):])
	}
	mark := func(i int) byte { return cmp.Or(says[i], "\x00")[0] }
	d.marks = marks{sigil: mark(1), heading: mark(4), repeat: mark(5)}
	d.entries, _ = strconv.Atoi(says[3])
	return nil
}

// maxDigits is the length of the longest number in a text.
const maxDigits = 9

// cutNumber cuts the digits off that s begins with. A number that begins with 0, is
// missing or too long is 0.
func cutNumber(s []byte) (n int, rest []byte) {
	end := scan.Digits(s, 0)
	if end > 0 && end <= maxDigits && s[0] != '0' {
		n, _ = strconv.Atoi(string(s[:end]))
	}
	return n, s[end:]
}

// legend reads the entries.
func (d *decoder) legend() error {
	for n := 1; n <= d.entries; n++ {
		line, at, more := d.next()
		want := append(d.marks.appendReference(nil, n), '=')
		text, ok := bytes.CutPrefix(line, want)
		switch {
		case !more:
			return d.fault(d.at, "cut_legend", wire.ErrTruncated, "the text ends in its legend, at entry %d of %d", n, d.entries)
		case !ok || len(text) == 0:
			return d.fault(at, "malformed_entry", wire.ErrSyntax, "entry %d of %d would begin with %q", n, d.entries, want)
		}
		d.texts = append(d.texts, text)
	}
	return nil
}

// body reads the lines of the text.
func (d *decoder) body() error {
	ended, above := false, 0 // whether a line feed ends the last line; where the last heading is, + 1
	for more := true; more && !ended; {
		var line []byte
		var at int
		line, at, more = d.next()
		if above = 0; d.marks.heading != 0 && len(line) > 0 && line[0] == d.marks.heading {
			d.above, above = line[1:], at+1
		} else if err := d.line(line, at); err != nil {
			return err
		}
		if len(d.out) > d.most {
			return d.tooLong(at)
		}
		ended = more && d.at == len(d.src)
	}
	if above > 0 {
		return d.fault(above-1, "cut_section", wire.ErrTruncated, "the text ends in a heading, which has no lines")
	}
	for i, b := range d.blocks {
		if b.to > len(d.begins) {
			return d.fault(len(d.src), "cut_block", wire.ErrTruncated, "the text ends in block %d, which has %d lines more", i+1, b.to-len(d.begins))
		}
	}
	if !ended {
		d.out = d.out[:len(d.out)-1]
	}
	return nil
}

func (d *decoder) tooLong(at int) error {
	return d.fault(at, "result_too_long", wire.ErrLimit, "the text becomes more than %d bytes; raise Limits.OutputBytes", d.most)
}

// line reads one line of the body that is not a heading.
func (d *decoder) line(line []byte, at int) error {
	if d.marks.repeat != 0 && len(line) > 0 && line[0] == d.marks.repeat {
		return d.repeat(line[1:], at+1)
	}
	d.begins = append(d.begins, int32(len(d.out)))
	if len(line) > 0 {
		d.out = append(d.out, d.above...)
		if err := d.expand(line, at); err != nil {
			return err
		}
	}
	d.out = append(d.out, '\n')
	return nil
}

// expand appends a line with the texts of its references.
func (d *decoder) expand(line []byte, at int) error {
	for d.marks.sigil != 0 {
		i := bytes.IndexByte(line, d.marks.sigil) + 1
		if i == 0 {
			break
		}
		if i == len(line) || !scan.IsDigit(line[i]) {
			d.out = append(d.out, line[:i]...)
			line, at = line[i:], at+i
			continue
		}
		d.out = append(d.out, line[:i-1]...)
		n, rest := cutNumber(line[i:])
		if n == 0 || n > len(d.texts) {
			return d.fault(at+i-1, "unknown_reference", wire.ErrSyntax, "%.12q refers to none of the %d entries of the legend", line[i-1:len(line)-len(rest)], len(d.texts))
		}
		d.out = append(d.out, d.texts[n-1]...)
		rest = bytes.TrimPrefix(rest, []byte{';'})
		at += len(line) - len(rest)
		line = rest
		if len(d.out) > d.most {
			return d.tooLong(at)
		}
	}
	d.out = append(d.out, line...)
	return nil
}

// repeat reads a line of the step repeats, without its mark: N ", " LINES " lines:",
// N ["*" TIMES] or "*" TIMES.
func (d *decoder) repeat(line []byte, at int) error {
	n, rest := cutNumber(line)
	if count, ok := bytes.CutPrefix(rest, []byte(", ")); ok {
		lines, end := cutNumber(count)
		if n != len(d.blocks)+1 || lines == 0 || string(end) != " lines:" {
			return d.fault(at, "malformed_block", wire.ErrSyntax, `%.40q; the next block would begin with "%d, COUNT lines:"`, line, len(d.blocks)+1)
		}
		d.blocks = append(d.blocks, span{len(d.begins), len(d.begins) + lines})
		return nil
	}
	times := 1
	if factor, ok := bytes.CutPrefix(rest, []byte{'*'}); ok {
		times, rest = cutNumber(factor)
	}
	if len(rest) > 0 || times == 0 || n == 0 && (len(line) == 0 || line[0] != '*') {
		return d.fault(at, "malformed_repeat", wire.ErrSyntax, "%.40q is not a repetition: N, N*TIMES, *TIMES or N, COUNT lines:", line)
	}
	switch last := len(d.begins); {
	case n == 0 && last == 0:
		return d.fault(at, "malformed_repeat", wire.ErrSyntax, "there is no line above")
	case n == 0:
		return d.copy(span{last - 1, last}, times, at)
	case n > len(d.blocks) || d.blocks[n-1].to > last:
		return d.fault(at, "unknown_block", wire.ErrSyntax, "block %d is not complete above", n)
	}
	return d.copy(d.blocks[n-1], times, at)
}

// copy appends lines again.
func (d *decoder) copy(lines span, times, at int) error {
	from, to := int(d.begins[lines.from]), len(d.out)
	if lines.to < len(d.begins) {
		to = int(d.begins[lines.to])
	}
	if times > (d.most-len(d.out))/(to-from) {
		return d.tooLong(at)
	}
	for range times {
		moved := int32(len(d.out) - from)
		for _, begin := range d.begins[lines.from:lines.to] {
			d.begins = append(d.begins, begin+moved)
		}
		d.out = append(d.out, d.out[from:to]...)
	}
	return nil
}
