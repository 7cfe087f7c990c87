package gcf_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit/gcf"
	"github.com/wirekit/wirekit/wire"
)

// TestListsAtOnce compares lists as the encoder writes them, whose numbers are read
// in one loop, with the same lists with a blank after each value.
func TestListsAtOnce(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 9))
	plain := []string{"0", "7", "-7", "1.5", "-0.25", "1234567", "12345678", "-123456789012345678", "179.12345678901234", "0.000"}
	awkward := []string{"-0", "-0.0", "1e5", "1.5E-3", "9223372036854775807", "-9223372036854775808", "01", "1.", ".5", "1.x", "2024-01-01", "+1",
		"", "-", "true", "abc", `"1"`, `"a,b"`, "0." + strings.Repeat("3", 400), strings.Repeat("8", 300) + ".5", "12 34"}
	wrong := []string{"9223372036854775808", "1e400", "~", "^", `"a"b`, `"`, strings.Repeat("8", 400) + ".5"}
	token := func() string {
		switch n := r.IntN(400); {
		case n < 20:
			return awkward[n%len(awkward)]
		case n == 20:
			return wrong[r.IntN(len(wrong))]
		}
		return plain[r.IntN(len(plain))]
	}
	decode := func(limits wire.Limits, doc string) string {
		v, err := gcf.Codec{Limits: limits}.Decode([]byte(doc))
		if err == nil {
			return string(wire.AppendJSON(nil, v))
		}
		e := err.(*wire.Error)
		return fmt.Sprint(e.Code, e.Path(), e.Line, e.Message)
	}
	for range 3000 {
		var doc, loose strings.Builder
		write := func(s string) { doc.WriteString(s); loose.WriteString(s) }
		list := func(n int) {
			write(fmt.Sprintf("[%d]: ", n))
			for i := range n {
				if i > 0 {
					write(",")
				}
				write(token())
				loose.WriteString(" ")
			}
			write("\n")
		}
		indent := strings.Repeat("  ", r.IntN(3))
		write(header)
		for level := range len(indent) / 2 {
			write(indent[:2*level] + "## m\n")
		}
		items := 1 + r.IntN(6)
		count, shape := items+r.IntN(20)/19, 1+r.IntN(4)
		write(fmt.Sprintf("%s## a [%d]\n", indent, count))
		for i := range items {
			switch n := r.IntN(80); {
			case n == 0:
				write(fmt.Sprintf("%s@%d =1\n", indent, i))
				continue
			case n == 1:
				write(fmt.Sprintf("%s@%d [0]\n", indent, i))
				continue
			case n == 2:
				write("# a comment\n\n")
			case n == 3:
				i++
			case n == 4:
				write(indent + " an odd number of spaces\n")
			case n < 8:
				shape = 1 + r.IntN(80)
			}
			write(fmt.Sprintf("%s@%d ", indent, i))
			list(shape)
		}
		if r.IntN(2) > 0 {
			write(indent + "b")
			list(1 + r.IntN(100))
		}
		text, other := doc.String(), loose.String()
		require.Equal(t, decode(wire.Limits{}, other), decode(wire.Limits{}, text), "%s", text)
		values := 1 + r.IntN(40)
		require.Equal(t, decode(wire.Limits{Values: values}, other), decode(wire.Limits{Values: values}, text), "%s", text)
		lendsAsDecoded(t, text)
		lendsAsDecoded(t, strings.ReplaceAll(text, "\n", "\r\n"))
		lendsAsDecoded(t, text[:r.IntN(len(text))])
	}
}

// TestLimitsOfLists: what is read in one loop keeps to the limits.
func TestLimitsOfLists(t *testing.T) {
	doc := []byte(header + "## [3]\n@0 [2]: 1,2\n@1 [2]: 3,4\n@2 [12]: 1,2,3,4,5,6,7,8,9,10,11,12\n")
	for _, c := range []struct {
		limits wire.Limits
		ok     bool
	}{
		{wire.Limits{Values: 20}, true},
		{wire.Limits{Values: 19}, false},
		{wire.Limits{LineBytes: 35}, true},
		{wire.Limits{LineBytes: 34}, false},
		{wire.Limits{Depth: 2}, true},
		{wire.Limits{Depth: 1}, false},
	} {
		_, err := gcf.Codec{Limits: c.limits}.Decode(doc)
		if c.ok {
			require.NoError(t, err, "%+v", c.limits)
		} else {
			require.ErrorIs(t, err, wire.ErrLimit, "%+v", c.limits)
		}
	}
}
