package bcp

import (
	"context"
	"encoding/hex"
	"io/fs"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/wire"
)

// The manifests of eight payloads of the reference's corpus, and the SHA-256 of
// the payloads with the magics BCP and LCP.
func TestManifests(t *testing.T) {
	for _, c := range []struct{ name, blocks, bcp, lcp string }{
		{"conversation", `[{"type":"conversation","role":"user","content":"Fix the connection timeout bug."},
			{"type":"conversation","role":"assistant","content":"I'll examine the pool configuration and trace the timeout path."}]`,
			"ccea2a329644e0870fedff15dab709e74e0200cd773f496749ef9b9abf1cc987", "99e7afb46fdf47e7f0a7c6ea20e96a342ea8e5ce18ced20376544ea8dae22ba9"},
		{"mixed_blocks", `[{"type":"code","lang":"rust","path":"src/lib.rs","content":"pub fn add(a: u32, b: u32) -> u32 { a + b }"},
			{"type":"conversation","role":"user","content":"Add overflow protection."},
			{"type":"tool_result","tool_name":"cargo_test","status":"ok","content":"test result: ok. 3 passed; 0 failed"},
			{"type":"file_tree","root":"src/","entries":[{"name":"lib.rs","kind":"file","size":45},{"name":"main.rs","kind":"file","size":120}]}]`,
			"491394accb0014e737e66ffc19434ee3de62db133c59c2c96a362904923eae32", "b961897035621642c1af121d41ae76a4333aec944bf264200d0ac4283f681626"},
		{"with_summaries", `[{"type":"code","lang":"py","path":"server.py","content":"import asyncio\n\nasync def serve():\n    pass","summary":"Async HTTP server entry point."},
			{"type":"tool_result","name":"ripgrep","content":"src/main.rs:42: ConnectionPool::new()","summary":"1 match for ConnectionPool across 1 file."}]`,
			"0345f0530ec149bca82163ab65ff3cb35e6fba8fa9ebeb5a6fb310504a685e92", "31c6541bd38a81207f5a828a58278daf90f15eddaf1e9f8bea9ed4a198837e92"},
		{"compressed_payload", `[{"type":"code","lang":"TypeScript","path":"index.ts","content":"export const VERSION = '1.0.0';"},
			{"type":"conversation","role":"User","content":"What does this export?"}], "compress_payload": true`,
			"da523930a98bb2c2b98f5f1342ed05587cab9f90861a3116a8481112d25bb760", "a8762bad78809ce532f8b356328a9dc3e19690f937ba8484f14ec0a16986075f"},
		{"content_addressed", `[{"type":"code","lang":"rust","path":"src/a.rs","content":"fn shared() -> u32 { 42 }"},
			{"type":"code","lang":"rust","path":"src/b.rs","content":"fn shared() -> u32 { 42 }"}], "auto_dedup": true`,
			"209924451a04a6d0e8e468cba43ba3f18c0a14b416069e0f9386afd09d8f14f5", "3fd882eef095dcc7de9a0a3b39e1b65d5e249d039c36d35d9efce27a13ed8ccb"},
		{"budget_constrained", `[{"type":"code","lang":"rust","path":"critical.rs","content":"// CRITICAL: must always be included\nfn critical_path() { todo!() }","priority":"critical"},
			{"type":"code","lang":"rust","path":"normal.rs","content":"// NORMAL priority: included when budget allows\nfn normal_path() {}","priority":"normal"},
			{"type":"code","lang":"rust","path":"background.rs","content":"// BACKGROUND: omitted first under budget pressure\nfn background() {}","priority":"background"}]`,
			"3f1b21b9f54a7b59a325cf44fd3bbb7ca37a888678fc321884771500e7183d06", "fe20c87651277fa52e86ccbc7f9347ef9e92b920148c589fde36e90aaf115e01"},
		{"empty_content", `[{"type":"code","lang":"rust","path":"empty.rs","content":""}]`,
			"04d29a010b21b396ffeb03d7f987653912f23b25b707b25ec6a15231d2146f5e", "9a1bb48922eb5db729c4aa18db39f42682eb5532f7a7fc4a13fa6d0e3960b0aa"},
		{"unknown_block_type", `[{"type":"unknown","type_id":66,"body":"hello"}]`,
			"2a81b92ae3a0aa44a926cdd4f3ea4147cf62dc9a51f645a1275c5dedab1cf4e6", "8461938743f2ae8aa68587083cb669c40a728942ebb6eb1a45ca89bc4d59c04e"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for magic, want := range map[string]string{"BCP": c.bcp, "LCP": c.lcp} {
				p, o, err := FromManifest(parse(t, `{"description":"x","magic":"`+magic+`","blocks":`+c.blocks+`}`), nil, Limits{})
				require.NoError(t, err)
				got, err := o.AppendEncode(context.Background(), nil, p)
				require.NoError(t, err)
				require.Equal(t, want, sha(got), hex.EncodeToString(got))
			}
		})
	}
}

