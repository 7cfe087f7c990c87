package lines_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/lines"
	"github.com/wirekit/wirekit/wire"
)

const (
	legendHead  = "lines v1; $1 to $2 stand for the texts below\n$1=the upstream\n$2=$ a=b;\n"
	headingHead = "lines v1; >text begins the lines under it\n"
	repeatHead  = "lines v1; &1 repeats block 1, &*2 the line above twice\n"
)

// decoded are texts and what they stand for, by the rules of docs/lines.md.
var decoded = []struct{ name, text, want string }{
	{"references", legendHead + "$1 x $2\n$2;1 $1;;\n$ $$1\n", "the upstream x $ a=b;\n$ a=b;1 the upstream;\n$ $the upstream\n"},
	{"an entry's form below the legend", legendHead + "$2=1", "$ a=b;=1"},
	{"entries are not read again", "lines v1; $1 to $2 stand for the texts below\n$1=$2\n$2=x\n$1$2", "$2x"},
	{"other marks", "lines v1; ~1 to ~1 stand for the texts below; |text begins the lines under it; =1 repeats block 1, =*2 the line above twice\n~1=x\n|$1>&1\n~1\n=*1", "$1>&1x\n$1>&1x"},
	{"headings", headingHead + "a\n>b/\nc\n\nd\n>\ne\n>f\ng", "a\nb/c\n\nb/d\ne\nfg"},
	{"a heading has no references", "lines v1; $1 to $1 stand for the texts below; >text begins the lines under it\n$1=x\n>$1 \n$1\n", "$1 x\n"},
	{"the line above", repeatHead + "a\n&*2\nb", "a\na\na\nb"},
	{"an empty line above", repeatHead + "\n&*2\n", "\n\n\n"},
	{"blocks", repeatHead + "&1, 2 lines:\na\nb\nc\n&1\n&1*2\n", "a\nb\nc\na\nb\na\nb\na\nb\n"},
	{"blocks that overlap", repeatHead + "&1, 2 lines:\na\n&2, 2 lines:\nb\nc\n&2\n&1", "a\nb\nc\nb\nc\na\nb"},
	{"blocks in blocks", repeatHead + "&1, 1 lines:\na\n&2, 3 lines:\nb\n&1*2\n&2", "a\nb\na\na\nb\na\na"},
	{"a block that ends among repeated lines", repeatHead + "&1, 2 lines:\na\n&*3\n&1", "a\na\na\na\na\na"},
	{"a block under a heading", "lines v1; >text begins the lines under it; &1 repeats block 1, &*2 the line above twice\n>x/\n&1, 2 lines:\na\nb\n>y/\n&1\nc", "x/a\nx/b\nx/a\nx/b\ny/c"},
	{"no line feed", headingHead + ">a\nb", "ab"},
	{"no lines", headingHead, ""},
	{"one empty line", headingHead + "\n", "\n"},
	{"any octets", headingHead + ">\xff\x00\n\x80\r\n", "\xff\x00\x80\r\n"},
}

func TestDecode(t *testing.T) {
	for _, c := range decoded {
		t.Run(c.name, func(t *testing.T) {
			got, err := lines.Decode([]byte(c.text))
			require.NoError(t, err)
			require.Equal(t, c.want, string(got))
			got, err = decodeByDocument([]byte(c.text))
			require.NoError(t, err)
			require.Equal(t, c.want, string(got))
		})
	}
}

