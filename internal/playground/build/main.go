// Command build writes the playground: a folder that any web server can serve as it
// is, and the package for Node. It is run in the root of the module:
//
//	go run ./internal/playground/build -out bin/playground -npm bin/npm
package main

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/internal/codec/describe"
	"github.com/wirekit/wirekit/internal/playground/corelist"
	"github.com/wirekit/wirekit/internal/playground/packview"
	"github.com/wirekit/wirekit/tokens"
	"github.com/wirekit/wirekit/wire"
)

func main() {
	out := flag.String("out", "bin/playground", "the folder to write")
	npm := flag.String("npm", "", "also write the package for Node to this folder")
	version := flag.String("version", "", "the version that the page shows; by default the module's")
	flag.Parse()
	if *version == "" {
		*version = "(devel)"
		if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
			*version = info.Main.Version
		}
	}
	site := siteFiles(*version)
	first := firstUse(site)
	if first > mostFirst {
		fail(fmt.Errorf("a page would load %d bytes before it is of use, more than %d: move a format from core to full", first, mostFirst))
	}
	fmt.Printf("%d bytes before the first use\n", first)
	write(*out, site)
	if *npm != "" {
		writePackage(*npm, site)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "build:", err)
	os.Exit(1)
}

// must returns what a call without an error returned.
func must[T any](v T, err error) T {
	if err != nil {
		fail(err)
	}
	return v
}

// web is where the page's files are.
const web = "internal/playground/web"

// siteFiles returns the files of the page by their names.
func siteFiles(version string) map[string][]byte {
	files := map[string][]byte{
		"wasm_exec.js": wasmExec(),
		"about.json":   about(version),
		"pack.json":    examplePack(),
	}
	for _, page := range filesOf(web + "/*") {
		files[filepath.Base(page)] = must(os.ReadFile(page))
	}
	for name, flags := range programs {
		files[name+".wasm.gz"] = program(name, flags...)
	}
	for _, name := range vocabularies {
		files[name+".bin.gz"] = zipped(must(os.ReadFile("tokens/data/" + name + ".bin")))
	}
	return files
}

// filesOf returns the files that match a pattern from the root of the module.
func filesOf(pattern string) []string {
	files := must(filepath.Glob(pattern))
	if len(files) == 0 {
		fail(fmt.Errorf("no files %s: run this in the root of the module", pattern))
	}
	return files
}

var vocabularies = []string{"o200k_base", "cl100k_base"}

// programs are built with these flags. The first one a page waits for: it inlines
// only where that makes it faster by much.
var programs = map[string][]string{
	"core": inlining(
		"github.com/wirekit/wirekit/wire", "github.com/wirekit/wirekit/jsonl", "github.com/wirekit/wirekit/internal/base/scan", "github.com/wirekit/wirekit/internal/base/decimal",
		"github.com/wirekit/wirekit/internal/govalue/inplace", "github.com/wirekit/wirekit/internal/base/bound", "github.com/wirekit/wirekit/tokens",
		"encoding/binary", "internal/byteorder", "internal/bytealg",
		"internal/runtime/atomic", "math/bits", "sync/atomic", "unicode/utf8"),
	"full": nil,
}

// inlining returns flags for a program that inlines in these packages alone.
func inlining(packages ...string) []string {
	flags := []string{"-gcflags=all=-l"}
	for _, p := range packages {
		flags = append(flags, "-gcflags="+p+"=")
	}
	return flags
}

// program builds one of the programs and returns it after gzip.
func program(name string, flags ...string) []byte {
	temp := must(os.CreateTemp("", name+"-*.wasm"))
	_ = temp.Close()
	args := append([]string{"build", "-tags", "novocabulary", "-trimpath", "-buildvcs=false", "-ldflags", "-s -w"}, flags...)
	cmd := exec.Command("go", append(args, "-o", temp.Name(), "./internal/playground/"+name)...)
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	out, err := cmd.CombinedOutput()
	wasm, missing := os.ReadFile(temp.Name())
	if err = errors.Join(err, missing, os.Remove(temp.Name())); err != nil {
		fail(fmt.Errorf("%s: %w\n%s", name, err, out))
	}
	return zipped(wasm)
}

func zipped(data []byte) []byte {
	var out bytes.Buffer // which takes everything
	w := must(gzip.NewWriterLevel(&out, gzip.BestCompression))
	_, _ = w.Write(data)
	_ = w.Close()
	return out.Bytes()
}

