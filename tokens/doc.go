// Package tokens counts the tokens that language models make of a text,
// offline.
//
// # What a program calls
//
//   - To count: [O200k], [Cl100k], [Estimate], or a [Counter] by name: [Lookup]
//     (whose error is [ErrUnknownCounter]), [Names], [Default]; by a model's: [ForModel].
//   - To count no further than needed: [CountUpTo]; to see where tokens end:
//     [AppendEnds].
//   - Vocabularies of other models: [LoadTokenizerJSON], [Load] with a [Pattern].
//
// # Vocabularies
//
// A tokenizer splits a text into pieces by a regular expression and encodes
// each piece with a vocabulary of byte strings by byte pair encoding. Two
// vocabularies of OpenAI are built in:
//
//	o200k_base   200k tokens; GPT-4o, GPT-4.1, GPT-4.5                     [O200k], the default
//	cl100k_base  100k tokens; GPT-4, GPT-3.5, text-embedding-ada-002 and  [Cl100k]
//	             text-embedding-3
//
// Their counts are exact: those of the text itself, without the few tokens
// that a chat interface adds around each message. They equal the counts of
// github.com/pkoukk/tiktoken-go; the tests compare each piece and each count
// with that library. The character classes of the expressions are those of
// package unicode, whose version follows the Go release, and in contractions
// such as 's only ASCII letters match without regard to case, as in that
// library.
//
// The tokenizers of Claude since 3 and of Gemini are not public. An [Estimate] guesses
// for them; its name and [Counter].Exact say so. [Lookup] knows these, of August 2026:
//
//	claude-estimate      Claude 3 to 4.6                1.18 × o200k_base
//	claude-4.7-estimate  Claude Opus 4.7 and all later  1.53 × o200k_base
//	gemini-estimate      Gemini 2 and later             1.08 × o200k_base
//
// Both factors for Claude are those of github.com/sammcj/ingest (pull request 65), which
// took them from Anthropic's count_tokens. For Claude 3 to 4.5 the npm package ai-tokenizer
// counts with the vocabulary of older models, times 1.1, and states that 98 to 99.9 % of
// the tokens are right; over the 76 kinds of answers of docs/choosing.md claude-estimate is
// 0.4 % below that in all, and 18 % below to 9 % above it for single ones. Reports of what
// Opus 4.7 takes range from 1.3 to 1.47 times what came before: claude-4.7-estimate may be
// 12 % too low. The factor for Gemini is ai-tokenizer's, for Gemini 2 and 3, where it states
// 97 to 99.9 %.
//
// Special tokens such as <|endoftext|> count as ordinary text, because in data
// they are nothing else. Bytes that are not valid UTF-8 count as one U+FFFD
// each, which is what a model would be sent.
//
// [LoadTokenizerJSON] reads the vocabularies of open models, from the tokenizer.json that
// Hugging Face has of them: Llama 3, Qwen 2 and 3, DeepSeek V3 and R1, gpt-oss, Mistral's
// tekken. It joins only the pairs that the file lists, in their order, and brings a text
// into Unicode's form NFC where the file says so (by Unicode 15). [Load] reads rank files in
// tiktoken's form.
//
// # Offline
//
// The two vocabularies are embedded in the program in a binary form, 0.8 MB and
// 0.4 MB, and each only in programs that use its counter. They are made from
// the files of github.com/pkoukk/tiktoken-go-loader (go run
// ./internal/tools/vocabulary), and a test holds that they are equal. The package
// does not link a network client, reads no file and touches no setting of
// tiktoken-go, so that a program may use that library beside it in its own way.
//
// A program that is built with the tag novocabulary embeds none: counting with
// [O200k] and [Cl100k] is an error in it, and [Load] reads a vocabulary from
// where the program keeps it. The programs of the playground are built so.
//
// # Cost
//
// A vocabulary is indexed when it first counts a text that is not empty, once
// per process: o200k_base in 8 ms, cl100k_base in 4 ms (go test -bench Load
// ./tokens, Go 1.26 on a shared two-core EPYC), and 3.2 and 1.7 MB of heap are
// kept.
//
// After that, rows of JSON, tables and English prose count at 900 to 1400 MB/s,
// 150 times and more faster than by encoding them with tiktoken-go; text whose
// pieces never repeat at 15 to 30 MB/s (go test -bench 'Count|Library'
// ./tokens). In the steady state a call allocates nothing.
//
// Two kinds of text take more. A piece, which is a word or a run of white
// space or punctuation, is merged in O(n log n) time and 24 bytes of memory per
// byte when it is longer than 48 bytes: a megabyte that is one single word
// takes about a third of a second and 25 MB. A text that is not valid UTF-8 is
// copied. No text takes quadratic time (go test -bench Hostile ./tokens).
//
// [CountUpTo] stops as soon as there are more tokens than wanted, and [AppendEnds]
// returns where each token ends, so that a program can draw them.
package tokens
