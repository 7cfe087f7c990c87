//go:build upstream

package gcf_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit/gcf"
	"github.com/wirekit/wirekit/internal/codectest"
	"github.com/wirekit/wirekit/wire"
)

func goSet(v wire.Value) *gcf.Set {
	return &gcf.Set{Name: member(v, "name").Text(), Key: member(v, "key").Text(),
		Fields: stringsOf(member(v, "fields")), Rows: valuesOf(member(v, "rows"))}
}

func goGenericDelta(v wire.Value) *gcf.SetDelta {
	number := func(key string) int {
		n, _ := member(v, key).Int64()
		return int(n)
	}
	return &gcf.SetDelta{Tool: member(v, "tool").Text(), Key: member(v, "key").Text(),
		Fields: stringsOf(member(v, "fields")), BaseRoot: member(v, "baseRoot").Text(), NewRoot: member(v, "newRoot").Text(),
		Added: valuesOf(member(v, "added")), Changed: valuesOf(member(v, "changed")), Removed: valuesOf(member(v, "removed")),
		DeltaTokens: number("deltaTokens"), FullTokens: number("fullTokens")}
}

func runGenericPackRoot(t *testing.T, f fixture) {
	root, err := gcf.SetPackRoot(goSet(f.value(t, "input")))
	require.NoError(t, err)
	require.Equal(t, f.text("expected"), root)
}

func runGenericDelta(t *testing.T, f fixture) {
	d := goGenericDelta(f.value(t, "input"))
	got, err := gcf.EncodeSetDelta(d)
	require.NoError(t, err)
	require.Equal(t, f.text("expected"), string(got))
	back, err := gcf.DecodeSetDelta(got)
	require.NoError(t, err)
	again, err := gcf.EncodeSetDelta(back)
	require.NoError(t, err)
	require.Equal(t, string(got), string(again))
}

func runGenericDeltaVerify(t *testing.T, f fixture) {
	input := f.value(t, "input")
	d := goGenericDelta(member(input, "delta"))
	d.NewRoot = member(input, "expectedNewRoot").Text()
	base := goSet(member(input, "base"))
	next, err := gcf.ApplySetDelta(base, d)
	f.outcome(t, next, err)
}

// outcome compares a new set, or an error, with what the fixture expects.
func (f fixture) outcome(t *testing.T, next *gcf.Set, err error) {
	if want := f.text("expectedError"); want != "" {
		e := codectest.Error(t, err)
		require.Contains(t, err.Error(), want)
		if !strings.Contains(want, " ") {
			require.Equal(t, want, e.Code)
		}
		return
	}
	require.NoError(t, err)
	root, err := gcf.SetPackRoot(next)
	require.NoError(t, err)
	require.Equal(t, f.text("expected"), root)
}

func runGenericDeltaDecode(t *testing.T, f fixture) {
	input := f.value(t, "input")
	d, err := gcf.DecodeSetDelta([]byte(member(input, "wire").Text()))
	if err != nil {
		f.outcome(t, nil, err)
		return
	}
	require.Equal(t, member(input, "expectedNewRoot").Text(), d.NewRoot)
	next, err := gcf.ApplySetDelta(goSet(member(input, "base")), d)
	f.outcome(t, next, err)
}

func runGenericDeltaSession(t *testing.T, f fixture) {
	input, want := f.value(t, "input"), f.value(t, "expected")
	var policy gcf.ReAnchor
	switch p := member(input, "policy"); member(p, "mode").Text() {
	case "fixedN":
		n, _ := member(p, "n").Int64()
		policy.Turns = int(n)
	case "sizeGuard":
		policy.Size = true
	default:
		t.Fatal("an unknown policy")
	}
	tool := member(input, "tool").Text()
	base := goSet(member(input, "base"))
	base.Tool = tool
	session, first, err := gcf.NewSetSession(base, policy)
	require.NoError(t, err)
	require.Equal(t, member(want, "initialFull").Text(), string(first.Wire))
	var receiver gcf.SetReceiver
	_, err = receiver.Receive(first.Wire)
	require.NoError(t, err)
	emissions := member(want, "emissions")
	require.Equal(t, emissions.Len(), member(input, "updates").Len())
	for i := range emissions.Len() {
		set := goSet(member(input, "updates").Index(i))
		set.Tool = tool
		p, err := session.Next(set)
		require.NoError(t, err)
		require.Equal(t, member(emissions.Index(i), "wire").Text(), string(p.Wire))
		require.Equal(t, member(emissions.Index(i), "isFull").Bool(), p.Outcome == gcf.OutcomeFull)
		_, err = receiver.Receive(p.Wire)
		require.NoError(t, err)
		require.Equal(t, p.Root, receiver.Root())
	}
}
