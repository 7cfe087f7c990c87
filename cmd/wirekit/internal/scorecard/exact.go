package scorecard

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
)

// exactCounts are the tokens of texts as the model's own service counts them, by their
// SHA-256.
type exactCounts struct {
	Counts map[string]int `json:"counts"`
}

// readCounts reads a file of exact counts; without a name there are none.
func readCounts(name string) (e exactCounts, err error) {
	if name == "" {
		return e, nil
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return e, fmt.Errorf("scorecard: counts: %w", err)
	}
	if err := json.Unmarshal(text, &e); err != nil {
		return e, fmt.Errorf("scorecard: %s is not a file of token counts: %w", name, err)
	}
	return e, nil
}

// measure returns the counts of both texts if both are known.
func (e exactCounts) measure(text, payload []byte) (Measure, bool) {
	json, first := e.count(text)
	gcx, second := e.count(payload)
	return Measure{json, gcx}, first && second
}

func (e exactCounts) count(text []byte) (int, bool) {
	sum := sha256.Sum256(text)
	n, ok := e.Counts[hex.EncodeToString(sum[:])]
	return n, ok
}
