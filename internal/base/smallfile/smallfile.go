// Package smallfile reads small files whose author is not known, such as settings in the
// folder of a project. A name may lead to anything: a device that has no end, a pipe that
// has no writer, a file of a terabyte.
package smallfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// Settings is the size of the longest file of settings, in bytes.
const Settings = 64 << 10

// Read returns what a regular file, or one that a link leads to, holds. Anything else,
// and a file of more than most bytes, is an error at once.
func Read(name string, most int64) ([]byte, error) {
	if err := Check(name, most); err != nil {
		return nil, err
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, most+1))
	if err == nil && int64(len(text)) > most {
		return nil, tooLarge(name, most)
	}
	return text, err
}

// Check returns the error of Read for a name that it would not open.
func Check(name string, most int64) error {
	info, err := os.Stat(name) // opening a pipe would wait
	switch {
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return &fs.PathError{Op: "read", Path: name, Err: errors.New("it is not a regular file")}
	case info.Size() > most:
		return tooLarge(name, most)
	}
	return nil
}

func tooLarge(name string, most int64) error {
	return &fs.PathError{Op: "read", Path: name, Err: fmt.Errorf("it has more than %d bytes", most)}
}
