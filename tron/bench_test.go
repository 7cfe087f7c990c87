package tron_test

import (
	"fmt"
	"testing"

	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/tron"
	"github.com/wirekit/wirekit/wire"
)

func BenchmarkEncode(b *testing.B)  { codectest.Encode(b, tron.Codec{}) }
func BenchmarkDecode(b *testing.B)  { codectest.Decode(b, tron.Codec{}) }
func BenchmarkStructs(b *testing.B) { codectest.Structs(b, tron.Codec{}) }

// BenchmarkWithoutClasses measures texts without classes beside JSON.
func BenchmarkWithoutClasses(b *testing.B) {
	for _, doc := range codectest.Documents() {
		v := unlike(codectest.JSON(b, doc.JSON), new(int))
		text := codectest.Encoded(b, wire.JSON{}, v)
		for _, c := range []wire.Codec{wire.JSON{}, tron.Codec{}} {
			var buf []byte
			codectest.Measure(b, doc.Name+"/encode/"+c.Info().Name, len(text), func() (err error) {
				buf, err = c.AppendEncode(buf[:0], v)
				return err
			})
			codectest.Measure(b, doc.Name+"/decode/"+c.Info().Name, len(text), func() error { return codectest.Err(c.Decode(text)) })
			codectest.Measure(b, doc.Name+"/decode JSON/"+c.Info().Name, len(doc.JSON), func() error { return codectest.Err(c.Decode(doc.JSON)) })
		}
	}
}

// unlike returns v with most objects as arrays of their values, and no two others alike.
func unlike(v wire.Value, n *int) wire.Value {
	if v.Kind() < wire.KindArray {
		return v
	}
	var elements []wire.Value
	var members []wire.Member
	for i := range v.Len() {
		e := unlike(v.Index(i), n)
		elements = append(elements, e)
		members = append(members, wire.Member{Key: fmt.Sprint("key", *n, "of", i), Value: e})
	}
	if *n++; v.Kind() == wire.KindArray || *n > 300 {
		return wire.Array(elements...)
	}
	o, err := wire.Object(members...)
	if err != nil {
		panic(err)
	}
	return o
}
