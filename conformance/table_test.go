package conformance_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/internal/codec/describe"
	"github.com/wirekit/wirekit/internal/testkit/growth"
	"github.com/wirekit/wirekit/internal/testkit/resident"
	"github.com/wirekit/wirekit/wire"
)

// A direction is one way in which a codec meets a shape. It returns what is measured
// and the length of what that is given, or nil where the codec does not go that way.
type direction struct {
	name string
	of   func(c wire.Codec, value wire.Value, text []byte) (run func(), input int)
}

// fromValue are the directions of values, whose JSON has that many bytes.
var fromValue = []direction{
	{"encode", func(c wire.Codec, v wire.Value, text []byte) (func(), int) {
		return func() { _, _ = c.AppendEncode(nil, v) }, len(text)
	}},
	{"write records", func(c wire.Codec, v wire.Value, text []byte) (func(), int) {
		s, ok := c.(wire.Streamer)
		if !ok || v.Kind() != wire.KindArray {
			return nil, 0
		}
		if errors.Is(write(s, v, len(text)), io.ErrShortWrite) {
			return nil, 0 // what is longer has an allowance of its own
		}
		return func() { _ = write(s, v, len(text)) }, len(text)
	}},
}

// fromText are the directions of a format's own text.
var fromText = []direction{
	{"decode", func(c wire.Codec, _ wire.Value, text []byte) (func(), int) {
		return func() { _, _ = c.Decode(text) }, len(text)
	}},
	{"unmarshal", func(c wire.Codec, _ wire.Value, text []byte) (func(), int) {
		return func() {
			var into any // or what a call before has made is held beside it
			_ = wire.Unmarshal(c, text, &into)
		}, len(text)
	}},
	{"read records", func(c wire.Codec, _ wire.Value, text []byte) (func(), int) {
		s, ok := c.(wire.Streamer)
		if !ok {
			return nil, 0
		}
		return func() {
			for range s.Records(bytes.NewReader(text)) {
			}
		}, len(text)
	}},
	{"convert", func(c wire.Codec, _ wire.Value, text []byte) (func(), int) {
		return func() {
			for _, to := range []string{"json", "gcf", "toon", "glyph"} {
				_, _ = wirekit.Convert(text, c.Info().Name, to)
			}
		}, len(text)
	}},
}

// write writes the elements of v as records, to four times n bytes at most.
func write(s wire.Streamer, v wire.Value, n int) error {
	var keys *wire.Keys
	if v.Len() > 0 && v.Index(0).Kind() == wire.KindObject {
		keys = v.Index(0).Keys()
	}
	w, err := s.NewRecordWriter(&short{4 * n}, keys)
	if err != nil {
		return err
	}
	for record := range v.Elements() {
		if err := w.Write(record); err != nil {
			return err
		}
	}
	return w.Close()
}

// short is a writer that takes so many bytes.
type short struct{ left int }

func (w *short) Write(p []byte) (int, error) {
	if w.left -= len(p); w.left < 0 {
		return 0, io.ErrShortWrite
	}
	return len(p), nil
}

// A line of the table is a shape with the codecs that meet it.
type line struct {
	name string
	text func(n int) string // JSON, or the format's own text
	own  string             // the format of the text, if it is not JSON
	n    int                // the length of the smaller text, if it is not the usual one
}

const (
	// longTable asks for every variant and larger texts.
	longTable = "WIREKIT_TABLE"
	// tableChild is set in the process that measures a line.
	tableChild = "WIREKIT_TABLE_CHILD"

	// perByte and atLeast bound the processor time of a call: they are ten times what
	// the slowest takes.
	perByte = 10 * time.Microsecond
	atLeast = 2 * time.Second
	// noticed is the time from which on growth is looked at.
	noticed = 30 * time.Millisecond
	// steep is what eight times the input may take: 8 to the power of 1.7.
	steep = 34
	tries = 4
)

