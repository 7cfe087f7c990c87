package bcp

import (
	"encoding/binary"
	"strings"
	"unicode/utf8"

	"github.com/wirekit/wirekit/wire"
)

// A checker measures bodies, and finds what keeps one from being written: text that is not
// UTF-8, values of enumerations without meaning, trees that are too deep,
// unknown fields that are not whole fields. The first fault wins.
type checker struct {
	lenient   bool
	treeDepth int
	copied    int   // what a decoder takes beyond the body, see Limits.InflatedBytes
	notes     []int // values of enumerations and sizes of records, each before those in it
	err       error
}

func (c *checker) fail(field string, e *wire.Error) {
	if c.err == nil {
		c.err = wire.AtKey(e, field)
	}
}

// lenientHint is that of faults which are none for Lenient.
const lenientHint = "EncodeOptions.Lenient writes it as it is"

func (c *checker) text(field, s string) {
	c.copied += len(s)
	if c.err == nil && !c.lenient && !utf8.ValidString(s) {
		c.fail(field, hinted(failure(wire.CodeInvalidUTF8, wire.ErrUTF8, "field %s is not UTF-8", field), lenientHint))
	}
}

// enum returns the value of a name, and notes it. That of a language may be any.
func (c *checker) enum(w *vocabulary, name string) uint64 {
	v, ok := w.number(name)
	switch {
	case !ok:
		c.fail(w.what, failure("invalid_enum_value", wire.ErrRange, "%s has the value %q; known are %s", w.what, name, strings.Join(w.names, ", ")))
	case !c.lenient && !w.has(v) && w != &langs:
		c.fail(w.what, hinted(failure("invalid_enum_value", wire.ErrRange, "%s has the value %d, which has no meaning", w.what, v), lenientHint))
	}
	c.notes = append(c.notes, int(v))
	return uint64(v)
}

func (c *checker) extra(extra []byte) {
	for len(extra) > 0 {
		n := skipField(extra)
		if n == 0 {
			c.fail("extra", failure("invalid_extra", wire.ErrShape, "the unknown fields do not end with a whole field"))
			return
		}
		extra = extra[n:]
	}
}

// block checks a block and returns its fields and the size of its body without the summary.
func (c *checker) block(b *Block, at *places) (list []field, size int) {
	c.copied, c.notes = 0, c.notes[:0]
	switch b := b.Body.(type) {
	case *UnknownBody:
		if size = len(b.Data); b.Type >= BlockCode && b.Type <= BlockImage || b.Type >= BlockExtension {
			c.fail("type", failure("invalid_block_type", wire.ErrShape, "block type %s is not an unknown one", b.Type))
		}
	case *Reference:
		if size = len(b.Hash); b.Type == BlockEnd {
			c.fail("type", failure("invalid_block_type", wire.ErrShape, "END cannot be a reference"))
		}
	default:
		list = fieldsToWrite(b, at)
		size = c.fields(list, at, 1)
	}
	if b.Summary != nil {
		c.text("summary", *b.Summary)
	}
	if list == nil && len(b.Extra) > 0 {
		c.fail("extra", failure("invalid_extra", wire.ErrShape, "a body that is not made of fields has no unknown ones"))
	}
	c.extra(b.Extra)
	return list, size + len(b.Extra)
}

// fields checks fields and returns their size. depth is that of the entries among them.
func (c *checker) fields(list []field, at *places, depth int) (size int) {
	for i := 0; i < len(list) && c.err == nil; i++ {
		f := &list[i]
		switch at := at[i].(type) {
		case *string:
			if f.words != nil {
				size += sizeNumber(c.enum(f.words, *at))
				continue
			}
			c.text(f.name, *at)
			size += sizeBytes(len(*at))
		case **string:
			if *at != nil {
				c.text(f.name, **at)
				size += sizeBytes(len(**at))
			}
		case *[]byte:
			size += sizeBytes(len(*at))
		case *uint32:
			size += sizeNumber(uint64(*at))
		case **uint32:
			if *at != nil {
				size += sizeNumber(uint64(**at))
			}
		case *uint64:
			size += sizeNumber(*at)
		case *[]FileEntry, *[]DiffHunk:
			size += c.records(f.name, at, depth)
		}
	}
	return size
}

// records checks the records of a list and returns their size with those of their lengths.
// The length of a record is noted, as it is written before what is in it: computing each
// when it is written would take quadratic time in deep trees.
func (c *checker) records(name string, list any, depth int) (size int) {
	var at places // inside of the loop it would escape
	n := length(list)
	c.copied += recordCharge * n
	if n > 0 && depth > c.treeDepth {
		c.fail(name, failure(wire.CodeTooDeep, wire.ErrLimit, "entries nest deeper than %d, Limits.TreeDepth", c.treeDepth))
	}
	for i := 0; i < n && c.err == nil; i++ {
		slot := len(c.notes)
		c.notes = append(c.notes, 0)
		fields, extra := element(list, i, &at)
		c.extra(*extra)
		c.notes[slot] = len(*extra) + c.fields(fields, &at, depth+1)
		size += sizeBytes(c.notes[slot])
		wire.AtKey(wire.AtIndex(c.err, i), name)
	}
	return size
}

// appendFields appends fields. notes are those of the checker, and what it returns
// are those that are left.
func appendFields(dst []byte, list []field, at *places, notes []int) ([]byte, []int) {
	for i := range list {
		f, id := &list[i], byte(i+1)
		switch at := at[i].(type) {
		case *string:
			if f.words != nil {
				dst, notes = appendNumber(dst, id, uint64(notes[0])), notes[1:]
			} else {
				dst = appendBytes(dst, id, *at)
			}
		case **string:
			if *at != nil {
				dst = appendBytes(dst, id, **at)
			}
		case *[]byte:
			dst = appendBytes(dst, id, *at)
		case *uint32:
			dst = appendNumber(dst, id, uint64(*at))
		case **uint32:
			if *at != nil {
				dst = appendNumber(dst, id, uint64(**at))
			}
		case *uint64:
			dst = appendNumber(dst, id, *at)
		case *[]FileEntry, *[]DiffHunk:
			dst, notes = appendRecords(dst, id, at, notes)
		}
	}
	return dst, notes
}

func appendRecords(dst []byte, id byte, list any, notes []int) (_ []byte, left []int) {
	var at places
	var rest []byte
	for i := range length(list) {
		fields, extra := element(list, i, &at)
		dst = binary.AppendUvarint(append(dst, id, byte(wireNested)), uint64(notes[0]))
		dst, rest = appendLeading(dst, *extra)
		dst, notes = appendFields(dst, fields, &at, notes[1:])
		dst = append(dst, rest...)
	}
	return dst, notes
}
