package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/wirekit/wirekit/internal/scan"
	"github.com/wirekit/wirekit/internal/smallfile"
	"github.com/wirekit/wirekit/internal/splice"
	"github.com/wirekit/wirekit/mcp"
	"github.com/wirekit/wirekit/wire"
)

func newMCPWrap(c *console) *cobra.Command {
	var program, out string
	var undo bool
	cmd := newCommand("mcp-wrap", nil, func(cmd *cobra.Command, args []string) error {
		files, flags := args, []string(nil)
		if dash := cmd.ArgsLenAtDash(); dash >= 0 {
			files, flags = args[:dash], args[dash:]
		}
		if len(files) != 1 {
			return usageError{fmt.Errorf("wrap takes one file; see \"%s --help\"", cmd.CommandPath())}
		}
		w := wrapping{flags: flags, program: program}
		change := w.undo
		if !undo {
			proxy, err := proxyOf(flags)
			if err != nil {
				return usageError{fmt.Errorf("flags of the proxy: %w", err)}
			}
			if change = w.do; proxy.Mode == mcp.ModeReplace && proxy.Clients == nil {
				w.notes = append(w.notes, "a client that runs code over results, as goose and Codex's code mode do, needs -- --mode text")
			}
		}
		if err := smallfile.Check(files[0], mostConfig); err != nil && files[0] != "-" && !errors.Is(err, fs.ErrNotExist) {
			return usageError{err}
		}
		src, err := c.read(files[0])
		if err != nil {
			return usageError{err}
		}
		text, err := change(src)
		if err != nil {
			return usageError{fmt.Errorf("%s: %w", title(files[0]), ofUnread(files[0], src, err))}
		}
		for _, line := range w.notes {
			c.note("%s", line)
		}
		return c.write(out, text)
	})
	self, err := os.Executable()
	if err != nil {
		self = "wirekit"
	}
	cmd.Flags().StringVar(&program, "program", self, "the wirekit that the client is to run")
	cmd.Flags().StringVarP(&out, "out", "o", "", "file to write, which may be CONFIG (default: standard output)")
	cmd.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		var unknown *pflag.NotExistError
		if !errors.As(err, &unknown) {
			return flagError(cmd, err)
		}
		return usageError{fmt.Errorf("unknown flag --%s; flags of the proxy come after --, as in \"wirekit mcp wrap CONFIG -- --mode text\"", unknown.GetSpecifiedName())}
	})
	cmd.Flags().BoolVar(&undo, "undo", false, "take the proxy away")
	cmd.Flags().Lookup("program").DefValue = "this one"
	return cmd
}

// mostConfig is the size of the longest configuration file of a client, some of which keep
// their history there, in bytes.
const mostConfig = 64 << 20

// A wrapping changes a configuration file.
type wrapping struct {
	program string
	flags   []string // of the proxy
	src     []byte
	edits   []splice.Edit
	notes   []string
	before  bool // a server was wrapped before
}

// undo returns the file without the proxy.
func (w *wrapping) undo(src []byte) ([]byte, error) {
	if len(w.flags) > 0 {
		return nil, errors.New("--undo takes no flags of the proxy")
	}
	out, err := w.each(src, w.unwrap)
	w.notes = nil // they say what wrapping leaves
	return out, err
}

// do returns the file with the proxy.
func (w *wrapping) do(src []byte) ([]byte, error) {
	out, err := w.each(src, w.wrap)
	if err != nil || w.before {
		return out, err
	}
	back, err := new(wrapping).undo(out)
	if err != nil || !bytes.Equal(back, src) {
		return nil, errors.New("the file could not be restored byte for byte; write its servers with \"args\" after \"command\"")
	}
	return out, nil
}

// proxyOf returns what the proxy rewrites with, and refuses the flags that it would
// refuse when a client starts it.
func proxyOf(flags []string) (*mcp.Rewriter, error) {
	var f mcpRewriting
	set := pflag.NewFlagSet("proxy", pflag.ContinueOnError)
	f.register(set)
	if err := set.Parse(flags); err != nil {
		return nil, err
	}
	if set.NArg() > 0 {
		return nil, fmt.Errorf("after -- come flags of the proxy, not %q", set.Arg(0))
	}
	return f.rewriter()
}

// A server is one of the file's, as it is there.
type server struct {
	key           string // with its quotation marks
	command, args splice.Member
	words         []splice.Span // the elements of args
}

