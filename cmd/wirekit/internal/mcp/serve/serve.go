// Package serve has the verb mcp serve: a server whose tools are verbs of the command. It
// may import these verbs.
package serve

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/spf13/cobra"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/cli"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/mcpproxy"
	"github.com/wirekit/wirekit/internal/base/lineio"
)

// New returns the verb mcp serve. version is that of the program.
func New(c *cli.Console, version string) *cobra.Command {
	var dir string
	cmd := cli.NewCommand("mcp-serve", cli.AtMost(0), func(cmd *cobra.Command, _ []string) error {
		dir, err := filepath.Abs(dir)
		if err != nil {
			return err
		}
		root, err := os.OpenRoot(dir)
		if err != nil {
			return err
		}
		defer root.Close()
		s := toolServer{version: version, find: toolbox{root: root, dir: dir}.find, out: c.Out}
		return s.serve(cmd.Context(), c.In)
	})
	cmd.Flags().StringVar(&dir, "root", ".", "folder to read files of")
	return cmd
}

const (
	mostMessage = 16 << 20 // bytes
	mostCalls   = 4        // at the same time
)

// revisions are those of the protocol, the newest first. The newest has no initialize: each
// request names its revision.
var revisions = mcpproxy.Revisions

const (
	metaRevision = "io.modelcontextprotocol/protocolVersion"
	metaServer   = "io.modelcontextprotocol/serverInfo"
)

// Codes of JSON-RPC 2.0, section 5.1, and of the protocol.
const (
	codeParse       = -32700
	codeRequest     = -32600
	codeMethod      = -32601
	codeParams      = -32602
	codeUnsupported = -32022
)

// A toolServer answers the messages of one client.
type toolServer struct {
	version string // of the program
	find    func(name string) (tool, bool)

	running sync.Map // what ends a call, a context.CancelFunc, by its *request

	mu     sync.Mutex
	out    io.Writer
	broken error // of out, after which nothing is written
}

// A request is a message of the client; without an id it is a notification.
type request struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Result json.RawMessage `json:"result"` // of an answer
	Error  json.RawMessage `json:"error"`
	Params struct {
		Meta            map[string]json.RawMessage `json:"_meta"`
		ProtocolVersion string                     `json:"protocolVersion"`
		RequestID       json.RawMessage            `json:"requestId"`
		Name            string                     `json:"name"`
		Arguments       json.RawMessage            `json:"arguments"`
	} `json:"params"`
}

type rpcError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Data    any    `json:"data,omitempty"`
}

// serve answers until the input ends.
func (s *toolServer) serve(ctx context.Context, in io.Reader) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var calls sync.WaitGroup
	defer calls.Wait()
	slots := make(chan struct{}, mostCalls)
	return lineio.Each(bufio.NewReaderSize(in, 64<<10), mostMessage, func(line []byte, tooLong bool) {
		var m request
		switch fault := json.Unmarshal(line, &m); {
		case tooLong:
			s.fail(nil, rpcError{Code: codeRequest, Message: fmt.Sprintf("the message is longer than %d bytes", mostMessage)})
		case len(bytes.TrimSpace(line)) == 0:
		case fault != nil && !json.Valid(line):
			s.fail(nil, rpcError{Code: codeParse, Message: "the message is not JSON"})
		case fault != nil:
			s.fail(m.ID, rpcError{Code: codeRequest, Message: "the message is not a request"})
		case m.Method == "tools/call" && m.ID != nil:
			slots <- struct{}{}
			called, end := context.WithCancel(ctx)
			s.running.Store(&m, end)
			calls.Go(func() {
				defer func() { <-slots }()
				defer s.running.Delete(&m)
				defer end()
				s.call(called, &m)
			})
		default:
			s.answer(&m)
		}
	})
}

// cancel ends the calls of an id, which several may have, that are running.
func (s *toolServer) cancel(id string) {
	s.running.Range(func(m, end any) bool {
		if string(m.(*request).ID) == id {
			end.(context.CancelFunc)()
		}
		return true
	})
}

// answer does what needs no time.
func (s *toolServer) answer(m *request) {
	info := map[string]string{"name": "wirekit", "version": s.version}
	about := map[string]any{"capabilities": map[string]any{"tools": struct{}{}}, "instructions": instructions}
	switch {
	case m.Method == "notifications/cancelled":
		s.cancel(string(m.Params.RequestID))
	case m.ID == nil || m.Result != nil || m.Error != nil: // other notifications, and answers to what was never asked
	case m.Method == "":
		s.fail(m.ID, rpcError{Code: codeRequest, Message: "the message is not a request"})
	case !s.speaks(m):
	case m.Method == "initialize":
		about["protocolVersion"], about["serverInfo"] = revisions[1], info
		if asked := m.Params.ProtocolVersion; slices.Contains(revisions[1:], asked) {
			about["protocolVersion"] = asked
		}
		s.succeed(m, about)
	case m.Method == "server/discover":
		about["supportedVersions"], about["ttlMs"], about["cacheScope"] = revisions, 0, "public"
		about["_meta"] = map[string]any{metaServer: info}
		s.succeed(m, about)
	case m.Method == "ping":
		s.succeed(m, map[string]any{})
	case m.Method == "tools/list":
		s.succeed(m, map[string]any{"tools": json.RawMessage(toolList), "ttlMs": 0, "cacheScope": "public"})
	default:
		s.fail(m.ID, rpcError{Code: codeMethod, Message: fmt.Sprintf("there is no method %.100q", m.Method)})
	}
}

// speaks reports whether the revision that a request names is known, and refuses it if not.
func (s *toolServer) speaks(m *request) bool {
	var asked string
	if text, ok := m.Params.Meta[metaRevision]; ok && (json.Unmarshal(text, &asked) != nil || !slices.Contains(revisions, asked)) {
		s.fail(m.ID, rpcError{Code: codeUnsupported, Message: "the revision of the protocol is not supported", Data: map[string]any{"supported": revisions, "requested": asked}})
		return false
	}
	return true
}

// call runs a tool. What a client has cancelled is not answered.
func (s *toolServer) call(ctx context.Context, m *request) {
	if !s.speaks(m) {
		return
	}
	run, ok := s.find(m.Params.Name)
	if !ok {
		s.fail(m.ID, rpcError{Code: codeParams, Message: fmt.Sprintf("there is no tool %.100q", m.Params.Name)})
		return
	}
	text, err := run(ctx, m.Params.Arguments)
	if ctx.Err() != nil {
		return
	}
	result := make(map[string]any)
	if err != nil {
		text, result["isError"] = err.Error(), true
	}
	result["content"] = []map[string]string{{"type": "text", "text": text}}
	s.succeed(m, result)
}

func (s *toolServer) succeed(m *request, result map[string]any) {
	if m.Params.Meta[metaRevision] != nil {
		result["resultType"] = "complete"
	}
	s.send(map[string]any{"jsonrpc": "2.0", "id": m.ID, "result": result})
}

func (s *toolServer) fail(id json.RawMessage, err rpcError) {
	s.send(map[string]any{"jsonrpc": "2.0", "id": id, "error": err})
}

// send writes a message as a line.
func (s *toolServer) send(message map[string]any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.broken == nil {
		e := json.NewEncoder(s.out)
		e.SetEscapeHTML(false)
		s.broken = e.Encode(message)
	}
}
