//go:build unix

package exec

import (
	"errors"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// passedSignals are those that a command is sent in the place of wirekit. SIGPIPE is
// not passed on: that it is caught makes a failed write an error.
var passedSignals = []os.Signal{
	syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTERM, syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGPIPE,
}

// pass sends a signal on. What a user types reaches every process in the foreground of
// the terminal, so the command has had it.
func pass(p *os.Process, s os.Signal) {
	typed := s == syscall.SIGINT || s == syscall.SIGQUIT
	if s == syscall.SIGPIPE || typed && isForeground() {
		return
	}
	_ = p.Signal(s) // a command that has ended is not an error
}

// isForeground reports whether this process is in the foreground of its terminal.
func isForeground() bool {
	terminal, err := os.Open("/dev/tty")
	if err != nil {
		return false
	}
	defer terminal.Close()
	group, err := unix.IoctlGetInt(int(terminal.Fd()), unix.TIOCGPGRP)
	return err == nil && group == unix.Getpgrp()
}

func isBrokenPipe(err error) bool { return errors.Is(err, syscall.EPIPE) }
