package cbor_test

import (
	"testing"

	"github.com/wirekit/wirekit/cbor"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
)

func BenchmarkEncode(b *testing.B) { codectest.Encode(b, cbor.Codec{}) }
func BenchmarkDecode(b *testing.B) { codectest.Decode(b, cbor.Codec{}) }
