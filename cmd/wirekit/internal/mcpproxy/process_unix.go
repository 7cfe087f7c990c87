//go:build unix

package mcpproxy

import (
	"os"
	"os/exec"
	"os/signal"
	"syscall"
)

// ownGroup gives the process a group of its own, so that what it starts can be
// ended with it.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func terminate(p *os.Process) { forward(p, syscall.SIGTERM) }

func kill(p *os.Process) { forward(p, syscall.SIGKILL) }

// forward sends a signal to a process and those of its group.
func forward(p *os.Process, s os.Signal) {
	if number, ok := s.(syscall.Signal); ok {
		_ = syscall.Kill(-p.Pid, number) // a group that has ended is not an error
	}
}

// endGroup ends what a process that has ended has left behind in its group.
func endGroup(p *os.Process) { terminate(p) }

// ExitCode returns the exit code of a process as a shell has it: 128 and the signal's
// number, where a signal has ended it.
func ExitCode(s *os.ProcessState) int {
	if status, ok := s.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal())
	}
	return s.ExitCode()
}

// catchBrokenPipes makes a write to a client that has gone an error instead of
// the end of this process, until the function that it returns is called.
func catchBrokenPipes() func() {
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGPIPE)
	return func() { signal.Stop(c) }
}
