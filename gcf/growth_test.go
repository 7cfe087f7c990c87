package gcf_test

import (
	"bytes"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit/gcf"
	"github.com/wirekit/wirekit/internal/growth"
)

// TestGrowthOfDecoding: every entry point that takes bytes takes time and memory
// in proportion to them, whatever they are.
func TestGrowthOfDecoding(t *testing.T) {
	if testing.Short() {
		t.Skip("growth is not measured with -short")
	}
	entries := map[string]func([]byte){
		"Decode":    func(doc []byte) { _, _ = gcf.Codec{}.Decode(doc) },
		"streamed":  readAll,
		"DecodeSet": func(doc []byte) { _, _ = gcf.DecodeSet(doc) },
		"deltas": func(doc []byte) {
			_, _ = gcf.DecodeDelta(doc)
			_, _ = gcf.DecodeGenericDelta(doc)
			_, _ = gcf.DecodeUnchanged(doc)
		},
		"session": func(doc []byte) { _, _ = new(gcf.SessionDecoder).Decode(doc) },
	}
	for name, document := range amplifyingDocuments {
		t.Run(name, func(t *testing.T) {
			for entry, call := range entries {
				if graph := strings.HasPrefix(name, "graph"); !graph && entry != "Decode" && entry != "streamed" || graph && entry == "DecodeSet" {
					continue // these only read the header
				}
				growth.Linear(t, 20_000, func(n int) func() {
					doc := []byte(document(n))
					return func() { call(doc) }
				})
			}
		})
	}
	set := func(n int) []byte {
		return []byte("GCF profile=generic pack_root=x key=id\n## rows [" + strconv.Itoa(n/10) + "]{@id,a}\n" + repeated(n/10, numbered("%d|some\n")))
	}
	delta := func(n int) []byte {
		return []byte("GCF profile=graph delta=true base_root=a new_root=b\n## removed\n" + repeated(n/10, numbered("fn a.%d\n")) +
			"## added\n" + repeated(n/10, numbered("@%[1]d fn b.%[1]d 0.50 x 0\n")))
	}
	for name, document := range map[string]func(int) []byte{"DecodeSet": set, "deltas": delta} {
		t.Run(name, func(t *testing.T) {
			growth.Linear(t, 20_000, func(n int) func() {
				doc := document(n)
				return func() { entries[name](doc) }
			})
		})
	}
}

// TestGrowthOfEncoding: what is encoded takes time in proportion to the value and
// to what it becomes.
func TestGrowthOfEncoding(t *testing.T) {
	if testing.Short() {
		t.Skip("growth is not measured with -short")
	}
	for name, document := range amplifyingValues {
		t.Run(name, func(t *testing.T) {
			// So long that all of them meet the limit of output, if any does, and
			// the bound of objects that path columns make.
			size := 100_000
			if name == "chains" {
				size = 1_000_000
			}
			growth.Linear(t, size, func(n int) func() {
				v := parse(t, document(n))
				return func() { _, _ = gcf.Codec{}.AppendEncode(nil, v) }
			})
		})
	}
	t.Run("records", func(t *testing.T) {
		record := parse(t, `{"id":1,"l":[{"x":1},{"x":2}],"o":{"a":1}}`)
		growth.Linear(t, 500, func(n int) func() {
			return func() {
				var buf bytes.Buffer
				w, err := gcf.Codec{}.NewRecordWriter(&buf, record.Keys())
				require.NoError(t, err)
				for range n {
					require.NoError(t, w.Write(record))
				}
				require.NoError(t, w.Close())
			}
		})
	})
}
