package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/testkit/trials"
	"go.yaml.in/yaml/v4"
)

// hello is a release of a small program with one further file.
func hello(t *testing.T) release {
	note := filepath.Join(t.TempDir(), "note")
	require.NoError(t, os.WriteFile(note, []byte("a note\n"), 0o644))
	return release{version: "v1.2.3", name: "hello", main: "./testdata/hello", out: filepath.Join(t.TempDir(), "dist"), log: io.Discard,
		extra: func(string) (map[string]string, error) { return map[string]string{"man1/note.1": note}, nil }}
}

// TestRelease: the archives hold the program, which runs and knows its version,
// and the files; their checksums are right; a second run gives the same bytes.
func TestRelease(t *testing.T) {
	if testing.Short() {
		t.Skip("runs without -short: it builds for another system, twice")
	}
	trials.OneGoroutine(t)
	host := platform{runtime.GOOS, runtime.GOARCH}
	chosen := []platform{host, {"windows", "amd64"}}
	r := hello(t)
	require.NoError(t, r.build(chosen))
	again := hello(t)
	require.NoError(t, again.build(chosen))
	sums, err := os.ReadFile(filepath.Join(r.out, "SHA256SUMS"))
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSpace(string(sums)), "\n")
	require.Len(t, lines, 2)
	for _, line := range lines {
		sum, name, _ := strings.Cut(line, "  ")
		content, err := os.ReadFile(filepath.Join(r.out, name))
		require.NoError(t, err)
		require.Equal(t, sum, fmt.Sprintf("%x", sha256.Sum256(content)))
		second, err := os.ReadFile(filepath.Join(again.out, name))
		require.NoError(t, err)
		require.True(t, string(content) == string(second), "%s is not reproducible", name)
	}
	z, err := zip.OpenReader(filepath.Join(r.out, "hello_1.2.3_windows_amd64.zip"))
	require.NoError(t, err)
	defer z.Close()
	require.Equal(t, "hello_1.2.3_windows_amd64/hello.exe", z.File[1].Name)
	require.Equal(t, "hello_1.2.3_windows_amd64/man1/note.1", z.File[3].Name)
	if runtime.GOOS == "windows" {
		return
	}
	base := fmt.Sprintf("hello_1.2.3_%s_%s", host.os, host.arch)
	files := untar(t, filepath.Join(r.out, base+".tar.gz"))
	require.Equal(t, "a note\n", string(files[base+"/man1/note.1"]))
	exe := filepath.Join(t.TempDir(), "hello")
	require.NoError(t, os.WriteFile(exe, files[base+"/hello"], 0o755))
	out, err := exec.Command(exe).CombinedOutput()
	require.NoError(t, err)
	require.Equal(t, "v1.2.3\n", string(out))
}

func untar(t *testing.T, name string) map[string][]byte {
	f, err := os.Open(name)
	require.NoError(t, err)
	defer f.Close()
	unzipped, err := gzip.NewReader(f)
	require.NoError(t, err)
	files := make(map[string][]byte)
	r := tar.NewReader(unzipped)
	for {
		h, err := r.Next()
		if err == io.EOF {
			return files
		}
		require.NoError(t, err)
		files[h.Name], err = io.ReadAll(r)
		require.NoError(t, err)
	}
}

func TestReleaseRefuses(t *testing.T) {
	r := hello(t)
	require.ErrorContains(t, r.build([]platform{{"plan10", "amd64"}}), "plan10/amd64: go build")
	r.version = "0.1"
	require.ErrorContains(t, r.build(nil), "-version is like v0.1.0")
}

// TestPlatforms: three systems by two architectures.
func TestPlatforms(t *testing.T) {
	for _, os := range []string{"linux", "darwin", "windows"} {
		for _, arch := range []string{"amd64", "arm64"} {
			require.Contains(t, platforms, platform{os, arch})
		}
	}
	require.Len(t, platforms, 6)
}

