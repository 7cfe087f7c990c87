package inspect

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/bcp"
	"github.com/wirekit/wirekit/bcp/render"
	"github.com/wirekit/wirekit/wire"
)

func encode(t *testing.T, o bcp.EncodeOptions, b *bcp.Builder) []byte {
	p, err := b.Build()
	require.NoError(t, err)
	p.Header.Magic = "BCP"
	src, err := o.AppendEncode(context.Background(), nil, p)
	require.NoError(t, err)
	return src
}

func code(path, content string) *bcp.Code {
	return &bcp.Code{Lang: "rust", Path: path, Content: []byte(content)}
}

func TestInspect(t *testing.T) {
	b := new(bcp.Builder).Add(code("src/main.rs", "fn main() {}\n")).Summary("entry").Priority(bcp.PriorityHigh)
	b.Add(&bcp.FileTree{Root: "/", Entries: []bcp.FileEntry{{Name: "a"}, {Name: "b"}}})
	b.Add(&bcp.UnknownBody{Type: 0x42, Data: []byte("hello\x1b")})
	b.Add(code("big.rs", strings.Repeat("fn placeholder() {}\n", 20))).Compress()
	b.Add(&bcp.ToolResult{ToolName: "a\nb", Status: "ok", Content: []byte("\xFF")})
	b.Add(&bcp.Reference{Type: bcp.BlockCode})
	src := encode(t, bcp.EncodeOptions{}, b)
	var out strings.Builder
	require.NoError(t, write(&out, Options{ShowBody: true}, src))
	lines := strings.Split(out.String(), "\n")
	require.Equal(t, []string{
		`Header: BCP v1.0, flags=0x00, 7 blocks`,
		`Block 0: CODE [rust] path="src/main.rs" (13 bytes)`,
		`         Summary: "entry"`,
		`         Body:    "fn main() {}\n"`,
		`Block 1: ANNOTATION target=0 kind=priority value="high" (1 bytes)`,
		`         Body:    "\x02"`,
		`Block 2: FILE_TREE root="/" (2 entries)`,
		`Block 3: UNKNOWN [0x42] (6 bytes)`,
		`         Body:    "hello\x1b"`,
	}, lines[:9])
	require.Regexp(t, `^Block 4: CODE \[rust\] path="big.rs" \(400 bytes\) in \d+ bytes of zstd$`, lines[9])
	require.Equal(t, `         Body:    "fn placeholder() {}\nfn placeholder() {}\nfn placeholder() {}\nfn placeholder() {}\n"…`, lines[10])
	require.Equal(t, `Block 5: TOOL_RESULT ["a\nb"] status=ok (1 bytes)`, lines[11])
	require.Equal(t, `         Body:    [1 bytes that are not text]`, lines[12])
	require.Equal(t, `Block 6: CODE hash=`+strings.Repeat("00", 32)+` (unresolved) by reference`, lines[13])
	require.Equal(t, "---", lines[14])
	require.Equal(t, "END sentinel at offset "+itoa(len(src)-4), lines[15])

	out.Reset()
	third := 3
	require.NoError(t, write(&out, Options{ShowHex: true, Block: &third}, src))
	require.Equal(t, "Header: BCP v1.0, flags=0x00, 7 blocks\nBlock 3: UNKNOWN [0x42] (6 bytes)\n         Hex dump:\n"+
		"           0000  68 65 6c 6c 6f 1b                                hello.\n---\nEND sentinel at offset "+itoa(len(src)-4)+"\n", out.String())

	one := encode(t, bcp.EncodeOptions{CompressPayload: true}, new(bcp.Builder).Add(code("a", strings.Repeat("a", 1000))))
	out.Reset()
	require.NoError(t, write(&out, Options{}, one))
	require.Contains(t, out.String(), "flags=0x01, 1 block\n")
	require.Contains(t, out.String(), "END sentinel at offset 1023 of the inflated payload")
	require.ErrorIs(t, write(&out, Options{}, one[:9]), wire.ErrSyntax)
	require.ErrorIs(t, write(&out, Options{}, one[:5]), wire.ErrTruncated)
}

