package render

import (
	"encoding/hex"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/bcp"
	"github.com/wirekit/wirekit/wire"
)

// Payloads that the snapshots do not cover, with what the reference prints.
func TestPlainAsTheReference(t *testing.T) {
	for _, c := range []struct {
		name, payload string
		o             Options
		want          string
	}{
		{"code without a path", "424350000100000001000901000d020100030100ff010000", Options{Mode: ModeMarkdown}, "## \n\n```css\n\n```"},
		{"unknown block counts a quarter", "42435000010000007e00086060600a2d2d3e0aff010000", Options{Mode: ModeMinimal, Budget: ptr(5)}, "--- unknown 0x7E ---\n```\n-->\n"},
		{"content that is no text, as a placeholder", "4243500001000000fe01001a01010b7372632f6d61696e2e7273020104232320680301024a80ff010000",
			Options{Budget: ptr(0)}, "<context>\n<omitted type=\"extension\" desc=\"src/main.rs/## h\" tokens=\"1\" />\n</context>"},
	} {
		t.Run(c.name, func(t *testing.T) {
			src, err := hex.DecodeString(c.payload)
			require.NoError(t, err)
			p, err := bcp.Decode(src)
			require.NoError(t, err)
			c.o.Plain, c.o.Policy = true, PolicyReference
			got, err := c.o.Text(p)
			require.NoError(t, err)
			require.Equal(t, c.want, got)
		})
	}
	p := pack(tool("cat", "\xFF"))
	p.Blocks[0].Summary = ptr("sum")
	_, err := Options{Plain: true, Verbosity: VerbositySummary}.Text(p)
	require.ErrorIs(t, err, wire.ErrUTF8, "summaries are for code only")
	require.Contains(t, err.Error(), "/blocks/0/content")
}

// One U+FFFD for each longest beginning of a character, as Rust has it.
func TestRepaired(t *testing.T) {
	for in, want := range map[string]string{
		"a\xFFb": "a\uFFFDb", "\xE2\x82": "\uFFFD", "\xE2\x82x": "\uFFFDx", "\xE2\x82\xE2\x82\xAC": "\uFFFD\u20AC", "\xF0\x9F\x98": "\uFFFD", "\xF0\x9F\x98\xF0": "\uFFFD\uFFFD",
		"\xC0\x80": "\uFFFD\uFFFD", "\xED\xA0\x80": "\uFFFD\uFFFD\uFFFD", "\xF4\x90\x80\x80": "\uFFFD\uFFFD\uFFFD\uFFFD", "\xC2": "\uFFFD", "\x80\x80": "\uFFFD\uFFFD", "\uFFFD\xFF": "\uFFFD\uFFFD",
	} {
		require.Equal(t, want, string(repaired([]byte(in))), "% x", in)
	}
}

// branch is a tree of one branch of directories with files in the innermost.
func branch(depth, files int) *bcp.FileTree {
	entries := make([]bcp.FileEntry, files)
	for range depth {
		entries = []bcp.FileEntry{{Name: "d", Kind: "directory", Children: entries}}
	}
	return &bcp.FileTree{Root: "/", Entries: entries}
}

func TestDeepTreesStaySmall(t *testing.T) {
	p := pack(branch(500, 2000))
	for mode := range ModeMinimal + 1 {
		text, err := Options{Mode: mode}.Text(p)
		require.NoError(t, err)
		require.Less(t, len(text), 2500*(2*maxIndent+20))
		require.Contains(t, text, "\n"+strings.Repeat("  ", maxIndent)+"[500]  (0 bytes)\n")
		require.Contains(t, text, "\n"+strings.Repeat("  ", maxIndent)+"d/\n")
	}
	text, err := Options{Plain: true}.Text(p)
	require.NoError(t, err)
	require.Contains(t, text, "\n"+strings.Repeat("  ", 500)+" (0 bytes)\n")

	large := pack(branch(500, 6000))
	_, err = Options{Plain: true}.Text(large)
	require.ErrorIs(t, err, wire.ErrLimit)
	require.Contains(t, err.Error(), "Options.OutputBytes")
	_, err = Options{Plain: true, OutputBytes: 16 << 20}.Text(large)
	require.NoError(t, err)
}

func TestOutputBytes(t *testing.T) {
	p := pack(tool("ls", strings.Repeat("&", 1000)), branch(3, 1000))
	for mode := range ModeMinimal + 1 {
		for _, plain := range []bool{false, true} {
			o := Options{Mode: mode, Plain: plain}
			text, err := o.Text(p)
			require.NoError(t, err)
			for n := 1; n < len(text); n += 1 + len(text)/40 {
				o.OutputBytes = n
				_, err = o.Text(p)
				require.ErrorIs(t, err, wire.ErrLimit)
			}
			o.OutputBytes = len(text)
			again, err := o.Text(p)
			require.NoError(t, err)
			require.Equal(t, text, again)
		}
	}
	_, err := Options{}.Text(nil)
	require.Error(t, err)
}

func TestLinesOfCode(t *testing.T) {
	c := code("go", "a.go", "x")
	c.LineStart, c.LineEnd = ptr(uint32(10)), ptr(uint32(20))
	for mode, want := range map[Mode]string{
		ModeXML: "<context>\n<code lang=\"go\" path=\"a.go\" lines=\"10-20\">\nx\n</code>\n</context>", ModeMarkdown: "## a.go:10-20\n\n```go\nx\n```", ModeMinimal: "--- a.go:10-20 [go] ---\nx",
	} {
		require.Equal(t, want, must(t, Options{Mode: mode}, pack(c)))
	}
	require.NotContains(t, must(t, Options{Plain: true}, pack(c)), "10")
	c.LineEnd = nil
	require.Contains(t, must(t, Options{Mode: ModeMinimal}, pack(c)), "a.go:10- [go]")
	require.Equal(t, "## (no path)\n\n```go\nx\n```", must(t, Options{Mode: ModeMarkdown}, pack(code("go", "", "x"))))
}
