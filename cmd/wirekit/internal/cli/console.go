// Package cli is what all verbs of the command share: the console with its streams and
// signals, files, flags, documents and what is selected of them, reports, errors of wrong
// calls, and the texts of help, a file for each verb. What one family of verbs uses belongs
// to that family. It imports the formats and what is above them, and none of the verbs.
package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode"
)

// Console is what the commands read from and write to.
type Console struct {
	In         io.Reader
	Out, Err   io.Writer
	Globs      bool                           // FILE arguments may be patterns
	typing     atomic.Bool                    // the input comes from a terminal, on which nothing else is to appear
	Bare       bool                           // the command line has no verb
	Values     int                            // that a document has at most; 0 for as many as fit into memory
	taken      atomic.Pointer[chan os.Signal] // where a command gets the signals that end the program otherwise
	mu         sync.Mutex
	unfinished []*Pending
}

// TakeSignals gives the command the signals until it calls the function.
func (c *Console) TakeSignals() (<-chan os.Signal, func()) {
	taken := make(chan os.Signal, 1)
	c.taken.Store(&taken)
	return taken, func() { c.taken.Store(nil) }
}

// Await returns the first signal that no command takes.
func (c *Console) Await(all <-chan os.Signal) os.Signal {
	for signal := range all {
		taken := c.taken.Load()
		if taken == nil {
			return signal
		}
		select {
		case *taken <- signal:
		default: // one that is still waiting says the same
		}
	}
	return os.Interrupt
}

// Printable makes the control characters of a text visible, so that neither a
// file's name nor what is in it can command the terminal. Line ends stay.
func Printable(text string) string {
	var b strings.Builder
	for _, r := range text {
		if r != '\n' && r != ' ' && !unicode.IsGraphic(r) {
			fmt.Fprintf(&b, "\\u%04x", r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// IsTerminal reports whether w is a terminal that takes colour and progress.
func IsTerminal(w io.Writer) bool {
	return os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && IsDevice(w)
}

// IsDevice reports whether w is a terminal of any kind, and not the null device.
func IsDevice(w any) bool {
	f, _ := w.(*os.File)
	info, err := f.Stat() // an error where w is not a file
	if err != nil || info.Mode()&os.ModeCharDevice == 0 || f.Name() == os.DevNull {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(info, null)
}

// A Count is how many bytes were written to it, as by an [io.TeeReader].
type Count struct{ atomic.Int64 }

func (c *Count) Write(p []byte) (int, error) {
	c.Add(int64(len(p)))
	return len(p), nil
}

// Progress shows on a terminal, once a second has passed, what is going on.
// The returned function ends it.
func (c *Console) Progress(what string, count func() string) func() {
	if !IsTerminal(c.Err) {
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
					fmt.Fprint(c.Err, "\r\x1b[K")
				}
				return
			case <-tick.C:
				if c.typing.Load() {
					continue
				}
				shown = true
				fmt.Fprintf(c.Err, "\r\x1b[K%s … %s %s", what, time.Since(start).Round(time.Second), count())
			}
		}
	})
	return sync.OnceFunc(func() { close(done); wait.Wait() })
}

// NoCount is for progress of which nothing is counted.
func NoCount() string { return "" }

// EachFile does something for every FILE argument, or for standard input. What
// goes wrong with one does not keep it from the others: it is reported, and the
// error at the end says how many there were.
func EachFile(c *Console, files []string, f func(c *Console, file string) error) error {
	files, err := c.Globbed(files)
	if err != nil {
		return err
	}
	if len(files) == 0 {
		files = []string{"-"}
	}
	failed := 0
	for _, file := range files {
		err := f(c, file)
		if err == nil {
			continue
		}
		if err = About(file, err); len(files) > 1 && (file == "-" || file == "") {
			err = &FileError{file, err}
		}
		var usage UsageError
		if len(files) == 1 || errors.As(err, &usage) {
			return err
		}
		c.Report(err)
		failed++
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d documents failed", failed, len(files))
	}
	return nil
}

// WithoutControls shows control characters by their pictures, so that a pack
// cannot control a terminal.
func WithoutControls(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case r < ' ':
			return 0x2400 + r
		case r >= 0x7F && r <= 0x9F:
			return 0xFFFD
		}
		return r
	}, text)
}

var plainWord = regexp.MustCompile(`^[\w@%+=:,./-]+$`)

// ShellWords returns a command line as a shell has it.
func ShellWords(words []string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		if quoted[i] = word; !plainWord.MatchString(word) {
			quoted[i] = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
		}
	}
	return strings.Join(quoted, " ")
}

// Plural counts things.
func Plural(n int, what string) string {
	if n == 1 {
		return fmt.Sprintf("%d %s", n, what)
	}
	return fmt.Sprintf("%d %ss", n, what)
}
