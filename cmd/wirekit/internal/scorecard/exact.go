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
