package wirekit_test

import (
	"bytes"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/internal/sample"
	"github.com/wirekit/wirekit/wire"
)

// TestConvertLent converts documents of several sizes in turn between all
// formats, so that memory that one had is used for another, and compares with
// what comes of values that nobody lends.
func TestConvertLent(t *testing.T) {
	t.Parallel()
	texts := [][]byte{
		[]byte(`[]`), []byte(`{}`), []byte(`"x"`), []byte(`[{"a":1,"b":"\n"},{"b":null}]`), []byte(`[{"a":{"b":[1,2]},"c":"x|y"}]`),
		[]byte(`{"rows":[` + strings.Repeat(`{"id":1,"name":"some name","score":0.5,"tags":["x","y"]},`, 60) + `{"id":2}]}`),
	}
	for _, d := range append(sample.Documents(), sample.Numbers()...) {
		if len(d.JSON) < 1<<18 {
			texts = append(texts, d.JSON)
		}
	}
	var group sync.WaitGroup
	for g := range 2 {
		group.Go(func() {
			for i := range texts {
				text := texts[(i*(1+g)+g)%len(texts)]
				v, err := wire.ParseJSON(text)
				if err != nil {
					t.Error(err)
				}
				for _, c := range wirekit.All() {
					name := c.Info().FullName()
					want, wantErr := c.AppendEncode(nil, v)
					got, err := wirekit.Convert(text, "json", name)
					if (err == nil) != (wantErr == nil) || wantErr == nil && !bytes.Equal(want, got) {
						t.Errorf("json to %s: %v, not %v\n%.300s\n%.300s", name, err, wantErr, got, want)
					}
					if wantErr != nil {
						continue
					}
					back, wantErr := c.Decode(want)
					err = wire.With(c, want, func(v wire.Value) error {
						if !wire.Identical(back, v) {
							t.Errorf("%s lends another value\n%.300s\n%.300s", name, back, v)
						}
						return nil
					})
					if (err == nil) != (wantErr == nil) || err != nil && err.Error() != wantErr.Error() {
						t.Errorf("%s lends with the error %v, not %v", name, err, wantErr)
					}
					again, err := wirekit.AppendConvert([]byte("dst"), want, name, "json")
					if wantErr == nil && (err != nil || string(again) != "dst"+string(wire.AppendJSON(nil, back))) {
						t.Errorf("%s to json: %v\n%.300s\n%.300s", name, err, again, back)
					}
				}
			}
		})
	}
	group.Wait()
}

// TestLentErrors holds that errors are whole once the memory of what they speak
// of is used again.
func TestLentErrors(t *testing.T) {
	t.Parallel()
	valid := []byte(`{"users":[{"name":"Ada","tags":["x","y"]},{"name":"Jun","tags":[]}],"count":2,"text":"a\nb"}`)
	for _, c := range wirekit.All() {
		text, err := wirekit.Convert(valid, "json", c.Info().FullName())
		if err != nil {
			continue
		}
		for i := range text {
			bad := append(bytes.Clone(text[:i]), text[min(i+1, len(text)):]...)
			_, want := c.Decode(bad)
			err := wire.With(c, bad, func(wire.Value) error { return nil })
			require.NoError(t, wire.With(c, text, func(wire.Value) error { return nil }))
			require.Equal(t, want, err, "%s without byte %d", c.Info().FullName(), i)
		}
	}
}
