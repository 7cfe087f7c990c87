// Package tiktoken counts the tokens of OpenAI's vocabularies that package tokens does not
// have, p50k_base, p50k_edit and r50k_base of models before GPT-4, by the module
// pkoukk/tiktoken-go and its offline loader. It is a module of its own because programs with it
// have a regular-expression engine and all vocabularies; for cl100k_base and o200k_base, which
// it has too, take package tokens.
package tiktoken

import (
	"fmt"
	"sync"

	"github.com/pkoukk/tiktoken-go"
	loader "github.com/pkoukk/tiktoken-go-loader"
	"github.com/wirekit/wirekit/tokens"
)

// offline has the vocabularies read from the program, never from the network.
var offline = sync.OnceFunc(func() { tiktoken.SetBpeLoader(loader.NewOfflineLoader()) })

// Counter returns the counter of an encoding: p50k_base, p50k_edit, r50k_base, cl100k_base or
// o200k_base. It is safe for concurrent use. Special tokens count as the ordinary text that
// they are in data, and a byte that is not valid UTF-8 as U+FFFD.
func Counter(encoding string) (tokens.Counter, error) {
	offline()
	known, err := tiktoken.GetEncoding(encoding)
	if err != nil {
		return nil, fmt.Errorf("tiktoken: %w: %q: %w", tokens.ErrUnknownCounter, encoding, err)
	}
	return counter{encoding, known}, nil
}

type counter struct {
	name string
	*tiktoken.Tiktoken
}

func (c counter) Name() string { return c.name }
func (c counter) Exact() bool  { return true }

func (c counter) Count(text []byte) (int, error) {
	return len(c.EncodeOrdinary(string([]rune(string(text))))), nil
}
