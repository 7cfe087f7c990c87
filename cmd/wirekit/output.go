package main

import (
	"bytes"
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
func (c *console) writeWith(name string, f func(io.Writer) error) (err error) {
	if name == "-" || name == "" {
		return f(c.out)
	}
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		return c.writeDevice(name, f)
	}
	name, err = followed(name)
	if err != nil {
		return err
	}
	temp, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	if err != nil {
		return named(err, "", name)
	}
	c.begin(temp.Name())
	defer func() {
		if err != nil {
			temp.Close()
			os.Remove(temp.Name())
			err = named(err, temp.Name(), name)
		}
		c.end()
	}()
	if err = f(temp); err != nil {
		return err
	}
	if err = temp.Chmod(modeOf(name)); err != nil {
		return err
	}
	if err = temp.Sync(); err != nil {
		return err
	}
	if err = temp.Close(); err != nil {
		return err
	}
	return os.Rename(temp.Name(), name)
}

// followed returns the file that name leads to if it is a symbolic link.
func followed(name string) (string, error) {
	const most = 40 // as many as Linux follows
	for range most {
		info, err := os.Lstat(name)
		if err != nil || info.Mode()&fs.ModeSymlink == 0 {
			return name, nil
		}
		target, err := os.Readlink(name)
		if err != nil {
			return "", err
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

// unfinished is the temporary file that is being written, if any.
type unfinished struct {
	mu   sync.Mutex
	file string
}

func (u *unfinished) begin(file string) { u.set(file) }
func (u *unfinished) end()              { u.set("") }

func (u *unfinished) set(file string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.file = file
}

// abandon removes the file. It is for a program that ends at once: nothing is
// written any more, since the lock is kept.
func (u *unfinished) abandon() {
	u.mu.Lock()
	if u.file != "" {
		os.Remove(u.file)
	}
}

// writeDevice writes to what is no regular file, such as /dev/null or a pipe.
func (c *console) writeDevice(name string, f func(io.Writer) error) error {
	file, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	if err := f(file); err != nil {
		file.Close()
		return err
	}
	return file.Close()
}

// modeOf returns the permissions of the file that is replaced, or a new
// file's.
func modeOf(name string) os.FileMode {
	if info, err := os.Stat(name); err == nil {
		return info.Mode().Perm()
	}
	return 0o644
}
