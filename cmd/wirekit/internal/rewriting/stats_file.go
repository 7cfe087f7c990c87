package rewriting

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/wirekit/wirekit/cmd/wirekit/internal/cli"
	"github.com/wirekit/wirekit/internal/base/lineio"
)

// mostStatsLine is the longest line of statistics that is written or read, in bytes.
const mostStatsLine = 16 << 20

// A statsFile is one that other processes may append to as well.
type statsFile struct {
	*os.File
	reading *os.File // the same, nil if it cannot be read
}

func openStats(name string) (*statsFile, error) {
	file, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	f := &statsFile{File: file}
	if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
		f.reading, _ = os.Open(name)
	}
	return f, nil
}

// add appends a line, in one write. If a full disk has cut the last one, it begins a line of
// its own.
func (f *statsFile) add(line []byte) error {
	if f.isCut() {
		line = append([]byte{'\n'}, line...)
	}
	_, err := f.Write(append(line, '\n'))
	return err
}

// isCut reports whether the file ends within a line, as far as that can be seen.
func (f *statsFile) isCut() bool {
	info, err := f.reading.Stat() // an error of a nil file too
	if err != nil || info.Size() == 0 {
		return false
	}
	var last [1]byte
	_, err = f.reading.ReadAt(last[:], info.Size()-1)
	return err == nil && last[0] != '\n'
}

func (f *statsFile) close() error {
	_ = f.reading.Close() // an error of a nil file too
	return f.Close()
}

// notedLines counts the lines of such a file, and those that are not what was noted, as a full
// disk leaves them.
type notedLines struct {
	all, skipped int
	first        int // that was skipped
	why          error
	said         int // how many were skipped when that was said
}

// read has take look at each line. What it refuses is skipped.
func (n *notedLines) read(r io.Reader, take func(line []byte) error) error {
	number := 0
	return lineio.Each(bufio.NewReader(r), mostStatsLine, func(line []byte, tooLong bool) {
		number++
		if !tooLong && len(bytes.TrimSpace(line)) == 0 {
			return
		}
		bad := fmt.Errorf("longer than %d bytes", mostStatsLine)
		if !tooLong {
			bad = take(line)
		}
		n.all++
		if bad == nil {
			return
		}
		if n.skipped++; n.skipped == 1 {
			n.first, n.why = number, bad
		}
	})
}

// check says how many lines were skipped. It is an error if all were.
func (n *notedLines) check(c *cli.Console, title string) error {
	switch {
	case n.skipped == n.said:
	case n.skipped == n.all:
		return fmt.Errorf("%s: line %d is %w", title, n.first, n.why)
	default:
		c.Note("%s: %d lines are left out; the first, line %d, is %v", title, n.skipped, n.first, n.why)
		n.said = n.skipped
	}
	return nil
}

// A tail is a file that grows. It ends when the file was cut, or another has its name.
type tail struct {
	*os.File
	at   int64
	show func() error // what was read so far
	wait func()
}

// Read waits at the end for more.
func (t *tail) Read(p []byte) (int, error) {
	for {
		n, err := t.File.Read(p)
		t.at += int64(n)
		if n > 0 || !errors.Is(err, io.EOF) {
			return n, err
		}
		if err := t.show(); err != nil {
			return 0, err
		}
		t.wait()
		is, err := t.Stat()
		if err != nil {
			return 0, err
		}
		named, err := os.Stat(t.Name())
		if is.Size() < t.at || err == nil && !os.SameFile(is, named) {
			return 0, io.EOF
		}
	}
}
