package tokens

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// maxTokenizerJSON is how long a tokenizer.json may be; those of models have 7 to 35 MB.
const maxTokenizerJSON = 64 << 20

// LoadTokenizerJSON reads a tokenizer.json as Hugging Face publishes it with a model: byte
// pair encoding of bytes ("ByteLevel"), text split by one of the patterns of this package,
// in which Llama 3, Qwen 2 and 3, DeepSeek V3 and R1, gpt-oss and Mistral's tekken are
// published, and no normalizer but NFC. The error for any other names what it has instead:
// a vocabulary of SentencePiece, for one, or another pattern. The file has at most 64 MB
// and 262,143 tokens, and each byte must be a token.
//
// The counts are those of the tokenizer for a text without special tokens. Added tokens,
// such as <|im_start|> or <think>, count as the ordinary text that they are in data; what
// is put around a text (a beginning of the text, a chat's roles) is not counted, and a
// file's truncation and padding are not looked at.
func LoadTokenizerJSON(name string, r io.Reader) (*Vocabulary, error) {
	v := &Vocabulary{name: name}
	if err := v.readTokenizerJSON(r); err != nil {
		return nil, fmt.Errorf("tokens: tokenizer %s: %w", name, err)
	}
	return v, nil
}

// A tokenizerFile is what matters of a tokenizer.json.
type tokenizerFile struct {
	Normalizer   *tokenizerStep
	PreTokenizer *tokenizerStep `json:"pre_tokenizer"`
	Model        *struct {
		Type         string
		Dropout      *float64
		Prefix       string `json:"continuing_subword_prefix"`
		Suffix       string `json:"end_of_word_suffix"`
		ByteFallback bool   `json:"byte_fallback"`
		IgnoreMerges bool   `json:"ignore_merges"`
		Vocab        json.RawMessage
		Merges       []mergeText
	}
}

// A tokenizerStep is a normalizer or a pre-tokenizer.
type tokenizerStep struct {
	Type, Behavior             string
	Invert                     bool
	Pattern                    struct{ Regex *string }
	Normalizers, Pretokenizers []tokenizerStep
	AddPrefix                  bool  `json:"add_prefix_space"`
	UseRegex                   *bool `json:"use_regex"`
}

// A mergeText is the two tokens of a merge, in the byte alphabet. A file has them as a list
// of two or as one string with a space between.
type mergeText [2]string

func (m *mergeText) UnmarshalJSON(src []byte) error {
	var list []string
	if src[0] == '"' {
		var both string
		_ = json.Unmarshal(src, &both) // src is a string of JSON
		list = strings.Split(both, " ")
	} else if err := json.Unmarshal(src, &list); err != nil {
		return err
	}
	if len(list) != 2 {
		return fmt.Errorf("model.merges has %.60q; a merge is of two tokens", src)
	}
	*m = mergeText(list)
	return nil
}

func (v *Vocabulary) readTokenizerJSON(r io.Reader) error {
	src, err := io.ReadAll(io.LimitReader(r, maxTokenizerJSON+1))
	if err != nil {
		return err
	}
	if len(src) > maxTokenizerJSON {
		return fmt.Errorf("more than %d MB", maxTokenizerJSON>>20)
	}
	var file tokenizerFile
	if err := json.Unmarshal(src, &file); err != nil {
		return fmt.Errorf("not a tokenizer.json: %w", err)
	}
	if err := cmp.Or(file.checkModel(), file.setNormalizer(v), file.setPattern(v)); err != nil {
		return err
	}
	v.vocab, err = file.vocabulary()
	return err
}

// checkModel returns an error for a model of another kind.
func (f *tokenizerFile) checkModel() error {
	m := f.Model
	switch {
	case m == nil:
		return errors.New("not a tokenizer.json: it has no model")
	case m.Type != "BPE" && (m.Type != "" || m.Merges == nil): // old files name no type
		return fmt.Errorf("model.type is %.60q; only BPE is read", m.Type)
	case m.ByteFallback:
		return errors.New("model.byte_fallback is set, as for vocabularies of SentencePiece; only BPE of bytes (ByteLevel) is read")
	case m.Dropout != nil && *m.Dropout != 0:
		return errors.New("model.dropout is set, which makes counts a matter of chance")
	case m.Prefix != "" || m.Suffix != "":
		return fmt.Errorf("model has continuing_subword_prefix %.60q and end_of_word_suffix %.60q; only none is read", m.Prefix, m.Suffix)
	}
	return nil
}

// setNormalizer takes NFC, or no normalizer.
func (f *tokenizerFile) setNormalizer(v *Vocabulary) error {
	for _, step := range f.Normalizer.flat() {
		if step.Type != "NFC" {
			return fmt.Errorf("normalizer %.60q is not read; only NFC or none is", step.Type)
		}
		v.normalize = newNFC().normalize
	}
	return nil
}

