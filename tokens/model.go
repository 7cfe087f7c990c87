package tokens

import (
	"fmt"
	"strings"
)

// families are the beginnings of models' names, longer ones before those they begin with.
var families = []struct {
	counter  Counter
	prefixes []string
}{
	{O200k{}, []string{"gpt-5", "gpt-4.1", "gpt-4.5", "gpt-4o", "chatgpt-4o", "gpt-oss", "o1", "o3", "o4-mini"}},
	{Cl100k{}, []string{"gpt-4", "gpt-3.5", "gpt-35", "text-embedding-3", "text-embedding-ada-002"}},
	{Estimate{}, []string{"claude"}},
}

// ForModel returns the counter for a model by its name in a provider's API, such as
// "gpt-4o-mini", "openai/gpt-5" or "ft:gpt-4o:acme": exact for OpenAI's models, an
// [Estimate] for Claude. The error for any other wraps [ErrUnknownCounter]: its
// tokenizer is not known here, and a guess would pass for a count.
func ForModel(model string) (Counter, error) {
	name := strings.TrimPrefix(model[strings.LastIndexByte(model, '/')+1:], "ft:")
	for _, family := range families {
		for _, prefix := range family.prefixes {
			rest, ok := strings.CutPrefix(name, prefix)
			if ok && (rest == "" || strings.ContainsRune("-:.", rune(rest[0]))) {
				return family.counter, nil
			}
		}
	}
	return nil, fmt.Errorf("tokens: %w for the model %q; load its vocabulary with Load, or use one of %s", ErrUnknownCounter, model, strings.Join(Names(), ", "))
}
