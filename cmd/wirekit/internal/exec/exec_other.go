//go:build !unix

package exec

import "os"

// passedSignals are those that end wirekit otherwise. Here the command gets them itself.
var passedSignals = []os.Signal{os.Interrupt}

func pass(*os.Process, os.Signal) {}

func isBrokenPipe(error) bool { return false }
