package mcp

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/cli"
	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/base/smallfile"
	"github.com/wirekit/wirekit/internal/base/splice"
	"github.com/wirekit/wirekit/mcp"
	"github.com/wirekit/wirekit/wire"
)

func newWrap(c *cli.Console) *cobra.Command {
	var program, out string
	var undo bool
	cmd := cli.NewCommand("mcp-wrap", nil, func(cmd *cobra.Command, args []string) error {
		files, flags := args, []string(nil)
		if dash := cmd.ArgsLenAtDash(); dash >= 0 {
			files, flags = args[:dash], args[dash:]
		}
		if err := cli.One("file")(cmd, files); err != nil {
			return err
		}
		w := wrapping{flags: flags, program: program}
		change := w.undo
		if !undo {
			proxy, err := proxyOf(flags)
			if err != nil {
				return cli.Usagef("flags of the proxy: %w", err)
			}
			if change = w.do; proxy.Mode == mcp.ModeReplace && proxy.Clients == nil {
				w.notes = append(w.notes, "a client that runs code over results, as goose and Codex's code mode do, needs -- --mode text")
			}
		}
		if err := smallfile.Check(files[0], mostConfig); err != nil && files[0] != "-" && !errors.Is(err, fs.ErrNotExist) {
			return cli.Usage(err)
		}
		src, err := c.Read(files[0])
		if err != nil {
			return cli.Usage(err)
		}
		text, err := change(src)
		if err != nil {
			return cli.Usagef("%s: %w", cli.Title(files[0]), cli.OfUnread(files[0], src, err))
		}
		for _, line := range w.notes {
			c.Note("%s", line)
		}
		return c.Write(out, text)
	})
	self, _ := os.Executable() // "" with an error
	cmd.Flags().StringVar(&program, "program", cmp.Or(self, "wirekit"), "the wirekit that the client is to run")
	cmd.Flags().StringVarP(&out, "out", "o", "", "file to write, which may be CONFIG (default: standard output)")
	cmd.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		var unknown *pflag.NotExistError
		if !errors.As(err, &unknown) {
			return cli.FlagError(cmd, err)
		}
		return cli.Usagef("unknown flag --%s; flags of the proxy come after --, as in \"wirekit mcp wrap CONFIG -- --mode text\"", unknown.GetSpecifiedName())
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
	var f proxyFlags
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
	list          splice.Span   // of the command and its arguments in one, in the place of both
	words         []splice.Span // the command and its arguments
	inner         int           // the one of words that was the command, if the proxy is in front of it, else 0
}

// each does something for every server that is a command.
func (w *wrapping) each(src []byte, f func(server)) ([]byte, error) {
	rest := scan.TrimBOM(src)
	mark := src[:len(src)-len(rest)]
	if _, err := (wire.JSON{RejectDuplicates: true}).Decode(rest); err != nil {
		return nil, fmt.Errorf("it is not JSON: %w", err)
	}
	w.src = rest
	lists := serversOf(rest)
	if len(lists) == 0 {
		return nil, errors.New("it has no object mcpServers, servers, context_servers or mcp: is it a client's configuration?")
	}
	for _, list := range lists {
		for _, m := range list.Members {
			if s, fault := w.server(m); fault == "" {
				f(s)
			} else {
				w.notes = append(w.notes, s.key+" "+fault)
			}
		}
	}
	return slices.Concat(mark, splice.Apply(rest, w.edits)), nil
}

// serversOf finds the objects that have servers: one, and one in each of some projects.
func serversOf(src []byte) (lists []splice.Object) {
	add := func(in splice.Span, paths ...[]string) {
		for _, path := range paths {
			at, _ := splice.Find(src, in, path...)
			if list, ok := splice.AllMembers(src, at); ok {
				lists = append(lists, list)
				return
			}
		}
	}
	add(splice.Whole(src), []string{"mcpServers"}, []string{"servers"}, []string{"context_servers"}, []string{"mcp", "servers"}, []string{"mcp"})
	at, _ := splice.Find(src, splice.Whole(src), "projects")
	projects, _ := splice.AllMembers(src, at)
	for _, p := range projects.Members {
		add(p.Value, []string{"mcpServers"})
	}
	return lists
}

const notCommand = `is not a command; left as it is: "wirekit mcp proxy --upstream URL" is one in front of it`

