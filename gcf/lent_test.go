package gcf_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/gcf"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/internal/testkit/trials"
	"github.com/wirekit/wirekit/wire"
)

// lendsAsDecoded compares a value that is lent, or the error, with what Decode returns.
func lendsAsDecoded(t *testing.T, doc string) {
	t.Helper()
	want, wantErr := gcf.Codec{}.Decode([]byte(doc))
	err := wire.View(gcf.Codec{}, []byte(doc), func(got wire.Value) error {
		if !wire.Identical(want, got) {
			t.Fatalf("%q\nis lent as %v, decoded it is %v", doc, got, want)
		}
		return nil
	})
	require.Equal(t, wantErr, err, "%q", doc)
}

// TestDeclarationsOfOtherDocuments reads documents whose declarations of fields are
// spelled alike but mean something else, or nothing.
func TestDeclarationsOfOtherDocuments(t *testing.T) {
	docs := []string{
		"GCF profile=generic key=id\n## rows [2]{@id,v}\n1|a\n\"1\"|b\n",
		"GCF profile=generic\n## rows [2]{@id,v}\n1|a\n\"1\"|b\n",
		"GCF profile=generic key=v\n## rows [2]{@id,v}\n1|a\n\"1\"|b\n",
		"GCF profile=generic\n## rows [2]{id,v}\n1|a\n\"1\"|b\n",
		"GCF profile=generic key=id\n## rows [2]{id,v}\n1|a\n\"1\"|b\n",
		"GCF profile=generic\n## [2:]{id,v}\na|1\nb|2\n",
		"GCF profile=generic\n## [2]{id,v}\na|1\nb|2\n",
		"GCF profile=generic\n## [1]{\"a\\nb\",\"c,d\",e>f,e>g}\n1|2|3|4\n",
		"GCF profile=generic\n## [1]{\"a\\nb\",\"c,d\",e>f,e>g,h}\n1|2|3|4|~\n",
		"GCF profile=generic\n## [1]{id,v,id}\n1|2|3\n",
	}
	for round := range 3 {
		for i := range docs {
			lendsAsDecoded(t, docs[(i*(2*round+1)+round)%len(docs)])
		}
	}
}

// TestLentRandom lends random values one after the other.
func TestLentRandom(t *testing.T) {
	r := randomValues{rand.New(rand.NewPCG(13, 1))}
	for range 3000 {
		v := codectest.JSON(t, r.value(nil, 5))
		text, err := gcf.Codec{NoFlatten: r.IntN(2) == 0}.AppendEncode(nil, v)
		if err != nil {
			continue
		}
		lendsAsDecoded(t, string(text))
		at := r.IntN(len(text))
		lendsAsDecoded(t, string(text[:at])+string(text[at+1:]))
	}
}

// lendsRecords compares the records that are lent, and their error, with those of Records.
func lendsRecords(t *testing.T, doc string) {
	t.Helper()
	var want, got []wire.Value
	var wantErr, gotErr error
	for v, err := range (gcf.Codec{}).Records(strings.NewReader(doc)) {
		if wantErr = err; err == nil {
			want = append(want, v)
		}
	}
	for v, err := range wire.ViewRecords(gcf.Codec{}, iotest.HalfReader(strings.NewReader(doc))) {
		if gotErr = err; err == nil {
			got = append(got, v.Clone())
		}
	}
	require.Equal(t, wantErr, gotErr, "%q", doc)
	require.True(t, wire.Identical(wire.Array(want...), wire.Array(got...)), "%q\nis lent as %v, read it is %v", doc, got, want)
}

// TestLentRecords lends the records of streams, of random lists and of what is left of them
// without a byte.
func TestLentRecords(t *testing.T) {
	r := randomValues{rand.New(rand.NewPCG(13, 2))}
	for range trials.Of(2000) {
		list := make([]wire.Value, 1+r.IntN(9))
		for i := range list {
			if list[i] = codectest.JSON(t, r.value(nil, 4)); i > 0 && r.IntN(3) > 0 {
				list[i] = list[r.IntN(i)]
			}
		}
		text, err := gcf.Codec{NoFlatten: r.IntN(2) == 0}.AppendEncode(nil, wire.Array(list...))
		if err != nil {
			continue
		}
		lendsRecords(t, string(text))
		at := r.IntN(len(text))
		lendsRecords(t, string(text[:at])+string(text[at+1:]))
	}
	rows := "GCF profile=generic key=id\n## [?]{@id,\"a\\n>b\",\"a\\n>c\",s}\n"
	for i := range 3000 {
		rows += fmt.Sprintf("%d|x%d|~|\"tab\\t%d\"\n", i, i, i)
	}
	lendsRecords(t, rows)
	lendsRecords(t, rows+"7|\"\\q\"|1|2\n")
	lendsRecords(t, rows+"7|x|1|2\n")
}
