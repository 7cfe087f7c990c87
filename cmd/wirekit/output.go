package main

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
)

// write gives out to name, or to standard output if there is none. A file is
// replaced as a whole or not at all.
func (c *console) write(name string, out []byte) error {
	return c.writeWith(name, func(w io.Writer) error {
		_, err := io.Copy(w, bytes.NewReader(out))
		return err
	})
}

// writeWith lets f write to name, or to standard output. A file appears under
// its name only when f has succeeded and the disk has it; a symbolic link stays
// one.
func (c *console) writeWith(name string, f func(io.Writer) error) error {
	if name == "-" || name == "" {
		return f(c.out)
	}
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		return c.writeDevice(name, f)
	}
	file, err := c.create(name)
	if err != nil {
		return err
	}
	defer file.discard()
	if err := f(file.File); err != nil {
		return named(err, file.Name(), file.name)
	}
	return file.commit()
}

// A pending file appears under its name when it is committed. Both commit and
// discard end it; discard after commit does nothing.
type pending struct {
	*os.File
	c     *console
	name  string
	ended bool
}

// create begins a file that appears under its name as a whole or not at all. A
// symbolic link stays one.
func (c *console) create(name string) (*pending, error) {
	name, err := followed(name)
	if err != nil {
		return nil, err
	}
	temp, err := c.begin(filepath.Dir(name), "."+filepath.Base(name)+".*")
	if err != nil {
		return nil, named(err, "", name)
	}
	return &pending{File: temp, c: c, name: name}, nil
}

// commit returns when the disk has the file.
func (p *pending) commit() error {
	for _, step := range []func() error{
		func() error { return p.Chmod(modeOf(p.name)) }, p.Sync, p.Close,
		func() error { return os.Rename(p.Name(), p.name) },
	} {
		if err := step(); err != nil {
			p.discard()
			return named(err, p.Name(), p.name)
		}
	}
	p.end()
	return nil
}

func (p *pending) discard() {
	if !p.ended {
		p.Close()
		os.Remove(p.Name())
		p.end()
	}
}

func (p *pending) end() {
	p.ended = true
	p.c.end(p.Name())
}

// followed returns the file that name leads to if it is a symbolic link.
func followed(name string) (string, error) {
	const most = 40 // as many as Linux follows
	for range most {
		target, err := os.Readlink(name)
		if err != nil { // it is not a symbolic link
			return name, nil
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(name), target)
		}
		name = target
	}
	return "", &fs.PathError{Op: "open", Path: name, Err: errors.New("too many symbolic links")}
}

// named returns an error about the temporary file as one about the file that
// it stands for. An empty temp is any.
func named(err error, temp, name string) error {
	var path *fs.PathError
	if errors.As(err, &path) && (temp == "" || path.Path == temp) {
		return &fs.PathError{Op: "write", Path: name, Err: path.Err}
	}
	var link *os.LinkError
	if errors.As(err, &link) && link.Old == temp {
		return &fs.PathError{Op: "write", Path: name, Err: link.Err}
	}
	return err
}

// unfinished are the temporary files that are being written.
type unfinished struct {
	mu    sync.Mutex
	files map[string]bool
}

// begin creates a file as os.CreateTemp does. No file is there that is not in the list.
func (u *unfinished) begin(dir, pattern string) (*os.File, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	file, err := os.CreateTemp(dir, pattern)
	if err != nil {
		return nil, err
	}
	if u.files == nil {
		u.files = make(map[string]bool)
	}
	u.files[file.Name()] = true
	return file, nil
}

func (u *unfinished) end(file string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	delete(u.files, file)
}

// abandon removes the files. It is for a program that ends at once: none is
// begun any more, since the lock is kept.
func (u *unfinished) abandon() {
	u.mu.Lock()
	for file := range u.files {
		os.Remove(file)
	}
}

// writeDevice writes to what is not a regular file, such as /dev/null or a pipe.
func (c *console) writeDevice(name string, f func(io.Writer) error) error {
	file, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return cmp.Or(f(file), file.Close())
}

// modeOf returns the permissions of the file that is replaced, or a new
// file's.
func modeOf(name string) os.FileMode {
	if info, err := os.Stat(name); err == nil {
		return info.Mode().Perm()
	}
	return 0o644
}