func write(w io.Writer, o Options, src []byte) error {
	r, err := o.Inspect(src)
	if err == nil {
		_, err = io.WriteString(w, r.String())
	}
	return err
}

// A report is JSON text whatever the payload holds.
func TestReport(t *testing.T) {
	b := new(bcp.Builder).Add(code("a.go", strings.Repeat("x", 400))).Compress().Summary("S\xff")
	b.Add(&bcp.Annotation{Target: 0, Kind: "tag", Value: []byte("\xff")})
	b.Add(&bcp.Reference{Type: bcp.BlockCode}).Add(&bcp.FileTree{Root: "r", Entries: []bcp.FileEntry{{Name: "a"}}})
	lenient := bcp.EncodeOptions{Lenient: true}
	src := encode(t, lenient, b)
	r, err := Options{ShowBody: true, ShowHex: true, Decode: bcp.DecodeOptions{Lenient: true}}.Inspect(src)
	require.NoError(t, err)
	for i := range r.Details {
		r.Details[i].Zstd, r.Details[i].Hex, r.Details[i].Body = min(r.Details[i].Zstd, 1), "", ""
		require.Less(t, r.Details[i].Offset, r.End)
		r.Details[i].Offset = 0
	}
	r.End = 0
	text, err := wire.Marshal(wire.JSON{}, r)
	require.NoError(t, err)
	require.Equal(t, `{"format":"BCP v1.0","flags":0,"blocks":4,"details":[`+
		`{"index":0,"type":"CODE","offset":0,"bytes":400,"fields":{"lang":"rust","path":"a.go"},"zstd":1,"summary":"S\ufffd"},`+
		`{"index":1,"type":"ANNOTATION","offset":0,"bytes":1,"fields":{"target":0,"kind":"tag","value":"\ufffd"}},`+
		`{"index":2,"type":"CODE","offset":0,"bytes":0,"fields":{"hash":"`+strings.Repeat("0", 64)+`"},"reference":true,"unresolved":true},`+
		`{"index":3,"type":"FILE_TREE","offset":0,"bytes":0,"entries":1,"fields":{"root":"r"}}],"end":0}`,
		strings.ReplaceAll(string(text), "\uFFFD", `\ufffd`))
	one := 4
	_, err = Options{Block: &one, Decode: bcp.DecodeOptions{Lenient: true}}.Inspect(src)
	require.ErrorIs(t, err, wire.ErrRange)
}

func itoa(n int) string { return strconv.Itoa(n) }

// All kinds of blocks in one line each, as the reference words them.
func TestDetails(t *testing.T) {
	for _, c := range []struct {
		body bcp.Body
		want string
		size string
	}{
		{&bcp.Conversation{Role: "user", Content: []byte("hi")}, " [user]", "2 bytes"},
		{&bcp.Document{Title: "T"}, ` title="T"`, "0 bytes"},
		{&bcp.StructuredData{Format: "json"}, " format=json", "0 bytes"},
		{&bcp.Diff{Path: "p", Hunks: []bcp.DiffHunk{{Lines: []byte("+a")}, {Lines: []byte("-b")}}}, ` path="p"`, "4 bytes"},
		{&bcp.EmbeddingRef{Model: "m", SourceHash: make([]byte, 32)}, ` model="m"`, "32 bytes"},
		{&bcp.Image{MediaType: "png", AltText: "A", Data: []byte("x")}, ` [png] alt="A"`, "1 bytes"},
		{&bcp.Extension{Namespace: "n", TypeName: "t"}, ` namespace="n" type="t"`, "0 bytes"},
		{&bcp.Code{Lang: "other(66)"}, ` [other(66)] path=""`, "0 bytes"},
	} {
		r := Options{}.block(0, &bcp.Block{Body: c.body}, 0, 0)
		require.Equal(t, c.want, r.title)
		require.Equal(t, c.size, fmt.Sprintf("%d bytes", r.Bytes))
	}
}

// heuristic is the reference's estimate, a quarter of the bytes.
type heuristic struct{}

func (heuristic) Name() string { return "heuristic estimate" }
func (heuristic) Exact() bool  { return false }
func (heuristic) Count(text []byte) (int, error) {
	if len(text) == 0 {
		return 0, nil
	}
	return max(1, len(text)/4), nil
}

