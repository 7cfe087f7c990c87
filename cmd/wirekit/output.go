package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/spf13/cobra"
	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/internal/choose/measure"
	"github.com/wirekit/wirekit/wire"
	"github.com/wirekit/wirekit/yaml"
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

// encode writes v, which was read from size bytes of file, in the format that --to names,
// or by own.
func (o outputOptions) encode(c *console, file string, own wire.Codec, v wire.Value, size int) (err error) {
	if o.to != "" {
		if own, err = lookup(o.to); err != nil {
			return err
		}
	}
	return o.encodePart(c, file, selection{}, own, v, size)
}

// regular reports whether a name is that of a regular file, or of none yet.
func regular(name string) bool {
	if name == "" || name == "-" {
		return false
	}
	info, err := os.Stat(name)
	return os.IsNotExist(err) || err == nil && info.Mode().IsRegular()
}

// outputOptions are the flags of the verbs that write a document.
type outputOptions struct {
	to, out string
	outDir  string // a folder, in place of out
	force   bool
	strict  bool // fail if anything is lost
}

// add adds the flags; to says which format there is without --to.
func (o *outputOptions) add(cmd *cobra.Command, to string) {
	cmd.Flags().StringVarP(&o.to, "to", "t", "", to)
	cmd.Flags().StringVarP(&o.out, "out", "o", "", "file to write (default: standard output)")
	cmd.Flags().BoolVar(&o.force, "force", false, "write over a YAML file even though its comments are lost")
}

// write writes a document to the file called name, or to standard output. Values have no
// comments, so a YAML file that has some is written over with --force only.
func (o outputOptions) write(c *console, to wire.Codec, text []byte, name string) error {
	_, toYAML := to.(yaml.Codec)
	codec, _ := wirekit.Registry().LookupFile(name)
	_, isYAML := codec.(yaml.Codec)
	if (toYAML || isYAML) && !o.force && regular(name) {
		src, err := os.ReadFile(name)
		if line := commentIn(src); err == nil && line > 0 {
			return usagef("%s has comments, the first on line %d, which would be lost; write another file, or say --force", oneLine(name), line)
		}
	}
	return c.write(name, text)
}

// commentIn returns the line of the first comment of a YAML text, 0 if there is none.
func commentIn(src []byte) int {
	return yaml.Codec{}.Internal().(interface{ Comment([]byte) int }).Comment(src)
}

// encodePart writes v, the part s of what was read from size bytes of file.
func (o outputOptions) encodePart(c *console, file string, s selection, to wire.Codec, v wire.Value, size int) error {
	to = roomy(to, size)
	out, err := to.AppendEncode(nil, v)
	if err != nil {
		return s.unfit(err, v)
	}
	if err := o.reportLoss(c, to, out, v); err != nil {
		return err
	}
	name, err := o.output(file, to)
	if err != nil {
		return err
	}
	if to.Info().Binary && (name == "" || name == "-") && isDevice(c.out) {
		return usagef("%s is binary, and standard output a terminal: name a file with --out", to.Info().FullName())
	}
	return o.write(c, to, lined(to, out), name)
}

// reportLoss names what a codec that declares losses has lost of v.
func (o outputOptions) reportLoss(c *console, to wire.Codec, out []byte, v wire.Value) error {
	info := to.Info()
	if info.Loss&^measure.BeyondJSON == 0 {
		return nil
	}
	back, err := to.Decode(out)
	if err != nil {
		return fmt.Errorf("%s cannot read back what it has written: %w", info.FullName(), err)
	}
	loss, path := wire.Internal.DifferenceBeyond(measure.BeyondJSON, v, back)
	if loss == 0 {
		return nil
	}
	lost := fmt.Sprintf("%s loses %s, first at %s", info.FullName(), loss, cmp.Or(path, "the root"))
	if o.strict {
		return fmt.Errorf("%s; nothing was written, because of --strict", lost)
	}
	c.note("%s", lost)
	return nil
}

// output returns the file to write what was read from file: the one that --out
// names, or one of the folder --out-dir with the extension of the codec.
func (o outputOptions) output(file string, to wire.Codec) (string, error) {
	if o.outDir == "" {
		return o.out, nil
	}
	extensions := to.Info().Extensions
	if len(extensions) == 0 {
		return "", fmt.Errorf("%s has no file extension of its own; use --out", to.Info().FullName())
	}
	if err := os.MkdirAll(o.outDir, 0o777); err != nil {
		return "", err
	}
	out := filepath.Join(o.outDir, stem(file)+extensions[0])
	if same(file, out) {
		return "", fmt.Errorf("the output would replace the input; name another folder with --out-dir")
	}
	return out, nil
}

// same reports whether two names lead to one file.
func same(a, b string) bool {
	x, err := os.Stat(a)
	y, failed := os.Stat(b)
	return err == nil && failed == nil && os.SameFile(x, y)
}

// stem returns a file's name without folder and extension.
func stem(file string) string {
	name := uncompressedName(filepath.Base(file))
	suffix := filepath.Ext(name)
	if codec, err := wirekit.Registry().LookupFile(name); err == nil {
		for _, extension := range codec.Info().Extensions {
			if len(extension) > len(suffix) && strings.HasSuffix(strings.ToLower(name), extension) {
				suffix = extension
			}
		}
	}
	if len(suffix) == len(name) {
		return name // .csv alone is a name
	}
	return name[:len(name)-len(suffix)]
}
