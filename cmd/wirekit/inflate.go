package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// The bounds of what an input inflates to, as those of context packs are
// (docs/decisions/0006): a document of any size is read, but none that is mostly promise.
const (
	inflatedAlways = 17 << 20
	inflatedFactor = 32
	inflatedMost   = 256 << 20
)

// inflater returns what in holds, inflated if it is gzip or zstd, and the program that
// would do so, or "". It keeps memory in bounds however long that is.
func inflater(in *bufio.Reader) (io.Reader, string, error) {
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
	r, by, err := inflater(bufio.NewReader(bytes.NewReader(src)))
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

// uncompressedName is a file's name without the extension of a compressed one.
func uncompressedName(file string) string {
	switch ext := filepath.Ext(file); strings.ToLower(ext) {
	case ".gz", ".zst", ".zstd":
		return strings.TrimSuffix(file, ext)
	}
	return file
}
