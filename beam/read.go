package beam

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"reflect"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/sdf"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/fileio"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/rtrackers/offsetrange"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/jsonl"
	"github.com/wirekit/wirekit/wire"
)

func init() {
	beam.RegisterDoFn(reflect.TypeFor[*readFn]())
	register.Emitter1[Document]()
	register.Emitter1[Rejected]()
}

// ReadOptions say how files are read. The zero ReadOptions read the records of each
// file in the format of its name or content.
type ReadOptions struct {
	// Format is that of all files: "jsonl", "gcf", "csv:tsv". Empty means that of each
	// file's extension, or what its beginning looks like.
	Format string
	// Whole makes each file one document, as wirekit compare has it.
	Whole bool
	// SplitBytes is how large the parts are in which a file of JSON Lines is read at
	// first; the runner may split on. 0 means 64 MiB.
	SplitBytes int64
}

// Read reads the files that the pattern names, into documents and what could not be
// read.
//
// A file of JSON Lines is read in parts, by several workers at once, and a bad line is
// passed over: a line end is not part of a record, so one that begins after a byte is
// found without what is before it. Any other file is read by one worker. There a bad
// record ends the file, since what follows cannot be trusted to be one.
//
// A file that ends before its size is a fault of the file system, which is tried again
// and then fails the bundle; one that has become shorter since is read as far as it goes,
// and is bad. Compressed files are not read, and are bad. Read panics, as transforms do,
// if no format has the name in the options.
func Read(s beam.Scope, pattern string, o ReadOptions) (documents, bad beam.PCollection) {
	s = s.Scope("wirekit.Read")
	if o.Format != "" {
		mustFormat(s, o.Format)
	}
	files := fileio.MatchFiles(s, pattern)
	return beam.ParDo2(s, &readFn{o}, files)
}

// readFn reads files, by ranges of their bytes.
type readFn struct{ ReadOptions }

const usualSplit = 64 << 20

// splits reports whether the records of a file are found from its middle. It looks at
// names only, so that every worker says the same.
func (fn *readFn) splits(file fileio.FileMetadata) bool {
	if fn.Whole {
		return false
	}
	codec, err := fn.codec(file.Path, nil)
	_, lines := codec.(jsonl.Codec)
	return err == nil && lines
}

// CreateInitialRestriction covers the file, and a byte of an empty one, which is a
// document too, if a bad one.
func (fn *readFn) CreateInitialRestriction(file fileio.FileMetadata) offsetrange.Restriction {
	return offsetrange.Restriction{Start: 0, End: max(file.Size, 1)}
}

// SplitRestriction cuts a file whose records are found from the middle.
func (fn *readFn) SplitRestriction(file fileio.FileMetadata, r offsetrange.Restriction) []offsetrange.Restriction {
	if !fn.splits(file) {
		return []offsetrange.Restriction{r}
	}
	return r.SizedSplits(cmp.Or(max(fn.SplitBytes, 0), usualSplit))
}

// RestrictionSize returns the bytes of a part.
func (fn *readFn) RestrictionSize(_ fileio.FileMetadata, r offsetrange.Restriction) float64 {
	return r.Size()
}

// CreateTracker returns a tracker of a part.
func (fn *readFn) CreateTracker(r offsetrange.Restriction) *sdf.LockRTracker {
	return sdf.NewLockRTracker(offsetrange.NewTracker(r))
}

// ProcessElement reads the records that begin in the part.
func (fn *readFn) ProcessElement(ctx context.Context, rt *sdf.LockRTracker, file fileio.FileMetadata, emit func(Document), bad func(Rejected)) error {
	part := rt.GetRestriction().(offsetrange.Restriction)
	in := &resuming{ctx: ctx, file: file.Path, size: file.Size}
	defer in.Close()
	if fn.splits(file) {
		return fn.lines(in, rt, part, emit, bad)
	}
	// A file that is read as a whole begins in the part that has its first byte; a
	// runner that splits it all the same gets nothing from the rest.
	if part.Start == 0 {
		if !rt.TryClaim(int64(0)) {
			return nil
		}
		if err := fn.whole(in, emit, bad); err != nil {
			return err
		}
	}
	finish(rt)
	return nil
}

// lines reads the lines that begin in the part. The last one may end after it.
func (fn *readFn) lines(in *resuming, rt *sdf.LockRTracker, part offsetrange.Restriction, emit func(Document), bad func(Rejected)) error {
	// From the byte before the part: if that is a line end, a line begins with the part.
	in.at = max(part.Start-1, 0)
	r := &lineReader{in: bufio.NewReaderSize(in, 64<<10), at: in.at, limit: wire.Limits{}.Resolved().LineBytes}
	if part.Start > 0 {
		_, _, err := r.next()
		switch {
		case err == errCut || err == io.EOF && r.at < part.Start:
			finish(rt) // the file ends before the part, which another part reports
			return nil
		case err != nil && err != io.EOF:
			return err
		}
	}
	for rt.TryClaim(r.at) {
		offset := r.at
		line, long, err := r.next()
		if err == errCut {
			bad(cutOff(in.file, r.at, line))
			finish(rt)
			return nil
		}
		if err != nil && err != io.EOF {
			return err
		}
		if offset == 0 {
			line = bytes.TrimPrefix(line, []byte("\ufeff"))
		}
		switch {
		case long:
			e := &wire.Error{Format: "jsonl", Code: wire.CodeLineTooLong, Kind: wire.ErrLimit, Message: "a line is longer than the limit"}
			bad(badOf(e, in.file, offset, "jsonl", line))
		case len(bytes.TrimSpace(line)) > 0:
			fn.line(in.file, offset, line, emit, bad)
		}
		if err == io.EOF {
			finish(rt)
			return nil
		}
	}
	return nil
}

