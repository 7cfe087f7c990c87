package gcx_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/gcx"
	"github.com/wirekit/wirekit/wire"
)

// TestHeadersOfOtherDocuments lends documents whose headers are alike, so that what
// is known of one is used for another, and compares with what Decode returns.
func TestHeadersOfOtherDocuments(t *testing.T) {
	docs := []string{
		"GCX1 tool=a fields=id,name rows=1\n1\tx\n",
		"GCX1 tool=a fields=id,name rows=2\n1\tx\n2\ty\n",
		"GCX1 tool=a fields=id,id rows=1\n1\tx\n",
		"GCX1 tool=a fields=id,name rows=1 rows=1\n1\tx\n",
		"GCX1 tool=a fields=id,name\n1\tx\n",
		"GCX1 tool=a.b fields=id,name rows=1 more=\\=\\ x\n1\tx\n",
		"GCX1 tool=t.rows fields=id rows=1 next=5 sections=2\n1\nGCX1 tool=t.rest fields=id rows=1 next=5\n2\n",
	}
	var many strings.Builder
	for i := range 40 {
		fmt.Fprintf(&many, "GCX1 tool=t.k%d fields=id,v%d rows=1 m%d=1\n1\t2\n", i, i%12, i)
	}
	docs = append(docs, many.String())
	for round := range 4 {
		for i := range docs {
			doc := docs[(i*(2*round+1)+round)%len(docs)]
			for _, c := range []gcx.Codec{{}, {Lenient: true}} {
				want, wantErr := c.Decode([]byte(doc))
				err := wire.View(c, []byte(doc), func(got wire.Value) error {
					require.True(t, wire.Identical(want, got), "%q\nis lent as %v, decoded it is %v", doc, got, want)
					return nil
				})
				require.Equal(t, wantErr, err, "%q", doc)
			}
		}
	}
}
