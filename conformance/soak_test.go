package conformance_test

import (
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit/conformance"
	"github.com/wirekit/wirekit/internal/codec/variants"
	"github.com/wirekit/wirekit/wire"
)

// TestSoak puts random values through every codec and through random chains of
// the lossless ones, for a second or for as long as WIREKIT_SOAK says:
//
//	WIREKIT_SOAK=10m go test ./conformance -run TestSoak -v -timeout 0
//
// A failure names the seed of the generator and the smallest value.
func TestSoak(t *testing.T) {
	length, seed := time.Second, uint64(1)
	if s := os.Getenv("WIREKIT_SOAK"); s != "" {
		var err error
		length, err = time.ParseDuration(s)
		require.NoError(t, err)
		seed = uint64(time.Now().UnixNano())
	}
	var codecs, keeping []wire.Codec
	for _, e := range entries() {
		codecs = append(codecs, e.Codec)
		if e.Codec.Info().Loss&wire.LossContent == 0 {
			keeping = append(keeping, e.Codec)
		}
	}
	lossless := slices.DeleteFunc(slices.Clone(codecs), func(c wire.Codec) bool { return c.Info().Loss&^variants.LossKinds != 0 })
	end := time.Now().Add(length)
	var group sync.WaitGroup
	counts := make([]int, runtime.GOMAXPROCS(0))
	for w := range counts {
		group.Go(func() {
			// Every batch has a seed of its own, so that one batch repeats a failure.
			for batch := seed + uint64(w)<<32; time.Now().Before(end) && !t.Failed(); batch++ {
				counts[w] += soak(t, batch, codecs, lossless, keeping)
			}
		})
	}
	group.Wait()
	total := 0
	for _, n := range counts {
		total += n
	}
	t.Logf("%d values through %d codecs, and through chains of the %d lossless ones and of the %d that keep all content, in %v",
		total, len(codecs), len(lossless), len(keeping), length)
	require.NotZero(t, total)
}

const soakBatch = 50

// soak tries the values of one seed: each codec alone, then random chains of
// each set. It reports the first failure of each kind.
func soak(t *testing.T, seed uint64, codecs []wire.Codec, chained ...[]wire.Codec) int {
	g := conformance.NewGenerator(seed)
	r := rand.New(rand.NewPCG(seed, 99))
	seen := map[string]bool{}
	try := func(what string, v wire.Value, check func(wire.Value) error) {
		err := check(v)
		if err == nil || seen[what+rule(err)] {
			return
		}
		seen[what+rule(err)] = true
		small := conformance.Shrink(v, func(c wire.Value) bool { return rule(check(c)) == rule(err) })
		t.Errorf("seed %d, %s: %v\nsmallest value: %#v", seed, what, check(small), small)
	}
	for i := range soakBatch {
		g.Kinds = i%4 == 0
		v := g.Value()
		for _, c := range codecs {
			try(c.Info().Name, v, func(v wire.Value) error { _, err := conformance.Check(c, v); return err })
		}
		for _, set := range chained {
			chain := make([]wire.Codec, 2+r.IntN(5))
			for i := range chain {
				chain[i] = set[r.IntN(len(set))]
			}
			try("chain", v, func(v wire.Value) error { _, err := conformance.Chain(chain, v); return err })
		}
	}
	return soakBatch
}

// rule is the part of a failure that stays the same when its value shrinks.
func rule(err error) string {
	if err == nil {
		return ""
	}
	return strings.SplitN(err.Error(), ":", 2)[0]
}
