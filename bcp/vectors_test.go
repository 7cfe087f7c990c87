package bcp

import (
	"context"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// head is the eight bytes of a header with the BCP magic and no flags; e is END.
const (
	head = "4243500001000000"
	e    = "FF010000"
)

func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.NewReplacer(" ", "", "E", "e").Replace(s))
	require.NoError(t, err)
	return b
}

// frames returns a payload of the hexadecimal frames; a final E means END.
func frames(t testing.TB, s string) []byte {
	t.Helper()
	if body, ok := strings.CutSuffix(s, " E"); ok {
		s = body + e
	}
	return unhex(t, head+s)
}

func code(lang string, path, content string) *Code {
	return &Code{Lang: lang, Path: path, Content: []byte(content)}
}

func conversation(role string, content string) *Conversation {
	return &Conversation{Role: role, Content: []byte(content)}
}

func priority(target uint32, p Priority) *Annotation {
	return &Annotation{Target: target, Kind: "priority", Value: []byte{byte(p)}}
}

func blocks(bodies ...Body) []Block {
	var list []Block
	for _, b := range bodies {
		list = append(list, Block{Body: b})
	}
	return list
}

func summarized(b Body, text string) Block {
	return Block{Body: b, Summary: &text, Flags: FlagHasSummary}
}

var logo = "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c4944415408d763f8cfc0000000020001e221bc330000000049454e44ae426082"

