package csv

import (
	"io"
	"iter"

	"github.com/wirekit/wirekit/internal/codec/columns"
	"github.com/wirekit/wirekit/internal/govalue/gotext"
	"github.com/wirekit/wirekit/internal/govalue/inplace"
	"github.com/wirekit/wirekit/wire"
)

// NewRecordWriter writes the header, which keys are, and returns a writer of
// rows. Rows may lack members, but have none that keys have not.
func (c Codec) NewRecordWriter(w io.Writer, keys *wire.Keys) (wire.RecordWriter, error) {
	comma, err := c.comma()
	if err != nil {
		return nil, err
	}
	e := c.encoder(comma, keys)
	e.flat = gotext.Flat{Cell: e.goCell, Nested: true}
	return columns.NewWriter(w, e)
}

// Records reads one row after the other. Limits.LineBytes bounds a row, which
// may be on several lines.
func (c Codec) Records(r io.Reader) iter.Seq2[wire.Value, error] {
	return streams{}.ViewRecords(c, inplace.Owned{}, r)
}

func (streams) ViewRecords(c wire.Codec, to inplace.Target, r io.Reader) iter.Seq2[wire.Value, error] {
	return func(yield func(wire.Value, error) bool) {
		if err := c.(Codec).useDecoder(to, func(d *decoder) error {
			d.NewStream(r, d).All(yield)
			return nil
		}); err != nil {
			yield(wire.Value{}, err)
		}
	}
}