func TestManifestForms(t *testing.T) {
	p, o, err := FromManifest(parse(t, `{"blocks":[
		{"type":"structured_data","format":"json","content":{"a":[1,2.50]}},
		{"type":"diff","path":"a","content":"-x\n+y\n"},
		{"type":"document","title":"T","content_base64":"aGk=","format":"txt","compress":true},
		{"type":"image","media_type":"jpg","alt_text":"A","data_base64":"/w=="},
		{"type":"code","lang":"klingon","path":"p","content":"","line_start":3,"priority":"LOW","reference":true},
		{"type":"annotation","target_block_id":4,"kind":"tag","value":"t"},
		{"type":"embedding_ref","vector_id":"v","source_hash":"00ff","model":"m"},
		{"type":"tool_result","name":"t","status":"err","content":"","schema_hint":"s"},
		{"type":"conversation","role":"tool","content":"","tool_call_id":"c"},
		{"type":"file_tree","root_path":"/","entries":[{"name":"d","kind":"dir","children":[{"name":"f","kind":"file"}]}]}
	],"compress_blocks":true}`), nil, Limits{})
	require.NoError(t, err)
	require.Equal(t, EncodeOptions{CompressBlocks: true}, o)
	require.Equal(t, []Block{
		{Body: &StructuredData{Format: "json", Content: []byte(`{"a":[1,2.50]}`)}},
		{Body: &Diff{Path: "a", Hunks: []DiffHunk{{OldStart: 1, NewStart: 1, Lines: []byte("-x\n+y\n")}}}},
		{Body: &Document{Title: "T", Content: []byte("hi"), FormatHint: "plain"}, Flags: FlagCompressed},
		{Body: &Image{MediaType: "jpeg", AltText: "A", Data: []byte{0xFF}}},
		{Body: &Code{Lang: "", Path: "p", Content: []byte{}, LineStart: ptr(uint32(3))}, Flags: FlagIsReference},
		{Body: priority(4, PriorityLow)},
		{Body: &Annotation{Target: 4, Kind: "tag", Value: []byte("t")}},
		{Body: &EmbeddingRef{VectorID: []byte("v"), SourceHash: []byte{0, 0xFF}, Model: "m"}},
		{Body: &ToolResult{ToolName: "t", Status: "error", Content: []byte{}, SchemaHint: ptr("s")}},
		{Body: &Conversation{Role: "tool", Content: []byte{}, ToolCallID: ptr("c")}},
		{Body: &FileTree{Root: "/", Entries: []FileEntry{{Name: "d", Kind: "directory", Children: []FileEntry{{Name: "f", Kind: "file"}}}}}},
	}, p.Blocks)
}

