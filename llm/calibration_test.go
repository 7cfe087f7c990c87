package llm_test

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/testkit/trials"
	"github.com/wirekit/wirekit/llm"
	"github.com/wirekit/wirekit/tokens"
)

// usages are how APIs say the tokens of a request, a part of which was read from a cache and
// a part written to it: requests' path and messages, and answers, streamed or not.
var usages = map[string]struct {
	path, messages string // with the list of messages
	answer         func(read, written, rest int) string
	events         bool
}{
	"chat": {"/v1/chat/completions", `{"messages":[%s]}`, func(read, written, rest int) string {
		return fmt.Sprintf("{\n \"usage\": {\"prompt_tokens\": %d, \"completion_tokens\": 9, \"prompt_tokens_details\": {\"cached_tokens\": %d}}\n}", read+written+rest, read)
	}, false},
	"chat, streamed": {"/v1/chat/completions", `{"stream":true,"messages":[%s]}`, func(read, written, rest int) string {
		return fmt.Sprintf("data: {\"choices\":[{\"delta\":{\"content\":\"usage\"}}],\"usage\":null}\n\ndata: {\"choices\":[],\"usage\":{\"prompt_tokens\":%d}}\n\ndata: [DONE]\n\n", read+written+rest)
	}, true},
	"responses": {"/v1/responses", `{"input":[%s]}`, func(read, written, rest int) string {
		return fmt.Sprintf(`{"id":"r","usage":{"input_tokens":%d,"input_tokens_details":{"cached_tokens":%d}}}`, read+written+rest, read)
	}, false},
	"responses, streamed": {"/v1/responses", `{"input":[%s]}`, func(read, written, rest int) string {
		return fmt.Sprintf("event: response.completed\r\ndata: {\"response\":{\"usage\":{\"input_tokens\":%d}}}\r\n\r\n", read+written+rest)
	}, true},
	"messages": {"/v1/messages", `{"messages":[%s]}`, func(read, written, rest int) string {
		return fmt.Sprintf(`{"content":[{"type":"text","text":"{\"input_tokens\": 99999999}"}],"usage":{"input_tokens":%d,"cache_creation_input_tokens":%d,"cache_read_input_tokens":%d,"output_tokens":7}}`, rest, written, read)
	}, false},
	"messages, streamed": {"/v1/messages", `{"messages":[%s]}`, func(read, written, rest int) string {
		return fmt.Sprintf("event: message_start\ndata: {\"message\":{\"usage\":{\"input_tokens\":%d,\"cache_creation_input_tokens\":%d,\"cache_read_input_tokens\":%d}}}\n\n"+
			"data: {\"type\":\"message_delta\",\"usage\":{\"output_tokens\":70}}\n\n", rest, written, read)
	}, true},
	"gemini": {"/v1beta/models/m:generateContent", `{"contents":[%s]}`, func(read, written, rest int) string {
		return fmt.Sprintf(`{"usageMetadata":{"promptTokenCount":%d,"cachedContentTokenCount":%d}}`, read+written+rest, read)
	}, false},
	"none": {"/v1/chat/completions", `{"messages":[%s]}`, func(int, int, int) string { return `{"choices":[]}` }, false},
}

// A provider counts tokens in its own way: each text has its tokens times a factor of the
// model, with noise, and each request an overhead.
type provider struct {
	r       *rand.Rand
	api     string
	factors map[string]float64
	counted map[string]int // texts
}

func (p *provider) RoundTrip(req *http.Request) (*http.Response, error) {
	var body struct {
		Model                     string
		Messages, Input, Contents []struct{ Content said }
	}
	if err := json.NewDecoder(req.Body).Decode(&body); err != nil {
		return nil, err
	}
	total := 4321
	for _, m := range append(append(body.Messages, body.Input...), body.Contents...) {
		key := body.Model + " " + string(m.Content)
		if _, has := p.counted[key]; !has {
			n, err := tokens.Default().Count([]byte(m.Content))
			if err != nil {
				return nil, err
			}
			p.counted[key] = int(math.Round(float64(n) * p.factors[body.Model] * (1 + 0.05*p.r.NormFloat64())))
		}
		total += p.counted[key]
	}
	kind := "application/json"
	if usages[p.api].events {
		kind = "text/event-stream; charset=utf-8"
	}
	read := p.r.IntN(total)
	written := p.r.IntN(total - read)
	text := iotest.OneByteReader(strings.NewReader(usages[p.api].answer(read, written, total-read-written)))
	return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {kind}}, Body: io.NopCloser(text), Request: req}, nil
}

