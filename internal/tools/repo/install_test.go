package repo

import (
	"archive/zip"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var installLine = regexp.MustCompile(`(?m)^go install (\S+/cmd/wirekit)@latest$`)

// TestInstall: the line of README.md installs the command, from a proxy that
// holds the module as it is here. Everything but the compilation runs always;
// with WIREKIT_SOAK that too.
func TestInstall(t *testing.T) {
	if testing.Short() {
		t.Skip("runs without -short: it unpacks the dependencies")
	}
	line := installLine.FindStringSubmatch(read(t, "README.md"))
	require.NotNil(t, line, "README.md has no line go install …/cmd/wirekit@latest")
	released := regexp.MustCompile(`(?m)^## (\d\S*)$`).FindStringSubmatch(read(t, "CHANGELOG.md"))
	require.NotNil(t, released, "CHANGELOG.md names no version")
	version := "v" + released[1]

	temp := t.TempDir()
	proxy := filepath.Join(temp, "proxy")
	serve(t, proxy, version)
	cached, err := exec.Command("go", "env", "GOMODCACHE").Output()
	require.NoError(t, err)
	fileURL := func(path string) string {
		return "file:///" + strings.TrimPrefix(filepath.ToSlash(path), "/")
	}
	args := []string{"install", "-n", line[1] + "@latest"}
	if os.Getenv("WIREKIT_SOAK") != "" {
		args = []string{"install", line[1] + "@latest"}
	}
	cmd := exec.Command("go", args...)
	cmd.Dir = temp
	cmd.Env = append(os.Environ(), "GOMODCACHE="+filepath.Join(temp, "mod"), "GOBIN="+filepath.Join(temp, "bin"),
		"GOPROXY="+fileURL(proxy)+","+fileURL(filepath.Join(strings.TrimSpace(string(cached)), "cache", "download")),
		"GOFLAGS=-modcacherw", "GONOSUMDB=*", "GOSUMDB=off", "GOWORK=off")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	if args[1] == "-n" {
		require.Contains(t, string(out), filepath.Join(temp, "bin", "wirekit"))
		return
	}
	out, err = exec.Command(filepath.Join(temp, "bin", "wirekit"), "version").CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Contains(t, string(out), "wirekit "+version+" (")
}

// serve puts the module's files that git knows, or would know, where a proxy
// has them.
func serve(t *testing.T, proxy, version string) {
	dir := filepath.Join(proxy, filepath.FromSlash(module), "@v")
	require.NoError(t, os.MkdirAll(dir, 0o777))
	require.NoError(t, os.WriteFile(filepath.Join(dir, version+".info"), []byte(fmt.Sprintf(`{"Version":%q,"Time":"2026-01-01T00:00:00Z"}`, version)), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "list"), []byte(version+"\n"), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, version+".mod"), []byte(read(t, "go.mod")), 0o644))
	out, err := os.Create(filepath.Join(dir, version+".zip"))
	require.NoError(t, err)
	w := zip.NewWriter(out)
	require.NoError(t, filepath.WalkDir(".", func(path string, d os.DirEntry, err error) error {
		if err != nil || path == "." {
			return err
		}
		name := filepath.ToSlash(path)
		if d.IsDir() {
			if name == ".git" || name == "bin" || name == "dist" || d.Name() == "node_modules" {
				return filepath.SkipDir
			}
			if _, err := os.Stat(filepath.Join(path, "go.mod")); err == nil {
				return filepath.SkipDir // a module of its own
			}
			return nil
		}
		if !d.Type().IsRegular() {
			return nil
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		f, err := w.Create(module + "@" + version + "/" + name)
		if err != nil {
			return err
		}
		_, err = f.Write(content)
		return err
	}))
	require.NoError(t, w.Close())
	require.NoError(t, out.Close())
}
