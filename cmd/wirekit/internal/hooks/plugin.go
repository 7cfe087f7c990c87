package hooks

import (
	"bytes"
	_ "embed"
	"strings"

	"github.com/wirekit/wirekit/internal/base/scan"
)

//go:embed opencode.js
var plugin string

// pluginMark begins the plugin that InstallPlugin writes.
const pluginMark = "// Written by wirekit hook install opencode."

// Plugin returns the plugin of OpenCode that runs a program with arguments after tools.
func Plugin(program string, args []string) []byte {
	words := string(scan.AppendQuote(nil, program))
	list := []string{`"hook"`, `"run"`, `"opencode"`}
	for _, arg := range args {
		list = append(list, string(scan.AppendQuote(nil, arg)))
	}
	return []byte(strings.NewReplacer("PROGRAM", words, "ARGS", "["+strings.Join(list, ", ")+"]").Replace(plugin))
}

// IsPlugin reports whether a file is a plugin that Plugin has written.
func IsPlugin(text []byte) bool { return bytes.HasPrefix(text, []byte(pluginMark)) }