// plainVectors are canonical payloads: they decode to the blocks and the blocks
// encode to them. The first nine are the corpus of the reference.
func plainVectors(t testing.TB) []struct {
	name   string
	hex    string
	blocks []Block
} {
	main := "fn main() {\n    println!(\"Hello, BCP!\");\n}"
	return []struct {
		name   string
		hex    string
		blocks []Block
	}{
		{"simple_code", `424350000100000001003e01000102010b7372632f6d61696e2e727303012a666e206d61696e2829207b0a202020207072696e746c6e21282248656c6c6f2c204243502122293b0a7dff010000`,
			blocks(code("rust", "src/main.rs", main))},
		{"conversation", `424350000100000002002501000202011f4669782074686520636f6e6e656374696f6e2074696d656f7574206275672e02004501000302013f49276c6c206578616d696e652074686520706f6f6c20636f6e66696775726174696f6e20616e64207472616365207468652074696d656f757420706174682eff010000`,
			blocks(conversation("user", "Fix the connection timeout bug."),
				conversation("assistant", "I'll examine the pool configuration and trace the timeout path."))},
		{"mixed_blocks", `424350000100000001003e01000102010a7372632f6c69622e727303012b70756220666e2061646428613a207533322c20623a2075333229202d3e20753332207b2061202b2062207d02001e010002020118416464206f766572666c6f772070726f74656374696f6e2e04003601010a636172676f5f746573740200010301237465737420726573756c743a206f6b2e2033207061737365643b2030206661696c656403002c0101047372632f02020f0101066c69622e727302000003002d0202100101076d61696e2e7273020000030078ff010000`,
			blocks(code("rust", "src/lib.rs", "pub fn add(a: u32, b: u32) -> u32 { a + b }"),
				conversation("user", "Add overflow protection."),
				&ToolResult{ToolName: "cargo_test", Status: "ok", Content: []byte("test result: ok. 3 passed; 0 failed")},
				&FileTree{Root: "src/", Entries: []FileEntry{{Name: "lib.rs", Kind: "file", Size: 45}, {Name: "main.rs", Kind: "file", Size: 120}}})},
		{"with_summaries", `424350000100000001015c1e4173796e6320485454502073657276657220656e74727920706f696e742e0100040201097365727665722e707903012b696d706f7274206173796e63696f0a0a6173796e632064656620736572766528293a0a202020207061737304015f2931206d6174636820666f7220436f6e6e656374696f6e506f6f6c206163726f737320312066696c652e010107726970677265700200010301257372632f6d61696e2e72733a34323a20436f6e6e656374696f6e506f6f6c3a3a6e65772829ff010000`,
			[]Block{summarized(code("python", "server.py", "import asyncio\n\nasync def serve():\n    pass"), "Async HTTP server entry point."),
				summarized(&ToolResult{ToolName: "ripgrep", Status: "ok", Content: []byte("src/main.rs:42: ConnectionPool::new()")}, "1 match for ConnectionPool across 1 file.")}},
		{"compressed_payload", `4243500001000000010030010002020108696e6465782e747303011f6578706f727420636f6e73742056455253494f4e203d2027312e302e30273b02001c0100020201165768617420646f65732074686973206578706f72743fff010000`,
			blocks(code("typescript", "index.ts", "export const VERSION = '1.0.0';"), conversation("user", "What does this export?"))},
		{"content_addressed", `424350000100000001002a0100010201087372632f612e7273030119666e207368617265642829202d3e20753332207b203432207d01002a0100010201087372632f622e7273030119666e207368617265642829202d3e20753332207b203432207dff010000`,
			blocks(code("rust", "src/a.rs", "fn shared() -> u32 { 42 }"), code("rust", "src/b.rs", "fn shared() -> u32 { 42 }"))},
		{"budget_constrained", `424350000100000001005701000102010b637269746963616c2e72730301432f2f20435249544943414c3a206d75737420616c7761797320626520696e636c756465640a666e20637269746963616c5f706174682829207b20746f646f212829207d08000a010000020001030101010100550100010201096e6f726d616c2e72730301432f2f204e4f524d414c207072696f726974793a20696e636c75646564207768656e2062756467657420616c6c6f77730a666e206e6f726d616c5f706174682829207b7d08000a0100020200010301010301005b01000102010d6261636b67726f756e642e72730301452f2f204241434b47524f554e443a206f6d697474656420666972737420756e646572206275646765742070726573737572650a666e206261636b67726f756e642829207b7d08000a01000402000103010105ff010000`,
			blocks(code("rust", "critical.rs", "// CRITICAL: must always be included\nfn critical_path() { todo!() }"), priority(0, PriorityCritical),
				code("rust", "normal.rs", "// NORMAL priority: included when budget allows\nfn normal_path() {}"), priority(2, PriorityNormal),
				code("rust", "background.rs", "// BACKGROUND: omitted first under budget pressure\nfn background() {}"), priority(4, PriorityBackground))},
		{"all_block_types", `424350000100000001001c0100050201076d61696e2e676f03010c7061636b616765206d61696e02002201000102011c596f752061726520612068656c7066756c20617373697374616e742e0300170101012f0202100101076d61696e2e676f02000003000c0400120101026c730200010301076d61696e2e676f050014010106524541444d45020105232042435003000106001301000103010d7b2276657273696f6e223a317d0700310101076d61696e2e676f02022401000102000103011b2d7061636b616765206f6c640a2b7061636b616765206d61696e0a08001401000002000303010b656e7472792d706f696e740900460101077665632d303031020120aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa030116746578742d656d62656464696e672d332d736d616c6c0a00520100010201044c6f676f030145` + logo + `fe01001f01010b636f6d2e6578616d706c65020106637573746f6d03010568656c6c6fff010000`,
			blocks(code("go", "main.go", "package main"), conversation("system", "You are a helpful assistant."),
				&FileTree{Root: "/", Entries: []FileEntry{{Name: "main.go", Kind: "file", Size: 12}}},
				&ToolResult{ToolName: "ls", Status: "ok", Content: []byte("main.go")},
				&Document{Title: "README", Content: []byte("# BCP"), FormatHint: "markdown"},
				&StructuredData{Format: "json", Content: []byte(`{"version":1}`)},
				&Diff{Path: "main.go", Hunks: []DiffHunk{{OldStart: 1, NewStart: 1, Lines: []byte("-package old\n+package main\n")}}},
				&Annotation{Target: 0, Kind: "tag", Value: []byte("entry-point")},
				&EmbeddingRef{VectorID: []byte("vec-001"), SourceHash: []byte(strings.Repeat("\xAA", 32)), Model: "text-embedding-3-small"},
				&Image{MediaType: "png", AltText: "Logo", Data: unhex(t, logo)},
				&Extension{Namespace: "com.example", TypeName: "custom", Content: []byte("hello")})},
		{"empty_content", `4243500001000000010011010001020108656d7074792e7273030100ff010000`, blocks(code("rust", "empty.rs", ""))},
		{"unknown_block_type", `424350000100000042000568656c6c6fff010000`, blocks(&UnknownBody{Type: 0x42, Data: []byte("hello")})},

		{"smallest conversation", `42435000010000000200080100020201026869ff010000`, blocks(conversation("user", "hi"))},
		{"lines 10 to 20", `424350000100000001002401000102010a7372632f6c69622e727303010b666e20666f6f2829207b7d04000a050014ff010000`,
			blocks(&Code{Lang: "rust", Path: "src/lib.rs", Content: []byte("fn foo() {}"), LineStart: ptr(uint32(10)), LineEnd: ptr(uint32(20))})},
		{"tool turn with call id", `4243500001000000020017010004020106726573756c7403010863616c6c5f616263ff010000`,
			blocks(&Conversation{Role: "tool", Content: []byte("result"), ToolCallID: ptr("call_abc")})},
		{"RFC 12.1", `42435000010000000101542a456e74727920706f696e743a20434c4920736574757020616e642073657276657220737461727475702e01000102010b7372632f6d61696e2e7273030115666e206d61696e2829207b20746f646f212829207d08000a0100000200010301010202001a010002020114466978207468652074696d656f7574206275672e02002501000302011f49276c6c206578616d696e652074686520706f6f6c20636f6e6669672e2e2e0400200101077269706772657002000103011033206d61746368657320666f756e642eff010000`,
			[]Block{summarized(code("rust", "src/main.rs", "fn main() { todo!() }"), "Entry point: CLI setup and server startup."),
				{Body: priority(0, PriorityHigh)},
				{Body: conversation("user", "Fix the timeout bug.")},
				{Body: conversation("assistant", "I'll examine the pool config...")},
				{Body: &ToolResult{ToolName: "ripgrep", Status: "ok", Content: []byte("3 matches found.")}}}},
		{"nested tree", `424350000100000003004701010c2f70726f6a6563742f7372630202110101076d61696e2e7273020000030080040202210101036c69620200010300000402120101087574696c732e727302000003008001ff010000`,
			blocks(&FileTree{Root: "/project/src", Entries: []FileEntry{{Name: "main.rs", Kind: "file", Size: 512},
				{Name: "lib", Kind: "directory", Children: []FileEntry{{Name: "utils.rs", Kind: "file", Size: 128}}}}})},
		{"two hunks", `42435000010000000700510101066c69622e727302021701000102000103010e2b757365207374643a3a696f3b0a02022b0100320200330301222d202020206f6c645f63616c6c28293b0a2b202020206e65775f63616c6c28293b0aff010000`,
			blocks(&Diff{Path: "lib.rs", Hunks: []DiffHunk{{OldStart: 1, NewStart: 1, Lines: []byte("+use std::io;\n")},
				{OldStart: 50, NewStart: 51, Lines: []byte("-    old_call();\n+    new_call();\n")}}})},
		{"summary on the annotation", `424350000100000001000b010001020101610301017808010c017301000002000103010102ff010000`,
			[]Block{{Body: code("rust", "a", "x")}, summarized(priority(0, PriorityHigh), "s")}},
		{"two priorities", `424350000100000001000b010001020101610301017808000a0100000200010301010208000a01000102000103010104ff010000`,
			blocks(code("rust", "a", "x"), priority(0, PriorityHigh), priority(1, PriorityLow))},

		{"10.3-14 unknown type 0", head + `00000161` + e, blocks(&UnknownBody{Type: 0, Data: []byte("a")})},
		{"10.3-15 unknown type 0x80", head + `800100017A` + e, blocks(&UnknownBody{Type: 0x80, Data: []byte("z")})},
		{"10.4-1", head + `010009010001020100030100` + e, blocks(code("rust", "", ""))},
		{"10.4-11 lang 0", head + `010009010000020100030100` + e, blocks(code("other(0)", "", ""))},
		{"10.4-11 lang 0x12", head + `010009010012020100030100` + e, blocks(code("other(18)", "", ""))},
		{"10.4-11 lang 0xFF", head + `01000A0100FF01020100030100` + e, blocks(code("", "", ""))},
		{"10.4-16 inverted range", head + `0100110100010201016103010178040014050005` + e,
			blocks(&Code{Lang: "rust", Path: "a", Content: []byte("x"), LineStart: ptr(uint32(20)), LineEnd: ptr(uint32(5))})},
		{"10.4-17 lone start", head + `01000E0100010201016103010178040007` + e,
			blocks(&Code{Lang: "rust", Path: "a", Content: []byte("x"), LineStart: ptr(uint32(7))})},
		{"10.4-4 unknown fields", head + `0100160100010201016103010178630005640102AABB650200` + e,
			[]Block{{Body: code("rust", "a", "x"), Extra: unhex(t, `630005640102AABB650200`)}}},
		{"unknown field 0", head + `01000E0000070100010201016103010178` + e,
			[]Block{{Body: code("rust", "a", "x"), Extra: unhex(t, `000007`)}}},
		{"10.4-20 binary content", head + `01000C01000102010161030102FFFE` + e, blocks(code("rust", "a", "\xFF\xFE"))},
		{"10.4-23 diff without hunks", head + `07000401010170` + e, blocks(&Diff{Path: "p"})},
		{"10.4-29 largest size", head + `03001A0101012F020213010101660200000300FFFFFFFFFFFFFFFFFF01` + e,
			blocks(&FileTree{Root: "/", Entries: []FileEntry{{Name: "f", Kind: "file", Size: 1<<64 - 1}}})},
		{"10.4-32 dangling target", head + `08000E0100FFFFFFFF0F02000303010178` + e,
			blocks(&Annotation{Target: 1<<32 - 1, Kind: "tag", Value: []byte("x")})},
		{"10.4-34 csv with schema", head + `06000F010004020103736368030103612C62` + e,
			blocks(&StructuredData{Format: "csv", Schema: ptr("sch"), Content: []byte("a,b")})},
		{"10.4-35 schema hint", head + `04000E0101017402000303010004010173` + e,
			blocks(&ToolResult{ToolName: "t", Status: "timeout", Content: []byte{}, SchemaHint: ptr("s")})},
		{"10.4-36 extension", head + `FE01000C0101016E0201017403010163` + e,
			blocks(&Extension{Namespace: "n", TypeName: "t", Content: []byte("c")})},
		{"10.5-1 summary", head + `01010C026869010001020100030100` + e, []Block{summarized(code("rust", "", ""), "hi")}},
		{"10.5-2 empty summary", head + `01010A00010001020100030100` + e, []Block{summarized(code("rust", "", ""), "")}},
		{"10.5-7 summary of an unknown block", head + `420106026869616263` + e, []Block{summarized(&UnknownBody{Type: 0x42, Data: []byte("abc")}, "hi")}},
	}
}

