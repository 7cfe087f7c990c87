package columns_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/csv"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/internal/testkit/faulty"
	"github.com/wirekit/wirekit/internal/testkit/trials"
	"github.com/wirekit/wirekit/md"
	"github.com/wirekit/wirekit/wire"
)

// read returns what the records of a stream are, and where and why they end.
func read(t testing.TB, c wire.Streamer, r io.Reader) string {
	t.Helper()
	records, err := codectest.Collect(t, c.Records(r))
	text := string(wire.AppendJSON(nil, wire.Array(records...)))
	var e *wire.Error
	if errors.As(err, &e) {
		return fmt.Sprintf("%s, %s at %d, %d:%d (%s): %v %v", text, e.Code, e.Offset, e.Line, e.Column, e.Path(), e, e.Kind)
	}
	return fmt.Sprint(text, ", ", err)
}

// requirePortions holds that a stream gives the same in whatever portions it comes, and
// returns that.
func requirePortions(t testing.TB, c wire.Streamer, text string) string {
	t.Helper()
	want := read(t, c, strings.NewReader(text))
	for name, r := range faulty.Readers([]byte(text)) {
		require.Equal(t, want, read(t, c, r), "%s: %q", name, text)
	}
	return want
}

// TestPortions: values, errors and positions do not depend on how much of a stream a
// reader delivers at a time.
func TestPortions(t *testing.T) {
	long := strings.Repeat("x", 40)
	for _, c := range []struct {
		name  string
		codec wire.Streamer
		text  string
		want  string // begins like this
	}{
		{"csv rows", csv.Codec{}, "\ufeffa,b\r\n1,\"x\ny\"\n2,\n\n", `[{"a":1,"b":"x\ny"},{"a":2}], <nil>`},
		{"csv bad bytes", csv.Codec{}, "a\n1\n\xff\n", `[{"a":1}], invalid_utf8 at 4, 3:1 ()`},
		{"csv bad bytes in a row that is short up to them", csv.Codec{Limits: wire.Limits{LineBytes: 10}}, "a\n\"x\n\xff" + long + "\n\"\n", `[], invalid_utf8 at 5, 3:1 ()`},
		{"csv bad bytes in a row that goes on", csv.Codec{Limits: wire.Limits{LineBytes: 10}}, "a\n\"x\n\xff\nxxxx\nxxxx\n\"\n", `[], invalid_utf8 at 5, 3:1 ()`},
		{"csv bad bytes in a row that is too long before", csv.Codec{Limits: wire.Limits{LineBytes: 10}}, "a\n\"" + long + "\xff\"\n", `[], line_too_long at 2, 2:1 ()`},
		{"csv a row as long as it may be", csv.Codec{Limits: wire.Limits{LineBytes: 10}}, "a\r\n0123456789\r\n\"234\n6789\"\n", `[{"a":"0123456789"},{"a":"234\n6789"}], <nil>`},
		{"csv a row too long by a byte", csv.Codec{Limits: wire.Limits{LineBytes: 10}}, "a\n1\n0123456789x\n", `[{"a":1}], line_too_long at 4, 3:1 ()`},
		{"csv a row of several lines too long by a byte", csv.Codec{Limits: wire.Limits{LineBytes: 10}}, "a\n1\n\"23\n\n\n789x\"\n", `[{"a":1}], line_too_long at 4, 3:1 ()`},
		{"csv blank lines before a row", csv.Codec{Limits: wire.Limits{LineBytes: 10}}, "a\n1\n\n\n\n\n012345678\n", `[{"a":1}], blank_line at 4, 3:1 (/1)`},
		{"csv blank lines before a row that is too long", csv.Codec{Limits: wire.Limits{LineBytes: 10}}, "a\n1\n\n" + long + "\n", `[{"a":1}], blank_line at 4, 3:1 (/1)`},
		{"csv blank lines before the header", csv.Codec{}, "\ufeff\n\na\n1\n", `[], blank_line at 3, 1:2 ()`},
		{"md rows", md.Codec{}, "\n\ufeff", `[], no_delimiter_row`},
		{"md a mark", md.Codec{}, "\ufeff\n| a |\n|-|\n| 1 |\n", `[{"a":1}], <nil>`},
		{"md a mark within", md.Codec{}, "\n\ufeff\n|-|\n", `[], <nil>`},
		{"md a row as long as it may be", md.Codec{Limits: wire.Limits{LineBytes: 10}}, "|a|\r\n|-|\r\n| 345678 |\r\n", `[{"a":345678}], <nil>`},
		{"md a row too long by a space", md.Codec{Limits: wire.Limits{LineBytes: 10}}, "|a|\n|-|\n|1|\n| 345678 | \n", `[{"a":1}], line_too_long at 12, 4:1 (/1)`},
		{"md a row too long", md.Codec{Limits: wire.Limits{LineBytes: 10}}, "|a|\n|-|\n|1|\n|" + long + "|\n", `[{"a":1}], line_too_long at 12, 4:1 (/1)`},
		{"md a header too long", md.Codec{Limits: wire.Limits{LineBytes: 10}}, "|" + long + "|\n|-|\n", `[], line_too_long at 0, 1:1 ()`},
		{"md a blank line too long", md.Codec{Limits: wire.Limits{LineBytes: 10}}, "|a|\n|-|\n|1|\n" + strings.Repeat(" ", 30) + "\n\n", `[{"a":1}], line_too_long at 12, 4:1 ()`},
		{"md a blank line too long after a record", md.Codec{Limits: wire.Limits{LineBytes: 10}}, "## 1\n- a: 1\n" + strings.Repeat(" ", 30) + "\n\n", `[{"a":1}], line_too_long at 12, 3:1 ()`},
		{"md bad bytes", md.Codec{}, "|a|\n|-|\n|1|\n|\xff|\n", `[{"a":1}], invalid_utf8 at 13, 4:2 ()`},
		{"md bad bytes after much", md.Codec{Limits: wire.Limits{LineBytes: 10}}, "|a|\n|-|\n|" + long + "\xff|\n", `[], line_too_long at 8, 3:1 (/0)`},
		{"md:kv records", md.Codec{}, "## 1\n- a: 1\n\n## 2\n\n## 3\n- a: x\n", `[{"a":1},{},{"a":"x"}], <nil>`},
		{"md:kv a record too long", md.Codec{Limits: wire.Limits{InputBytes: 18}}, "\n\n## 1\n- a: 1\n## 2\n- a: 1\n- b: 2\n## 3\n", `[{"a":1}], input_too_long at 32, 7:7 ()`},
		{"md:kv a record as long as it may be", md.Codec{Limits: wire.Limits{InputBytes: 19}}, "\n\n## 1\n- a: 1\n- b: 2\n## 2\n- a: 1\n- b: 2\n## 3\n", `[{"a":1,"b":2},{"a":1,"b":2},{}], <nil>`},
		{"md:kv a long line in a record too long", md.Codec{Limits: wire.Limits{InputBytes: 90, LineBytes: 10}}, "## 1\n- a: " + long + "\n- b: " + long + "\n- c: " + long, `[], line_too_long at 5, 2:1 (/0)`},
		{"md:kv bad bytes before what is too long", md.Codec{Limits: wire.Limits{InputBytes: 20}}, "## 1\n- a: \xff\n- b: " + long, `[], invalid_utf8 at 10, 2:6 ()`},
		{"md:kv bad bytes after what is too long", md.Codec{Limits: wire.Limits{InputBytes: 20}}, "## 1\n- b: " + long + "\xff\n", `[], input_too_long at 20, 2:16 ()`},
		{"md the header is no record", md.Codec{Limits: wire.Limits{InputBytes: 5}}, "| a |\n| - |\n| 1 |\n", `[{"a":1}], <nil>`},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.True(t, strings.HasPrefix(requirePortions(t, c.codec, c.text), c.want), "%s", requirePortions(t, c.codec, c.text))
		})
	}
}

// TestPortionsRandom is TestPortions for damaged tables with limits.
func TestPortionsRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 7))
	pieces := []string{"a", "1", "\n", "\n", "\n", "\r\n", "\r", "\"", "\"", " ", "\t", "\ufeff", "\xff", "é", "\xf0\x9f", "|", "|-|\n", "|a|\n|-|\n", "## 1\n", "\n## 2\n", "- a: ", "- b: 1\n", ",", "a,b\n", "\\|", "long enough"}
	for range trials.Of(2000) {
		var text bytes.Buffer
		text.WriteString([]string{"", "a\n", "|a|\n|-|\n", "## 1\n", "\ufeff"}[r.IntN(5)])
		for range r.IntN(16) {
			text.WriteString(strings.Repeat(pieces[r.IntN(len(pieces))], 1+r.IntN(3)))
		}
		limits := wire.Limits{LineBytes: r.IntN(30), InputBytes: r.IntN(50), Values: r.IntN(12)}
		requirePortions(t, csv.Codec{Limits: limits}, text.String())
		requirePortions(t, md.Codec{Limits: limits}, text.String())
	}
}
