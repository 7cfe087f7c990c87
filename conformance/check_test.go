package conformance_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit/conformance"
	"github.com/wirekit/wirekit/wire"
)

// A faulty codec is Span with some of it replaced.
type faulty struct {
	info   func(wire.Info) wire.Info
	encode func(dst []byte, v wire.Value) ([]byte, error)
	decode func(src []byte) (wire.Value, error)
}

func (f faulty) Info() wire.Info {
	if f.info != nil {
		return f.info(Span{}.Info())
	}
	return Span{}.Info()
}

func (f faulty) AppendEncode(dst []byte, v wire.Value) ([]byte, error) {
	if f.encode != nil {
		return f.encode(dst, v)
	}
	return Span{}.AppendEncode(dst, v)
}

func (f faulty) Decode(src []byte) (wire.Value, error) {
	if f.decode != nil {
		return f.decode(src)
	}
	return Span{}.Decode(src)
}

// refusing returns an encoder that refuses strings with err.
func refusing(err error) func([]byte, wire.Value) ([]byte, error) {
	return func(dst []byte, v wire.Value) ([]byte, error) {
		if v.Kind() == wire.KindString {
			return dst, err
		}
		return Span{}.AppendEncode(dst, v)
	}
}

func accepting(i wire.Info) wire.Info { i.Accepts = "no strings"; return i }