// server reads a server, or says why it stays as it is. One that is not a command has an
// address.
func (w *wrapping) server(m splice.Member) (s server, fault string) {
	s.key = string(m.Key.Of(w.src))
	o, ok := splice.FindMembers(w.src, m.Value, "command", "args")
	if !ok {
		return s, "is not an object; left as it is"
	}
	s.command, s.args = o.Members[0], o.Members[1]
	if !s.command.Found {
		return s, notCommand
	}
	if inner, ok := splice.FindMembers(w.src, s.command.Value, "path", "args"); ok && inner.Members[0].Found {
		s.command, s.args = inner.Members[0], inner.Members[1]
	}
	s.list = s.args.Value
	if w.src[s.command.Value.Start] == '[' {
		s.list, s.args = s.command.Value, splice.Member{}
	} else if _, ok := splice.StringAt(w.src, s.command.Value); !ok {
		return s, "has a command that is neither a string nor a list of strings; left as it is"
	}
	if s.words, ok = splice.FindElements(w.src, s.list); !ok && (s.args.Found || s.isList()) {
		return s, "has args that are not a list; left as it is"
	}
	if s.isList() && (len(s.words) == 0 || slices.ContainsFunc(s.words, func(at splice.Span) bool { return w.src[at.Start] != '"' })) {
		return s, "has a command that is neither a string nor a list of strings; left as it is"
	}
	if !s.isList() {
		s.words = append([]splice.Span{s.command.Value}, s.words...)
	}
	fault = s.own(w.line(s.words))
	return s, fault
}

// isList reports whether the command and its arguments are one list.
func (s server) isList() bool { return s.list == s.command.Value }

// line returns the words that the server is run by, as far as they are strings.
func (w *wrapping) line(words []splice.Span) (line []string) {
	for _, at := range words {
		word, ok := splice.StringAt(w.src, at)
		if !ok {
			break
		}
		line = append(line, word)
	}
	return line
}

// own finds the proxy in the words that a server is run by, and says that the server is one of
// wirekit, before which no proxy comes.
func (s *server) own(line []string) string {
	if dash := slices.Index(line, "--"); dash >= 3 && line[1] == "mcp" && line[2] == "proxy" && dash+1 < len(line) {
		s.inner = dash + 1
		return ""
	}
	for i := range max(0, len(line)-2) {
		name := line[i][strings.LastIndexAny(line[i], `/\`)+1:]
		if strings.HasPrefix(name, "wirekit") && line[i+1] == "mcp" && (line[i+2] == "serve" || line[i+2] == "proxy") {
			return "is wirekit itself; left as it is"
		}
	}
	return ""
}

// noArgs is between a command and the args that it did not have; lastArg
// before the end of such args.
const (
	noArgs  = `, "args": `
	lastArg = " "
)

func (w *wrapping) wrap(s server) {
	if s.inner > 0 {
		w.before = true
		w.notes = append(w.notes, s.key+" has the proxy already")
		return
	}
	words := []string{`"mcp"`, `"proxy"`, `"--name"`, s.key}
	for _, flag := range append(slices.Clone(w.flags), "--") {
		words = append(words, quoted(flag))
	}
	if s.isList() {
		words = append([]string{quoted(w.program)}, words...)
		w.edits = append(w.edits, splice.Insert(s.list.Start+1, []byte(strings.Join(words, ", ")+",")))
		return
	}
	words = append(words, string(s.command.Value.Of(w.src)))
	front := "[" + strings.Join(words, ", ")
	w.edits = append(w.edits, splice.Put(s.command.Value, []byte(quoted(w.program))))
	if !s.args.Found {
		w.edits = append(w.edits, splice.Insert(s.command.Value.End, []byte(noArgs+front+lastArg+"]")))
		return
	}
	if len(s.words) > 1 {
		front += ","
	}
	start := s.args.Value.Start
	w.edits = append(w.edits, splice.Put(splice.Span{Start: start, End: start + 1}, []byte(front)))
}

func (w *wrapping) unwrap(s server) {
	i := s.inner
	if i == 0 {
		return
	}
	if s.isList() {
		dash := s.words[i-1].End
		comma := bytes.IndexByte(w.src[dash:], ',')
		w.edits = append(w.edits, splice.Put(splice.Span{Start: s.list.Start + 1, End: dash + comma + 1}, nil))
		return
	}
	w.edits = append(w.edits, splice.Put(s.command.Value, s.words[i].Of(w.src)))
	rest := splice.Span{Start: s.words[i].End, End: s.args.Value.End - 1}
	switch {
	case i+1 < len(s.words):
		rest.Start += bytes.IndexByte(rest.Of(w.src), ',') + 1
	case string(rest.Of(w.src)) == lastArg && bytes.HasPrefix(w.src[s.command.Value.End:], []byte(noArgs+"[")):
		w.edits = append(w.edits, splice.Put(splice.Span{Start: s.command.Value.End, End: s.args.Value.End}, nil))
		return
	}
	w.edits = append(w.edits, splice.Put(splice.Span{Start: s.args.Value.Start, End: rest.Start}, []byte("[")))
}

func quoted(s string) string { return string(scan.AppendQuote(nil, s)) }
