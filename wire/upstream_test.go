//go:build upstream

package wire_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/wire"
)

// implementationDefined lists the texts that RFC 8259 leaves to the parser and
// that this one refuses, with the reason. It accepts all others: numbers of any
// size are kept as they are spelled.
var implementationDefined = map[string]error{
	// Not Unicode text: refused instead of replaced in silence.
	"i_object_key_lone_2nd_surrogate.json":                wire.ErrUTF8,
	"i_string_1st_surrogate_but_2nd_missing.json":         wire.ErrUTF8,
	"i_string_1st_valid_surrogate_2nd_invalid.json":       wire.ErrUTF8,
	"i_string_UTF-16LE_with_BOM.json":                     wire.ErrUTF8,
	"i_string_UTF-8_invalid_sequence.json":                wire.ErrUTF8,
	"i_string_UTF8_surrogate_U+D800.json":                 wire.ErrUTF8,
	"i_string_incomplete_surrogate_and_escape_valid.json": wire.ErrUTF8,
	"i_string_incomplete_surrogate_pair.json":             wire.ErrUTF8,
	"i_string_incomplete_surrogates_escape_valid.json":    wire.ErrUTF8,
	"i_string_invalid_lonely_surrogate.json":              wire.ErrUTF8,
	"i_string_invalid_surrogate.json":                     wire.ErrUTF8,
	"i_string_invalid_utf-8.json":                         wire.ErrUTF8,
	"i_string_inverted_surrogates_U+1D11E.json":           wire.ErrUTF8,
	"i_string_iso_latin_1.json":                           wire.ErrUTF8,
	"i_string_lone_second_surrogate.json":                 wire.ErrUTF8,
	"i_string_lone_utf8_continuation_byte.json":           wire.ErrUTF8,
	"i_string_not_in_unicode_range.json":                  wire.ErrUTF8,
	"i_string_overlong_sequence_2_bytes.json":             wire.ErrUTF8,
	"i_string_overlong_sequence_6_bytes.json":             wire.ErrUTF8,
	"i_string_overlong_sequence_6_bytes_null.json":        wire.ErrUTF8,
	"i_string_truncated-utf-8.json":                       wire.ErrUTF8,
	"i_string_utf16BE_no_BOM.json":                        wire.ErrUTF8,
	"i_string_utf16LE_no_BOM.json":                        wire.ErrUTF8,
}

func TestUpstreamJSONTestSuite(t *testing.T) {
	dir := codectest.Upstream(t, "jsontestsuite")
	var files []string
	require.NoError(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if strings.HasSuffix(path, ".json") && strings.Contains(path, "parsing") {
			files = append(files, path)
		}
		return err
	}))
	counts := map[byte]int{}
	for _, file := range files {
		name := filepath.Base(file)
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		v, err := wire.ParseJSON(text)
		counts[name[0]]++
		switch name[0] {
		case 'y':
			require.NoError(t, err, name)
		case 'n':
			require.Error(t, err, name)
			require.True(t, v.Kind() == wire.KindNull)
		case 'i':
			want := implementationDefined[name]
			require.True(t, errors.Is(err, want), "%s: want %v, got %v", name, want, err)
		}
	}
	require.Equal(t, map[byte]int{'y': 95, 'n': 188, 'i': 35}, counts)
}

// TestUpstreamTransform runs the suite's texts that parsers read differently:
// whatever is accepted is kept exactly.
func TestUpstreamTransform(t *testing.T) {
	dir := codectest.Upstream(t, "jsontestsuite")
	n := 0
	require.NoError(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".json") || !strings.Contains(path, "transform") {
			return err
		}
		n++
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		v, err := wire.ParseJSON(text)
		if err != nil {
			require.ErrorIs(t, err, wire.ErrUTF8, path)
			return nil
		}
		again := codectest.JSON(t, wire.AppendJSON(nil, v))
		require.True(t, wire.Identical(v, again), path)
		return nil
	}))
	require.Equal(t, 22, n)
}
