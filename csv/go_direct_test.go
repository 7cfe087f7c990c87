package csv

import (
	"testing"

	"github.com/wirekit/wirekit/internal/testkit/codectest"
)

func TestReadDirectly(t *testing.T) {
	codectest.ReadDirectly(t, Marshal, func(src []byte, v any) bool {
		done, _ := new(goWays).StoreGo(Codec{}, src, v)
		return done
	})
}
