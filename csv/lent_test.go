package csv

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/internal/testkit/payload"
	"github.com/wirekit/wirekit/wire"
)

// requireLent holds that values and records are lent as they are given, with the same
// errors, and that an empty interface gets the same.
func requireLent(t testing.TB, c Codec, text string) {
	t.Helper()
	requireCells(t, c, text)
	want, wantErr := c.Decode([]byte(text))
	err := wire.View(c, []byte(text), func(got wire.Value) error {
		require.True(t, wire.Identical(want, got), "%q\nis lent as %v, decoded it is %v", text, got, want)
		return nil
	})
	require.Equal(t, wantErr, err, "%q", text)
	codectest.SameAny(t, c, []byte(text))

	records, wantErr := codectest.Collect(t, c.Records(strings.NewReader(text)))
	var lent []wire.Value
	for row, e := range wire.ViewRecords(c, strings.NewReader(text)) {
		if err = e; err == nil {
			lent = append(lent, row.Clone())
		}
	}
	require.Equal(t, wantErr, err, "%q", text)
	require.True(t, wire.Identical(wire.Array(records...), wire.Array(lent...)), "%q\nis lent as %v, given as %v", text, lent, records)
}

// requireCells holds that a table is what its cells say, one after the other.
func requireCells(t testing.TB, c Codec, text string) {
	t.Helper()
	got, err := c.Decode([]byte(text))
	var d decoder
	require.NoError(t, c.begin(&d))
	if d.Begin([]byte(text)) != nil {
		require.Error(t, err)
		return
	}
	var rows []wire.Value
	if !d.AtEnd() && d.Header() != nil {
		require.Error(t, err)
		return
	}
	for values := 0; !d.AtEnd(); {
		bad := d.record() != nil
		values += 1 + len(d.cells)
		var members []wire.Member
		for i, c := range d.cells {
			switch {
			case bad || i == d.Keys.Len() || values > d.Limits.Values || c == cell{at: c.at} && d.Keys.Len() == 1:
				bad = true
			case c.text == "" && !c.quoted && !d.text:
			default:
				members = append(members, wire.Member{Key: d.Keys.At(i), Value: ofCell(c, d.text)})
			}
		}
		if bad || len(d.cells) != d.Keys.Len() || len(members) == 0 {
			require.Error(t, err, "%q", text)
			return
		}
		row, err := wire.Object(members...)
		require.NoError(t, err)
		rows = append(rows, row)
	}
	require.NoError(t, err, "%q", text)
	require.True(t, wire.Identical(wire.Array(rows...), got), "%q is read as %v, its cells are %v", text, got, rows)
}

func ofCell(c cell, text bool) wire.Value {
	switch {
	case c.quoted || text:
		return wire.String(c.text)
	case c.text == "null":
		return wire.Null()
	case c.text == "true", c.text == "false":
		return wire.Bool(c.text == "true")
	}
	if v, err := wire.Number(c.text); err == nil {
		return v
	}
	return wire.String(c.text)
}

// TestRowsShareKeys: rows with all members have one list of keys, those that lack the
// same members too, however they are read.
func TestRowsShareKeys(t *testing.T) {
	text := "a,b,c\n1,2,3\n4,,5\n\"\",x,\"y\"\"z\"\n,,6\n7,,8\n"
	check := func(v wire.Value) error {
		require.Same(t, v.Index(0).Keys(), v.Index(2).Keys())
		require.Same(t, v.Index(1).Keys(), v.Index(4).Keys())
		return nil
	}
	require.NoError(t, check(codectest.Decoded(t, Codec{}, text)))
	require.NoError(t, wire.View(Codec{}, []byte(text), check))
	require.NoError(t, check(wire.Array(codectest.All(t, Codec{}.Records(strings.NewReader(text)))...)))
}

// TestKeysOutliveTexts: key lists stay what they are when the memory of the table that
// they were read in has others.
func TestKeysOutliveTexts(t *testing.T) {
	var keys []*wire.Keys
	for _, text := range []string{"name,city\nx,y\n,z\n", "NAME,CITY\nx,y\n,z\n", "\"na\"\"me\",city\nx,y\n,z\n"} {
		require.NoError(t, wire.View(Codec{}, []byte(text), func(v wire.Value) error {
			keys = append(keys, v.Index(0).Keys(), v.Index(1).Keys())
			return nil
		}))
		for row, err := range wire.ViewRecords(Codec{}, strings.NewReader(text)) {
			require.NoError(t, err)
			keys = append(keys, row.Keys())
		}
	}
	var names []string
	for _, k := range keys {
		for _, name := range k.All() {
			names = append(names, name)
		}
	}
	require.Equal(t, "name city city name city city NAME CITY CITY NAME CITY CITY na\"me city city na\"me city city", strings.Join(names, " "))
}

// TestLentRandom reads tables one after the other in the same memory: some are damaged,
// and limits end some.
func TestLentRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 9))
	pieces := []string{"", "", "a", "17", "-0.5e1", "null", "true", "\"x\"", "\"say \"\"hi\"\"\"", "\"1,2\"", "\"two\nlines\"", "é\tü", "12345678901234567890", "007", "-", "a long text without any mark in it", ".5", "1.", "2024-01-31"}
	for range 1500 {
		var b strings.Builder
		width := 1 + r.IntN(12)
		for i := range width {
			b.WriteString(strings.Repeat(",", min(i, 1)) + "c" + string(rune('a'+i)))
		}
		for range r.IntN(12) {
			b.WriteString([]string{"\n", "\n", "\n", "\r\n"}[r.IntN(4)])
			for i := range width {
				b.WriteString(strings.Repeat(",", min(i, 1)) + pieces[r.IntN(len(pieces))])
			}
		}
		text := b.String()
		c := Codec{AllStrings: r.IntN(4) == 0}
		switch r.IntN(6) {
		case 0:
			at := r.IntN(len(text))
			text = text[:at] + text[at+1:]
		case 1:
			text = text[:r.IntN(len(text)+1)]
		case 2:
			at := r.IntN(len(text))
			text = text[:at] + ",\"\n\r\x01x"[r.IntN(6):][:1] + text[at:]
		case 3:
			c.Limits = wire.Limits{Values: 1 + r.IntN(100), LineBytes: 1 + r.IntN(200)}
		}
		requireLent(t, c, text)
	}
}

// TestPayloadTables: the tables among the payloads come back, in any configuration.
func TestPayloadTables(t *testing.T) {
	n := 0
	for _, p := range payload.All() {
		for _, c := range []Codec{{}, {Comma: '\t'}, {Comma: ':'}} {
			text, err := c.AppendEncode(nil, p.Value)
			if err != nil {
				require.ErrorIs(t, err, wire.ErrShape)
				continue
			}
			n++
			require.True(t, wire.Equal(p.Value, codectest.Decoded(t, c, text)), p.Kind)
			requireLent(t, c, string(text))
		}
	}
	require.Greater(t, n, 20)
}
