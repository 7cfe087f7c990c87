package csv

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/internal/testkit/sample"
	"github.com/wirekit/wirekit/wire"
)

// tables are what is measured: rows of short cells, of numbers, of prose, and such
// that lack most members, each row others.
func tables(tb testing.TB) map[string]wire.Value {
	var numbers, prose, sparse strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&numbers, "{\"t\":%d,\"x\":%d.%d,\"y\":-%de-7,\"z\":%d},", 1700000000+i, i%90, i*i, i, i*977)
		fmt.Fprintf(&prose, "{\"id\":%d,\"text\":\"%s, they said \\\"%d\\\"\\n%s\"},", i, strings.Repeat("a few words ", 3+i%9), i, strings.Repeat("and others ", i%5))
		fmt.Fprintf(&sparse, "{\"id\":%d,\"m%d\":\"a\",\"n%d\":%d},", i, i%7, i%11, i)
	}
	all := map[string]wire.Value{"rows": codectest.JSON(tb, sample.Rows(2000))}
	for name, b := range map[string]*strings.Builder{"numbers": &numbers, "prose": &prose, "sparse": &sparse} {
		all[name] = codectest.JSON(tb, "["+strings.TrimSuffix(b.String(), ",")+"]")
	}
	return all
}

func BenchmarkCodec(b *testing.B) {
	for name, v := range tables(b) {
		text := codectest.Encoded(b, Codec{}, v)
		first, _, _ := bytes.Cut(text, []byte{'\n'})
		header := codectest.Decoded(b, Codec{}, string(first)+"\n0"+strings.Repeat(",0", bytes.Count(first, []byte{','}))).Index(0)
		var buf []byte
		codectest.Measure(b, name+"/encode", len(text), func() (err error) {
			buf, err = Codec{}.AppendEncode(buf[:0], v)
			return err
		})
		codectest.Measure(b, name+"/decode", len(text), func() error { return codectest.Err(Codec{}.Decode(text)) })
		codectest.Measure(b, name+"/lent", len(text), func() error {
			return wire.View(Codec{}, text, func(wire.Value) error { return nil })
		})
		codectest.Measure(b, name+"/records", len(text), func() (err error) {
			for _, err = range wire.ViewRecords(Codec{}, bytes.NewReader(text)) {
			}
			return err
		})
		codectest.Measure(b, name+"/writer", len(text), func() error {
			w, err := Codec{}.NewRecordWriter(io.Discard, header.Keys())
			for i := 0; i < v.Len() && err == nil; i++ {
				err = w.Write(v.Index(i))
			}
			return err
		})
	}
}
