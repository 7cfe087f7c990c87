// Package tokens counts the tokens that language models make of a text,
// offline.
//
// # What a program calls
//
//   - To count: [O200k], [Cl100k], [Estimate], or a [Counter] by name: [Lookup]
//     (whose error is [ErrUnknownCounter]), [Names], [Default].
//   - To count no further than needed: [CountUpTo]; to see where tokens end:
//     [AppendEnds].
//   - Vocabularies of other models: [Load] with a [Pattern].
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
// The tokenizers of other models, Anthropic's since Claude 3 among them, are
// not public. [Estimate] guesses for them, and its name and [Counter].Exact
// say so.
//
// Special tokens such as <|endoftext|> count as ordinary text, because in data
// they are nothing else. Bytes that are not valid UTF-8 count as one U+FFFD
// each, which is what a model would be sent.
//
// [Load] reads the vocabularies of other models, from rank files in tiktoken's
// form.
//
// # Offline
//
// The two vocabularies are embedded in the program in a binary form, 0.8 MB and
// 0.4 MB, and each only in programs that use its counter. They are made from
// the files of github.com/pkoukk/tiktoken-go-loader (go run
// ./internal/vocabulary), and a test holds that they are equal. The package
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
// space or punctuation, is merged in O(n log n) time and 20 bytes of memory per
// byte when it is longer than 96 bytes: a megabyte that is one single word
// takes about a third of a second and 21 MB. A text that is not valid UTF-8 is
// copied. No text takes quadratic time (go test -bench Hostile ./tokens).
//
// [CountUpTo] stops as soon as there are more tokens than wanted, and [AppendEnds]
// returns where each token ends, so that a program can draw them.
package tokens
