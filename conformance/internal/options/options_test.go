// Package options holds that options out of their range are errors in every format.
package options

import (
	"bytes"
	"maps"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit/bcp"
	"github.com/wirekit/wirekit/csv"
	"github.com/wirekit/wirekit/fold"
	"github.com/wirekit/wirekit/gcx"
	"github.com/wirekit/wirekit/glyph"
	"github.com/wirekit/wirekit/goon"
	"github.com/wirekit/wirekit/toon"
	"github.com/wirekit/wirekit/wire"
)

// TestOptionsOutOfRange holds each codec to refusing an option outside its range at the
// first call that it concerns, with an error that names the field.
func TestOptionsOutOfRange(t *testing.T) {
	row := []map[string]int{{"a": 1}}
	for _, c := range []struct {
		codec         wire.Codec
		format, field string
		reads, writes bool // what the option concerns
	}{
		{wire.JSON{Indent: "xx"}, "json", "Indent", false, true},
		{bcp.Codec{Magic: "ZIP"}, "bcp", "Magic", false, true},
		{csv.Codec{Comma: '"'}, "csv", "Comma", true, true},
		{csv.Codec{Comma: 'a'}, "csv", "Comma", true, true},
		{csv.Codec{Comma: 0xE9}, "csv", "Comma", true, true},
		{fold.Codec{Options: fold.Options{RefPrefix: "A1"}}, "fold", "RefPrefix", false, true},
		{fold.Codec{Options: fold.Options{RefPrefix: strings.Repeat("a", 17)}}, "fold", "RefPrefix", false, true},
		{fold.Codec{Options: fold.Options{MaxEntries: -1}}, "fold", "MaxEntries", false, true},
		{fold.Codec{Options: fold.Options{MinSaving: 15}}, "fold", "MinSaving", false, true},
		{fold.Codec{Options: fold.Options{MinSaving: math.NaN()}}, "fold", "MinSaving", false, true},
		{gcx.Codec{Plain: true, Single: true}, "gcx", "Single", false, true},
		{gcx.Codec{Plain: true, Reorder: true}, "gcx", "Reorder", false, true},
		{glyph.Codec{Profile: 99}, "glyph", "Profile", false, true},
		{glyph.Codec{NullStyle: 99}, "glyph", "NullStyle", false, true},
		{glyph.Codec{MinRows: -1}, "glyph", "MinRows", false, true},
		{glyph.Codec{MaxCols: -1}, "glyph", "MaxCols", false, true},
		{goon.Codec{Strict: true, Lenient: true}, "goon", "Lenient", true, false},
		{toon.Codec{Indent: -1}, "toon", "Indent", true, true},
		{toon.Codec{Indent: 65}, "toon", "Indent", true, true},
		{toon.Codec{Delimiter: ';'}, "toon", "Delimiter", true, true},
	} {
		writes := map[string]func(*testing.T) error{
			"AppendEncode": func(t *testing.T) error {
				v, err := wire.FromGo(row)
				require.NoError(t, err)
				out, err := c.codec.AppendEncode([]byte("kept"), v)
				require.Equal(t, "kept", string(out))
				return err
			},
			"wire.Marshal": func(*testing.T) error { _, err := wire.Marshal(c.codec, row); return err },
		}
		reads := map[string]func(*testing.T) error{
			"Decode":         func(t *testing.T) error { _, err := c.codec.Decode(nil); return err },
			"wire.Unmarshal": func(t *testing.T) error { return wire.Unmarshal(c.codec, []byte("x"), new(any)) },
			"wire.View": func(t *testing.T) error {
				return wire.View(c.codec, []byte("x"), func(wire.Value) error { return nil })
			},
		}
		if m, ok := c.codec.(interface {
			Marshal(any) ([]byte, error)
			Unmarshal([]byte, any) error
		}); ok {
			writes["Marshal"] = func(t *testing.T) error { _, err := m.Marshal(row); return err }
			reads["Unmarshal"] = func(t *testing.T) error { return m.Unmarshal([]byte("x"), &row) }
		}
		if s, ok := c.codec.(wire.Streamer); ok {
			writes["NewRecordWriter"] = func(t *testing.T) error {
				keys, err := wire.NewKeys("a")
				require.NoError(t, err)
				w, err := s.NewRecordWriter(new(bytes.Buffer), keys)
				require.Nil(t, w)
				return err
			}
			reads["Records"] = func(*testing.T) (err error) {
				for _, err = range s.Records(strings.NewReader("x")) {
				}
				return err
			}
			reads["wire.ViewRecords"] = func(*testing.T) (err error) {
				for _, err = range wire.ViewRecords(s, strings.NewReader("x")) {
				}
				return err
			}
		}
		calls := make(map[string]func(*testing.T) error)
		if c.reads {
			maps.Copy(calls, reads)
		}
		if c.writes {
			maps.Copy(calls, writes)
		}
		for name, call := range calls {
			t.Run(c.format+"/"+c.field+"/"+name, func(t *testing.T) {
				var e *wire.Error
				require.ErrorAs(t, call(t), &e)
				require.Equal(t, wire.CodeInvalidOption, e.Code, e)
				require.ErrorIs(t, e, wire.ErrRange)
				require.Equal(t, c.format, e.Format)
				require.Contains(t, e.Message, c.field)
			})
		}
	}
}