// flat returns the steps of sequences, one after the other.
func (s *tokenizerStep) flat() []tokenizerStep {
	if s == nil {
		return nil
	}
	if s.Type != "Sequence" {
		return []tokenizerStep{*s}
	}
	var all []tokenizerStep
	for _, step := range append(s.Normalizers, s.Pretokenizers...) {
		all = append(all, step.flat()...)
	}
	return all
}

// setPattern takes the pattern that splits a text in the file's tokenizer: the steps before
// ByteLevel.
func (f *tokenizerFile) setPattern(v *Vocabulary) error {
	steps := f.PreTokenizer.flat()
	last := len(steps) - 1
	var lines []string
	for i, step := range steps {
		switch {
		case i == last && step.Type != "ByteLevel":
			return fmt.Errorf("pre_tokenizer ends in %.60q, not in ByteLevel; only BPE of bytes is read", step.Type)
		case i == last && (step.AddPrefix || step.UseRegex == nil || *step.UseRegex):
			return errors.New("pre_tokenizer ByteLevel has add_prefix_space, or use_regex, which is the pattern of GPT-2; neither is read")
		case i == last:
		case step.Type != "Split" || step.Pattern.Regex == nil:
			return fmt.Errorf("pre_tokenizer %.60q is not read; only Split by a Regex is", step.Type)
		// Of a pattern that matches all of a text, both keep the matches.
		case (step.Behavior != "Removed" || !step.Invert || last > 1) && (step.Behavior != "Isolated" || step.Invert):
			return fmt.Errorf("pre_tokenizer Split has behavior %.60q and invert %t; only Isolated and false is read", step.Behavior, step.Invert)
		default:
			lines = append(lines, strings.NewReplacer("\r", `\r`, "\n", `\n`).Replace(*step.Pattern.Regex))
		}
	}
	text, ok := Pattern(strings.Join(lines, "\n")), false
	if v.pattern, ok = patterns[text]; !ok {
		return fmt.Errorf("unknown pattern %.300q before ByteLevel; known are those of o200k_base, Llama 3, Qwen, DeepSeek V3 and tekken", text)
	}
	return nil
}

// vocabulary returns the tokens of the file with its merges.
func (f *tokenizerFile) vocabulary() (*vocabulary, error) {
	var ids map[string]uint32
	if err := json.Unmarshal(f.Model.Vocab, &ids); err != nil {
		return nil, fmt.Errorf("model.vocab: %w", err)
	}
	v, bytesOf := new(vocabulary), byteAlphabet()
	ranks := make(map[string]uint32, len(ids)) // by their texts
	names := slices.SortedFunc(maps.Keys(ids), func(a, b string) int { return int(int64(ids[a]) - int64(ids[b])) })
	for _, name := range names {
		start := len(v.bytes)
		for _, r := range name {
			b, ok := bytesOf[r]
			if !ok { // no text has it
				v.bytes = v.bytes[:start]
				break
			}
			v.bytes = append(v.bytes, b)
		}
		if len(v.bytes) == start {
			continue
		}
		if len(v.ends) == maxTokens {
			return nil, fmt.Errorf("more than %d tokens", maxTokens)
		}
		ranks[name] = uint32(len(v.ends))
		v.ends = append(v.ends, uint32(len(v.bytes)))
	}
	if err := f.setMerges(v, ranks); err != nil {
		return nil, err
	}
	v.strict = !f.Model.IgnoreMerges
	return v, v.index()
}

// setMerges takes the file's merges, by the tokens that they make.
func (f *tokenizerFile) setMerges(v *vocabulary, ranks map[string]uint32) error {
	v.merges = make([][]merge, len(v.ends))
	for rank, pair := range f.Model.Merges {
		left, ok := ranks[pair[0]]
		_, right := ranks[pair[1]]
		made, joined := ranks[pair[0]+pair[1]]
		if !ok || !right || !joined {
			return fmt.Errorf("model.merges[%d]: %.60q and %.60q, or both together, are not tokens", rank, pair[0], pair[1])
		}
		// Of a pair that is listed twice the last place counts.
		size := uint32(len(v.token(left)))
		others := slices.DeleteFunc(v.merges[made], func(m merge) bool { return m.left == size })
		v.merges[made] = append(others, merge{size, uint32(rank)})
	}
	return nil
}

// byteAlphabet returns the bytes by the characters that are written for them: those of
// Latin-1 that can be seen stand for themselves, the others are U+0100 and on.
func byteAlphabet() map[rune]byte {
	alphabet, next := make(map[rune]byte, 256), rune(0x100)
	for b := range rune(256) {
		if b > ' ' && b < 0x7f || b > 0xa0 && b != 0xad {
			alphabet[b] = byte(b)
			continue
		}
		alphabet[next] = byte(b)
		next++
	}
	return alphabet
}
