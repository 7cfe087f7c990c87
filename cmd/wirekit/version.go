package main

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

// released is the version of a release: internal/release has the linker set it.
var released string

// versionInfo tells which wirekit this is, in the form that --json prints.
type versionInfo struct {
	Version  string `json:"version"`
	Commit   string `json:"commit,omitempty"`
	Date     string `json:"date,omitempty"` // of the commit
	Modified bool   `json:"modified,omitempty"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

// versionOf reads what the build recorded. What the go command was not told,
// such as the commit of a module that came from a proxy, is missing.
func versionOf(info *debug.BuildInfo) versionInfo {
	if info == nil {
		info = &debug.BuildInfo{}
	}
	v := versionInfo{Version: cmp.Or(released, info.Main.Version, "(devel)"), Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			v.Commit = s.Value
		case "vcs.time":
			v.Date = s.Value
		case "vcs.modified":
			v.Modified = s.Value == "true"
		}
	}
	return v
}

func (v versionInfo) String() string {
	facts := []string{v.Go + " " + v.Platform}
	if v.Commit != "" {
		commit := v.Commit
		if v.Modified {
			commit += " with changes"
		}
		facts = append([]string{"commit " + commit, v.Date}, facts...)
	}
	return fmt.Sprintf("wirekit %s (%s)\n", v.Version, strings.Join(facts, ", "))
}

func version() versionInfo {
	info, _ := debug.ReadBuildInfo()
	return versionOf(info)
}

func newVersion(c *console) *cobra.Command {
	var asJSON bool
	cmd := newCommand("version", atMost(0), func(*cobra.Command, []string) error { return c.show(asJSON, version()) })
	addJSON(cmd, &asJSON)
	return cmd
}