// A workflow is what is looked at of one of .github/workflows.
type workflow struct {
	Jobs map[string]struct {
		RunsOn   string `yaml:"runs-on"`
		Strategy struct {
			Matrix map[string][]string `yaml:"matrix"`
		} `yaml:"strategy"`
		Steps []step `yaml:"steps"`
	} `yaml:"jobs"`
}

type step struct {
	If   string `yaml:"if"`
	Uses string `yaml:"uses"`
	Run  string `yaml:"run"`
}

func read(t *testing.T, name string) string {
	text, err := os.ReadFile(filepath.Join("..", "..", "..", filepath.FromSlash(name)))
	require.NoError(t, err)
	return string(text)
}

func parse(t *testing.T, name string) workflow {
	var w workflow
	require.NoError(t, yaml.Unmarshal([]byte(read(t, name)), &w))
	return w
}

// TestWorkflows: what changes must pass runs on every supported system, with
// the oldest and the newest Go; a tag is released by this command.
func TestWorkflows(t *testing.T) {
	run := parse(t, ".github/workflows/ci.yml").Jobs["run"]
	require.Equal(t, "${{ matrix.os }}", run.RunsOn)
	for _, system := range []string{"ubuntu", "macos", "windows"} {
		require.True(t, slices.ContainsFunc(run.Strategy.Matrix["os"], func(os string) bool { return strings.HasPrefix(os, system) }), system)
	}
	lowest := ""
	for line := range strings.Lines(read(t, "go.mod")) {
		if v, ok := strings.CutPrefix(strings.TrimSpace(line), "go "); ok {
			lowest = v
		}
	}
	require.Equal(t, []string{strings.TrimSuffix(lowest, ".0") + ".x", "stable"}, run.Strategy.Matrix["go"])
	require.Contains(t, run.Steps, step{Run: ".ci/run"})
}

// TestReleaseWorkflow: a tag publishes what every change has built.
func TestReleaseWorkflow(t *testing.T) {
	var built, published []string
	for _, s := range parse(t, ".github/workflows/release.yml").Jobs["release"].Steps {
		if s.If == "" {
			built = append(built, s.Run)
			require.NotRegexp(t, `gh release|--push|login`, s.Run)
		} else {
			published = append(published, s.Run)
			require.Equal(t, "github.ref_type == 'tag'", s.If)
		}
	}
	for _, what := range []string{"make release VERSION=", "make npm VERSION=", "docker buildx build"} {
		require.Contains(t, strings.Join(built, "\n"), what)
	}
	require.Contains(t, strings.Join(published, "\n"), "dist/*")
	require.Contains(t, strings.Join(published, "\n"), "--push")
}

// TestPinned: what workflows and the image take from others is named by what it holds.
func TestPinned(t *testing.T) {
	workflows, err := filepath.Glob("../../../.github/workflows/*.yml")
	require.NoError(t, err)
	require.NotEmpty(t, workflows)
	for _, name := range workflows {
		for _, job := range parse(t, ".github/workflows/"+filepath.Base(name)).Jobs {
			for _, s := range job.Steps {
				if s.Uses != "" {
					require.Regexp(t, `^[\w/-]+@[0-9a-f]{40}$`, s.Uses, name)
				}
			}
		}
	}
	for line := range strings.Lines(read(t, "Dockerfile")) {
		if strings.HasPrefix(line, "FROM ") {
			require.Regexp(t, `^FROM (scratch|.*@sha256:[0-9a-f]{64} AS \w+)\n$`, line)
		}
	}
}

// TestContainer: the image is built of this command, from nothing else.
func TestContainer(t *testing.T) {
	image := read(t, "Dockerfile")
	require.Contains(t, image, "./cmd/wirekit\n")
	require.Contains(t, image, "-X main.released=${VERSION}")
	require.Contains(t, image, "\nFROM scratch\n")
	require.Contains(t, image, "\nENTRYPOINT [\"/wirekit\"]\n")
}