// wasmExec returns the Go release's own loader.
func wasmExec() []byte {
	root := must(exec.Command("go", "env", "GOROOT").Output())
	return must(os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js")))
}

// aboutPage is what the page reads first.
type aboutPage struct {
	Version      string            `json:"version"`
	Formats      []formatInfo      `json:"formats"`
	Counters     []string          `json:"counters"`
	Vocabularies []string          `json:"vocabularies"`
	First        string            `json:"first"` // the example that the page begins with
	Presets      map[string]string `json:"presets"`
	Result       []cardOf          `json:"result"` // of the first example
}

// A cardOf is what a program answers about a format.
type cardOf struct {
	Head wire.Value `json:"head"`
	Text string     `json:"text"`
}

// firstResult asks for the cards of a document. The texts are those that the page shows at
// once: JSON's and that with the fewest tokens.
func firstResult(document string) []cardOf {
	engine := packview.Engine()
	ask := func(head, body string) (wire.Value, string) {
		answer := engine.Do([]byte(head), []byte(body))
		n := binary.LittleEndian.Uint32(answer)
		return must(wire.ParseJSON(answer[4 : 4+n])), string(answer[4+n:])
	}
	ask(`{"op":"vocabulary","name":"`+vocabularies[0]+`"}`, string(must(os.ReadFile("tokens/data/"+vocabularies[0]+".bin"))))
	ask(`{"op":"open","from":"json"}`, document)
	var cards []cardOf
	best, least := 0, int64(math.MaxInt64)
	for i, c := range wirekit.Registry().Codecs() {
		head, text := ask(`{"op":"card","format":"`+c.Info().FullName()+`","counter":"`+vocabularies[0]+`"}`, document)
		cards = append(cards, cardOf{head, text})
		tokens, _ := head.Get("tokens")
		lossless, _ := head.Get("lossless")
		if n, ok := tokens.Int64(); ok && n < least && lossless.Bool() && !c.Info().Binary {
			best, least = i, n
		}
	}
	for i, c := range wirekit.Registry().Codecs() {
		if i != best && c.Info().Name != "json" {
			cards[i].Text = ""
		}
	}
	return cards
}

type formatInfo struct {
	Name    string `json:"name"`
	Title   string `json:"title"`
	Binary  bool   `json:"binary"`
	Variant bool   `json:"variant"`
	Core    bool   `json:"core"`
	Text    bool   `json:"text"` // for texts alone
}

func about(version string) []byte {
	presets := presets()
	page := aboutPage{Version: version, Counters: tokens.Names(), Vocabularies: vocabularies, First: "hosts", Presets: presets}
	page.Result = firstResult(presets[page.First])
	core := corelist.Engine().Formats
	for _, c := range describe.All(wirekit.Registry()) {
		info := c.Info()
		_, missing := core.Lookup(info.FullName())
		page.Formats = append(page.Formats, formatInfo{info.FullName(), info.Title, info.Binary, info.Variant != "", missing == nil, false})
	}
	for _, c := range packview.Engine().Texts {
		info := c.Info()
		page.Formats = append(page.Formats, formatInfo{Name: info.FullName(), Title: info.Title, Text: true})
	}
	slices.SortStableFunc(page.Formats, func(a, b formatInfo) int { return a.rank() - b.rank() })
	return must(wire.Marshal(wire.JSON{}, page))
}

// rank puts JSON first, those of the first program before the others, and binary ones last.
func (f formatInfo) rank() int {
	switch name, _, _ := strings.Cut(f.Name, ":"); {
	case name == "json":
		return 0
	case f.Binary:
		return 3
	case f.Core:
		return 1
	}
	return 2
}

// presets are the examples of the repository, and what is hard.
func presets() map[string]string {
	all := maps.Clone(hard)
	for _, file := range filesOf("examples/data/*.json") {
		all[strings.TrimSuffix(filepath.Base(file), ".json")] = string(must(os.ReadFile(file)))
	}
	return all
}

var hard = map[string]string{
	"hostile strings": `{"empty":"","spaces":"  x  ","comma":"a,b","pipe":"a|b","quote":"say \"hi\"","line":"a\nb","tab":"a\tb","null":"null","true":"true","number":"1.0","minus":"-","colon":"a: b","hash":"# x","emoji":"😀 é 漢字","zero":"\u0000"}`,
	"long numbers":    `{"id":12345678901234567890,"big":1e400,"precise":0.1000000000000000055511151231257827,"zero":-0,"float":1.0}`,
	"pretty answer":   "{\n    \"status\": \"ok\",\n    \"data\": [\n        {\n            \"id\": 1,\n            \"name\": \"Ada\"\n        },\n        {\n            \"id\": 2,\n            \"name\": \"Bo\"\n        }\n    ]\n}\n",
}

// examplePack is the example of the view of packs: files of this module.
func examplePack() []byte {
	files := map[string]string{}
	for _, name := range []string{"README.md", "go.mod", "toon/doc.go", "toon/codec.go", "tokens/tokens.go", "tokens/tokens_test.go", "examples/byname/main.go"} {
		files[name] = string(must(os.ReadFile(name)))
	}
	return must(wire.Marshal(wire.JSON{}, files))
}

// write makes dir hold these files.
func write(dir string, files map[string][]byte) {
	must(0, os.MkdirAll(dir, 0o777))
	total := 0
	for _, name := range slices.Sorted(maps.Keys(files)) {
		must(0, os.WriteFile(filepath.Join(dir, name), files[name], 0o666))
		total += len(files[name])
	}
	fmt.Printf("%s: %d files, %.1f MB\n", dir, len(files), float64(total)/1e6)
}

// mostFirst is what a page may load before it is of use.
const mostFirst = 1_600_000

// firstUse returns the bytes that a page loads before it is of use, if a server
// compresses what is text.
func firstUse(files map[string][]byte) int {
	total := 0
	for name, data := range files {
		switch {
		case name == "core.wasm.gz":
			total += len(data)
		case strings.HasSuffix(name, ".gz"), name == "pack.json":
		default:
			total += len(zipped(data))
		}
	}
	return total
}

// ofPackage are the files that the page and the package share.
var ofPackage = []string{"wirekit.js", "wasm_exec.js", "full.wasm.gz", "o200k_base.bin.gz", "cl100k_base.bin.gz"}

// writePackage writes the package for Node.
func writePackage(dir string, site map[string][]byte) {
	files := map[string][]byte{}
	for _, source := range append(filesOf("internal/playground/npm/*"), "LICENSE") {
		files[filepath.Base(source)] = must(os.ReadFile(source))
	}
	for _, name := range ofPackage {
		files[name] = site[name]
	}
	write(dir, files)
}