// refused are texts that stand for nothing, with the line of the fault.
var refused = []struct {
	name, text, code string
	kind             error
	line             int
}{
	{"empty", "", "no_head", wire.ErrSyntax, 1},
	{"no head", "go: build failed\n", "no_head", wire.ErrSyntax, 1},
	{"a later version", "lines v2; %1 to %9 stand for it\n", "unknown_version", wire.ErrVersion, 1},
	{"a head without a step", "lines v1\na\n", "malformed_head", wire.ErrSyntax, 1},
	{"a head that is cut", "lines v1; >text begins the li", "cut_head", wire.ErrTruncated, 1},
	{"a step that is cut", "lines v1; >text begins the li\na\n", "malformed_head", wire.ErrSyntax, 1},
	{"steps in another order", "lines v1; &1 repeats block 1, &*2 the line above twice; >text begins the lines under it\na\n", "malformed_head", wire.ErrSyntax, 1},
	{"a step twice", "lines v1; >text begins the lines under it; >text begins the lines under it\na\n", "malformed_head", wire.ErrSyntax, 1},
	{"a mark for two steps", "lines v1; $1 to $1 stand for the texts below; $text begins the lines under it\n$1=a\na\n", "malformed_head", wire.ErrSyntax, 1},
	{"a letter as a mark", "lines v1; xtext begins the lines under it\na\n", "malformed_head", wire.ErrSyntax, 1},
	{"no entries", "lines v1; $1 to $0 stand for the texts below\na\n", "malformed_head", wire.ErrSyntax, 1},
	{"more entries than numbers", "lines v1; $1 to $9999999999 stand for the texts below\na\n", "malformed_head", wire.ErrSyntax, 1},
	{"a legend that is cut", "lines v1; $1 to $2 stand for the texts below\n$1=abc\n$2=ab", "cut_legend", wire.ErrTruncated, 3},
	{"an entry that is missing", "lines v1; $1 to $2 stand for the texts below\n$1=abc\nabc\n", "malformed_entry", wire.ErrSyntax, 3},
	{"an empty entry", "lines v1; $1 to $1 stand for the texts below\n$1=\nabc\n", "malformed_entry", wire.ErrSyntax, 2},
	{"a reference beyond the legend", legendHead + "a\nb $3 c", "unknown_reference", wire.ErrSyntax, 5},
	{"a reference to 0", legendHead + "$0", "unknown_reference", wire.ErrSyntax, 4},
	{"a reference with a 0 before it", legendHead + "$01", "unknown_reference", wire.ErrSyntax, 4},
	{"a reference that is no number", legendHead + "$18446744073709551617", "unknown_reference", wire.ErrSyntax, 4},
	{"a heading without lines", headingHead + "a\n>b\n", "cut_section", wire.ErrTruncated, 3},
	{"a mark alone", repeatHead + "a\n&\n", "malformed_repeat", wire.ErrSyntax, 3},
	{"a mark that means nothing", repeatHead + "a\n&1x\n", "malformed_repeat", wire.ErrSyntax, 3},
	{"no times", repeatHead + "a\n&*\n", "malformed_repeat", wire.ErrSyntax, 3},
	{"0 times", repeatHead + "a\n&*0\n", "malformed_repeat", wire.ErrSyntax, 3},
	{"no line above", repeatHead + "&*2\na\n", "malformed_repeat", wire.ErrSyntax, 2},
	{"an unknown block", repeatHead + "a\n&1\n", "unknown_block", wire.ErrSyntax, 3},
	{"a block in itself", repeatHead + "&1, 3 lines:\na\n&1\n", "unknown_block", wire.ErrSyntax, 4},
	{"a block out of order", repeatHead + "&2, 1 lines:\na\n", "malformed_block", wire.ErrSyntax, 2},
	{"a block without lines", repeatHead + "&1, 0 lines:\na\n", "malformed_block", wire.ErrSyntax, 2},
	{"a block that is cut", repeatHead + "&1, 3 lines:\na\nb\n", "cut_block", wire.ErrTruncated, 5},
	{"very many lines", repeatHead + "a\n&*999999999\n", "result_too_long", wire.ErrLimit, 3},
	{"a line of very many", "lines v1; $1 to $1 stand for the texts below\n$1=" + strings.Repeat("a", 1<<16) + "\n" + strings.Repeat("$1", 1<<16), "result_too_long", wire.ErrLimit, 3},
}

// TestDecodeWithinTwoGiB: places in a longer result would not be numbers of 32 bits.
func TestDecodeWithinTwoGiB(t *testing.T) {
	got, err := lines.DecodeWithin([]byte(repeatHead+strings.Repeat("a", 999)+"\n&*2200000\n&*1\n"), wire.Limits{OutputBytes: math.MaxInt})
	require.Empty(t, got)
	require.ErrorContains(t, err, "lines: line 3, column 2: result_too_long: the text becomes more than 2147483647 bytes; raise Limits.OutputBytes")
}

func TestDecodeRefuses(t *testing.T) {
	for _, c := range refused {
		t.Run(c.name, func(t *testing.T) {
			got, err := lines.Decode([]byte(c.text))
			require.Nil(t, got)
			var e *wire.Error
			require.ErrorAs(t, err, &e)
			require.Equal(t, []any{"lines", c.code, c.line}, []any{e.Format, e.Code, e.Line}, err)
			require.ErrorIs(t, err, c.kind)
			if !errors.Is(err, wire.ErrLimit) {
				_, err = decodeByDocument([]byte(c.text))
				require.Error(t, err, "the decoder written from the document reads it")
			}
		})
	}
}

func TestDecodeWithin(t *testing.T) {
	text := []byte(repeatHead + "abc\n&*9\n")
	for _, c := range []struct {
		limits wire.Limits
		fits   bool
	}{
		{wire.Limits{}, true},
		{wire.Limits{OutputBytes: 40}, true},
		{wire.Limits{OutputBytes: 39}, false},
		{wire.Limits{InputBytes: len(text)}, true},
		{wire.Limits{InputBytes: len(text) - 1}, false},
		{wire.Limits{InputBytes: -1, OutputBytes: -1}, true},
	} {
		got, err := lines.DecodeWithin(text, c.limits)
		if c.fits {
			require.NoError(t, err)
			require.Equal(t, strings.Repeat("abc\n", 10), string(got))
			continue
		}
		require.ErrorIs(t, err, wire.ErrLimit)
		require.Nil(t, got)
	}
}
