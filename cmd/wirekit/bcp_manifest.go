package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/wirekit/wirekit/bcp"
	"github.com/wirekit/wirekit/wire"
)

// manifest reads a manifest from a file or, without content files, from
// standard input. Content files are looked for in the manifest's folder.
func (c *console) manifest(name string, anywhere bool, limits bcp.Limits) (*bcp.Payload, bcp.EncodeOptions, error) {
	doc, err := selection{}.read(c, name, wire.JSON{})
	if err != nil {
		return nil, bcp.EncodeOptions{}, notManifest(err)
	}
	if name == "-" {
		return bcp.FromManifest(doc.value, nil, limits)
	}
	dir := filepath.Dir(name)
	if anywhere {
		return bcp.FromManifest(doc.value, contentFiles(func(name string) (fs.File, error) {
			if !filepath.IsAbs(name) {
				name = filepath.Join(dir, name)
			}
			return openRegular(name, os.Stat, os.Open)
		}), limits)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, bcp.EncodeOptions{}, err
	}
	defer root.Close()
	return bcp.FromManifest(doc.value, contentFiles(func(name string) (fs.File, error) {
		f, err := openRegular(name, root.Stat, root.Open)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, &wire.Error{Format: "bcp", Code: "content_file", Kind: err, Message: err.Error(),
				Hint: "content files lie in the manifest's folder, unless files anywhere are allowed (--anywhere)"}
		}
		return f, err
	}), limits)
}

// notManifest adds to an error of parsing what was expected.
func notManifest(err error) error {
	var e *wire.Error
	if errors.As(err, &e) && e.Hint == "" {
		e.Hint = "a manifest is a JSON object with an array of blocks"
	}
	return err
}

// contentFiles are the files that a manifest may name, by paths of the system.
type contentFiles func(name string) (fs.File, error)

func (open contentFiles) Open(name string) (fs.File, error) { return open(name) }

// openRegular opens a file, but no pipe or device, which might wait for ever.
func openRegular(name string, stat func(string) (fs.FileInfo, error), open func(string) (*os.File, error)) (fs.File, error) {
	info, err := stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "open", Path: name, Err: errors.New("not a regular file")}
	}
	f, err := open(name)
	if err != nil {
		return nil, err // not an interface with a nil *os.File
	}
	return f, nil
}
