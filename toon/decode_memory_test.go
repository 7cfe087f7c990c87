package toon

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/wirekit/wirekit/internal/testkit/trials"
	"github.com/wirekit/wirekit/wire"
)

// decoded is what a parser with memory of its own gives.
func decoded(c Codec, text string) (wire.Value, error) { return new(parser).decode(c, []byte(text)) }

// sameDecoding compares two results.
func sameDecoding(t *testing.T, c Codec, text string, v, want wire.Value, err, wantErr error) {
	t.Helper()
	if fmt.Sprint(err) != fmt.Sprint(wantErr) || err == nil && !wire.Identical(v, want) {
		t.Errorf("%+v\n%s\n%v\n%v\nin memory of its own\n%v\n%v", c, text, v, err, want, wantErr)
	}
}

// reused is memory that one document after the other has.
type reused struct {
	idle []*fieldList
}

// decode decodes in the memory, and holds that nothing of the document stays there.
func (m *reused) decode(t *testing.T, c Codec, text string) {
	t.Helper()
	want, wantErr := decoded(c, text)
	p := parser{idle: m.idle}
	v, err := p.decode(c, []byte(text))
	p.forget()
	m.idle = p.idle
	sameDecoding(t, c, text, v, want, err, wantErr)
	m.isEmpty(t)
}

func (m *reused) isEmpty(t *testing.T) {
	t.Helper()
	for _, list := range m.idle {
		for _, f := range list.fields[:cap(list.fields)] {
			if f != (field{}) {
				t.Fatalf("idle memory knows %+v", f)
			}
		}
		if list.text != "" || list.keys != nil || len(list.fields) > 0 {
			t.Fatalf("idle memory knows %+v", list)
		}
		if len(m.idle) > maxLists || cap(list.fields) > maxFields {
			t.Fatal("idle memory is too large")
		}
	}
}

// TestMemoryOfOthers decodes documents one after the other in the same memory: such
// whose lines begin alike and go on otherwise, with faults among them.
func TestMemoryOfOthers(t *testing.T) {
	trials.OneGoroutine(t)
	var m reused
	two, one, four := Codec{}, Codec{Indent: 1}, Codec{Indent: 4}
	like := "a:\n  x: 1\n  y: 2\nb:\n  x: 3\n  y: 4\n"
	for _, d := range []struct {
		codec Codec
		text  string
	}{
		{two, like},
		{one, like}, // two levels at once
		{four, like},
		{two, like},
		{one, "a:\n x: 1\n y: 2\nb:\n x: 3\n y: 4"},
		{two, "a:\n  x[2]: 1,2\n  y: 2\nb:\n  x: 3\n  y: 4"},
		{two, "a:\n  x:\n    x: 1\n    y: 2\n  y: 2\nb:\n  x: 3\n  y: 4\n"},
		{two, "a:\n  x[2]{p,q}:\n    1,2\n    3,4\n  y: 2\nb:\n  x[1]{p}:\n    1\n  y: 4\n"},
		{two, "a:\n  x[2]{p,q}:\n    1,2\n    3\n  y: 2\n"},
		{two, "a:\n  x[2]{p,\"q"},
		{two, "a:\n  x[2]{p{u,v},q}:\n    1,2,3\n    4,5,6\nb[2]{p{u,v,w},q}:\n  1,2,3,4\n  5,6,7,8"},
		{two, "[2]:\n  - x: 1\n    y: 2\n  - x: 1\n    y: 2\n"},
		{two, "[2]:\n  - x: 1\n    y: 2\n  - x: 1\n      y: 2\n"},
		{one, "[2]:\n - x: 1\n   y: 2\n - x: 1\n   y: 2\n"},
		{one, "[2]:\n - x: 1\n  y: 2\n - x: 1\n  y: 2\n"},
		{two, "[2]:\n  - \"x y\": 1\n    y: 2\n  - \"x y\": 1\n    y: 2\n"},
		{two, like},
	} {
		m.decode(t, d.codec, d.text)
	}
	rng := rand.New(rand.NewPCG(3, 13))
	for range 600 {
		c := Codec{Indent: 1 + rng.IntN(3), Lenient: rng.IntN(3) == 0, Delimiter: ",\t|"[rng.IntN(3)]}
		text, err := c.AppendEncode(nil, similar(rng))
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(string(text), "\n")
		for range rng.IntN(3) {
			lines = disturb(rng, lines)
		}
		if rng.IntN(4) == 0 {
			c.Indent = 1 + rng.IntN(3)
		}
		m.decode(t, c, strings.Join(lines, "\n"))
	}
}

