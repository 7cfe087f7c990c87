package wire_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/jsonl"
	"github.com/wirekit/wirekit/wire"
)

type event struct {
	ID   int     `json:"id"`
	Name string  `json:"name,omitempty"`
	Cost float64 `json:"cost"`
	Sub  *event  `json:"sub,omitempty"`
}

func TestEncoderAndDecoder(t *testing.T) {
	events := []event{{1, "a", 0.5, nil}, {2, "", 1, &event{ID: 3}}, {}}
	var out bytes.Buffer
	enc := wire.NewEncoder[event](jsonl.Codec{}, &out)
	for _, e := range events {
		require.NoError(t, enc.Encode(e))
	}
	require.NoError(t, enc.Close())
	require.Equal(t, "{\"id\":1,\"name\":\"a\",\"cost\":0.5}\n{\"id\":2,\"cost\":1,\"sub\":{\"id\":3,\"cost\":0}}\n{\"id\":0,\"cost\":0}\n", out.String())
	text := out.String()
	var back []event
	for e, err := range wire.NewDecoder[event](jsonl.Codec{}, &out).All() {
		require.NoError(t, err)
		back = append(back, e)
	}
	require.Equal(t, events, back, "each record has memory of its own")
	for range wire.NewDecoder[event](jsonl.Codec{}, strings.NewReader(text)).All() {
		break
	}
}

func TestDecoderErrors(t *testing.T) {
	for _, c := range []struct {
		in, path string
		n        int
		kind     error
	}{
		{"{\"id\":1}\n{\"id\":\"x\"}\n{\"id\":3}\n", "/1/id", 2, wire.ErrType},
		{"{\"id\":1}\n{\"id\":2}\n{\"id\":3,\"other\":4}\n", "/2/other", 2, wire.ErrUnknownMember},
		{"{\"id\":1}\n{\"id\":\n", "/id", 1, wire.ErrTruncated},
	} {
		d := wire.NewDecoder[event](jsonl.Codec{}, strings.NewReader(c.in))
		d.Options.RejectUnknownMembers = true
		n := 0
		var failed error
		for e, err := range d.All() {
			if err != nil {
				require.Zero(t, e)
				require.NoError(t, failed, "one error")
				failed = err
				continue
			}
			n++
		}
		require.ErrorIs(t, failed, c.kind, c.in)
		e := codectest.Error(t, failed)
		require.Equal(t, c.path, e.Path(), c.in)
		require.Equal(t, c.n, n)
	}
}

func TestEncoderErrors(t *testing.T) {
	var out bytes.Buffer
	enc := wire.NewEncoder[any](jsonl.Codec{}, &out)
	require.NoError(t, enc.Encode(map[string]any{"a": 1}))
	err := enc.Encode(map[string]any{"a": func() {}})
	e := codectest.Error(t, err)
	require.Equal(t, "/1/a", e.Path())
	require.Equal(t, "{\"a\":1}\n", out.String(), "what precedes the error is written")
	require.NoError(t, enc.Encode(1))
	require.NoError(t, enc.Flush())
	require.Equal(t, "{\"a\":1}\n1\n", out.String())
	require.NoError(t, enc.Close())
	require.Error(t, enc.Encode(2), "after Close")

	require.ErrorIs(t, wire.NewEncoder[any](jsonl.Codec{}, &out, "a", "a").Encode(1), wire.ErrDuplicateKey)
	require.NoError(t, wire.NewEncoder[event](jsonl.Codec{}, &out).Close())
	broken := errors.New("broken")
	enc = wire.NewEncoder[any](jsonl.Codec{}, writerFunc(func([]byte) (int, error) { return 0, broken }))
	require.NoError(t, enc.Encode(1))
	require.ErrorIs(t, enc.Close(), broken)
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

func ExampleEncoder() {
	type user struct {
		ID   int    `json:"id"`
		Name string `json:"name"`
	}
	var out strings.Builder
	enc := wire.NewEncoder[user](jsonl.Codec{}, &out)
	for _, u := range []user{{1, "Ada"}, {2, "Jun"}} {
		if err := enc.Encode(u); err != nil {
			fmt.Println(err)
			return
		}
	}
	fmt.Println(enc.Close())
	fmt.Print(out.String())
	// Output:
	// <nil>
	// {"id":1,"name":"Ada"}
	// {"id":2,"name":"Jun"}
}

func ExampleDecoder() {
	type user struct {
		ID   int    `json:"id"`
		Name string `json:"name"`
	}
	in := strings.NewReader(`{"id":1,"name":"Ada"}` + "\n" + `{"id":"two"}` + "\n")
	for u, err := range wire.NewDecoder[user](jsonl.Codec{}, in).All() {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(u.ID, u.Name)
	}
	// Output:
	// 1 Ada
	// wire: line 2, column 7: type_mismatch: a value of kind string does not go into a Go value of type int (at /1/id)
}
