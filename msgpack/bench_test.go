package msgpack_test

import (
	"testing"

	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/msgpack"
)

func BenchmarkEncode(b *testing.B) { codectest.Encode(b, msgpack.Codec{}) }
func BenchmarkDecode(b *testing.B) { codectest.Decode(b, msgpack.Codec{}) }
