// Command build writes the playground: a folder that any web server can serve as it
// is, and the package for Node. It is run in the root of the module:
//
//	go run ./internal/playground/build -out bin/playground -npm bin/npm
package main

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
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
	if err := run(*out, *npm, *version); err != nil {
		fmt.Fprintln(os.Stderr, "build:", err)
		os.Exit(1)
	}
}

func run(out, npm, version string) error {
	if version == "" {
		version = "(devel)"
		if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
			version = info.Main.Version
		}
	}
	site, err := siteFiles(version)
	if err != nil {
		return err
	}
	first := firstUse(site)
	if first > mostFirst {
		return fmt.Errorf("a page would load %d bytes before it is of use, more than %d: move a format from core to full", first, mostFirst)
	}
	fmt.Printf("%d bytes before the first use\n", first)
	if err := write(out, site); err != nil || npm == "" {
		return err
	}
	return writePackage(npm, site)
}

// web is where the page's files are.
const web = "internal/playground/web"

// siteFiles returns the files of the page by their names.
func siteFiles(version string) (map[string][]byte, error) {
	files := map[string][]byte{}
	pages, err := filepath.Glob(web + "/*")
	if err != nil || len(pages) == 0 {
		return nil, fmt.Errorf("no files in %s: run this in the root of the module (%v)", web, err)
	}
	for _, page := range pages {
		if files[filepath.Base(page)], err = os.ReadFile(page); err != nil {
			return nil, err
		}
	}
	if files["wasm_exec.js"], err = wasmExec(); err != nil {
		return nil, err
	}
	for name, flags := range programs {
		if files[name+".wasm.gz"], err = program(name, flags...); err != nil {
			return nil, err
		}
	}
	for _, name := range vocabularies {
		data, err := os.ReadFile("tokens/data/" + name + ".bin")
		if err != nil {
			return nil, err
		}
		if files[name+".bin.gz"], err = zipped(data); err != nil {
			return nil, err
		}
	}
	if files["about.json"], err = about(version); err != nil {
		return nil, err
	}
	files["pack.json"], err = examplePack()
	return files, err
}

var vocabularies = []string{"o200k_base", "cl100k_base"}

// programs are built with these flags. The first one a page waits for: it inlines
// only where that makes it faster by much.
var programs = map[string][]string{
	"core": inlining(
		"github.com/wirekit/wirekit/wire", "github.com/wirekit/wirekit/internal/scan", "github.com/wirekit/wirekit/internal/decimal",
		"github.com/wirekit/wirekit/internal/inplace", "github.com/wirekit/wirekit/internal/bound", "github.com/wirekit/wirekit/tokens",
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
func program(name string, flags ...string) ([]byte, error) {
	temp, err := os.CreateTemp("", name+"-*.wasm")
	if err != nil {
		return nil, err
	}
	_ = temp.Close()
	defer os.Remove(temp.Name())
	args := append([]string{"build", "-tags", "novocabulary", "-trimpath", "-buildvcs=false", "-ldflags", "-s -w"}, flags...)
	cmd := exec.Command("go", append(args, "-o", temp.Name(), "./internal/playground/"+name)...)
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", name, err, out)
	}
	wasm, err := os.ReadFile(temp.Name())
	if err != nil {
		return nil, err
	}
	return zipped(wasm)
}

func zipped(data []byte) ([]byte, error) {
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	_, _ = w.Write(data) // a bytes.Buffer takes everything
	err = w.Close()
	return out.Bytes(), err
}

// wasmExec returns the Go release's own loader.
func wasmExec() ([]byte, error) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("go env GOROOT: %w", err)
	}
	return os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js"))
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
func firstResult(document string) ([]cardOf, error) {
	data, err := os.ReadFile("tokens/data/" + vocabularies[0] + ".bin")
	if err != nil {
		return nil, err
	}
	engine := packview.Engine()
	ask := func(head, body string) (wire.Value, string, error) {
		answer := engine.Do([]byte(head), []byte(body))
		n := binary.LittleEndian.Uint32(answer)
		v, err := wire.ParseJSON(answer[4 : 4+n])
		return v, string(answer[4+n:]), err
	}
	if _, _, err := ask(`{"op":"vocabulary","name":"`+vocabularies[0]+`"}`, string(data)); err != nil {
		return nil, err
	}
	if _, _, err := ask(`{"op":"open","from":"json"}`, document); err != nil {
		return nil, err
	}
	var cards []cardOf
	best, least := 0, int64(math.MaxInt64)
	for i, c := range wirekit.Registry().Codecs() {
		head, text, err := ask(`{"op":"card","format":"`+c.Info().FullName()+`","counter":"`+vocabularies[0]+`"}`, document)
		if err != nil {
			return nil, err
		}
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
	return cards, nil
}

type formatInfo struct {
	Name    string `json:"name"`
	Title   string `json:"title"`
	Binary  bool   `json:"binary"`
	Variant bool   `json:"variant"`
	Core    bool   `json:"core"`
	Text    bool   `json:"text"` // for texts alone
}

func about(version string) ([]byte, error) {
	presets, err := presets()
	if err != nil {
		return nil, err
	}
	page := aboutPage{Version: version, Counters: tokens.Names(), Vocabularies: vocabularies, First: "hosts", Presets: presets}
	if page.Result, err = firstResult(presets[page.First]); err != nil {
		return nil, err
	}
	inCore := map[string]bool{}
	for _, c := range corelist.Engine().Formats.All() {
		inCore[c.Info().FullName()] = true
	}
	for _, first := range []bool{true, false} { // JSON before the others
		for _, c := range wirekit.Registry().All() {
			info := c.Info()
			if (info.Name == "json") == first {
				page.Formats = append(page.Formats, formatInfo{info.FullName(), info.Title, info.Binary, info.Variant != "", inCore[info.FullName()], false})
			}
		}
	}
	for _, c := range packview.Engine().Texts {
		info := c.Info()
		page.Formats = append(page.Formats, formatInfo{Name: info.FullName(), Title: info.Title, Text: true})
	}
	slices.SortStableFunc(page.Formats, func(a, b formatInfo) int { return a.rank() - b.rank() })
	return wire.Marshal(wire.JSON{}, page)
}

// rank puts those of the first program before the others, and binary ones last.
func (f formatInfo) rank() int {
	switch {
	case f.Binary:
		return 2
	case f.Core:
		return 0
	}
	return 1
}

// presets are the examples of the repository, and what is hard.
func presets() (map[string]string, error) {
	files, err := filepath.Glob("examples/data/*.json")
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("no examples in examples/data (%v)", err)
	}
	all := maps.Clone(hard)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		all[strings.TrimSuffix(filepath.Base(file), ".json")] = string(text)
	}
	return all, nil
}