// each does something for every server that is a command.
func (w *wrapping) each(src []byte, f func(server)) ([]byte, error) {
	if len(scan.TrimBOM(src)) < len(src) {
		return nil, errors.New("it begins with a byte order mark, which JSON does not have")
	}
	if _, err := (wire.JSON{RejectDuplicates: true}).Decode(src); err != nil {
		return nil, fmt.Errorf("it is not JSON: %w", err)
	}
	w.src = src
	list, ok := serversOf(src)
	if !ok {
		return nil, errors.New("it has no object mcpServers or servers: is it a client's configuration?")
	}
	for _, m := range list.Members {
		s, isCommand, err := w.server(m)
		if err != nil {
			return nil, err
		}
		if isCommand {
			f(s)
		} else {
			w.notes = append(w.notes, s.key+" is not a command; left as it is: \"wirekit mcp proxy --upstream URL\" is one in front of it")
		}
	}
	return splice.Apply(src, w.edits), nil
}

// serversOf finds the object that has the servers.
func serversOf(src []byte) (splice.Object, bool) {
	for _, path := range [][]string{{"mcpServers"}, {"servers"}, {"mcp", "servers"}} {
		if at, ok := splice.Find(src, splice.Whole(src), path...); ok {
			return splice.AllMembers(src, at)
		}
	}
	return splice.Object{}, false
}

// server reads a server. One that is not a command has an address.
func (w *wrapping) server(m splice.Member) (s server, isCommand bool, err error) {
	s.key = string(m.Key.Of(w.src))
	o, ok := splice.FindMembers(w.src, m.Value, "command", "args")
	if !ok {
		return s, false, fmt.Errorf("the server %s is not an object", s.key)
	}
	s.command, s.args = o.Members[0], o.Members[1]
	if !s.command.Found {
		return s, false, nil
	}
	if _, ok := splice.Unquote(s.command.Value.Of(w.src)); !ok {
		return s, false, fmt.Errorf("the command of the server %s is not a string", s.key)
	}
	if s.args.Found {
		if s.words, ok = splice.FindElements(w.src, s.args.Value); !ok {
			return s, false, fmt.Errorf("the args of the server %s are not an array", s.key)
		}
	}
	return s, true, nil
}

// original returns the index of the word that was the server's command, if the
// proxy is in front of it.
func (w *wrapping) original(s server) (int, bool) {
	var words []string
	for _, at := range s.words {
		word, ok := splice.Unquote(at.Of(w.src))
		if !ok {
			return 0, false
		}
		words = append(words, word)
	}
	dash := slices.Index(words, "--")
	if dash < 2 || words[0] != "mcp" || words[1] != "proxy" || dash+1 == len(words) {
		return 0, false
	}
	return dash + 1, true
}

// noArgs is between a command and the args that it did not have; lastArg
// before the end of such args.
const (
	noArgs  = `, "args": `
	lastArg = " "
)

func (w *wrapping) wrap(s server) {
	if _, wrapped := w.original(s); wrapped {
		w.before = true
		w.notes = append(w.notes, s.key+" has the proxy already")
		return
	}
	words := []string{`"mcp"`, `"proxy"`, `"--name"`, s.key}
	for _, flag := range append(slices.Clone(w.flags), "--") {
		words = append(words, quoted(flag))
	}
	words = append(words, string(s.command.Value.Of(w.src)))
	front := "[" + strings.Join(words, ", ")
	w.edits = append(w.edits, splice.Put(s.command.Value, []byte(quoted(w.program))))
	if !s.args.Found {
		w.edits = append(w.edits, splice.Insert(s.command.Value.End, []byte(noArgs+front+lastArg+"]")))
		return
	}
	if len(s.words) > 0 {
		front += ","
	}
	start := s.args.Value.Start
	w.edits = append(w.edits, splice.Put(splice.Span{Start: start, End: start + 1}, []byte(front)))
}

func (w *wrapping) unwrap(s server) {
	i, wrapped := w.original(s)
	if !wrapped {
		return
	}
	w.edits = append(w.edits, splice.Put(s.command.Value, s.words[i].Of(w.src)))
	rest := splice.Span{Start: s.words[i].End, End: s.args.Value.End - 1}
	switch {
	case i+1 < len(s.words):
		rest.Start += bytes.IndexByte(rest.Of(w.src), ',') + 1
	case string(rest.Of(w.src)) == lastArg && w.addedArgs(s):
		w.edits = append(w.edits, splice.Put(splice.Span{Start: s.command.Value.End, End: s.args.Value.End}, nil))
		return
	}
	w.edits = append(w.edits, splice.Put(splice.Span{Start: s.args.Value.Start, End: rest.Start}, []byte("[")))
}

// addedArgs reports whether args are where wrap puts them.
func (w *wrapping) addedArgs(s server) bool {
	between := splice.Span{Start: s.command.Value.End, End: s.args.Value.Start}
	return between.Start < between.End && string(between.Of(w.src)) == noArgs
}

func quoted(s string) string { return string(scan.AppendQuote(nil, s)) }
