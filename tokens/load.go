package tokens

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// A Pattern is the regular expression that splits a text into the pieces that
// a vocabulary encodes, as it is published with the vocabulary.
type Pattern string

// The patterns that [Load] knows.
const (
	// PatternO200k is that of o200k_base.
	PatternO200k Pattern = textO200k
	// PatternCl100k is that of cl100k_base and of Llama 3.
	PatternCl100k Pattern = `(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`
	// PatternQwen is that of Qwen 1 to 3: cl100k_base's, with single digits.
	PatternQwen Pattern = `(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`
	// PatternTekken is that of Mistral's tekken: o200k_base's, without contractions and
	// with single digits.
	PatternTekken Pattern = `[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+` +
		`|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*` +
		`|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+`
	// PatternDeepSeek is that of DeepSeek V3 and R1: three expressions, one a line. Each
	// splits what the one before it left, and what it does not match is a piece too.
	PatternDeepSeek Pattern = `\p{N}{1,3}` + "\n" + "[一-龥\u3040-ゟ゠-ヿ]+" + "\n" +
		"[!\"#$%&'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+" +
		`|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`
)

const textO200k = `[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?` +
	`|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?` +
	`|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+`

var patterns = map[Pattern]pattern{PatternO200k: patternO200k, PatternCl100k: patternCl100k, PatternQwen: patternQwen,
	PatternTekken: patternTekken, PatternDeepSeek: patternDeep}

// A Vocabulary counts with a vocabulary that a program has loaded. It is
// immutable and safe for concurrent use.
type Vocabulary struct {
	name string
	encoding
}

// Load reads a vocabulary in the form of tiktoken's rank files, lines of a
// token in base64, a space and the token's rank, the ranks counting up from 0;
// or in the binary form that [Vocabulary.AppendBinary] writes. Each byte must
// be a token. pattern must be one of the constants. A vocabulary has at most
// 262,143 tokens.
func Load(name string, r io.Reader, pattern Pattern) (*Vocabulary, error) {
	known, ok := patterns[pattern]
	if !ok {
		return nil, fmt.Errorf("tokens: unknown pattern %.60q; the package has constants for those that it knows", pattern)
	}
	words, err := readVocabulary(r)
	if err != nil {
		return nil, fmt.Errorf("tokens: vocabulary %s: %w", name, err)
	}
	return &Vocabulary{name: name, encoding: encoding{pattern: known, vocab: words}}, nil
}

// Name returns the name that was given to [Load].
func (v *Vocabulary) Name() string { return v.name }

// Exact returns true.
func (v *Vocabulary) Exact() bool { return true }

// Count implements [Counter] under the same rules as [O200k.Count].
func (v *Vocabulary) Count(text []byte) (int, error) { return v.count(text, noBound) }

// maxRankLine is more than the line of any token that is not absurd.
const maxRankLine = 1 << 20

// readVocabulary reads either form and indexes it.
func readVocabulary(r io.Reader) (*vocabulary, error) {
	in := bufio.NewReader(r)
	if head, _ := in.Peek(len(binaryMagic)); string(head) == binaryMagic {
		src, err := io.ReadAll(in)
		if err != nil {
			return nil, err
		}
		return parseBinary(src)
	}
	v, lines := new(vocabulary), bufio.NewScanner(in)
	lines.Buffer(nil, maxRankLine)
	for lines.Scan() {
		if len(lines.Bytes()) == 0 {
			continue
		}
		if err := v.appendToken(lines.Bytes()); err != nil {
			return nil, fmt.Errorf("token %d: %w", len(v.ends), err)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	v.bytes = bytes.Clone(v.bytes)
	return v, v.index()
}

// appendToken takes a line of a rank file.
func (v *vocabulary) appendToken(line []byte) (err error) {
	encoded, rank, _ := strings.Cut(string(line), " ")
	if n, err := strconv.Atoi(rank); err != nil || n != len(v.ends) {
		return fmt.Errorf("unexpected rank %.20q", rank)
	}
	if len(v.ends) == maxTokens {
		return fmt.Errorf("more than %d tokens", maxTokens)
	}
	start := len(v.bytes)
	if v.bytes, err = base64.StdEncoding.AppendDecode(v.bytes, []byte(encoded)); err != nil {
		return err
	}
	if len(v.bytes) == start {
		return errors.New("empty token")
	}
	v.ends = append(v.ends, uint32(len(v.bytes)))
	return nil
}