var hard = map[string]string{
	"hostile strings": `{"empty":"","spaces":"  x  ","comma":"a,b","pipe":"a|b","quote":"say \"hi\"","line":"a\nb","tab":"a\tb","null":"null","true":"true","number":"1.0","minus":"-","colon":"a: b","hash":"# x","emoji":"😀 é 漢字","zero":"\u0000"}`,
	"long numbers":    `{"id":12345678901234567890,"big":1e400,"precise":0.1000000000000000055511151231257827,"zero":-0,"float":1.0}`,
	"pretty answer":   "{\n    \"status\": \"ok\",\n    \"data\": [\n        {\n            \"id\": 1,\n            \"name\": \"Ada\"\n        },\n        {\n            \"id\": 2,\n            \"name\": \"Bo\"\n        }\n    ]\n}\n",
}

// examplePack is the example of the view of packs: files of this module.
func examplePack() ([]byte, error) {
	files := map[string]string{}
	for _, name := range []string{"README.md", "go.mod", "toon/doc.go", "toon/codec.go", "tokens/tokens.go", "tokens/tokens_test.go", "examples/byname/main.go"} {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		files[name] = string(text)
	}
	return wire.Marshal(wire.JSON{}, files)
}

// write makes dir hold these files.
func write(dir string, files map[string][]byte) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	total := 0
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := os.WriteFile(filepath.Join(dir, name), files[name], 0o666); err != nil {
			return err
		}
		total += len(files[name])
	}
	fmt.Printf("%s: %d files, %.1f MB\n", dir, len(files), float64(total)/1e6)
	return nil
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
			small, err := zipped(data)
			if err != nil {
				panic(err) // the level is valid
			}
			total += len(small)
		}
	}
	return total
}

// ofPackage are the files that the page and the package share.
var ofPackage = []string{"wirekit.js", "wasm_exec.js", "full.wasm.gz", "o200k_base.bin.gz", "cl100k_base.bin.gz"}

// writePackage writes the package for Node.
func writePackage(dir string, site map[string][]byte) error {
	files := map[string][]byte{}
	sources, err := filepath.Glob("internal/playground/npm/*")
	if err != nil {
		return err
	}
	for _, source := range append(sources, "LICENSE") {
		if files[filepath.Base(source)], err = os.ReadFile(source); err != nil {
			return err
		}
	}
	for _, name := range ofPackage {
		files[name] = site[name]
	}
	return write(dir, files)
}
