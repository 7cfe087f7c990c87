package scorecard

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"time"
)

// What [API] asks.
const (
	APIURL   = "https://api.anthropic.com/v1/messages/count_tokens"
	APIModel = "claude-opus-4-7"
	// APIKeyVariable is the environment variable with the key.
	APIKeyVariable = "ANTHROPIC_API_KEY"
)

// API asks Anthropic's counting endpoint. It sends the text as one user message,
// so a count includes the few tokens of that message's frame; counts of the API
// compare with each other, not with those of a vocabulary.
type API struct {
	Key string
	URL string // APIURL if empty
}

// NewAPI returns an API with the key of the environment. Without one it
// returns an error.
func NewAPI() (*API, error) {
	key := os.Getenv(APIKeyVariable)
	if key == "" {
		return nil, fmt.Errorf("scorecard: exact counts need a key in %s", APIKeyVariable)
	}
	return &API{Key: key}, nil
}

// maxAnswer bounds what is read of the endpoint's answer.
const maxAnswer = 1 << 20

// CountTokens counts the tokens of a text as the model does. Its errors do not contain
// the key.
func (a *API) CountTokens(ctx context.Context, text []byte) (int, error) {
	body, err := json.Marshal(map[string]any{"model": APIModel, "messages": []map[string]string{{"role": "user", "content": string(text)}}})
	if err != nil {
		return 0, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, cmp.Or(a.URL, APIURL), bytes.NewReader(body))
	if err != nil {
		return 0, err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("x-api-key", a.Key)
	request.Header.Set("anthropic-version", "2023-06-01")
	client := &http.Client{Timeout: 30 * time.Second}
	response, err := client.Do(request)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return 0, fmt.Errorf("the counting endpoint answered %s", response.Status)
	}
	var count struct {
		InputTokens *int `json:"input_tokens"`
	}
	if err := json.NewDecoder(io.LimitReader(response.Body, maxAnswer)).Decode(&count); err != nil {
		return 0, fmt.Errorf("the counting endpoint's answer: %w", err)
	}
	if count.InputTokens == nil || *count.InputTokens < 0 {
		return 0, errors.New("the counting endpoint's answer has no input_tokens")
	}
	return *count.InputTokens, nil
}

// exactCounts are the exact counts of texts, from the cache and from the API.
type exactCounts struct {
	Options // the API is nil once it has failed
	known   cacheFile
	fresh   bool // known has counts that the file lacks
}

// cacheFile is the layout of the cache: counts by the text's SHA-256.
type cacheFile struct {
	Counts map[string]int `json:"counts"`
}

func newExactCounts(o Options) (*exactCounts, error) {
	e := &exactCounts{Options: o, known: cacheFile{make(map[string]int)}}
	if o.Cache == "" {
		return e, nil
	}
	text, err := os.ReadFile(o.Cache)
	if errors.Is(err, fs.ErrNotExist) {
		return e, nil
	}
	if err != nil {
		return nil, fmt.Errorf("scorecard: cache: %w", err)
	}
	if err := json.Unmarshal(text, &e.known); err != nil {
		return nil, fmt.Errorf("scorecard: %s is no cache of token counts: %w", o.Cache, err)
	}
	return e, nil
}

// measure returns the counts of both texts if both are known or can be had.
func (e *exactCounts) measure(ctx context.Context, text, payload []byte) (Measure, bool) {
	json, ok := e.count(ctx, text)
	if !ok {
		return Measure{}, false
	}
	compact, ok := e.count(ctx, payload)
	return Measure{json, compact}, ok
}

func (e *exactCounts) count(ctx context.Context, text []byte) (int, bool) {
	sum := sha256.Sum256(text)
	key := hex.EncodeToString(sum[:])
	if n, ok := e.known.Counts[key]; ok || e.API == nil {
		return n, ok
	}
	n, err := e.API.CountTokens(ctx, text)
	if err != nil {
		e.API = nil // one failure is enough to stop asking
		e.Warn("exact counts are not to be had, estimates stand in for them: " + err.Error())
		return 0, false
	}
	e.known.Counts[key], e.fresh = n, true
	return n, true
}

// save writes the cache.
func (e *exactCounts) save() error {
	if e.Cache == "" || !e.fresh {
		return nil
	}
	text, err := json.MarshalIndent(e.known, "", "  ")
	if err == nil {
		err = e.Write(e.Cache, append(text, '\n'))
	}
	if err != nil {
		return fmt.Errorf("scorecard: cache: %w", err)
	}
	return nil
}
