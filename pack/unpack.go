package pack

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/wirekit/wirekit/bcp"
	"github.com/wirekit/wirekit/wire"
)

// UnpackOptions say how files are written.
type UnpackOptions struct {
	// Force replaces files that exist.
	Force bool
}

// Unpacked says what was written.
type Unpacked struct {
	Files  []string // the files that were written, in the order of the pack
	Masked []string // those of them in which secrets were masked
}

// Unpack writes the files of a payload, which are its blocks of code that are
// no excerpts, to the folder root. Blocks of other types are not files.
//
// Nothing is written unless everything can be: an error names each path that
// leads out of the folder, is absolute, has an element that is empty, . or ..,
// leads into a folder of version control, has a name that Windows does not
// have, has characters that turn the direction of what follows, differs from another one
// in case or normal form only, occurs twice, is a file here and
// a folder there, leads through a symbolic link of the folder, or exists, if
// Force is not set. A file that is replaced is another file afterwards: what
// it was linked to stays as it was. An error of writing comes with what was
// written before.
func (o UnpackOptions) Unpack(p *bcp.Payload, root *os.Root) (*Unpacked, error) {
	u := unpacker{root: root, force: o.Force, names: make(map[string]place), folders: make(map[string]bool)}
	masked := make(map[uint32]bool)
	var done Unpacked
	var refused []error
	for i, b := range p.Blocks {
		if b.Type() == 0 {
			return nil, wire.AtKey(wire.AtIndex(failure("no_body", wire.ErrShape, "a block without a body"), i), "blocks")
		}
		switch body := b.Body.(type) {
		case *bcp.Annotation:
			if body.Kind == "tag" && string(body.Value) == maskedTag {
				masked[body.Target] = true
			}
		case *bcp.Code:
			refused = append(refused, u.plan(i, body))
		}
	}
	if err := errors.Join(refused...); err != nil {
		return nil, err
	}
	for i, b := range p.Blocks {
		f, ok := b.Body.(*bcp.Code)
		if !ok {
			continue
		}
		if err := u.write(f); err != nil {
			return &done, err
		}
		if done.Files = append(done.Files, f.Path); masked[uint32(i)] {
			done.Masked = append(done.Masked, f.Path)
		}
	}
	return &done, nil
}

// An unpacker checks the paths of files, and writes them.
type unpacker struct {
	root    *os.Root
	force   bool
	names   map[string]place // by the path as foldName makes it
	folders map[string]bool  // those that are there and no links
}

// A place is what takes a path.
type place struct {
	path   string
	folder bool
}

// plan checks a file, and returns why it cannot be written.
func (u *unpacker) plan(block int, f *bcp.Code) error {
	why := ""
	if f.LineStart != nil || f.LineEnd != nil {
		why = "the block is an excerpt, not a file"
	}
	for _, fault := range []func(name string) string{pathFault, u.taken, u.exists} {
		if why == "" {
			why = fault(f.Path)
		}
	}
	if why == "" {
		return nil
	}
	shown := "a path without characters"
	if f.Path != "" {
		shown = fmt.Sprintf("%.200q", f.Path)
	}
	err := failure("invalid_path", wire.ErrShape, "%s: %s", shown, why)
	return wire.AtKey(wire.AtIndex(err, block), "blocks")
}

// pathFault returns what is wrong with a path, whatever else there is.
func pathFault(name string) string {
	switch {
	case !utf8.ValidString(name):
		return "the name is not UTF-8"
	case strings.HasPrefix(name, "/"):
		return "the path is absolute"
	case strings.Count(name, "/") > maxDepth || len(name) > maxPattern:
		return "the path is too deep or too long"
	}
	for element := range strings.SplitSeq(name, "/") {
		if why := elementFault(element); why != "" {
			return why
		}
	}
	return ""
}

func elementFault(element string) string {
	stem, _, _ := strings.Cut(element, ".")
	switch {
	case element == "":
		return "an element of the path is empty"
	case element == "." || element == "..":
		return "the path has the element " + element
	case len(element) > 255:
		return "an element of the path is longer than 255 bytes"
	case is("version-control", foldName(element)) || strings.EqualFold(element, "git~1"):
		return "the path leads into the data of a version control system"
	case strings.ContainsAny(element, `<>:"|?*\`) || strings.ContainsFunc(element, unicode.IsControl):
		return "the name has a character that not every system has in names"
	case strings.ContainsFunc(element, func(r rune) bool { return unicode.Is(unicode.Bidi_Control, r) }):
		return "the name has a character that turns the direction in which it is shown"
	case strings.HasSuffix(element, ".") || strings.HasSuffix(element, " "):
		return "the name ends in a dot or a space, which Windows drops"
	case is("device", strings.TrimRight(strings.ToLower(stem), " ")):
		return "the name is that of a device on Windows"
	}
	return ""
}

// taken takes the places of a path and of the folders it is in, or returns what
// has one of them.
func (u *unpacker) taken(name string) string {
	key, end := "", 0
	for element := range strings.SplitSeq(name, "/") {
		key += "/" + foldName(element)
		end += len(element)
		at := place{name[:end], end < len(name)}
		end++
		switch other, ok := u.names[key]; {
		case !ok:
			u.names[key] = at
		case other.path != at.path:
			return fmt.Sprintf("%.200q and %.200q are one name on systems that do not look at case or normal form", at.path, other.path)
		case other.folder != at.folder:
			return fmt.Sprintf("%.200q is a file and a folder", at.path)
		case !at.folder:
			return "the path occurs twice in the pack"
		}
	}
	return ""
}

// exists returns what in the folder is in the way of a file.
func (u *unpacker) exists(name string) string {
	for i := range len(name) + 1 {
		folder := i < len(name)
		if folder && (name[i] != '/' || u.folders[name[:i]]) {
			continue
		}
		info, err := u.root.Lstat(name[:i])
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return ""
		case err != nil:
			return detail(err)
		case folder && info.Mode()&fs.ModeSymlink != 0:
			return fmt.Sprintf("%.200q is a symbolic link in the folder", name[:i])
		case folder && !info.IsDir():
			return fmt.Sprintf("%.200q is not a folder", name[:i])
		case folder:
			u.folders[name[:i]] = true
		case info.Mode()&fs.ModeSymlink != 0:
			return "a symbolic link in the folder has the name"
		case info.IsDir():
			return "a folder has the name"
		case !info.Mode().IsRegular():
			return "what has the name is not a regular file"
		case !u.force:
			return "the file exists; UnpackOptions.Force replaces it"
		}
	}
	return ""
}

// write writes a file. One that exists is replaced when the new one is
// complete.
func (u *unpacker) write(f *bcp.Code) error {
	if dir := path.Dir(f.Path); dir != "." && !u.folders[dir] {
		if err := u.root.MkdirAll(dir, 0o777); err != nil {
			return err
		}
		u.folders[dir] = true
	}
	if _, err := u.root.Lstat(f.Path); !u.force || errors.Is(err, fs.ErrNotExist) {
		return u.create(f.Path, f.Content)
	}
	temp := path.Join(path.Dir(f.Path), ".wirekit-"+rand.Text()+".tmp")
	if err := u.create(temp, f.Content); err != nil {
		return err
	}
	if err := u.root.Rename(temp, f.Path); err != nil {
		return errors.Join(err, u.root.Remove(temp))
	}
	return nil
}

// create writes a file that must not exist.
func (u *unpacker) create(name string, content []byte) error {
	file, err := u.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	if err = errors.Join(err, file.Close()); err != nil {
		return errors.Join(err, u.root.Remove(name))
	}
	return nil
}
