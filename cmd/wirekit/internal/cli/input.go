package cli

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/klauspost/compress/zstd"
	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/internal/base/bound"
	"github.com/wirekit/wirekit/internal/codec/describe"
	"github.com/wirekit/wirekit/wire"
)

// Open returns the input that a FILE argument names, as it is.
func (c *Console) Open(name string) (io.ReadCloser, error) {
	switch {
	case name == "-" || name == "":
		if IsDevice(c.In) {
			c.typing.Store(true)
			c.Note("reading standard input; end with Ctrl-D")
		}
		return io.NopCloser(c.In), nil
	case strings.Contains(name, "://"):
		if _, err := os.Stat(name); err != nil {
			return nil, Usagef("%s is not a file; wirekit does not read addresses: curl -s %s | wirekit …", name, name)
		}
	}
	file, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w%s", err, likeNamed(name))
	} else if err != nil {
		return nil, err
	}
	if info, err := file.Stat(); err == nil && info.IsDir() {
		_ = file.Close()
		return nil, fmt.Errorf("%w; name files in it, or make a text of it with \"wirekit pack\"", &fs.PathError{Op: "read", Path: name, Err: syscall.EISDIR})
	}
	return file, nil
}

// likeNamed is a question for a file next to one that is not there, of the same extension
// and nearly the same name, or "".
func likeNamed(name string) string {
	base := filepath.Base(name)
	extension := filepath.Ext(base)
	stem := strings.TrimSuffix(base, extension)
	entries, _ := os.ReadDir(filepath.Dir(name)) // without any there is nothing to ask
	var near []string
	for _, e := range entries {
		s, ok := strings.CutSuffix(e.Name(), extension)
		if ok && !e.IsDir() && didYouMean(stem, []string{s}) != "" {
			near = append(near, e.Name())
		}
	}
	return didYouMean(base, near)
}

