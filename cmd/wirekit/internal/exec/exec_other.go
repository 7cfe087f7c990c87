//go:build !unix

package exec

import (
	"errors"
	"os"
	"os/exec"
)

// passedSignals are those that end wirekit otherwise. Here the command gets them itself.
var passedSignals = []os.Signal{os.Interrupt}

func pass(*os.Process, os.Signal) {}

func replaceProcess(*exec.Cmd) error { return errors.ErrUnsupported }

func isBrokenPipe(error) bool { return false }