// quarter counts a token for every four bytes or part of them.
type quarter struct{ heuristic }

func (quarter) Name() string                   { return "bytes/4" }
func (quarter) Count(text []byte) (int, error) { return (len(text) + 3) / 4, nil }

// The token triples that the reference prints.
func TestStats(t *testing.T) {
	turn := func(r string, s string) *bcp.Conversation { return &bcp.Conversation{Role: r, Content: []byte(s)} }
	for _, c := range []struct {
		name   string
		b      *bcp.Builder
		tokens [3]int
	}{
		{"simple_code", new(bcp.Builder).Add(code("src/main.rs", "fn main() {\n    println!(\"Hello, BCP!\");\n}")), [3]int{27, 17, 17}},
		{"conversation", new(bcp.Builder).Add(turn("user", "Fix the connection timeout bug.")).
			Add(turn("assistant", "I'll examine the pool configuration and trace the timeout path.")), [3]int{43, 30, 28}},
		{"empty_content", new(bcp.Builder).Add(code("empty.rs", "")), [3]int{16, 6, 6}},
		{"large_varint", new(bcp.Builder).Add(code("large.rs", strings.Repeat("x", 16384))), [3]int{4112, 4102, 4102}},
		{"unknown_block_type", new(bcp.Builder).Add(&bcp.UnknownBody{Type: 0x42, Data: []byte("hello")}), [3]int{14, 9, 6}},
		{"only annotations", new(bcp.Builder).Add(&bcp.Annotation{Kind: "tag"}), [3]int{}},
	} {
		s, err := Count(c.name, encode(t, bcp.EncodeOptions{}, c.b), bcp.DecodeOptions{}, render.Options{Plain: true, Counter: heuristic{}})
		require.NoError(t, err)
		require.Equal(t, map[string]int{"xml": c.tokens[0], "markdown": c.tokens[1], "minimal": c.tokens[2]}, s.Tokens, c.name)
	}
	src := encode(t, bcp.EncodeOptions{}, new(bcp.Builder).Add(code("a", "x")).Add(turn("user", "hi")).Add(code("b", "yz")))
	s, err := Count("pack.bcp", src, bcp.DecodeOptions{}, render.Options{Counter: quarter{}})
	require.NoError(t, err)
	require.Equal(t, `File:    pack.bcp  (52 bytes)
Header:  BCP v1.0, flags=0x00 (uncompressed)
Blocks:  3 total

Type                 Count     Bytes
────────────────────────────────────
CODE                     2         3
CONVERSATION             1         2
────────────────────────────────────
Total                    3         5

Tokens (bytes/4):
  xml mode      ~32 tokens
  markdown mode ~14 tokens
  minimal mode  ~13 tokens
`, s.String())
	_, err = Count("", nil, bcp.DecodeOptions{}, render.Options{Counter: heuristic{}})
	require.ErrorIs(t, err, wire.ErrTruncated)
	_, err = Count("", src, bcp.DecodeOptions{}, render.Options{Counter: broken{}})
	require.ErrorIs(t, err, errBroken)
}

var errBroken = errors.New("broken")

type broken struct{ heuristic }

func (broken) Count([]byte) (int, error) { return 0, errBroken }

func TestValidate(t *testing.T) {
	src := encode(t, bcp.EncodeOptions{}, new(bcp.Builder).Add(code("a", "x")))
	sound, err := Validate("pack.bcp", src, bcp.DecodeOptions{Strict: true})
	require.NoError(t, err)
	require.Equal(t, "✓ Header: valid (BCP v1.0)\n✓ Blocks: 1 block parsed successfully\n✓ Sentinel: END block present\n"+
		"✓ Integrity: all block bodies parse without error\n", sound.String())
	broken, err := Validate("pack.bcp", src[:len(src)-4], bcp.DecodeOptions{})
	require.ErrorIs(t, err, wire.ErrTruncated)
	require.Equal(t, "✗ Error: bcp: missing_end_sentinel: the payload does not end with an END block (at byte 22)\n", broken.String())
}
