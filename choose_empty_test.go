package wirekit_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/wire"
)

type fieldError struct{ Code int }

func (fieldError) Error() string { return "not asked" }

// TestTextIsNeverEmpty holds that nothing to write is written as JSON writes it.
func TestTextIsNeverEmpty(t *testing.T) {
	type guarded struct {
		sync.Mutex
		Name string `json:",omitempty"`
	}
	for name, c := range map[string]struct {
		v    any
		want string
	}{
		"object":         {map[string]any{}, "{}"},
		"list":           {[]int{}, "[]"},
		"no records":     {[]struct{ A int }{}, "[]"},
		"nil":            {nil, "null"},
		"nil pointer":    {(*strings.Reader)(nil), "null"},
		"no fields":      {struct{}{}, "{}"},
		"JSON text":      {json.RawMessage(" {} "), "{}"},
		"one record":     {[]any{map[string]any{}}, "[{}]"},
		"locked":         {&guarded{}, "{}"},
		"error":          {errors.New("boom"), `boom`},
		"wrapped":        {fmt.Errorf("bad \xff: %w", fs.ErrNotExist), "bad \uFFFD: file does not exist"},
		"joined":         {errors.Join(fs.ErrExist), fs.ErrExist.Error()},
		"errno":          {syscall.ENOENT, syscall.ENOENT.Error()},
		"with fields":    {fieldError{7}, `{"Code":7}`},
		"error in value": {map[string]any{"err": errors.New("boom")}, `{"err":{}}`},
	} {
		for _, measure := range []wirekit.Precision{wirekit.PrecisionCounted, wirekit.PrecisionSampled, wirekit.PrecisionBytes} {
			best, err := wirekit.Chooser{Precision: measure, Fold: true}.Choose(context.Background(), c.v)
			require.NoError(t, err, name)
			require.NotEmpty(t, strings.TrimSpace(string(best.Encoded)), name)
			back, err := best.Codec.Decode(best.Encoded)
			require.NoError(t, err, name)
			want, err := wire.ParseJSON([]byte(c.want))
			if err != nil {
				want = wire.String(c.want)
			}
			require.True(t, wire.Equal(want, back), "%s: %s", name, best.Encoded)
		}
	}
	for _, v := range []any{&sync.Mutex{}, strings.NewReader("x"), strings.Builder{}} {
		_, _, err := wirekit.Text(v)
		require.ErrorIs(t, err, wire.ErrShape, "%T", v)
	}
	best, err := wirekit.Choose(context.Background(), map[string]any{}, "toon")
	require.NoError(t, err)
	require.Equal(t, "json", best.Name())
}