// Read returns the whole input that a FILE argument names, inflated if it is compressed.
func (c *Console) Read(name string) ([]byte, error) {
	in, err := c.Open(name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	src, err := io.ReadAll(in)
	c.typing.Store(false)
	if err != nil {
		return nil, err
	}
	src, err = inflated(src)
	return src, About(name, err)
}

// Argument returns the first argument or "-".
func Argument(args []string) string {
	if len(args) == 0 {
		return "-"
	}
	return args[0]
}

// Globbed replaces patterns among FILE arguments by the files that they match,
// where shells leave that to programs, as those of Windows do. A name that is
// there is taken as it is.
func (c *Console) Globbed(files []string) ([]string, error) {
	if !c.Globs {
		return files, nil
	}
	var all []string
	for _, file := range files {
		if _, err := os.Lstat(file); err == nil || !strings.ContainsAny(file, "*?[") {
			all = append(all, file)
			continue
		}
		matches, err := filepath.Glob(file)
		if err != nil {
			return nil, Usagef("%s is not a pattern: %w", file, err)
		}
		if matches == nil {
			return nil, fmt.Errorf("no file matches %s", file)
		}
		all = append(all, matches...)
	}
	return all, nil
}

// Title names an input in reports.
func Title(name string) string {
	if name == "-" || name == "" {
		return "standard input"
	}
	return OneLine(filepath.Base(name))
}

// A FileError is an error about a document, which it names.
type FileError struct {
	file string
	err  error
}

func (e *FileError) Error() string {
	return Title(e.file) + ": " + goPrefixes.ReplaceAllString(e.err.Error(), "")
}
func (e *FileError) Unwrap() error { return e.err }

// About names the file that an error is about, unless the error does so itself.
// Standard input needs no name where it is alone.
func About(file string, err error) error {
	var known *FileError
	var path *fs.PathError
	if err == nil || file == "-" || file == "" || errors.As(err, &known) || errors.As(err, &path) {
		return err
	}
	return &FileError{file, err}
}

// OneLine is a name as reports give it, which makes no lines or columns of its
// own.
func OneLine(name string) string { return strings.ReplaceAll(Printable(name), "\n", `\u000a`) }

// LimitsFor are those for a document of size bytes: whatever fits into memory is
// read, and output may be much larger than the input, though not without bound.
// The defaults are where they are not too tight for that, since formats bound
// by them what is out of proportion to the document.
func LimitsFor(size int) wire.Limits {
	l := wire.Limits{InputBytes: -1, LineBytes: -1}
	if 16*size > bound.OutputBytes {
		l.OutputBytes = 16 * size
	}
	if size > bound.Values {
		l.Values = size
	}
	return l
}

// limits are those for a document of size bytes that is read.
func (c *Console) limits(size int) wire.Limits {
	l := LimitsFor(size)
	l.Values = cmp.Or(c.Values, l.Values)
	return l
}

// Roomy returns a codec with the limits for size bytes.
func Roomy(c wire.Codec, size int) wire.Codec { return wire.WithLimits(c, LimitsFor(size)) }

// Warned returns a codec that notes its warnings.
func (c *Console) Warned(codec wire.Codec) wire.Codec {
	return wire.Internal.WithWarnings(codec, func(e *wire.Error) { c.Note("warning: %v", e) })
}

// FullNames are the names of all codecs and variants.
func FullNames() []string {
	var names []string
	for _, c := range describe.All(wirekit.Registry()) {
		names = append(names, c.Info().FullName())
	}
	return names
}

// IsForGraphs reports whether a format is for graphs alone.
func IsForGraphs(name string) bool {
	format, _, _ := strings.Cut(strings.TrimSuffix(name, "+fold"), ":")
	return format == "gcf-graph" || format == "goon"
}

// ForAnyValue returns the names without those of formats for graphs, for lists of what a
// value of any shape can be written in.
func ForAnyValue(names []string) []string { return slices.DeleteFunc(names, IsForGraphs) }

// The bounds of what an input inflates to, as those of context packs are
// (docs/decisions/0006): a document of any size is read, but none that is mostly promise.
const (
	inflatedAlways = 17 << 20
	inflatedFactor = 32
	inflatedMost   = 256 << 20
)

// Inflater returns what in holds, inflated if it is gzip or zstd, and the program that
// would do so, or "". It keeps memory in bounds however long that is.
func Inflater(in *bufio.Reader) (io.Reader, string, error) {
	head, _ := in.Peek(4)
	switch {
	case bytes.HasPrefix(head, []byte("\x1f\x8b")):
		r, err := gzip.NewReader(in)
		return r, "gzip -dc", compressed(err)
	case bytes.HasPrefix(head, []byte("\x28\xb5\x2f\xfd")):
		r, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(64<<20))
		return r, "zstd -dc", compressed(err)
	}
	return in, "", nil
}

// inflated returns the document that src is the compressed form of, or src.
func inflated(src []byte) ([]byte, error) {
	r, by, err := Inflater(bufio.NewReader(bytes.NewReader(src)))
	if err != nil || by == "" {
		return src, err
	}
	most := min(inflatedAlways+inflatedFactor*len(src), inflatedMost)
	out, err := io.ReadAll(io.LimitReader(r, int64(most)+1))
	switch {
	case err != nil:
		return nil, compressed(err)
	case len(out) > most:
		return nil, fmt.Errorf("the %d bytes inflate to more than %d; if that is right, pipe them through %s, or convert records with --stream", len(src), most, by)
	}
	return out, nil
}

func compressed(err error) error {
	if err == nil || errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return err
	}
	return fmt.Errorf("the compressed input is damaged: %w", err)
}

// UncompressedName is a file's name without the extension of a compressed one.
func UncompressedName(file string) string {
	switch ext := filepath.Ext(file); strings.ToLower(ext) {
	case ".gz", ".zst", ".zstd":
		return strings.TrimSuffix(file, ext)
	}
	return file
}