// TestCheckFindsFaults holds every rule of Check to find what it is there for.
func TestCheckFindsFaults(t *testing.T) {
	calls := 0
	good := wire.Error{Format: "span", Code: "no_strings", Kind: wire.ErrShape, Message: "a string"}
	with := func(change func(*wire.Error)) *wire.Error {
		e := good
		change(&e)
		return &e
	}
	list := wire.Array(wire.String("a"), wire.String("bb"))
	number := func(text string) wire.Value {
		v, err := wire.Number(text)
		require.NoError(t, err)
		return v
	}
	for _, c := range []struct {
		name  string
		rule  string
		codec faulty
		value wire.Value
	}{
		{"panic in AppendEncode", "AppendEncode must not panic", faulty{encode: func([]byte, wire.Value) ([]byte, error) { panic("at the disco") }}, list},
		{"panic in Decode", "Decode and Sniff must not panic", faulty{decode: func(src []byte) (wire.Value, error) { return wire.Int(int64(src[len(src)])), nil }}, list},
		{"dst overwritten", "AppendEncode must keep what dst holds", faulty{encode: func(dst []byte, v wire.Value) ([]byte, error) { return Span{}.AppendEncode(dst[:0], v) }}, list},
		{"output that depends on dst", "the encoding must not depend on dst", faulty{encode: func(dst []byte, v wire.Value) ([]byte, error) {
			if len(dst) > 0 {
				return append(dst, "~"...), nil
			}
			return Span{}.AppendEncode(dst, v)
		}}, list},
		{"output that depends on time", "the encoding must not depend on dst", faulty{encode: func(dst []byte, v wire.Value) ([]byte, error) {
			calls++
			return Span{}.AppendEncode(dst, wire.Int(int64(calls)))
		}}, list},
		{"output that depends on shared keys", "identical values must have one encoding", faulty{encode: func(dst []byte, v wire.Value) ([]byte, error) {
			if v.Index(0).Keys() == v.Index(1).Keys() {
				return append(dst, "~"...), nil
			}
			return Span{}.AppendEncode(dst, v)
		}}, wire.Array(must(wire.Object(wire.Member{Key: "a"})), must(wire.Object(wire.Member{Key: "a"})))},
		{"output that is not UTF-8", "a text codec must write UTF-8", faulty{encode: func(dst []byte, v wire.Value) ([]byte, error) { return append(dst, "\xff"...), nil }}, list},
		{"byte order mark", "a codec must not write a byte order mark", faulty{encode: func(dst []byte, v wire.Value) ([]byte, error) {
			return Span{}.AppendEncode(append(dst, "\ufeff"...), v)
		}}, list},
		{"plain error", "errors must be complete *wire.Errors", faulty{info: accepting, encode: refusing(errors.New("no"))}, wire.String("a")},
		{"wrapped error", "errors must be complete *wire.Errors", faulty{info: accepting, encode: refusing(fmt.Errorf("no: %w", &good))}, wire.String("a")},
		{"error of another format", "errors must be complete *wire.Errors", faulty{info: accepting, encode: refusing(with(func(e *wire.Error) { e.Format = "json" }))}, wire.String("a")},
		{"error without code", "errors must be complete *wire.Errors", faulty{info: accepting, encode: refusing(with(func(e *wire.Error) { e.Code = "" }))}, wire.String("a")},
		{"error without kind", "errors must be complete *wire.Errors", faulty{info: accepting, encode: refusing(with(func(e *wire.Error) { e.Kind = nil }))}, wire.String("a")},
		{"error without message", "errors must be complete *wire.Errors", faulty{info: accepting, encode: refusing(with(func(e *wire.Error) { e.Message = "" }))}, wire.String("a")},
		{"encoding error with a position", "errors of encoding have no position", faulty{info: accepting, encode: refusing(with(func(e *wire.Error) { e.Line = 1 }))}, wire.String("a")},
		{"path to nowhere", "the path of an error must lead to a part of the value", faulty{info: accepting, encode: refusing(wire.AtIndex(with(func(*wire.Error) {}), 3))}, wire.String("a")},
		{"output beside an error", "AppendEncode must return dst as given on error", faulty{info: accepting, encode: func(dst []byte, v wire.Value) ([]byte, error) { return append(dst, '~'), &good }}, wire.String("a")},
		{"nil beside an error", "AppendEncode must return dst as given on error", faulty{info: accepting, encode: func(dst []byte, v wire.Value) ([]byte, error) { return nil, &good }}, wire.String("a")},
		{"refusal without Accepts", "a codec that refuses values must say in Info().Accepts which it takes", faulty{encode: refusing(&good)}, wire.String("a")},
		{"unread encoding without a position", "a codec must read what it wrote", faulty{decode: func([]byte) (wire.Value, error) { return wire.Null(), errors.New("no") }}, list},
		{"unread encoding", "a codec must read what it wrote", faulty{encode: func(dst []byte, v wire.Value) ([]byte, error) { return append(dst, "no"...), nil }}, list},
		{"value beside an error", "Decode must return null with an error", faulty{decode: func(src []byte) (wire.Value, error) { return list, wire.ErrorAt(src, 0, good) }}, list},
		{"src overwritten", "Decode and Sniff must not write to src", faulty{decode: func(src []byte) (wire.Value, error) {
			v, err := Span{}.Decode(src)
			src[0] = 'x'
			return v, err
		}}, list},
		{"string lost", "a codec loses only what it declares", faulty{decode: func(src []byte) (wire.Value, error) { return wire.Array(wire.String("a")), nil }}, list},
		{"spelling lost", "a codec loses only what it declares", faulty{decode: func(src []byte) (wire.Value, error) { return wire.Int(1), nil }}, number("1.0")},
		{"loss that goes on", "encoding what was decoded must be stable", faulty{
			info: func(i wire.Info) wire.Info { i.Loss |= wire.LossMissing; return i },
			decode: func(src []byte) (wire.Value, error) {
				v, err := Span{}.Decode(src)
				if err != nil || v.Len() == 0 {
					return v, err
				}
				var members []wire.Member
				for key, member := range v.Members() {
					members = append(members, wire.Member{Key: key, Value: member})
				}
				return wire.Object(members[1:]...)
			}}, must(wire.ParseJSON([]byte(`{"a":null,"b":null,"c":null}`)))},
		{"spelling that alternates", "encoding what was decoded must be stable", faulty{
			info: func(i wire.Info) wire.Info { i.Loss |= wire.LossNumberText; return i },
			decode: func(src []byte) (wire.Value, error) {
				v, err := Span{}.Decode(src)
				switch v.Text() {
				case "1.0":
					v = number("1.00")
				case "1.00":
					v = number("1.0")
				}
				return v, err
			}}, number("1.0")},
		{"decoded value refused", "encoding what was decoded must be stable", faulty{
			info:   func(i wire.Info) wire.Info { i.Loss, i.Accepts = i.Loss|wire.LossContent, "no strings"; return i },
			encode: refusing(&good),
			decode: func(src []byte) (wire.Value, error) { return wire.String(string(src)), nil }}, wire.Int(1)},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := conformance.Check(c.codec, c.value)
			require.Error(t, err)
			require.Equal(t, c.rule, strings.SplitN(err.Error(), ":", 2)[0], "%v", err)
		})
	}
}

