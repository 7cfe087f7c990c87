package gcx

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/internal/testkit/growth"
	"github.com/wirekit/wirekit/wire"
)

// TestIdleRoom holds that a decoder keeps nothing large of a document, and no key list,
// whichever of its sections had it.
func TestIdleRoom(t *testing.T) {
	const width = 5000
	fields := make([]string, width)
	for i := range fields {
		fields[i] = fmt.Sprintf("f%d", i)
	}
	wide := "GCX1 tool=t.wide fields=" + strings.Join(fields, ",") + " rows=1 types=" + strings.Repeat("m", width) + "\n" +
		strings.Repeat("1\t", width-1) + "\n"
	narrow := "GCX1 tool=t.narrow fields=a,b rows=1\n1\t2\n"
	for _, doc := range []string{wide, wide + narrow, narrow + wide, wide + narrow + "?"} {
		d := newValueDecoder(new(Decoder))
		d.known = new(knownHeaders)
		v, err := d.decode(&Codec{}, []byte(doc))
		require.Equal(t, strings.HasSuffix(doc, "?"), err != nil, "%v", err)
		if err == nil && doc != wide {
			require.Equal(t, 2, v.Len())
		}
		d.room.reset()
		require.LessOrEqual(t, max(cap(d.room.gaps), cap(d.room.sections), cap(d.room.headers)), mostIdle)
		for _, h := range d.room.headers {
			require.Nil(t, h.keys)
			require.LessOrEqual(t, max(cap(h.Fields), cap(h.Meta), cap(h.letters)), mostIdle)
		}
	}
}

// TestPlainAllocations: the orders of members take no memory of their own for each payload.
func TestPlainAllocations(t *testing.T) {
	v := codectest.JSON(t, `[{"a":{"y":1,"x":[{"d":1,"c":2}]},"b":{"n":1,"m":{"f":1,"e":2}}}]`)
	var buf []byte
	growth.Allocs(t, 8, func() { buf, _ = Codec{Plain: true}.AppendEncode(buf[:0], v) })
}

// TestRefusedRecords: a stream that goes on after records that were refused holds nothing
// of them.
func TestRefusedRecords(t *testing.T) {
	names := make([]string, 2000)
	members := make([]wire.Value, len(names))
	for i := range names {
		names[i], members[i] = fmt.Sprint("k", i), wire.Array(wire.Array())
	}
	wide, err := wire.NewKeys(names...)
	require.NoError(t, err)
	keys, err := wire.NewKeys("a", "b")
	require.NoError(t, err)
	record := wire.ObjectOf(keys, wire.ObjectOf(wide, members...), wire.Null())
	growth.Bytes(t, 1<<20, func() {
		w, err := Codec{Plain: true, Limits: wire.Limits{Depth: 3}}.NewRecordWriter(io.Discard, keys)
		require.NoError(t, err)
		for range 200 {
			require.Error(t, w.Write(record))
		}
		require.NoError(t, w.Close())
	})
}
