package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/internal/base/lineio"
	"github.com/wirekit/wirekit/internal/choose/measure"
	"github.com/wirekit/wirekit/internal/codec/describe"
	"github.com/wirekit/wirekit/wire"
	"github.com/wirekit/wirekit/yaml"
)

// Write gives out to name, or to standard output if there is none. A file is
// replaced as a whole or not at all.
func (c *Console) Write(name string, out []byte) error {
	return c.WriteWith(name, func(w io.Writer) error { return lineio.WriteWhole(w, out) })
}

// WriteWith lets f write to name, or to standard output. A file appears under
// its name only when f has succeeded and the disk has it; a symbolic link stays
// one.
func (c *Console) WriteWith(name string, f func(io.Writer) error) error {
	if name == "-" || name == "" {
		return f(c.Out)
	}
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() { // such as /dev/null or a pipe
		device, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		return cmp.Or(f(device), device.Close())
	}
	file, err := c.Create(name)
	if err != nil {
		return err
	}
	defer file.Discard()
	if err := f(file.File); err != nil {
		return named(err, file.Name(), file.name)
	}
	return file.Commit()
}

// A Pending file appears under its name when it is committed. Both commit and
// discard end it; discard after commit does nothing.
type Pending struct {
	*os.File
	c     *Console
	name  string
	ended bool
}

// Create begins a file that appears under its name as a whole or not at all. A
// symbolic link stays one.
func (c *Console) Create(name string) (*Pending, error) {
	name, err := Followed(name)
	if err != nil {
		return nil, err
	}
	c.mu.Lock() // no file is there that is not in the list
	defer c.mu.Unlock()
	temp, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	if err != nil {
		return nil, named(err, "", name)
	}
	p := &Pending{File: temp, c: c, name: name}
	c.unfinished = append(c.unfinished, p)
	return p, nil
}

// Commit returns when the disk has the file.
func (p *Pending) Commit() error {
	for _, step := range []func() error{
		func() error { return p.Chmod(modeOf(p.name)) }, p.Sync, p.Close,
		func() error { return os.Rename(p.Name(), p.name) },
	} {
		if err := step(); err != nil {
			p.Discard()
			return named(err, p.Name(), p.name)
		}
	}
	p.end()
	return nil
}

// Discard removes the file, unless it was committed.
func (p *Pending) Discard() {
	if !p.ended {
		p.Close()
		os.Remove(p.Name())
		p.end()
	}
}

func (p *Pending) end() {
	p.ended = true
	p.c.mu.Lock()
	defer p.c.mu.Unlock()
	p.c.unfinished = slices.DeleteFunc(p.c.unfinished, func(other *Pending) bool { return other == p })
}

// Abandon removes the files that are being written. It is for a program that ends at once:
// none is begun any more, since the lock is kept.
func (c *Console) Abandon() {
	c.mu.Lock()
	for _, p := range c.unfinished {
		os.Remove(p.Name())
	}
}

// Followed returns the file that name leads to if it is a symbolic link.
func Followed(name string) (string, error) {
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
// it stands for. An empty temp stands for any file.
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

// modeOf returns the permissions of the file that is replaced, or a new
// file's.
func modeOf(name string) os.FileMode {
	if info, err := os.Stat(name); err == nil {
		return info.Mode().Perm()
	}
	return 0o644
}

// Encode writes v, which was read from size bytes of file, in the format that --to names,
// or by own.
func (o OutputOptions) Encode(c *Console, file string, own wire.Codec, v wire.Value, size int) (err error) {
	if o.To != "" {
		if own, err = wirekit.Lookup(o.To); err != nil {
			return err
		}
	}
	return o.EncodePart(c, file, Selection{}, own, v, size)
}

// Regular reports whether a name is that of a regular file, or of none yet.
func Regular(name string) bool {
	if name == "" || name == "-" {
		return false
	}
	info, err := os.Stat(name)
	return os.IsNotExist(err) || err == nil && info.Mode().IsRegular()
}

// OutputOptions are the flags of the verbs that write a document.
type OutputOptions struct {
	To, Out string
	OutDir  string // a folder, in place of out
	force   bool
	Strict  bool // fail if anything is lost
}

// Add adds the flags; to says which format there is without --to.
func (o *OutputOptions) Add(cmd *cobra.Command, to string) {
	cmd.Flags().StringVarP(&o.To, "to", "t", "", to)
	cmd.Flags().StringVarP(&o.Out, "out", "o", "", "file to write (default: standard output)")
	cmd.Flags().BoolVar(&o.force, "force", false, "write over a YAML file even though its comments are lost")
}

// Write writes a document to the file called name, or to standard output. Values have no
// comments, so a YAML file that has some is written over with --force only.
func (o OutputOptions) Write(c *Console, to wire.Codec, text []byte, name string) error {
	_, toYAML := to.(yaml.Codec)
	codec, _ := wirekit.Registry().LookupFile(name)
	_, isYAML := codec.(yaml.Codec)
	if (toYAML || isYAML) && !o.force && Regular(name) {
		src, err := os.ReadFile(name)
		if line := describe.Of(yaml.Codec{}).Comment(src); err == nil && line > 0 {
			return Usagef("%s has comments, the first on line %d, which would be lost; write another file, or say --force", OneLine(name), line)
		}
	}
	return c.Write(name, text)
}

// EncodePart writes v, the part s of what was read from size bytes of file.
func (o OutputOptions) EncodePart(c *Console, file string, s Selection, to wire.Codec, v wire.Value, size int) error {
	to = Roomy(to, size)
	out, err := to.AppendEncode(nil, v)
	if err != nil {
		return s.unfit(err, v)
	}
	if err := o.reportLoss(c, to, out, v); err != nil {
		return err
	}
	name, err := o.FileFor(file, to)
	if err != nil {
		return err
	}
	if to.Info().Binary && (name == "" || name == "-") && IsDevice(c.Out) {
		return Usagef("%s is binary, and standard output a terminal: name a file with --out", to.Info().FullName())
	}
	return o.Write(c, to, Lined(to, out), name)
}

// reportLoss names what a codec that declares losses has lost of v.
func (o OutputOptions) reportLoss(c *Console, to wire.Codec, out []byte, v wire.Value) error {
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
	if o.Strict {
		return fmt.Errorf("%s; nothing was written, because of --strict", lost)
	}
	c.Note("%s", lost)
	return nil
}

// FileFor returns the file to write what was read from file: the one that --out
// names, or one of the folder --out-dir with the extension of the codec.
func (o OutputOptions) FileFor(file string, to wire.Codec) (string, error) {
	if o.OutDir == "" {
		return o.Out, nil
	}
	extensions := to.Info().Extensions
	if len(extensions) == 0 {
		return "", fmt.Errorf("%s has no file extension of its own; use --out", to.Info().FullName())
	}
	if err := os.MkdirAll(o.OutDir, 0o777); err != nil {
		return "", err
	}
	out := filepath.Join(o.OutDir, Stem(file)+extensions[0])
	if SameFile(file, out) {
		return "", fmt.Errorf("the output would replace the input; name another folder with --out-dir")
	}
	return out, nil
}

// SameFile reports whether two names lead to one file.
func SameFile(a, b string) bool {
	x, err := os.Stat(a)
	y, failed := os.Stat(b)
	return err == nil && failed == nil && os.SameFile(x, y)
}

// Stem returns a file's name without folder and extension.
func Stem(file string) string {
	name := UncompressedName(filepath.Base(file))
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