// said is content that is a text, or a block with one.
type said string

func (s *said) UnmarshalJSON(src []byte) error {
	if src[0] == '"' {
		return json.Unmarshal(src, (*string)(s))
	}
	var blocks []struct{ Text string }
	err := json.Unmarshal(src, &blocks)
	*s = said(blocks[0].Text)
	return err
}

// marked is a message that ends what is to be cached, as clients of Anthropic write it.
func marked(message string) string {
	head, text, _ := strings.Cut(strings.TrimSuffix(message, "}"), `"content":`)
	return head + `"content":[{"type":"text","text":` + text + `,"cache_control":{"type":"ephemeral"}}]}`
}

// talk holds a conversation of so many turns, which changes its model on the way, and returns
// what is learned after each turn to each.
func talk(t *testing.T, p *provider, turns int, each func(map[string]*llm.Factor)) map[string]*llm.Factor {
	factors, models := make(map[string]*llm.Factor), slices.Sorted(maps.Keys(p.factors))
	p.counted = make(map[string]int)
	client := http.Client{Transport: &llm.Transport{Base: p, Calibration: &llm.Calibration{Observe: func(pair llm.Pair) {
		if factors[pair.Model] == nil {
			factors[pair.Model] = &llm.Factor{}
		}
		factors[pair.Model].Add(pair)
	}}}}
	var messages []string
	for turn := range turns {
		for range 1 + p.r.IntN(3) {
			text := prose(p.r)
			messages = append(messages, fmt.Sprintf(`{"role":"user","content":%s}`, scan.AppendQuote(nil, text)))
		}
		sent := slices.Clone(messages)
		if usages[p.api].path == "/v1/messages" {
			sent[len(sent)-1] = marked(sent[len(sent)-1])
		}
		body := strings.Replace(fmt.Sprintf(usages[p.api].messages, strings.Join(sent, ",")), "{", fmt.Sprintf(`{"model":%q,`, models[turn*len(models)/turns]), 1)
		resp, err := client.Post("http://api"+usages[p.api].path, "application/json", strings.NewReader(body))
		require.NoError(t, err)
		_, err = io.Copy(io.Discard, resp.Body)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		each(factors)
	}
	return factors
}

func prose(r *rand.Rand) string {
	words := []string{"order", "shipped", "invoice", "Müller", "42", "pending", "the", "warehouse", "of", "error"}
	var out strings.Builder
	for range 10 + r.IntN(100) {
		out.WriteString(words[r.IntN(len(words))] + " ")
	}
	return out.String()
}

// TestCalibration: from usage with 5 % of noise, an overhead for each request, reads from a
// cache and writes to it, and with another model from the middle on, the interval has the
// true factor in 95 of 100 conversations, for each API; nothing is said before it is narrow.
func TestCalibration(t *testing.T) {
	apis := slices.DeleteFunc(slices.Sorted(maps.Keys(usages)), func(name string) bool { return name == "none" })
	held, said, runs := 0, 0, trials.Of(100)
	for run := range runs {
		p := &provider{r: rand.New(rand.NewPCG(uint64(run), 54)), api: apis[run%len(apis)], factors: map[string]float64{}}
		p.factors["a"], p.factors["b"] = 0.7+p.r.Float64(), 0.7+p.r.Float64()
		first := true
		factors := talk(t, p, 60, func(factors map[string]*llm.Factor) {
			f := factors["a"]
			if f == nil || f.Pairs == 0 {
				return
			}
			low, high, ok := f.Interval()
			if !ok {
				require.True(t, f.Pairs < 10 || high-low >= 0.0999*(high+low)/2, "%d pairs: %v to %v", f.Pairs, low, high)
				return
			}
			require.Less(t, high-low, 0.1*(high+low)/2)
			if first { // as soon as something is said
				said++
				if low <= p.factors["a"] && p.factors["a"] <= high {
					held++
				}
				first = false
			}
		})
		require.Len(t, factors, 2)
		for model, f := range factors {
			low, high, ok := f.Interval()
			require.True(t, ok, model)
			require.Zero(t, f.Unknown)
			require.Equal(t, 29, f.Pairs, "the first request of a model has none before it")
			said++
			if low <= p.factors[model] && p.factors[model] <= high {
				held++
			}
		}
	}
	require.Equal(t, 3*runs, said)
	require.GreaterOrEqual(t, held*100, 95*said, "%d of %d", held, said)
}

