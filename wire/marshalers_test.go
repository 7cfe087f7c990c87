package wire_test

import (
	"errors"
	"fmt"
	"net/netip"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/gcf"
	"github.com/wirekit/wirekit/jsonl"
	"github.com/wirekit/wirekit/wire"
)

// durations makes durations milliseconds.
var durations = wire.MarshalersOf(
	func(d time.Duration) (wire.Value, error) { return wire.Int(d.Milliseconds()), nil },
	func(v wire.Value) (time.Duration, error) {
		n, ok := v.Int64()
		if !ok {
			return 0, errors.New("no milliseconds")
		}
		return time.Duration(n) * time.Millisecond, nil
	})

type timed struct {
	Wait   time.Duration            `json:"wait"`
	Waits  []time.Duration          `json:"waits,omitempty"`
	ByName map[string]time.Duration `json:"by_name,omitempty"`
	Next   *time.Duration           `json:"next,omitempty"`
	Any    any                      `json:"any,omitempty"`
	IP     netip.Addr               `json:"ip,omitzero"`
	List   []timed                  `json:"list,omitempty"`
}

// TestMarshalers: functions are asked wherever a variable of their type is, in their set
// alone, and before the type's methods.
func TestMarshalers(t *testing.T) {
	wait := 3 * time.Second
	in := timed{Wait: wait, Waits: []time.Duration{wait}, ByName: map[string]time.Duration{"a": wait}, Next: &wait,
		Any: wait, IP: netip.MustParseAddr("10.0.0.1"), List: []timed{{Wait: wait}}}
	addresses := wire.MarshalersOf(func(a netip.Addr) (wire.Value, error) { return wire.Bytes(a.AsSlice()), nil },
		func(v wire.Value) (a netip.Addr, err error) { return a, a.UnmarshalBinary(v.Bytes()) }, nil, durations)
	for _, tt := range []struct {
		name string
		set  *wire.Marshalers
		want string
	}{
		{"none", nil, `{"wait":3000000000,"waits":[3000000000],"by_name":{"a":3000000000},"next":3000000000,"any":3000000000,"ip":"10.0.0.1","list":[{"wait":3000000000}]}`},
		{"durations", durations, `{"wait":3000,"waits":[3000],"by_name":{"a":3000},"next":3000,"any":3000,"ip":"10.0.0.1","list":[{"wait":3000}]}`},
		{"both", addresses, `{"wait":3000,"waits":[3000],"by_name":{"a":3000},"next":3000,"any":3000,"ip":"CgAAAQ==","list":[{"wait":3000}]}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			out, err := wire.Options{Marshalers: tt.set}.Marshal(wire.JSON{}, in)
			require.NoError(t, err)
			require.Equal(t, tt.want, string(out))
			if tt.set == addresses {
				return // JSON has no bytes: see below
			}
			var back timed
			require.NoError(t, wire.Options{Marshalers: tt.set}.Unmarshal(wire.JSON{}, out, &back))
			require.IsType(t, float64(0), back.Any)
			back.Any = in.Any
			require.Equal(t, in, back)
		})
	}
	v, err := wire.Options{Marshalers: addresses}.FromGo(in)
	require.NoError(t, err)
	var back timed
	held := time.Duration(0)
	back.Any = &held
	require.NoError(t, wire.Options{Marshalers: addresses}.ToGo(v, &back))
	require.Equal(t, in.IP, back.IP)
	require.Equal(t, wait, held, "what an interface holds a pointer to")

	plain, err := gcf.Marshal([]timed{in})
	require.NoError(t, err)
	require.Contains(t, string(plain), "3000000000", "other sets and none do not know of it")
}

// TestMarshalersErrors: an error of a function has the path, and the kind of a method's.
// TestMarshalersOfPlainTypes: a function for a type that data without a schema is made of is
// asked in every container.
func TestMarshalersOfPlainTypes(t *testing.T) {
	mark := func(s string) (wire.Value, error) { return wire.String("<" + s + ">"), nil }
	o := wire.Options{Marshalers: wire.MarshalersOf(mark, nil,
		wire.MarshalersOf(func(f float64) (wire.Value, error) { return mark(fmt.Sprint(f)) }, nil),
		wire.MarshalersOf(func(b bool) (wire.Value, error) { return mark(fmt.Sprint(b)) }, nil))}
	for _, x := range []any{"true", true, 1.5} {
		want := fmt.Sprintf("<%v>", x)
		for _, in := range []any{map[string]any{"a": x}, []any{x}, map[string][]any{"a": {x}}, []map[string]any{{"a": x}}, struct{ A any }{x}} {
			v, err := o.FromGo(in)
			require.NoError(t, err)
			for v.Kind() != wire.KindString {
				v = v.Index(0)
			}
			require.Equal(t, want, v.Text(), "%T", in)
		}
	}
}

func TestMarshalersErrors(t *testing.T) {
	o := wire.Options{Marshalers: durations}
	err := o.Unmarshal(wire.JSON{}, []byte(`{"list":[{"wait":"x"}]}`), new(timed))
	require.ErrorIs(t, err, wire.ErrType)
	var e *wire.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, "/list/0/wait", e.Path())
	require.Contains(t, err.Error(), "no milliseconds")

	failing := wire.MarshalersOf(func(time.Duration) (wire.Value, error) { return wire.Value{}, errors.New("no") }, nil, durations)
	_, err = wire.Options{Marshalers: failing}.FromGo([]timed{{}})
	require.ErrorIs(t, err, wire.ErrShape)
	require.ErrorAs(t, err, &e)
	require.Equal(t, "/0/wait", e.Path())
	var d time.Duration
	require.NoError(t, wire.Options{Marshalers: failing}.ToGo(wire.Int(2), &d))
	require.Equal(t, 2*time.Millisecond, d, "a direction without a function is that of the next set")
	require.Panics(t, func() { wire.MarshalersOf[fmt.Stringer](nil, nil) })
}

// TestMarshalersInStreams: encoders and decoders of records take sets as well.
func TestMarshalersInStreams(t *testing.T) {
	var text strings.Builder
	enc := wire.NewEncoder[timed](jsonl.Codec{}, &text)
	enc.Options.Marshalers = durations
	require.NoError(t, enc.Encode(timed{Wait: time.Second}))
	require.NoError(t, enc.Close())
	require.Equal(t, "{\"wait\":1000}\n", text.String())
	dec := wire.NewDecoder[timed](jsonl.Codec{}, strings.NewReader(text.String()))
	dec.Options.Marshalers = durations
	for r, err := range dec.All() {
		require.NoError(t, err)
		require.Equal(t, time.Second, r.Wait)
	}
}

// A set of functions converts a type of another package.
func ExampleMarshalersOf() {
	type job struct {
		Name string
		Wait time.Duration
	}
	seconds := wire.MarshalersOf(
		func(d time.Duration) (wire.Value, error) { return wire.String(d.String()), nil },
		func(v wire.Value) (time.Duration, error) { return time.ParseDuration(v.Text()) },
	)
	out, err := wire.Options{Marshalers: seconds}.Marshal(gcf.Codec{}, []job{{"build", 90 * time.Second}})
	os.Stdout.Write(out)
	var back []job
	fmt.Println(err, wire.Options{Marshalers: seconds}.Unmarshal(gcf.Codec{}, out, &back), back)
	// Output:
	// GCF profile=generic
	// ## [1]{Name,Wait}
	// build|1m30s
	// <nil> <nil> [{build 1m30s}]
}
