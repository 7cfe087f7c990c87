//go:build linux || darwin

package faulty

import (
	"os"
	"syscall"
)

func special(check func(error), add func(what string) string) {
	check(syscall.Mkfifo(add("pipe"), 0o600))
	for link, target := range map[string]string{
		"link to a device": "/dev/zero", "link to a folder": "folder", "link to a pipe": "pipe", "link to a large file": "large", "link to itself": "link to itself",
	} {
		check(os.Symlink(target, add(link)))
	}
}