// TestHostileTable holds every codec, in every direction, to the rules of memory and
// time: no hostile shape takes more resident memory than 64 times its length and
// 64 MiB, and none takes more than linear time. Each line is measured in a process of
// its own, at n and 8n. -short takes one line in eight; all of them, with all
// variants, are in
//
//	WIREKIT_TABLE=1 go test ./conformance -run TestHostileTable -timeout 0
func TestHostileTable(t *testing.T) {
	if resident.RaceEnabled {
		t.Skip("runs without the race detector, which takes time and memory of its own")
	}
	for i, l := range table() {
		if testing.Short() && i%16 != 0 {
			continue
		}
		t.Run(l.name, func(t *testing.T) {
			if os.Getenv(tableChild) != "" {
				l.measure(t)
				return
			}
			cmd := exec.Command(os.Args[0], "-test.run=^TestHostileTable$/^"+regexp.QuoteMeta(strings.ReplaceAll(l.name, " ", "_"))+"$", "-test.count=1")
			cmd.Env = append(os.Environ(), tableChild+"=1")
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

func table() []line {
	var lines []line
	for i, s := range append(moreShapes(), shapes()...) {
		if os.Getenv(longTable) == "" && i >= len(moreShapes()) && i%2 == 0 {
			continue // TestMemoryOfShapes and TestTimeOfShapes have it
		}
		lines = append(lines, line{name: s.name, text: s.text})
	}
	return append(lines, ownTexts()...)
}

func (l *line) measure(t *testing.T) {
	const usual, long = 24 << 10, 128 << 10
	n := l.n
	switch {
	case n > 0:
	case os.Getenv(longTable) != "" || l.own != "":
		n = long
	default:
		n = usual
	}
	if l.own != "" {
		c, err := wirekit.Lookup(l.own)
		require.NoError(t, err)
		small, large := []byte(l.text(n)), []byte(l.text(8*n))
		for _, d := range fromText {
			check(t, c, d, wire.Value{}, small, wire.Value{}, large)
		}
		return
	}
	codecs := wirekit.Registry().Codecs()
	if os.Getenv(longTable) != "" {
		codecs = describe.All(wirekit.Registry())
	}
	for _, name := range []string{"json+fold", "gcf+fold", "toon+fold", "glyph+fold"} {
		c, err := wirekit.Lookup(name)
		require.NoError(t, err)
		codecs = append(codecs, c)
	}
	text, longer := []byte(l.text(n)), []byte(l.text(8*n))
	small, err := wire.ParseJSON(text)
	require.NoError(t, err)
	large, err := wire.ParseJSON(longer)
	require.NoError(t, err)
	for _, c := range codecs {
		for _, d := range fromValue {
			check(t, c, d, small, text, large, longer)
		}
		a, err := c.AppendEncode(nil, small)
		b, also := c.AppendEncode(nil, large)
		if err != nil || also != nil || len(b) > 4*len(longer) {
			continue
		}
		for _, d := range fromText[:3] {
			check(t, c, d, wire.Value{}, a, wire.Value{}, b)
		}
	}
}

// check measures one cell of the table.
func check(t *testing.T, c wire.Codec, d direction, small wire.Value, text []byte, large wire.Value, longer []byte) {
	run, input := d.of(c, large, longer)
	if run == nil {
		return
	}
	what := d.name + " " + c.Info().FullName()
	allowed := resident.Allowed(input)
	tooMuch := func(took int) {
		fmt.Printf("%s: %d bytes took %d MiB of memory, %d MiB are allowed\n", what, input, took>>20, allowed>>20)
	}
	var spent time.Duration
	if took := resident.Peak(allowed, func() { spent = growth.Used(run) }, tooMuch); took > allowed {
		tooMuch(took)
		t.Fail()
	}
	most := max(atLeast, time.Duration(input)*perByte)
	for i := 1; spent > most && i < tries; i++ {
		spent = min(spent, growth.Used(run))
	}
	if spent > most {
		t.Errorf("%s: %d bytes took %v, %v are allowed", what, input, spent, most)
	}
	shorter, _ := d.of(c, small, text)
	if spent < noticed || shorter == nil {
		return
	}
	least := growth.Used(shorter)
	for i := 1; spent > steep*(least+time.Millisecond) && i < tries; i++ {
		least, spent = max(least, growth.Used(shorter)), min(spent, growth.Used(run))
	}
	if spent > steep*(least+time.Millisecond) {
		t.Errorf("%s: time grows faster than the input: %d bytes took %v, %d took %v", what, len(text), least, input, spent)
	}
}
