package csv

import (
	"io"

	"github.com/wirekit/wirekit/internal/codec/records"
	"github.com/wirekit/wirekit/wire"
)

// A splitter reads the rows after the header that it has read.
type splitter struct {
	Codec
	keys *wire.Keys
}

func (t *splitter) ReadHeader(r io.Reader) (h records.Header, ok bool) {
	var d decoder
	if t.begin(&d) != nil {
		return h, false
	}
	s := d.NewStream(r, &d)
	if s.Load() != nil || d.Keys == nil {
		return h, false
	}
	t.keys = d.Keys
	return records.Header{Len: len(d.Src), LineBytes: d.Limits.LineBytes, Cut: d.lines.Cut}, true
}

func (t *splitter) ReadRows(rows records.Rows, yield func(wire.Value, error) bool) {
	_ = t.useDecoder(nil, func(d *decoder) error {
		s := d.NewStream(rows.After(nil), d)
		s.Text.Begin(rows.Offset, rows.Lines)
		d.Keys, s.Begun, s.Records = t.keys, true, rows.Before
		s.All(yield)
		s.Text.Free()
		return nil
	})
}