// TestCalibrationLacks: answers without usage are counted, and nothing is said.
func TestCalibrationLacks(t *testing.T) {
	p := &provider{r: rand.New(rand.NewPCG(1, 1)), api: "none", factors: map[string]float64{"m": 1}}
	f := talk(t, p, 20, func(map[string]*llm.Factor) {})["m"]
	require.Equal(t, 20, f.Unknown)
	require.Zero(t, f.Pairs)
	_, _, ok := f.Interval()
	require.False(t, ok)
}

// TestCalibrationPairs: what of a conversation makes a pair.
func TestCalibrationPairs(t *testing.T) {
	text := `{"role":"user","content":"one two three four"}`
	for name, c := range map[string]struct {
		messages []string // of requests after the first, which has a text
		totals   []int
		want     []llm.Pair
	}{
		"text":    {[]string{text + "," + text}, []int{1000, 1008}, []llm.Pair{{Model: "m", Ours: 4, Provider: 8}}},
		"two new": {[]string{text + "," + text + "," + text}, []int{1000, 1016}, []llm.Pair{{Model: "m", Ours: 8, Provider: 16}}},
		"an image": {[]string{text + `,{"role":"user","content":[{"type":"image","source":{"data":"AAAA"}}]}`,
			text + `,{"role":"user","content":[{"type":"image","source":{"data":"AAAA"}}]},` + text}, []int{1000, 3000, 3007}, []llm.Pair{{Model: "m", Ours: 4, Provider: 7}}},
		"a call and its result": {[]string{text + `,{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"one","input":{"a":1}}]},` +
			`{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"two"}]}`}, []int{1000, 1007}, []llm.Pair{{Model: "m", Ours: 7, Provider: 7}}},
		"another beginning": {[]string{`{"role":"user","content":"five"},` + text}, []int{1000, 1004}, nil},
		"fewer tokens":      {[]string{text + "," + text}, []int{1000, 1000}, nil},
		"the same again":    {[]string{text}, []int{1000, 1000}, nil},
		"none counted":      {[]string{text + "," + text}, []int{1000, 0}, []llm.Pair{{Model: "m"}}},
	} {
		t.Run(name, func(t *testing.T) {
			var have []llm.Pair
			n := 0
			api := roundTripper(func(req *http.Request) (*http.Response, error) {
				n++
				body := strings.NewReader(fmt.Sprintf(`{"usage":{"input_tokens":%d}}`, c.totals[n-1]))
				return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(body), Request: req}, nil
			})
			client := http.Client{Transport: &llm.Transport{Base: api, Calibration: &llm.Calibration{Observe: func(p llm.Pair) { have = append(have, p) }}}}
			for _, messages := range append([]string{text}, c.messages...) {
				resp, err := client.Post("http://api/v1/messages", "application/json", strings.NewReader(`{"model":"m","messages":[`+messages+`]}`))
				require.NoError(t, err)
				_, err = io.Copy(io.Discard, resp.Body)
				require.NoError(t, err)
				require.NoError(t, resp.Body.Close())
				require.NoError(t, resp.Body.Close(), "it may be closed again")
			}
			require.Equal(t, c.want, have)
		})
	}
}
