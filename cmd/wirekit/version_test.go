package main

import (
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestVersion(t *testing.T) {
	host := runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH
	require.Equal(t, "wirekit (devel) ("+host+")\n", versionOf(nil).String())
	info := &debug.BuildInfo{Main: debug.Module{Version: "v0.1.0"}}
	require.Equal(t, "wirekit v0.1.0 ("+host+")\n", versionOf(info).String())
	info.Settings = []debug.BuildSetting{{Key: "vcs.revision", Value: "0123abcd"},
		{Key: "vcs.time", Value: "2026-11-22T10:11:12Z"}, {Key: "vcs.modified", Value: "false"}}
	require.Equal(t, "wirekit v0.1.0 (commit 0123abcd, 2026-11-22T10:11:12Z, "+host+")\n", versionOf(info).String())
	info.Settings[2].Value = "true"
	require.Equal(t, "wirekit v0.1.0 (commit 0123abcd with changes, 2026-11-22T10:11:12Z, "+host+")\n", versionOf(info).String())
	released = "v0.2.0"
	defer func() { released = "" }()
	require.Equal(t, "v0.2.0", versionOf(info).Version)
}
