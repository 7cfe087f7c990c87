package cli

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/internal/codec/describe"
	"github.com/wirekit/wirekit/wire"
)

// Exit codes.
const (
	ExitOK    = 0
	ExitInput = 1
	ExitUsage = 2
)

// UsageError is a wrong call, as opposed to wrong input.
type UsageError struct{ error }

func (e UsageError) Unwrap() error { return e.error }

// Usage returns an error as one of a wrong call.
func Usage(err error) error { return UsageError{err} }

// Usagef is fmt.Errorf for wrong calls.
func Usagef(format string, args ...any) error { return Usage(fmt.Errorf(format, args...)) }

// Fault returns the error about a document that err wraps, or nil.
func Fault(err error) (e *wire.Error) {
	_ = errors.As(err, &e)
	return e
}

// Code returns the code of an error that is about a document, or "".
func Code(err error) string { return cmp.Or(Fault(err), &wire.Error{}).Code }

// flagNames are what the hints of the packages name, as a user of the command has it.
// There is no flag for limits.
var flagNames = strings.NewReplacer(
	"raise Limits.", "a Go program can raise Limits.",
	"UnpackOptions.Force", "--force",
	"EncodeOptions.Lenient", "--lenient",
	"Codec.Lenient", "--lenient",
	"FromList makes one of a list of objects", `"wirekit convert -t gcf" writes other data`,
	"use gcf for values of any shape", `use "wirekit gcf encode-generic" or "wirekit convert -t gcf" for values of any shape`,
	"yaml:multi-document reads them as an array, a stream as records", "--from yaml:multi-document reads them as a list",
)

// goPrefixes are what errors of Go packages begin with.
var goPrefixes = regexp.MustCompile(`^(?:(?:wire: unknown_format|wire|wirekit|tokens|mcp|llm|quiz|render|exec|http): )+`)

// unknownName matches the errors for a name that is not among the known ones.
var unknownName = regexp.MustCompile(`unknown ([a-z ]+) "([^"]*)"(?:: no variant "[^"]*")?; known are ([^;()]+)|([a-z]+ )"([^"]*)" is none of ([^;()]+)`)

// plain is the text of an error in the words of the command.
func plain(err error) string {
	text := goPrefixes.ReplaceAllString(flagNames.Replace(err.Error()), "")
	m := unknownName.FindStringSubmatch(text)
	if m == nil {
		return text
	}
	what, name, list := m[1], m[2], m[3]
	if what == "" {
		what, name, list = strings.TrimSpace(m[4]), m[5], m[6]
	}
	known := strings.Split(list, ", ")
	hint := ""
	if what == "format" {
		hint, known = likeFormat(name)
		if list = strings.Join(known, ", "); !strings.Contains(list, ":") {
			known = append(FullNames(), Auto)
		}
	}
	hint = cmp.Or(hint, didYouMean(name, known), "; known are "+list)
	return strings.Replace(text, m[0], fmt.Sprintf("unknown %s %q%s", what, name, hint), 1)
}

// likeFormat returns a question for the format whose files end in a name, as those of
// csv:tsv in tsv, and what there is instead: a format's variants, or all formats.
func likeFormat(name string) (question string, known []string) {
	if codec, err := wirekit.Registry().LookupFile("x." + strings.TrimPrefix(name, ".")); err == nil {
		question = fmt.Sprintf("; did you mean %q?", codec.Info().FullName())
	}
	if format, _, ok := strings.Cut(name, ":"); ok {
		known = slices.DeleteFunc(FullNames(), func(full string) bool { return !strings.HasPrefix(full, format+":") })
	}
	if len(known) == 0 {
		known = ForAnyValue(describe.Names(wirekit.Registry()))
	}
	return question, known
}

// Report prints an error, with the source line where it has one.
func (c *Console) Report(err error) {
	fmt.Fprintf(c.Err, "wirekit: %s\n", Printable(plain(err)))
	excerpt := cmp.Or(Fault(err), &wire.Error{}).Excerpt()
	if caret, ok := strings.CutSuffix(excerpt, "^"); ok && IsTerminal(c.Err) {
		excerpt = caret + "\x1b[1;31m^\x1b[0m"
	}
	if excerpt != "" {
		fmt.Fprintln(c.Err, excerpt)
	}
}

// Note prints a line about what was done.
func (c *Console) Note(format string, args ...any) {
	fmt.Fprintf(c.Err, "wirekit: %s\n", Printable(fmt.Sprintf(format, args...)))
}

// ExitStatus ends the command with an exit code and no message: that of another
// command, which has said why itself, or that of a difference, which is not a fault.
type ExitStatus int

func (e ExitStatus) Error() string { return fmt.Sprintf("exit code %d", int(e)) }
