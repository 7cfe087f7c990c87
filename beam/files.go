package beam

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
)

// attempts is how often what a file system could not do is tried, and firstWait the
// time before the second; it doubles.
const (
	attempts  = 8
	firstWait = 20 * time.Millisecond
)

// again calls attempt until it succeeds or has failed often enough.
func again(ctx context.Context, attempt func() error) error {
	wait := firstWait
	for n := 1; ; n++ {
		err := attempt()
		if err == nil || n == attempts || err == errCut || errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(wait):
		}
		wait *= 2
	}
}

// resuming is a reader of a file that opens it again where a read failed, or ended
// before the file does.
type resuming struct {
	ctx    context.Context
	file   string
	size   int64 // when the file was matched
	at     int64 // the next byte
	system filesystem.Interface
	in     io.ReadCloser
	failed int // reads in a row
}

// errCut is the error of a file that has become shorter since it was matched.
var errCut = errors.New("the file has become shorter since its size was looked up")

// Read implements [io.Reader].
func (r *resuming) Read(p []byte) (int, error) {
	for {
		if r.in == nil {
			if err := again(r.ctx, r.open); err != nil {
				return 0, err
			}
		}
		n, err := r.in.Read(p)
		r.at += int64(n)
		if n > 0 {
			r.failed = 0
		}
		if err == io.EOF && r.at < r.size {
			err = r.early()
		}
		if err == nil || err == io.EOF || err == errCut {
			return n, err
		}
		r.Close()
		if r.failed++; r.failed == attempts {
			return n, err
		}
		if n > 0 {
			return n, nil
		}
	}
}

// early returns the error of a file that ended early: errCut if it is shorter by now, so
// that reading it again would not help.
func (r *resuming) early() error {
	if size, err := r.system.Size(r.ctx, r.file); err == nil && size < r.size {
		return errCut
	}
	return io.ErrUnexpectedEOF
}

// open opens the file at the next byte.
func (r *resuming) open() (err error) {
	defer func() {
		if err != nil {
			r.Close()
		}
	}()
	if r.system, err = filesystem.New(r.ctx, r.file); err != nil {
		return err
	}
	if r.in, err = r.system.OpenRead(r.ctx, r.file); err != nil || r.at == 0 {
		return err
	}
	if s, ok := r.in.(io.Seeker); ok {
		_, err = s.Seek(r.at, io.SeekStart)
	} else if _, err = io.CopyN(io.Discard, r.in, r.at); err == io.EOF {
		err = r.early() // not the end of what is read
	}
	return err
}

// Close closes what is open. Nothing was written, so that no error matters.
func (r *resuming) Close() {
	if r.in != nil {
		r.in.Close()
		r.in = nil
	}
	if r.system != nil {
		r.system.Close()
		r.system = nil
	}
}

// writeFile writes a file, from the beginning with each attempt.
func writeFile(ctx context.Context, name string, text []byte) error {
	return again(ctx, func() error {
		system, err := filesystem.New(ctx, name)
		if err != nil {
			return err
		}
		defer system.Close()
		return filesystem.Write(ctx, system, name, text)
	})
}
