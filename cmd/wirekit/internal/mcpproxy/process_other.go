//go:build !unix

package mcpproxy

import (
	"os"
	"os/exec"
	"runtime"
	"strconv"
)

func ownGroup(*exec.Cmd) {}

func terminate(p *os.Process) { kill(p) }

// kill ends a process and, on Windows, those that it has started.
func kill(p *os.Process) {
	if runtime.GOOS == "windows" {
		// What cannot be ended that way is ended below.
		_ = exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(p.Pid)).Run()
	}
	_ = p.Kill()
}

// forward ends the process: there are no signals to pass on.
func forward(p *os.Process, _ os.Signal) { kill(p) }

func endGroup(*os.Process) {}

// ExitCode returns the exit code of a process as a shell has it: 128 and the signal's
// number, where a signal has ended it.
func ExitCode(s *os.ProcessState) int { return s.ExitCode() }

func catchBrokenPipes() func() { return func() {} }
