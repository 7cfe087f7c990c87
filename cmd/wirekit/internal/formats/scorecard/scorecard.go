package scorecard

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"slices"

	"github.com/wirekit/wirekit/gcx"
	measured "github.com/wirekit/wirekit/internal/choose/measure"
	"github.com/wirekit/wirekit/tokens"
	"github.com/wirekit/wirekit/wire"
)

// The tokenizers of [Options].
const (
	TokenizerCl100k = "cl100k" // cl100k_base
	TokenizerO200k  = "o200k"  // o200k_base
	TokenizerOpus47 = "opus47" // Claude Opus 4.7: exact where counted, else estimated
	TokenizerBoth   = "both"   // cl100k and opus47, the document's default
)

// Tokenizers lists the names that Options.Tokenizer accepts.
func Tokenizers() []string {
	return []string{TokenizerCl100k, TokenizerO200k, TokenizerOpus47, TokenizerBoth}
}

// tokenizers have the titles of their tables and what counts.
var tokenizers = map[string]struct {
	title string
	tokens.Counter
}{
	TokenizerCl100k: {"cl100k_base", tokens.Cl100k{}},
	TokenizerO200k:  {"o200k_base", tokens.O200k{}},
	TokenizerOpus47: {"Claude Opus 4.7", tokens.Estimate{Label: TokenizerOpus47, Base: tokens.Cl100k{}, Factor: 1.35}}, // the document's factor
}

// Options say what [Run] measures.
type Options struct {
	// Tokenizer is one of [Tokenizers]; TokenizerBoth if empty.
	Tokenizer string
	// Published measures the texts of the document's benchmark: JSON as
	// encoding/json writes it, its members sorted, and sections of the generic
	// fallback ([gcx.Codec.AppendObject] with Plain), which lose what Result.Loss
	// tells. Without it, they are JSON and GCX1 as this project's codecs write
	// them.
	Published bool
	// Counts is a file of exact counts of Opus 4.7. Empty means none.
	Counts string
}

// A Measure is a size of a case as compact JSON and as GCX1.
type Measure struct {
	JSON int `json:"json"`
	GCX  int `json:"gcx"`
}

// Change returns by how many percent GCX differs from JSON; below zero is less.
func (m Measure) Change() float64 {
	if m.JSON == 0 {
		return 0
	}
	return 100 * float64(m.GCX-m.JSON) / float64(m.JSON)
}

// A Count is the number of tokens under one tokenizer.
type Count struct {
	Measure
	Estimated bool `json:"estimated"`
}

// A Result is what was measured of a case.
type Result struct {
	Name        string  `json:"name"`
	Tool        string  `json:"tool"`
	Description string  `json:"description,omitempty"`
	Bytes       Measure `json:"bytes"`
	Gzip        Measure `json:"gzip"`
	// Tokens has one count for each of the scorecard's tokenizers.
	Tokens []Count `json:"tokens"`
	// Lossless says that decoding gave the identical value; Loss tells what
	// was different otherwise.
	Lossless bool   `json:"lossless"`
	Loss     string `json:"loss,omitempty"`
}

// A Column is a tokenizer of a scorecard, with the median change of its counts
// in percent.
type Column struct {
	Tokenizer string  `json:"tokenizer"`
	Median    float64 `json:"medianChange"`
	Estimated int     `json:"estimated"` // number of cases
}

// A Scorecard is the table of all cases.
type Scorecard struct {
	Columns     []Column `json:"columns"`
	Results     []Result `json:"results"`
	MedianBytes float64  `json:"medianBytesChange"`
	MedianGzip  float64  `json:"medianGzipChange"`
	Lossless    int      `json:"lossless"` // number of cases
}

// Run measures the cases, of which there is one at least. The error is that of a case that
// cannot be encoded or decoded, or of the file of counts.
func Run(cases []Case, o Options) (*Scorecard, error) {
	names := []string{o.Tokenizer}
	if o.Tokenizer == "" || o.Tokenizer == TokenizerBoth {
		names = []string{TokenizerCl100k, TokenizerOpus47}
	}
	exact, err := readCounts(o.Counts)
	if err != nil {
		return nil, err
	}
	s := &Scorecard{}
	for _, name := range names {
		s.Columns = append(s.Columns, Column{Tokenizer: name})
	}
	for _, c := range cases {
		r, err := measure(c, o.Published, names, exact)
		if err != nil {
			return nil, fmt.Errorf("scorecard: %s: %w", c.Name, err)
		}
		s.Results = append(s.Results, r)
	}
	s.summarize()
	return s, nil
}

