package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/wire"
)

// console is what the commands read from and write to.
type console struct {
	in       io.Reader
	out, err io.Writer
}

// isTerminal reports whether w is a terminal that takes colour and progress.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok || os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb" {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// coloured draws the caret of an excerpt in red on a terminal.
func coloured(w io.Writer, excerpt string) string {
	if !isTerminal(w) {
		return excerpt
	}
	return strings.TrimSuffix(excerpt, "^") + "\x1b[1;31m^\x1b[0m"
}

// open returns the input that a FILE argument names.
func (c *console) open(name string) (io.ReadCloser, error) {
	if name == "-" || name == "" {
		return io.NopCloser(c.in), nil
	}
	return os.Open(name)
}

// read returns the whole input that a FILE argument names.
func (c *console) read(name string) ([]byte, error) {
	if name != "-" && name != "" {
		return os.ReadFile(name)
	}
	return io.ReadAll(c.in)
}

// argument returns the first argument or "-".
func argument(args []string) string {
	if len(args) == 0 {
		return "-"
	}
	return args[0]
}

// title names an input in reports.
func title(name string) string {
	if name == "-" || name == "" {
		return "standard input"
	}
	return filepath.Base(name)
}

// write gives out to name, or to standard output if there is none. A file is
// replaced as a whole or not at all.
func (c *console) write(name string, out []byte) error {
	return c.writeWith(name, func(w io.Writer) error {
		_, err := io.Copy(w, bytes.NewReader(out))
		return err
	})
}

// writeWith lets f write to name, or to standard output. A file appears under
// its name only when f has succeeded.
func (c *console) writeWith(name string, f func(io.Writer) error) (err error) {
	if name == "-" || name == "" {
		return f(c.out)
	}
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		return c.writeDevice(name, f)
	}
	temp, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			temp.Close()
			os.Remove(temp.Name())
		}
	}()
	if err = f(temp); err != nil {
		return err
	}
	if err = temp.Chmod(modeOf(name)); err != nil {
		return err
	}
	if err = temp.Close(); err != nil {
		return err
	}
	return os.Rename(temp.Name(), name)
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

// codec returns the codec called name with limits for a document of size
// bytes: whatever fits into memory is read, and output may be much larger than
// the input, though not without bound.
func codec(name string, size int) (wire.Codec, error) {
	c, err := wirekit.Lookup(name)
	if err != nil {
		return nil, err
	}
	return roomy(c, size), nil
}

func roomy(c wire.Codec, size int) wire.Codec {
	if l, ok := c.(wire.Limiter); ok {
		return l.WithLimits(wire.Limits{InputBytes: -1, Values: -1, LineBytes: -1, OutputBytes: max(wire.DefaultOutputBytes, 16*size)})
	}
	return c
}

// decode reads a document in the format from, or in the one detected.
func decode(src []byte, from string) (wire.Codec, wire.Value, error) {
	c, err := source(src, from)
	if err != nil {
		return nil, wire.Value{}, err
	}
	v, err := c.Decode(src)
	return c, v, err
}

func source(src []byte, from string) (wire.Codec, error) {
	if from != "" {
		return codec(from, len(src))
	}
	if c, err := wirekit.Detect(src); err == nil {
		return roomy(c, len(src)), nil
	}
	switch text := bytes.TrimSpace(src); {
	case len(text) == 0:
		return nil, errors.New("the input is empty")
	case bytes.IndexByte([]byte(`{["`), text[0]) >= 0:
		return codec("json", len(src)) // malformed: JSON's error says where
	}
	return nil, fmt.Errorf("the input is in none of the formats %s; name one with --from", strings.Join(wirekit.Names(), ", "))
}

// addFrom adds the flag for the input's format.
func addFrom(cmd *cobra.Command, from *string) {
	cmd.Flags().StringVarP(from, "from", "f", "", "format of the input (default: detected)")
	completeFormats(cmd, "from")
}

func completeFormats(cmd *cobra.Command, flag string) {
	_ = cmd.RegisterFlagCompletionFunc(flag, func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return wirekit.Names(), cobra.ShellCompDirectiveNoFileComp
	})
}

// progress shows on a terminal, once a second has passed, what is going on.
// The returned function ends it.
func (c *console) progress(what string, count func() string) func() {
	if !isTerminal(c.err) {
		return func() {}
	}
	start, done := time.Now(), make(chan struct{})
	var wait sync.WaitGroup
	wait.Go(func() {
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		shown := false
		for {
			select {
			case <-done:
				if shown {
					fmt.Fprint(c.err, "\r\x1b[K")
				}
				return
			case <-tick.C:
				shown = true
				fmt.Fprintf(c.err, "\r\x1b[K%s … %s %s", what, time.Since(start).Round(time.Second), count())
			}
		}
	})
	return sync.OnceFunc(func() { close(done); wait.Wait() })
}

func noCount() string { return "" }
