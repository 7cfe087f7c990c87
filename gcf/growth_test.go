package gcf_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit/gcf"
	"github.com/wirekit/wirekit/internal/testkit/growth"
	"github.com/wirekit/wirekit/wire"
)

// TestGrowthOfDecoding: every entry point that takes bytes takes time and memory
// in proportion to them, whatever they are.
func TestGrowthOfDecoding(t *testing.T) {
	if testing.Short() {
		t.Skip("runs without -short: it measures growth")
	}
	entries := map[string]func([]byte){
		"Decode":        func(doc []byte) { _, _ = gcf.Codec{}.Decode(doc) },
		"Unmarshal any": func(doc []byte) { _ = gcf.Unmarshal(doc, new(any)) },
		"streamed":      readAll,
	}
	for name, document := range amplifyingDocuments {
		t.Run(name, func(t *testing.T) {
			for _, call := range entries {
				growth.Linear(t, 20_000, func(n int) func() {
					doc := []byte(document(n))
					return func() { call(doc) }
				})
			}
		})
	}
	for name, document := range amplifyingSets {
		t.Run("sets: "+name, func(t *testing.T) {
			growth.Linear(t, 20_000, func(n int) func() {
				doc := []byte(document(n))
				return func() { readSets(doc) }
			})
		})
	}
}

// TestGrowthOfEncoding: what is encoded takes time in proportion to the value and
// to what it becomes.
func TestGrowthOfEncoding(t *testing.T) {
	if testing.Short() {
		t.Skip("runs without -short: it measures growth")
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
			if !manyShapes(name) {
				return
			}
			for _, c := range []gcf.Codec{{ReorderNested: true}, {Dense: true}} {
				growth.Linear(t, size, func(n int) func() {
					v := parse(t, document(n))
					return func() { _, _ = c.AppendEncode(nil, v) }
				})
			}
		})
	}
	t.Run("records", func(t *testing.T) {
		record := parse(t, `{"id":1,"l":[{"x":1},{"x":2}],"o":{"a":1}}`)
		growth.Linear(t, 500, func(n int) func() {
			return func() {
				streamOf(t, record, n)
			}
		})
	})
}

// streamOf returns a stream of a record n times.
func streamOf(t *testing.T, record wire.Value, n int) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := gcf.Codec{}.NewRecordWriter(&out, record.Keys())
	require.NoError(t, err)
	for range n {
		require.NoError(t, w.Write(record))
	}
	require.NoError(t, w.Close())
	return out.Bytes()
}