// texts returns a case as JSON and as GCX1.
func texts(c Case, published bool) (text, payload []byte, err error) {
	text = wire.AppendJSON(nil, c.Value)
	if !published {
		payload, err = gcx.Codec{Tool: c.Tool}.AppendEncode(nil, c.Value)
		return text, payload, err
	}
	var members any
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	tooDeep := d.Decode(&members)
	text, err = json.Marshal(members)
	if err = cmp.Or(tooDeep, err); err != nil {
		return nil, nil, err
	}
	payload, err = gcx.Codec{Tool: c.Tool, Plain: true}.AppendObject(nil, c.Value)
	return text, payload, err
}

func measure(c Case, published bool, tokenizers []string, exact exactCounts) (Result, error) {
	r := Result{Name: c.Name, Tool: c.Tool, Description: c.Description}
	text, payload, err := texts(c, published)
	back, unread := gcx.Codec{}.Decode(payload)
	if err = cmp.Or(err, unread); err != nil {
		return r, err
	}
	loss, at := wire.Difference(c.Value, back)
	if r.Lossless = loss == 0; !r.Lossless {
		r.Loss = loss.String() + " at " + at
	}
	r.Bytes = Measure{len(text), len(payload)}
	r.Gzip = Measure{measured.Gzip(text), measured.Gzip(payload)}
	for _, name := range tokenizers {
		count, err := countTokens(name, text, payload, exact)
		if err != nil {
			return r, err
		}
		r.Tokens = append(r.Tokens, count)
	}
	return r, nil
}

// countTokens prefers exact counts, of both texts or of none.
func countTokens(tokenizer string, text, payload []byte, exact exactCounts) (Count, error) {
	if tokenizer == TokenizerOpus47 {
		json, first := exact.of(text)
		compact, second := exact.of(payload)
		if first && second {
			return Count{Measure: Measure{json, compact}}, nil
		}
	}
	counter := tokenizers[tokenizer]
	json, err := counter.Count(text)
	compact, failed := counter.Count(payload)
	return Count{Measure{json, compact}, !counter.Exact()}, cmp.Or(err, failed)
}

// summarize takes the medians.
func (s *Scorecard) summarize() {
	var sizes, gzips []float64
	changes := make([][]float64, len(s.Columns))
	for _, r := range s.Results {
		sizes = append(sizes, r.Bytes.Change())
		gzips = append(gzips, r.Gzip.Change())
		for i, count := range r.Tokens {
			changes[i] = append(changes[i], count.Change())
			if count.Estimated {
				s.Columns[i].Estimated++
			}
		}
		if r.Lossless {
			s.Lossless++
		}
	}
	s.MedianBytes, s.MedianGzip = median(sizes), median(gzips)
	for i := range s.Columns {
		s.Columns[i].Median = median(changes[i])
	}
}

// median returns the middle value, the mean of the two middle ones where their
// number is even; values must not be empty.
func median(values []float64) float64 {
	values = slices.Sorted(slices.Values(values))
	n := len(values)
	return (values[(n-1)/2] + values[n/2]) / 2
}

// exactCounts are the tokens of texts as the model's own service counts them, by their
// SHA-256.
type exactCounts map[string]int

// readCounts reads a file of exact counts; without a name there are none.
func readCounts(name string) (exactCounts, error) {
	if name == "" {
		return nil, nil
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("scorecard: counts: %w", err)
	}
	var file struct {
		Counts exactCounts `json:"counts"`
	}
	if err := json.Unmarshal(text, &file); err != nil {
		return nil, fmt.Errorf("scorecard: %s is not a file of token counts: %w", name, err)
	}
	return file.Counts, nil
}

func (e exactCounts) of(text []byte) (int, bool) {
	sum := sha256.Sum256(text)
	n, ok := e[hex.EncodeToString(sum[:])]
	return n, ok
}
