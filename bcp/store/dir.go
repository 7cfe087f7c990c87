// Package store keeps the content that BCP references name in a folder on
// disk, so that a payload written with references today can be read tomorrow
// by another program.
//
// Content lies under its hash, in 256 subfolders: ab/cdef…, with 62 digits
// after the first two. A file appears there complete or not at all: content is
// written to a temporary file beside them, flushed to the disk, and renamed.
// What a crash leaves behind is a file named tmp-…, which nothing reads.
//
// # What a program calls
//
//   - [Dir] is a [bcp.Store], for bcp.DecodeOptions and bcp.EncodeOptions;
//     [Dir.All] lists it and [Dir.Clean] removes what a crash left.
package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/wirekit/wirekit/bcp"
	"github.com/wirekit/wirekit/bcp/internal/kept"
)

// Dir is a [bcp.Store] in a folder. It is safe for concurrent use, also by
// several processes. Everything that is read is hashed again; content that
// does not have the hash it lies under is an error that wraps
// [wire.ErrChecksum], and Put replaces it. A folder in the place of content is not
// content; Put replaces an empty one.
type Dir struct {
	// Path is the folder. Put makes it if it is not there.
	Path string
}

var _ bcp.Store = Dir{}

// MaxBytes is the largest content that a Dir takes or returns.
const MaxBytes = 1 << 30

// tempPrefix starts the names of files that are not complete.
const tempPrefix = "tmp-"

func (d Dir) file(h bcp.Hash) string { return filepath.Join(d.Path, kept.Name(h)) }

// Get implements [bcp.Store].
func (d Dir) Get(ctx context.Context, h bcp.Hash) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	f, err := os.Open(d.file(h))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: %s", bcp.ErrNotFound, h)
	}
	if err != nil {
		return nil, kept.Failure(err)
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return nil, fmt.Errorf("%w: %s", bcp.ErrNotFound, h)
	}
	body, err := kept.Read(f)
	if err == nil {
		err = kept.Verify(h, body)
	}
	if err != nil {
		return nil, kept.Failure(err)
	}
	return body, nil
}

// Has implements [bcp.Store]. It looks for the file only; Get may still find
// it damaged.
func (d Dir) Has(ctx context.Context, h bcp.Hash) (bool, error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	info, err := os.Stat(d.file(h))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil && !info.IsDir(), kept.Failure(err)
}

// Put implements [bcp.Store]. When it returns, the content is on the disk.
func (d Dir) Put(ctx context.Context, body []byte) (bcp.Hash, error) {
	h := bcp.HashOf(body)
	if err := kept.Fits(int64(len(body))); err != nil {
		return h, err
	}
	if _, err := d.Get(ctx, h); err == nil || ctx.Err() != nil {
		return h, ctx.Err()
	}
	file := d.file(h)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return h, kept.Failure(err)
	}
	return h, kept.Failure(d.write(file, body))
}

// write makes file with the content, whole or not at all.
func (d Dir) write(file string, body []byte) (err error) {
	temp, err := os.CreateTemp(d.Path, tempPrefix)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			temp.Close()
			os.Remove(temp.Name())
		}
	}()
	for _, step := range []func() error{
		func() error { _, err := temp.Write(body); return err },
		temp.Sync,
		temp.Close,
		func() error { return makeWay(file) },
		func() error { return os.Rename(temp.Name(), file) },
		// The rename itself lasts once the folders are on the disk.
		func() error { return syncFolder(filepath.Dir(file)) },
		func() error { return syncFolder(d.Path) },
	} {
		if err = step(); err != nil {
			return err
		}
	}
	return nil
}

// makeWay removes an empty folder in the place of a file.
func makeWay(file string) error {
	if info, err := os.Lstat(file); err != nil || !info.IsDir() {
		return nil
	}
	if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s is a folder that is not empty, in the place of content: %w", file, err)
	}
	return nil
}

func syncFolder(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	err = f.Sync()
	// Some systems cannot flush folders and say so; they need no flush.
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, fs.ErrInvalid) || errors.Is(err, fs.ErrPermission) {
		return nil
	}
	return err
}

// All iterates over the hashes in the folder, in no particular order, until
// the end or the first error, which is the last pair. Whether the content is
// sound only Get reports.
func (d Dir) All() iter.Seq2[bcp.Hash, error] {
	return func(yield func(bcp.Hash, error) bool) {
		folders, err := os.ReadDir(d.Path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			yield(bcp.Hash{}, kept.Failure(err))
			return
		}
		for _, folder := range folders {
			if !folder.IsDir() || len(folder.Name()) != 2 {
				continue
			}
			files, err := os.ReadDir(filepath.Join(d.Path, folder.Name()))
			if err != nil {
				yield(bcp.Hash{}, kept.Failure(err))
				return
			}
			for _, file := range files {
				if h, err := bcp.ParseHash(folder.Name() + file.Name()); err == nil && !file.IsDir() && !yield(h, nil) {
					return
				}
			}
		}
	}
}

// Clean removes the files that crashed writers left behind, if they are older
// than age. An age well above the time that a Put takes keeps it from the
// files of writers at work.
func (d Dir) Clean(age time.Duration) error {
	files, err := os.ReadDir(d.Path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return kept.Failure(err)
	}
	for _, file := range files {
		info, err := file.Info()
		if err != nil || file.IsDir() || !strings.HasPrefix(file.Name(), tempPrefix) || time.Since(info.ModTime()) < age {
			continue
		}
		if err := os.Remove(filepath.Join(d.Path, file.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return kept.Failure(err)
		}
	}
	return nil
}
