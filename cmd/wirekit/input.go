package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/wire"
)

// open returns the input that a FILE argument names.
func (c *console) open(name string) (io.ReadCloser, error) {
	if name == "-" || name == "" {
		return io.NopCloser(c.in), nil
	}
	return os.Open(name)
}

// read returns the whole input that a FILE argument names.
func (c *console) read(name string) ([]byte, error) {
	if name != "-" && name != "" {
		return os.ReadFile(name)
	}
	return io.ReadAll(c.in)
}

// argument returns the first argument or "-".
func argument(args []string) string {
	if len(args) == 0 {
		return "-"
	}
	return args[0]
}

// expanded replaces patterns among FILE arguments by the files that they match,
// for shells that leave that to programs, as those of Windows do. A name that is
// there is taken as it is.
func expanded(files []string) ([]string, error) {
	var all []string
	for _, file := range files {
		if _, err := os.Lstat(file); err == nil || !strings.ContainsAny(file, "*?[") {
			all = append(all, file)
			continue
		}
		matches, err := filepath.Glob(file)
		if err != nil {
			return nil, usageError{fmt.Errorf("%s is no pattern: %w", file, err)}
		}
		if matches == nil {
			return nil, fmt.Errorf("no file matches %s", file)
		}
		all = append(all, matches...)
	}
	return all, nil
}

// title names an input in reports.
func title(name string) string {
	if name == "-" || name == "" {
		return "standard input"
	}
	return oneLine(filepath.Base(name))
}

// A fileError is an error about a document, which it names.
type fileError struct {
	file string
	err  error
}

func (e *fileError) Error() string { return title(e.file) + ": " + e.err.Error() }
func (e *fileError) Unwrap() error { return e.err }

// about names the file that an error is about, unless the error does so itself.
// Standard input needs no name where it is alone.
func about(file string, err error) error {
	if err == nil || file == "-" || file == "" {
		return err
	}
	var known *fileError
	var path *fs.PathError
	if errors.As(err, &known) || errors.As(err, &path) {
		return err
	}
	return &fileError{file, err}
}

// oneLine is a name as reports give it, which makes no lines or columns of its
// own.
func oneLine(name string) string { return lineBreaks.Replace(printable(name)) }

var lineBreaks = strings.NewReplacer("\n", `\u000a`, "\t", `\u0009`)

// lookup returns the codec called name. The error says what was probably
// meant.
func lookup(name string) (wire.Codec, error) {
	c, err := wirekit.Lookup(name)
	if err == nil {
		return c, nil
	}
	for _, known := range wirekit.Registry().All() {
		if full := known.Info().FullName(); strings.EqualFold(full, name) {
			return nil, fmt.Errorf("%w (did you mean %s?)", err, full)
		}
	}
	return nil, err
}

// codec returns the codec called name with limits for a document of size
// bytes.
func codec(name string, size int) (wire.Codec, error) {
	c, err := lookup(name)
	if err != nil {
		return nil, err
	}
	return roomy(c, size), nil
}

// limits are those for a document of size bytes: whatever fits into memory is
// read, and output may be much larger than the input, though not without bound.
// The defaults stand where they are not too tight for that, since formats bound
// by them what is out of proportion to the document.
func limits(size int) wire.Limits {
	l := wire.Limits{InputBytes: -1, LineBytes: -1}
	if 16*size > wire.DefaultOutputBytes {
		l.OutputBytes = 16 * size
	}
	if size > wire.DefaultValues {
		l.Values = size
	}
	return l
}

func roomy(c wire.Codec, size int) wire.Codec {
	if l, ok := c.(wire.Limiter); ok {
		return l.WithLimits(limits(size))
	}
	return c
}

// A warner is a codec that accepts documents which may be incomplete, and can
// say so.
type warner interface {
	WithWarnings(func(*wire.Error)) wire.Codec
}

// warned returns a codec that notes its warnings.
func (c *console) warned(codec wire.Codec) wire.Codec {
	if w, ok := codec.(warner); ok {
		return w.WithWarnings(func(e *wire.Error) { c.note("warning: %v", e) })
	}
	return codec
}

// addFrom adds the flag for the input's format.
func addFrom(cmd *cobra.Command, from *string) {
	cmd.Flags().StringVarP(from, "from", "f", "", "format of the input (default: by its extension, or detected)")
	completeFormats(cmd, "from")
}

// completeFormats completes a flag with the formats, and more words.
func completeFormats(cmd *cobra.Command, flag string, more ...string) {
	_ = cmd.RegisterFlagCompletionFunc(flag, func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return append(fullNames(), more...), cobra.ShellCompDirectiveNoFileComp
	})
}

// fullNames are the names of all codecs and variants.
func fullNames() []string {
	var names []string
	for _, c := range wirekit.Registry().All() {
		names = append(names, c.Info().FullName())
	}
	return names
}