func TestManifestFaults(t *testing.T) {
	for _, c := range []struct{ name, manifest, path string }{
		{"no object", `[]`, ""},
		{"no blocks", `{}`, ""},
		{"blocks no array", `{"blocks":{}}`, ""},
		{"block no object", `{"blocks":[1]}`, "/blocks/0"},
		{"no type", `{"blocks":[{}]}`, "/blocks/0/type"},
		{"type", `{"blocks":[{"type":"poem"}]}`, "/blocks/0/type"},
		{"no path", `{"blocks":[{"type":"code","lang":"go","content":""}]}`, "/blocks/0/path"},
		{"no content", `{"blocks":[{"type":"code","lang":"go","path":""}]}`, "/blocks/0/content"},
		{"content", `{"blocks":[{"type":"code","lang":"go","path":"","content":1}]}`, "/blocks/0/content"},
		{"base64", `{"blocks":[{"type":"code","lang":"go","path":"","content_base64":"?"}]}`, "/blocks/0/content_base64"},
		{"role", `{"blocks":[{"type":"conversation","role":"boss","content":""}]}`, "/blocks/0/role"},
		{"priority", `{"blocks":[{"type":"conversation","role":"user","content":"","priority":"urgent"}]}`, "/blocks/0/priority"},
		{"line", `{"blocks":[{"type":"code","lang":"go","path":"","content":"","line_end":-1}]}`, "/blocks/0/line_end"},
		{"bool", `{"blocks":[{"type":"conversation","role":"user","content":"","compress":1}]}`, "/blocks/0/compress"},
		{"entry", `{"blocks":[{"type":"file_tree","root":"/","entries":[{"name":"d","kind":"dir","children":[{"name":"f"}]}]}]}`, "/blocks/0/entries/0/children/0/kind"},
		{"entries", `{"blocks":[{"type":"file_tree","root":"/","entries":1}]}`, "/blocks/0/entries"},
		{"entry no object", `{"blocks":[{"type":"file_tree","root":"/","entries":[1]}]}`, "/blocks/0/entries/0"},
		{"hunk", `{"blocks":[{"type":"diff","path":"/","hunks":[{"old_start":1,"new_start":1}]}]}`, "/blocks/0/hunks/0/lines"},
		{"hash", `{"blocks":[{"type":"embedding_ref","vector_id":"v","source_hash":"aabbcc...","model":"m"}]}`, "/blocks/0/source_hash"},
		{"reference", `{"blocks":[{"type":"reference","type_id":1,"hash":"00"}]}`, "/blocks/0/hash"},
		{"file", `{"blocks":[{"type":"code","lang":"go","path":"","content_file":"a"}]}`, "/blocks/0/content_file"},
		{"misspelt", `{"blocks":[{"type":"code","path":"","content":"","sumary":"s"}]}`, "/blocks/0/sumary"},
		{"misspelt option", `{"auto-dedup":true,"blocks":[]}`, "/auto-dedup"},
		{"misspelt in an entry", `{"blocks":[{"type":"file_tree","root":"/","entries":[{"name":"d","kind":"dir","childs":[]}]}]}`, "/blocks/0/entries/0/childs"},
		{"misspelt in a hunk", `{"blocks":[{"type":"diff","path":"/","hunks":[{"old_start":1,"new_start":1,"lines":"","line":1}]}]}`, "/blocks/0/hunks/0/line"},
		{"two contents", `{"blocks":[{"type":"code","path":"","content":"","content_file":"a"}]}`, "/blocks/0/content_file"},
		{"another type's member", `{"blocks":[{"type":"conversation","role":"user","content":"","path":"a"}]}`, "/blocks/0/path"},
		{"magic", `{"magic":"GIF","blocks":[]}`, "/magic"},
		{"version", `{"version":"2.0","blocks":[]}`, "/version"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, _, err := FromManifest(parse(t, c.manifest), nil, Limits{})
			requireCode(t, "invalid_manifest", err)
			require.ErrorIs(t, err, wire.ErrShape)
			require.Nil(t, p)
			e := codectest.Error(t, err)
			require.Equal(t, c.path, e.Path())
		})
	}
	named := parse(t, `{"blocks":[{"type":"code","lang":"go","path":"","content_file":"./src/a.go"}]}`)
	_, _, err := FromManifest(named, brokenFS{}, Limits{})
	require.ErrorIs(t, err, errBroken)
	files := fstest.MapFS{"src/a.go": {Data: []byte("package a\n")}}
	p, _, err := FromManifest(named, files, Limits{})
	require.NoError(t, err)
	require.Equal(t, "package a\n", string(p.Blocks[0].Body.(*Code).Content))
	_, _, err = FromManifest(named, files, Limits{BlockBytes: 5})
	requireCode(t, "block_too_large", err)
	_, _, err = FromManifest(named, fstest.MapFS{}, Limits{})
	require.ErrorIs(t, err, fs.ErrNotExist)
}

type brokenFS struct{}

func (brokenFS) Open(string) (fs.File, error) { return nil, errBroken }

// The language of code is that of its path, unless the manifest gives one.
func TestLangOfPath(t *testing.T) {
	for path, want := range map[string]string{"a.go": "go", "x/B.PY": "python", "a.tsx": "typescript", "Makefile": "", "a.kt": "", "a.go/b": ""} {
		p, _, err := FromManifest(parse(t, `{"description":"d","blocks":[{"type":"code","path":"`+path+`","content":""}]}`), nil, Limits{})
		require.NoError(t, err)
		require.Equal(t, want, p.Blocks[0].Body.(*Code).Lang, path)
	}
}

// What only a lenient decoder reads says so in its view, which is then written again.
func TestLenientView(t *testing.T) {
	for _, body := range []Body{conversation("other(9)", "x"), code("go", "\xFF", "x"), &FileTree{Root: "/", Entries: []FileEntry{{Name: "\xFF", Kind: "file"}}}} {
		p := &Payload{Blocks: blocks(body)}
		_, err := Encode(p)
		require.Error(t, err)
		require.ErrorContains(t, err, "EncodeOptions.Lenient")
		back, o, err := FromManifest(p.Value(), nil, Limits{})
		require.NoError(t, err)
		require.True(t, o.Lenient)
		want, err := EncodeOptions{Lenient: true}.AppendEncode(context.Background(), nil, p)
		require.NoError(t, err)
		got, err := o.AppendEncode(context.Background(), nil, back)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	_, o, err := FromManifest((&Payload{Blocks: blocks(code("go", "a", "x"))}).Value(), nil, Limits{})
	require.NoError(t, err)
	require.False(t, o.Lenient)
}