// TestMemoryIsBounded: documents with much to learn leave no more than is kept, and
// are read as ever.
func TestMemoryIsBounded(t *testing.T) {
	var m reused
	for _, text := range []string{wide(300, 40, 3), wide(600, 2, 3), wide(40, 100, 300), wide(2, 100, 20_000), wide(3, 120, 9), tabular(600, 5), tabular(3, 2000)} {
		m.decode(t, Codec{}, text)
		m.decode(t, Codec{}, "a:\n  x: 1\n  y: 2\nb:\n  x: 3\n  y: 4\n")
	}
}

// wide returns n objects with other keys each, of that number and length, twice.
func wide(n, keys, length int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "o%d[2]:\n", i)
		for row := range 2 {
			for k := range keys {
				begin := "    "
				if k == 0 {
					begin = "  - "
				}
				fmt.Fprintf(&b, "%sk%d_%d%s: %d\n", begin, i, k, strings.Repeat("x", length), row)
			}
		}
	}
	return b.String()
}

// tabular returns n tables of other columns each.
func tabular(n, columns int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "t%d[1]{c%d", i, i)
		for k := range columns {
			fmt.Fprintf(&b, ",c%d_%d", i, k)
		}
		b.WriteString("}:\n  1" + strings.Repeat(",2", columns) + "\n")
	}
	return b.String()
}

// TestMemoryOfMany decodes on several goroutines, with and without lending.
func TestMemoryOfMany(t *testing.T) {
	trials.OneGoroutine(t)
	t.Parallel()
	rng := rand.New(rand.NewPCG(5, 13))
	type document struct {
		codec   Codec
		text    string
		want    wire.Value
		wantErr error
	}
	var docs []document
	for range 40 {
		c := Codec{Indent: 1 + rng.IntN(3)}
		text, err := c.AppendEncode(nil, similar(rng))
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(string(text), "\n")
		if rng.IntN(3) == 0 {
			lines = disturb(rng, lines)
		}
		d := document{codec: c, text: strings.Join(lines, "\n")}
		d.want, d.wantErr = decoded(c, d.text)
		docs = append(docs, d)
	}
	var group sync.WaitGroup
	for g := range 4 {
		group.Go(func() {
			for i := range 10 * len(docs) {
				d := docs[(i*(1+2*g)+g)%len(docs)]
				v, err := d.codec.Decode([]byte(d.text))
				sameDecoding(t, d.codec, d.text, v, d.want, err, d.wantErr)
				err = wire.View(d.codec, []byte(d.text), func(v wire.Value) error {
					sameDecoding(t, d.codec, d.text, v, d.want, nil, d.wantErr)
					return nil
				})
				if fmt.Sprint(err) != fmt.Sprint(d.wantErr) {
					t.Errorf("%v, not %v", err, d.wantErr)
				}
			}
		})
	}
	group.Wait()
}

// TestListsOfStreams: the field lists of a stream's elements end with no part of it,
// but keep no text of parts that are read.
func TestListsOfStreams(t *testing.T) {
	text := "[3]:\n  - t[2]{a,b}:\n      1,2\n      3,4\n    u: 1\n  - t[1]{a,b}:\n      5,6\n    u: 2\n  - t[2]{b{c,d},a}:\n      1,2,3\n      4,5,6\n    u: 3\n"
	rows := "[3]{a,b{c,d}}:\n  1,2,3\n  4,5,6\n  7,8,9\n"
	for _, text := range []string{text, rows} {
		want, err := decoded(Codec{}, text)
		if err != nil {
			t.Fatal(err)
		}
		for name, records := range map[string]func() []wire.Value{
			"given": func() (all []wire.Value) {
				for v, err := range (Codec{}).Records(strings.NewReader(text)) {
					if err != nil {
						t.Fatal(err)
					}
					_, _ = Codec{}.Decode([]byte("x[2]{y,z}:\n  1,2\n  3,4\nw[1]{v}:\n  1")) // meanwhile
					all = append(all, v)
				}
				return all
			},
			"lent": func() (all []wire.Value) {
				for v, err := range wire.ViewRecords(Codec{}, strings.NewReader(text)) {
					if err != nil {
						t.Fatal(err)
					}
					_, _ = Codec{}.Decode([]byte("x[2]{y,z}:\n  1,2\n  3,4\nw[1]{v}:\n  1"))
					all = append(all, v.Clone())
				}
				return all
			},
		} {
			if got := wire.Array(records()...); !wire.Identical(got, want) {
				t.Errorf("%s: %v, not %v", name, got, want)
			}
		}
	}
}
