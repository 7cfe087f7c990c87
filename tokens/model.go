package tokens

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// families are the beginnings of models' names, longer ones before those they begin with,
// and the first version that a counter is for, as version returns it, later ones before
// earlier ones; 0 is any name.
var families = []struct {
	counter  Counter
	from     int
	prefixes []string
}{
	{O200k{}, 0, []string{"gpt-5", "gpt-4.1", "gpt-4.5", "gpt-4o", "chatgpt-4o", "gpt-oss", "o1", "o3", "o4-mini"}},
	{Cl100k{}, 0, []string{"gpt-4", "gpt-3.5", "gpt-35", "text-embedding-3", "text-embedding-ada-002"}},
	{claude47, 407, []string{"claude"}},
	{claude, 300, []string{"claude"}},
	{gemini, 200, []string{"gemini"}},
	// What is nearest to others: none has these versions.
	{gemini, math.MaxInt, []string{"gemma"}},
	{Cl100k{}, math.MaxInt, []string{"llama"}},
}

// ForModel returns the counter for a model by its name in a provider's API, such as
// "gpt-4o-mini", "openai/gpt-5", "ft:gpt-4o:acme", "claude-sonnet-4-5@20250929" or
// "us.anthropic.claude-opus-4-7-v1:0": exact for OpenAI's models, an [Estimate] for Claude
// since 3 and Gemini since 2. A name without a version, "claude" or "gemini-flash-latest",
// is the newest. The error for any other wraps [ErrUnknownCounter] and names the counter
// that is nearest: the tokenizer is not known here, and a guess would pass for a count. Of open
// models it is in a file, which [LoadTokenizerJSON] reads.
func ForModel(model string) (Counter, error) {
	name := bare(model)
	nearest := Default()
	for _, family := range families {
		for _, prefix := range family.prefixes {
			rest, ok := strings.CutPrefix(name, prefix)
			if ok && (rest == "" || strings.ContainsRune(separators, rune(rest[0]))) {
				if version(rest) >= family.from {
					return family.counter, nil
				}
				nearest = family.counter
			}
		}
	}
	return nil, fmt.Errorf("tokens: %w for the model %q; the nearest is %s; known are %s and models of OpenAI, Claude since 3 and Gemini since 2; "+
		"for an exact count give the file tokenizer.json that is published with an open model",
		ErrUnknownCounter, model, nearest.Name(), strings.Join(Names(), ", "))
}

// separators are what the parts of a model's name are between.
const separators = "-.:@["

// bare returns the name of a model without what providers write before it.
func bare(model string) string {
	name := strings.ToLower(model[strings.LastIndexByte(model, '/')+1:])
	for _, vendor := range []string{"anthropic", "google", "openai"} {
		region, rest, ok := strings.Cut(name, vendor)
		if ok && !strings.Contains(region, ":") && rest != "" && strings.ContainsRune(".:", rune(rest[0])) {
			name = rest[1:]
		}
	}
	return strings.TrimPrefix(strings.TrimPrefix(name, "ft:"), "databricks-")
}

// version returns the version in what a model's name has after the family: 405 for
// "-sonnet-4-5-20250929", one above all for "" and "-flash-latest", 0 where there is none.
func version(rest string) int {
	parts := append(strings.FieldsFunc(rest, func(r rune) bool { return strings.ContainsRune(separators, r) }), "")
	for i, part := range parts {
		if major, ok := short(strings.TrimPrefix(part, "v")); ok {
			minor, _ := short(parts[i+1])
			return 100*major + minor
		}
	}
	if rest == "" || strings.HasSuffix(rest, "-latest") {
		return math.MaxInt - 1
	}
	return 0
}

// short returns a number of one or two digits; a date has more.
func short(part string) (int, bool) {
	n, err := strconv.Atoi(part)
	if err != nil || len(part) > 2 {
		return 0, false
	}
	return n, true
}
