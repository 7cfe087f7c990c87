package llm

import (
	"cmp"
	"hash/maphash"
	"io"
	"math"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"sync"

	"github.com/wirekit/wirekit/internal/base/recent"
	"github.com/wirekit/wirekit/internal/proxy/rewrite"
	"github.com/wirekit/wirekit/tokens"
	"github.com/wirekit/wirekit/wire"
)

// A Calibration compares the tokens that a provider counts with those of a counter. Answers
// say how many tokens a request had. Where a request has all messages of an earlier one and
// more, the difference of the two is what the new messages took, whatever else requests have;
// what was read from a cache or written to one is counted with the rest. It makes no
// requests of its own. While there is one, a [Transport] asks for answers that are not packed.
//
// It is safe for concurrent use if Counter and Observe are.
type Calibration struct {
	// Counter should be that of the Rewriter; nil means [tokens.Default].
	Counter tokens.Counter
	// Observe is given what an answer says; it must not be nil.
	Observe func(Pair)

	totals recent.Memory[uint64, int] // tokens of requests, by hashes of their messages
}

// A Pair is what the second of two requests has beyond the first, its Factor the provider's
// tokens for each of the counter's. Both are 0 for an answer that has no usage.
type Pair struct {
	Model    string `json:"model"` // or the shape of the request, if that names none
	Ours     int    `json:"ours"`
	Provider int    `json:"provider"`
}

// maxTotals is how many requests are remembered.
const maxTotals = 1 << 12

// watch has an answer's usage read while it is.
func (c *Calibration) watch(resp *http.Response, model string, sent []byte) {
	if resp.StatusCode == http.StatusOK {
		resp.Body = &usageReader{ReadCloser: resp.Body, counts: make(map[string]int), learn: func(total int) { c.learn(model, sent, total) }}
	}
}

// usage finds the counts of input tokens in an answer or in the events of a stream, never in a
// string of JSON, where quotation marks are escaped. Anthropic's are of three parts.
var usage = regexp.MustCompile(`"(input_tokens|cache_creation_input_tokens|cache_read_input_tokens|prompt_tokens|promptTokenCount)"\s*:\s*([0-9]{1,9})`)

// mostUsage is more than a match of usage has.
const mostUsage = 100

// A usageReader finds the tokens of a request in the answer. It may be closed while it is
// read.
type usageReader struct {
	io.ReadCloser
	learn func(total int)

	mu     sync.Mutex
	tail   []byte // may begin a match
	counts map[string]int
}

func (u *usageReader) Read(p []byte) (int, error) {
	n, err := u.ReadCloser.Read(p)
	u.note(p[:n], err != nil)
	return n, err
}

func (u *usageReader) Close() error {
	u.note(nil, true)
	return u.ReadCloser.Close()
}

// note looks at more of the answer. Where that ends first, the tokens are known.
func (u *usageReader) note(text []byte, ends bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.tail = append(u.tail, text...)
	for _, found := range usage.FindAllSubmatch(u.tail, -1) {
		n, _ := strconv.Atoi(string(found[2])) // digits, and not many
		u.counts[string(found[1])] = max(u.counts[string(found[1])], n)
	}
	u.tail = append(u.tail[:0], u.tail[max(0, len(u.tail)-mostUsage):]...)
	if ends && u.learn != nil {
		total := 0
		for _, n := range u.counts {
			total += n
		}
		u.learn(total)
		u.learn = nil
	}
}

var prefixSeed = maphash.MakeSeed()

// learn compares a request with the longest one before it that it begins with: by what its
// messages say, since clients move what marks the cache from message to message.
func (c *Calibration) learn(model string, body []byte, total int) {
	list := rewrite.Messages(body)
	if total == 0 || len(list) == 0 {
		c.Observe(Pair{Model: model})
		return
	}
	var h maphash.Hash
	h.SetSeed(prefixSeed)
	_, _ = h.WriteString(model)
	_, _ = h.Write(body[:list[0].Start])
	_, _ = h.Write(body[list[len(list)-1].End:])
	before, plain := 0, false
	var texts [][]byte // that are new
	for _, s := range list {
		if n, ok := c.totals.Get(h.Sum64()); ok {
			before, plain, texts = n, true, nil
		}
		said, ok := saidBy(s.Of(body))
		for _, text := range said {
			_, _ = h.Write(append(text, 0))
		}
		texts, plain = append(texts, said...), plain && ok
	}
	c.totals.Put(h.Sum64(), total, 1, maxTotals)
	if !plain || total <= before {
		return
	}
	ours := 0
	for _, text := range texts {
		n, _ := cmp.Or(c.Counter, tokens.Default()).Count(text) // with an error there is no count
		ours += n
	}
	if ours > 0 {
		c.Observe(Pair{model, ours, total - before})
	}
}

// saidBy returns the texts that a message says, and whether it says nothing else; if it does,
// it is one text.
func saidBy(message []byte) ([][]byte, bool) {
	v, err := wire.JSON{}.Decode(message)
	var texts [][]byte
	if err == nil && gatherSaid(v, &texts) {
		return texts, true
	}
	return [][]byte{message[:len(message):len(message)]}, false
}

// Members of messages that a model does not read, those that are not text, and those that are
// JSON to it.
var (
	unsaid  = []string{"type", "role", "id", "call_id", "tool_call_id", "tool_use_id", "status", "cache_control", "signature", "thoughtSignature", "encrypted_content"}
	notText = []string{"source", "image_url", "input_audio", "file", "file_id", "file_data", "file_url", "inlineData", "fileData"}
	asJSON  = []string{"input", "args", "response"}
)

// gatherSaid appends the texts that a message says, and reports whether it says nothing else.
func gatherSaid(v wire.Value, texts *[][]byte) bool {
	only := true
	switch v.Kind() {
	case wire.KindString:
		*texts = append(*texts, []byte(v.Text()))
	case wire.KindArray:
		for e := range v.Elements() {
			only = gatherSaid(e, texts) && only
		}
	case wire.KindObject:
		for key, m := range v.Members() {
			switch {
			case slices.Contains(notText, key):
				only = false
			case slices.Contains(unsaid, key):
			case slices.Contains(asJSON, key):
				*texts = append(*texts, wire.AppendJSON(nil, m))
			default:
				only = gatherSaid(m, texts) && only
			}
		}
	}
	return only
}

// A Factor is how many tokens a provider counts for each of a counter's, as far as pairs tell.
type Factor struct {
	Pairs, Unknown int // answers without usage are unknown

	ours, provider, squares, products, providerSquares float64
}

// Add adds a pair.
func (f *Factor) Add(p Pair) {
	if p.Ours <= 0 || p.Provider <= 0 {
		f.Unknown++
		return
	}
	x, y := float64(p.Ours), float64(p.Provider)
	f.Pairs++
	f.ours, f.provider = f.ours+x, f.provider+y
	f.squares, f.products, f.providerSquares = f.squares+x*x, f.products+x*y, f.providerSquares+y*y
}

// Interval returns between which factors the true one is in at least 95 of 100 cases: the ratio
// of the sums, and its standard error, more of it where there are few pairs. ok is false as long
// as that is wider than a tenth of the ratio, or from less than ten pairs.
func (f *Factor) Interval() (low, high float64, ok bool) {
	n := float64(f.Pairs)
	if n < 10 {
		return 0, 0, false
	}
	r := f.provider / f.ours
	squares := max(0, f.providerSquares-2*r*f.products+r*r*f.squares)
	half := (2.3 + 3/(n-1)) * math.Sqrt(n/(n-1)*squares) / f.ours
	return r - half, r + half, 2*half < r/10
}