func TestPlainVectors(t *testing.T) {
	for _, v := range plainVectors(t) {
		t.Run(v.name, func(t *testing.T) {
			for _, magic := range []string{magicBCP, magicLCP} {
				want := unhex(t, v.hex)
				copy(want, magic)
				p := &Payload{Header: Header{Magic: magic}, Blocks: v.blocks}
				got, err := Encode(p)
				require.NoError(t, err)
				require.Equal(t, hex.EncodeToString(want), hex.EncodeToString(got))

				back, err := DecodeOptions{Strict: true}.Decode(context.Background(), want)
				require.NoError(t, err)
				require.Equal(t, magic, back.Header.Magic)
				require.Equal(t, v.blocks, back.Blocks)
				again, err := Encode(back)
				require.NoError(t, err)
				require.Equal(t, want, again)
			}
		})
	}
}

func TestLargeVarint(t *testing.T) {
	p := &Payload{Header: Header{Magic: magicBCP}, Blocks: blocks(code("rust", "large.rs", strings.Repeat("x", 16384)))}
	got, err := Encode(p)
	require.NoError(t, err)
	require.Len(t, got, 16420)
	require.Equal(t, head+"01009380010100010201086c617267652e727303018080017878", hex.EncodeToString(got[:34]))
	require.Equal(t, "fda6e08bd2dfb2004f0f43beb7ccffb57e44b98648f3c0de5bb8bb8551e44e2c", sha(got))
}
