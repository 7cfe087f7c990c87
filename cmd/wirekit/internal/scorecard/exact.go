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
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"time"
)

// An ExactCounter counts the tokens of a text as a model does.
type ExactCounter interface {
	CountTokens(ctx context.Context, text []byte) (int, error)
}

// Defaults of [API].
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
	Key    string
	URL    string       // APIURL if empty
	Model  string       // APIModel if empty
	Client *http.Client // one with a timeout of 30 seconds if nil
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

// CountTokens implements [ExactCounter]. Its errors do not contain the key.
func (a *API) CountTokens(ctx context.Context, text []byte) (int, error) {
	type message struct {
		Role    string `json:"role"`
		Content string `json:"content"`
	}
	body, err := json.Marshal(struct {
		Model    string    `json:"model"`
		Messages []message `json:"messages"`
	}{cmp.Or(a.Model, APIModel), []message{{"user", string(text)}}})
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
	client := a.Client
	if client == nil {
		client = &http.Client{Timeout: 30 * time.Second}
	}
	response, err := client.Do(request)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	if err != nil {
		return 0, err
	}
	if response.StatusCode != http.StatusOK {
		return 0, fmt.Errorf("the counting endpoint answered %s", response.Status)
	}
	var count struct {
		InputTokens *int `json:"input_tokens"`
	}
	if err := json.Unmarshal(answer, &count); err != nil {
		return 0, fmt.Errorf("the counting endpoint's answer: %w", err)
	}
	if count.InputTokens == nil || *count.InputTokens < 0 {
		return 0, errors.New("the counting endpoint's answer has no input_tokens")
	}
	return *count.InputTokens, nil
}

// exactCounts are the exact counts of texts, from the cache and from the API.
type exactCounts struct {
	api   ExactCounter // nil once it has failed
	warn  func(string)
	cache string
	known map[string]int // by the text's SHA-256
	fresh bool           // known has counts that the file lacks
}

// cacheFile is the layout of the cache.
type cacheFile struct {
	Counts map[string]int `json:"counts"`
}

func newExactCounts(o Options) (*exactCounts, error) {
	e := &exactCounts{api: o.API, warn: o.Warn, cache: o.Cache, known: make(map[string]int)}
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
	var file cacheFile
	if err := json.Unmarshal(text, &file); err != nil {
		return nil, fmt.Errorf("scorecard: %s is no cache of token counts: %w", o.Cache, err)
	}
	maps.Copy(e.known, file.Counts)
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
	if n, ok := e.known[key]; ok {
		return n, true
	}
	if e.api == nil {
		return 0, false
	}
	n, err := e.api.CountTokens(ctx, text)
	if err != nil {
		e.api = nil // one failure is enough to stop asking
		if e.warn != nil {
			e.warn("exact counts are not to be had, estimates stand in for them: " + err.Error())
		}
		return 0, false
	}
	e.known[key], e.fresh = n, true
	return n, true
}

// save writes the cache, by way of a file beside it.
func (e *exactCounts) save() error {
	if e.cache == "" || !e.fresh {
		return nil
	}
	text, err := json.MarshalIndent(cacheFile{e.known}, "", "  ")
	if err != nil {
		return fmt.Errorf("scorecard: cache: %w", err)
	}
	part, err := os.CreateTemp(filepath.Dir(e.cache), filepath.Base(e.cache)+".*")
	if err != nil {
		return fmt.Errorf("scorecard: cache: %w", err)
	}
	_, err = part.Write(append(text, '\n'))
	if closeErr := part.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Rename(part.Name(), e.cache)
	}
	if err != nil {
		os.Remove(part.Name())
		return fmt.Errorf("scorecard: cache: %w", err)
	}
	return nil
}