// cutOff is what is said of a file that has become shorter: it ends at the offset, maybe
// in the middle of a record.
func cutOff(file string, offset int64, text []byte) Rejected {
	b := badOf(errCut, file, offset, "", text)
	b.Code = "file_cut"
	return b
}

// finish claims the rest of a part, of which a tracker wants to hear. A tracker that
// has once refused a claim is not asked again.
func finish(rt *sdf.LockRTracker) { rt.TryClaim(rt.GetRestriction().(offsetrange.Restriction).End) }

// line reads one line.
func (fn *readFn) line(file string, offset int64, line []byte, emit func(Document), bad func(Rejected)) {
	v, err := wire.JSON{}.Decode(line)
	if err != nil {
		bad(badOf(err, file, offset, "jsonl", line))
		return
	}
	emit(Document{File: file, Offset: offset, JSON: wire.AppendJSON(nil, v)})
}

// whole reads a file from its beginning to its end.
func (fn *readFn) whole(in *resuming, emit func(Document), bad func(Rejected)) error {
	buffered := bufio.NewReaderSize(in, 64<<10)
	head, err := buffered.Peek(4 << 10)
	if err != nil && err != io.EOF && err != errCut {
		return err
	}
	head = bytes.Clone(head)
	codec, err := fn.codec(in.file, head)
	if err != nil {
		bad(unknown(err, in.file, head))
		return nil
	}
	format := codec.Info().FullName()
	refused := func(err error) error {
		var e *wire.Error
		switch {
		case errors.Is(err, errCut):
			bad(cutOff(in.file, in.at, nil))
			return nil
		case !errors.As(err, &e):
			return err // of the file system
		}
		bad(badOf(err, in.file, int64(e.Offset), format, head))
		return nil
	}
	if records, ok := codec.(wire.Streamer); ok && !fn.Whole && codec.Info().Name != "json" {
		n := int64(0)
		for v, err := range wire.ViewRecords(records, buffered) {
			if err != nil {
				return refused(err)
			}
			n++
			emit(Document{File: in.file, Number: n, JSON: wire.AppendJSON(nil, v)})
		}
		return nil
	}
	text, err := io.ReadAll(buffered)
	if err != nil {
		return refused(err)
	}
	v, err := codec.Decode(text)
	if err != nil {
		return refused(err)
	}
	emit(Document{File: in.file, JSON: wire.AppendJSON(nil, v)})
	return nil
}

// unknown is what is said of a file whose format is not known.
func unknown(err error, file string, head []byte) Rejected {
	b := badOf(err, file, 0, "", head)
	b.Format, b.Code = "", "unknown_format"
	for signature, format := range map[string]string{"\x1f\x8b": "gzip", "\x28\xb5\x2f\xfd": "zstd", "BZh": "bzip2", "\xfd7zXZ\x00": "xz", "PK\x03\x04": "zip"} {
		if bytes.HasPrefix(head, []byte(signature)) {
			b.Format, b.Code, b.Message = format, "compressed", "the file is compressed by "+format+", which is not read: decompress it before"
		}
	}
	return b
}

// codec returns that of the options, of the file's extension, or of what it begins with.
func (fn *readFn) codec(file string, head []byte) (wire.Codec, error) {
	if fn.Format != "" {
		return wirekit.Lookup(fn.Format)
	}
	if codec, err := wirekit.Registry().LookupFile(file); err == nil {
		return codec, nil
	}
	return wirekit.Detect(head)
}

// A lineReader reads lines and knows where they begin. What of a line is beyond the
// limit is passed over, not kept.
type lineReader struct {
	in    *bufio.Reader
	at    int64 // the beginning of the next line
	limit int
	line  []byte
}

// next returns a line without its end, valid until the next call. After the last one
// is io.EOF, which also comes with a last line without an end.
func (r *lineReader) next() (line []byte, long bool, err error) {
	r.line = r.line[:0]
	for {
		part, err := r.in.ReadSlice('\n')
		r.at += int64(len(part))
		if room := r.limit + len("\r\n") - len(r.line); len(part) > room {
			long, part = true, part[:max(room, 0)]
		}
		r.line = append(r.line, part...)
		if err == bufio.ErrBufferFull {
			continue
		}
		return bytes.TrimSuffix(bytes.TrimSuffix(r.line, []byte("\n")), []byte("\r")), long, err
	}
}