func must(v wire.Value, err error) wire.Value {
	if err != nil {
		panic(err)
	}
	return v
}

func TestCheckOutcomes(t *testing.T) {
	o, err := conformance.Check(Span{}, wire.String("a"))
	require.NoError(t, err)
	require.Equal(t, conformance.Report{Encoded: []byte("1:a")}, o)

	o, err = conformance.Check(Span{}, wire.Array(wire.Int(1), wire.Bytes([]byte("a"))))
	require.NoError(t, err)
	require.Equal(t, conformance.Report{Encoded: []byte("[#1;4:YQ==]"), Loss: wire.LossBytes, LossPath: "/1"}, o)

	o, err = conformance.Check(Span{}, wire.Array(wire.String("\xff")))
	require.NoError(t, err)
	require.ErrorIs(t, o.Refused, wire.ErrUTF8)
	require.Equal(t, "/0", o.Refused.Path())
}

func TestCheckBytes(t *testing.T) {
	for _, src := range []string{"", "~", "[", "[1:a", "x", "\xff", "9999999999:a", "{1:a~1:a~}"} {
		require.NoError(t, conformance.CheckBytes(Span{}, []byte(src)), "%q", src)
	}
	bad := wire.Error{Format: "span", Code: "bad", Kind: wire.ErrSyntax, Message: "bad"}
	for name, decodeError := range map[string]func([]byte) error{
		"no position": func([]byte) error { return &bad },
		"a wrong column": func(src []byte) error {
			e := wire.ErrorAt(src, 1, bad)
			e.Column++
			return e
		},
	} {
		err := conformance.CheckBytes(faulty{decode: func(src []byte) (wire.Value, error) { return wire.Null(), decodeError(src) }}, []byte("~~"))
		require.ErrorContains(t, err, "errors of decoding have a true position", name)
	}
	err := conformance.CheckBytes(faulty{decode: func(src []byte) (wire.Value, error) {
		if len(src) == 0 {
			return wire.Null(), nil
		}
		return wire.String(strings.Repeat("a", len(src))), nil
	}}, []byte("~~"))
	require.ErrorContains(t, err, "a codec loses only what it declares")
}

func TestChain(t *testing.T) {
	v := must(wire.ParseJSON([]byte(`{"b":[1.50,"x"],"a":null}`)))
	codecs := []wire.Codec{Span{}, wire.JSON{}, Span{}}
	carried, err := conformance.Chain(codecs, v)
	require.NoError(t, err)
	require.Equal(t, []string{"span", "json", "span"}, carried)

	dropping := faulty{decode: func(src []byte) (wire.Value, error) {
		v, err := Span{}.Decode(src)
		if err != nil {
			return v, err
		}
		return wire.Object(wire.Member{Key: "b", Value: v.Index(0)})
	}}
	carried, err = conformance.Chain([]wire.Codec{wire.JSON{}, dropping, wire.JSON{}}, must(wire.ParseJSON([]byte(`{"b":1,"a":2}`))))
	require.ErrorContains(t, err, "after json, span the value has lost content")
	require.Equal(t, []string{"json", "span"}, carried)

	refuses := faulty{info: accepting, encode: refusing(&wire.Error{Format: "span", Code: "no_strings", Kind: wire.ErrShape, Message: "a string"})}
	carried, err = conformance.Chain([]wire.Codec{refuses, wire.JSON{}}, wire.String("a"))
	require.NoError(t, err)
	require.Equal(t, []string{"json"}, carried)
}

func FuzzSpan(f *testing.F) {
	for _, s := range []string{"~", "[+-#1.50;5:hello]", "{1:a[]1:b{}}"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		if err := conformance.CheckBytes(Span{}, src); err != nil {
			t.Fatal(err)
		}
	})
}
