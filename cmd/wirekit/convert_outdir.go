package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/wire"
)

// convertFiles converts each of several files into one of the folder --out-dir.
// What goes wrong with one does not keep it from the others.
func (o convertOptions) convertFiles(ctx context.Context, c *console, files []string) error {
	if len(files) == 0 {
		return usageError{errors.New("--out-dir names the outputs after FILE arguments, and there are none")}
	}
	files, err := c.globbed(files)
	if err != nil {
		return err
	}
	taken := make(map[string]string)
	for _, file := range files {
		if file == "-" {
			return usageError{errors.New("--out-dir names the outputs after the inputs, and standard input has no name; use --out")}
		}
		name := stem(file)
		if other, ok := taken[name]; ok {
			return usageError{fmt.Errorf("%s and %s would be one file of %s; convert them into different folders", other, file, o.outDir)}
		}
		taken[name] = file
	}
	return eachFile(c, files, func(c *console, file string) error { return o.convertFile(ctx, c, file) })
}

// output returns the file to write what was read from file: the one that --out
// names, or one of the folder --out-dir with the extension of the codec.
func (o convertOptions) output(file string, to wire.Codec) (string, error) {
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
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
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
