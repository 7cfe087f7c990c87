//go:build unix

// Command bench prints a Markdown table of how fast other Go libraries are beside wirekit.
package main

import (
	"fmt"
	"runtime"
	"syscall"
	"time"

	"github.com/bytedance/sonic"
	fxamacker "github.com/fxamacker/cbor/v2"
	shamaton "github.com/shamaton/msgpack/v2"
	vmihailenco "github.com/vmihailenco/msgpack/v5"
	"github.com/wirekit/wirekit/cbor"
	"github.com/wirekit/wirekit/msgpack"
	"github.com/wirekit/wirekit/wire"
)

type library struct {
	marshal   func(v any) ([]byte, error)
	unmarshal func(src []byte, v any) error
}

// equal writes what wirekit writes: sorted keys, and times as texts to the nanosecond.
var equal, _ = fxamacker.EncOptions{Sort: fxamacker.SortBytewiseLexical, Time: fxamacker.TimeRFC3339Nano, TimeTag: fxamacker.EncTagRequired}.EncMode()

// formats have wirekit first, and the others in the order of the table.
var formats = [][]library{
	{{func(v any) ([]byte, error) { return wire.Marshal(wire.JSON{}, v) }, func(src []byte, v any) error { return wire.Unmarshal(wire.JSON{}, src, v) }},
		{sonic.ConfigStd.Marshal, sonic.ConfigStd.Unmarshal}},
	{{cbor.Marshal, cbor.Unmarshal}, {fxamacker.Marshal, fxamacker.Unmarshal}, {equal.Marshal, fxamacker.Unmarshal}},
	{{msgpack.Marshal, msgpack.Unmarshal}, {vmihailenco.Marshal, vmihailenco.Unmarshal}, {shamaton.Marshal, shamaton.Unmarshal}},
}

type member struct {
	Name, Team string
	Score      float64
}

type span struct {
	Begun, Ended time.Time
	Members      []member
}

// spent returns the processor time of n calls.
func spent(n int, call func() error) float64 {
	var from, to syscall.Rusage
	runtime.GC()
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &from)
	for range n {
		if err := call(); err != nil {
			panic(err)
		}
	}
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &to)
	return float64(to.Utime.Nano() + to.Stime.Nano() - from.Utime.Nano() - from.Stime.Nano())
}

// row prints a row of least times, in forty alternating rounds of n calls each.
func row[T any](name string, v T, n int) {
	fmt.Print("| ", name)
	for _, libraries := range formats {
		fastest := make([][2]float64, len(libraries))
		for range 40 {
			for i, l := range libraries {
				doc, _ := l.marshal(v)
				fastest[i][0] = max(fastest[i][0], 1/spent(n, func() error { _, err := l.marshal(v); return err }))
				fastest[i][1] = max(fastest[i][1], 1/spent(n, func() error { return l.unmarshal(doc, new(T)) }))
			}
		}
		for _, other := range fastest[1:] {
			fmt.Printf(" | %.2f, %.2f", fastest[0][0]/other[0], fastest[0][1]/other[1])
		}
	}
	fmt.Println(" |")
}

func main() {
	fmt.Println("| others' time / wirekit's: write, read | sonic | fxamacker/cbor | the same, equal content | vmihailenco/msgpack | shamaton/msgpack |\n| --- | --: | --: | --: | --: | --: |")
	mixed, records, members, spans := []any{}, []map[string]any{}, []member{}, []span{}
	for i := range 3000 {
		m, at := member{fmt.Sprint("name ", i), "red", float64(i) / 7}, time.Date(2026, 11, 24, 8, 0, i, 123456789, time.UTC)
		mixed = append(mixed, i, m.Name, m.Score, i%3 == 0, nil)
		records = append(records, map[string]any{"name": m.Name, "team": m.Team, "score": m.Score, "active": true, "tags": []any{"a", i}})
		members = append(members, m)
		spans = append(spans, span{at, at.Add(time.Minute), members[:i%3]})
	}
	row("15,000 mixed `any`", mixed, 100)
	row("3,000 maps of `any`", records, 50)
	row("3,000 structs", members, 100)
	row("3,000 structs with two times and lists", spans, 50)
	row("one map of `any`", records[0], 50_000)
	row("one struct", members[0], 50_000)
}
