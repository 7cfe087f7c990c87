//go:build upstream

package gcf_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit/gcf/set"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/wire"
)

func goSet(v wire.Value) *set.Set {
	return &set.Set{Name: member(v, "name").Text(), Key: member(v, "key").Text(),
		Fields: stringsOf(member(v, "fields")), Rows: valuesOf(member(v, "rows"))}
}

func goGenericDelta(v wire.Value) *set.Delta {
	number := func(key string) int {
		n, _ := member(v, key).Int64()
		return int(n)
	}
	return &set.Delta{Tool: member(v, "tool").Text(), Key: member(v, "key").Text(),
		Fields: stringsOf(member(v, "fields")), BaseRoot: member(v, "baseRoot").Text(), NewRoot: member(v, "newRoot").Text(),
		Added: valuesOf(member(v, "added")), Changed: valuesOf(member(v, "changed")), Removed: valuesOf(member(v, "removed")),
		DeltaTokens: number("deltaTokens"), FullTokens: number("fullTokens")}
}

func runGenericPackRoot(t *testing.T, f fixture) {
	root, err := set.PackRoot(goSet(f.value(t, "input")))
	require.NoError(t, err)
	require.Equal(t, f.text("expected"), root)
}

func runGenericDelta(t *testing.T, f fixture) {
	d := goGenericDelta(f.value(t, "input"))
	got, err := set.EncodeDelta(d)
	require.NoError(t, err)
	require.Equal(t, f.text("expected"), string(got))
	back, err := set.DecodeDelta(got)
	require.NoError(t, err)
	again, err := set.EncodeDelta(back)
	require.NoError(t, err)
	require.Equal(t, string(got), string(again))
}

func runGenericDeltaVerify(t *testing.T, f fixture) {
	input := f.value(t, "input")
	d := goGenericDelta(member(input, "delta"))
	d.NewRoot = member(input, "expectedNewRoot").Text()
	base := goSet(member(input, "base"))
	next, err := set.Apply(base, d)
	f.outcome(t, next, err)
}

// outcome compares a new set, or an error, with what the fixture expects.
func (f fixture) outcome(t *testing.T, next *set.Set, err error) {
	if want := f.text("expectedError"); want != "" {
		e := codectest.Error(t, err)
		require.Contains(t, err.Error(), want)
		if !strings.Contains(want, " ") {
			require.Equal(t, want, e.Code)
		}
		return
	}
	require.NoError(t, err)
	root, err := set.PackRoot(next)
	require.NoError(t, err)
	require.Equal(t, f.text("expected"), root)
}

func runGenericDeltaDecode(t *testing.T, f fixture) {
	input := f.value(t, "input")
	d, err := set.DecodeDelta([]byte(member(input, "wire").Text()))
	if err != nil {
		f.outcome(t, nil, err)
		return
	}
	require.Equal(t, member(input, "expectedNewRoot").Text(), d.NewRoot)
	next, err := set.Apply(goSet(member(input, "base")), d)
	f.outcome(t, next, err)
}

func runGenericDeltaSession(t *testing.T, f fixture) {
	input, want := f.value(t, "input"), f.value(t, "expected")
	var session set.Session
	switch p := member(input, "policy"); member(p, "mode").Text() {
	case "fixedN":
		n, _ := member(p, "n").Int64()
		session.FullEvery = int(n)
	case "sizeGuard":
		session.FullBySize = true
	default:
		t.Fatal("an unknown policy")
	}
	tool := member(input, "tool").Text()
	base := goSet(member(input, "base"))
	base.Tool = tool
	first, err := session.Next(base)
	require.NoError(t, err)
	require.Equal(t, member(want, "initialFull").Text(), string(first.Encoded))
	var receiver set.Receiver
	_, err = receiver.Receive(first.Encoded)
	require.NoError(t, err)
	emissions := member(want, "emissions")
	require.Equal(t, emissions.Len(), member(input, "updates").Len())
	for i := range emissions.Len() {
		next := goSet(member(input, "updates").Index(i))
		next.Tool = tool
		p, err := session.Next(next)
		require.NoError(t, err)
		require.Equal(t, member(emissions.Index(i), "wire").Text(), string(p.Encoded))
		require.Equal(t, member(emissions.Index(i), "isFull").Bool(), p.Outcome == "full")
		_, err = receiver.Receive(p.Encoded)
		require.NoError(t, err)
		require.Equal(t, p.Root, receiver.Root())
	}
}
