package mcpproxy

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"

	"github.com/wirekit/wirekit/mcp"
)

// DefaultGrace is how long a server has to end once its input has, and again
// once it was told to.
const DefaultGrace = 5 * time.Second

// A Command runs a server as a child process and is a server to the client
// whose messages come in on Stdin: one JSON message a line.
type Command struct {
	Args     []string // the server's program and its arguments
	Rewriter *mcp.Rewriter
	Stdin    io.Reader
	Stdout   io.Writer // messages of the server and nothing else
	Stderr   io.Writer // the server's own
	// Signals, if not nil, are passed on to the server, which then has Grace
	// to end.
	Signals <-chan os.Signal
	MaxLine int           // in bytes; 0 means DefaultMaxLine
	Grace   time.Duration // 0 means DefaultGrace

	quit <-chan struct{} // closed when the client has gone, even if the server has not read all it said
}

// Run runs the server until it ends, or ends it when the client has gone, and
// returns its exit code: as a shell has it, 128 and the signal's number, if a
// signal ended it. The error is that of a server that cannot be started. On
// Unix systems the server is in a process group of its own, which is ended as a
// whole.
func (c Command) Run() (int, error) {
	if len(c.Args) == 0 {
		return 0, errors.New("mcp: no server's command")
	}
	c.MaxLine = cmp.Or(c.MaxLine, DefaultMaxLine)
	c.Grace = cmp.Or(c.Grace, DefaultGrace)
	defer catchBrokenPipes()()
	s, err := start(c)
	if err != nil {
		return 0, fmt.Errorf("mcp: the server cannot be started: %w", err)
	}
	return s.run(), nil
}

// A session is a server on its way, with the two directions of messages.
type session struct {
	Command
	cmd    *exec.Cmd
	input  io.WriteCloser // of the server
	output output

	sent     chan struct{} // closed when the client has no more to say, or the server does not listen
	received chan struct{} // closed when the server has no more to say, or the client does not listen
	exited   chan struct{} // closed when the process has ended
}

func start(c Command) (*session, error) {
	cmd := exec.Command(c.Args[0], c.Args[1:]...)
	cmd.Stderr = c.Stderr
	cmd.WaitDelay = time.Second // for what others still write to Stderr
	ownGroup(cmd)
	outRead, outWrite, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer outWrite.Close()
	cmd.Stdout = outWrite
	input, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		outRead.Close()
		return nil, err
	}
	return &session{Command: c, cmd: cmd, input: input, output: output{outRead},
		sent: make(chan struct{}), received: make(chan struct{}), exited: make(chan struct{})}, nil
}

// run moves messages until the server has ended and all that it said is
// written.
func (s *session) run() int {
	x := &mcp.Session{Rewriter: s.Rewriter}
	go func() {
		defer close(s.sent)
		defer s.input.Close()
		_ = copyLines(s.input, s.Stdin, s.MaxLine, func(line []byte) []byte { x.FromClient(line); return line })
	}()
	go func() {
		defer close(s.received)
		_ = copyLines(s.Stdout, s.output, s.MaxLine, x.FromServer)
	}()
	go func() {
		defer close(s.exited)
		_ = s.cmd.Wait() // what it has to say is in ProcessState
	}()
	s.end()
	s.drain()
	endGroup(s.cmd.Process)
	return ExitCode(s.cmd.ProcessState)
}

// end waits until the process has ended, and makes it end once one of the two
// directions has.
func (s *session) end() {
	sent, received, quit := s.sent, s.received, s.quit
	var next <-chan time.Time
	harder := terminate
	for {
		select {
		case <-s.exited:
			return
		case <-sent:
			sent = nil
		case <-quit:
			quit = nil
		case <-received:
			received = nil
			s.input.Close() // it has no one to talk to
		case signal := <-s.Signals:
			forward(s.cmd.Process, signal)
			harder = kill
		case <-next:
			harder(s.cmd.Process)
			harder, next = kill, nil
		}
		if next == nil {
			next = time.After(s.Grace)
		}
	}
}

// drain waits for what the process wrote before it ended. Processes that it
// has left behind and that keep its output open are not waited for.
func (s *session) drain() {
	s.output.mayWait()
	defer s.output.Close()
	late := time.After(s.Grace)
	for {
		select {
		case <-s.received:
			return
		case <-s.Signals:
			return
		case <-late:
			kill(s.cmd.Process)
		}
	}
}

// output is what the server writes. Once the process has ended, what is in the
// pipe is all there is: a read that has to wait finds the end.
type output struct{ *os.File }

// wait is how long a pipe that is still open may be silent after its process
// has ended.
const wait = 500 * time.Millisecond

// mayWait lets reads wait a little longer.
func (o output) mayWait() { _ = o.SetReadDeadline(time.Now().Add(wait)) }

func (o output) Read(p []byte) (int, error) {
	n, err := o.File.Read(p)
	if n == 0 && errors.Is(err, os.ErrDeadlineExceeded) {
		o.mayWait() // the first deadline may have passed while the client read
		n, err = o.File.Read(p)
	}
	if n == 0 && errors.Is(err, os.ErrDeadlineExceeded) {
		err = io.EOF
	}
	return n, err
}
