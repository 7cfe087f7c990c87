// Command release builds the command for every platform, packs each build with
// the licence, the manual pages and the completions, and writes the checksums:
//
//	go run ./internal/tools/release -version v0.1.0 -out dist
//
// It needs nothing but Go. The same commit gives the same bytes: paths are
// trimmed, and files have the time of the commit, as far as the build knows it.
package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"debug/buildinfo"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing/fstest"
	"time"
)

// platforms are those that releases are built for.
var platforms = []platform{
	{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "amd64"}, {"darwin", "arm64"}, {"windows", "amd64"}, {"windows", "arm64"},
}

// A platform is what GOOS and GOARCH name.
type platform struct{ os, arch string }

func (p platform) String() string { return p.os + "/" + p.arch }

func (p platform) exe(name string) string {
	if p.os == "windows" {
		return name + ".exe"
	}
	return name
}

// A release is what is built.
type release struct {
	version string // with its v
	name    string // of the program
	main    string // its package
	out     string // folder of the archives
	// extra are files that go into every archive, by their names there.
	extra func(dir string) (map[string]string, error)
	log   io.Writer
}

var isVersion = regexp.MustCompile(`^v\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$`)

func main() {
	r := release{name: "wirekit", main: "./cmd/wirekit", extra: papers, log: os.Stderr}
	flag.StringVar(&r.version, "version", "", "version of the release, such as v0.1.0")
	flag.StringVar(&r.out, "out", "dist", "folder to write the archives into")
	flag.Parse()
	if err := r.build(platforms); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// papers are the files that go with the command.
func papers(dir string) (map[string]string, error) {
	files := map[string]string{"LICENSE": "LICENSE", "README.md": "README.md", "CHANGELOG.md": "CHANGELOG.md"}
	host := platform{runtime.GOOS, runtime.GOARCH}
	exe := dir + "/" + host.exe("host")
	unbuilt := goCommand(host, "build", "-o", exe, "./cmd/wirekit")
	_, unwritten := output(exe, "man", "--out-dir", dir+"/man1")
	pages, err := os.ReadDir(dir + "/man1")
	if err := cmp.Or(unbuilt, unwritten, err); err != nil {
		return nil, err
	}
	for _, page := range pages {
		files["man1/"+page.Name()] = dir + "/man1/" + page.Name()
	}
	for shell, name := range map[string]string{"bash": "wirekit.bash", "zsh": "_wirekit", "fish": "wirekit.fish", "powershell": "wirekit.ps1"} {
		script, err := output(exe, "completion", shell)
		if err := cmp.Or(err, os.WriteFile(dir+"/"+name, script, 0o644)); err != nil {
			return nil, err
		}
		files["completions/"+name] = dir + "/" + name
	}
	return files, nil
}

// build writes an archive for each platform, and SHA256SUMS.
func (r release) build(chosen []platform) error {
	if !isVersion.MatchString(r.version) {
		return fmt.Errorf("-version is like v0.1.0, not %q", r.version)
	}
	temp, err := os.MkdirTemp("", "release-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	files, err := r.extra(temp)
	if err = cmp.Or(err, os.MkdirAll(r.out, 0o777)); err != nil {
		return err
	}
	var sums strings.Builder
	for _, p := range chosen {
		archive, err := r.archive(p, temp, files)
		if err != nil {
			return fmt.Errorf("%s: %w", p, err)
		}
		content, err := os.ReadFile(filepath.Join(r.out, archive))
		if err != nil {
			return err
		}
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(content), archive)
		fmt.Fprintf(r.log, "%s: %.1f MB\n", archive, float64(len(content))/1e6)
	}
	return os.WriteFile(filepath.Join(r.out, "SHA256SUMS"), []byte(sums.String()), 0o644)
}

// archive builds for a platform and packs the program with the files. It
// returns the archive's name.
func (r release) archive(p platform, temp string, files map[string]string) (string, error) {
	exe := filepath.Join(temp, p.os+"_"+p.arch)
	if err := goCommand(p, "build", "-trimpath", "-buildvcs=auto", "-ldflags", "-s -w -X main.released="+r.version, "-o", exe, r.main); err != nil {
		return "", err
	}
	at := commitTime(exe)
	base := fmt.Sprintf("%s_%s_%s_%s", r.name, strings.TrimPrefix(r.version, "v"), p.os, p.arch)
	content := make(fstest.MapFS)
	add := func(name, file string, mode fs.FileMode) error {
		data, err := os.ReadFile(file)
		name = base + "/" + name
		content[name] = &fstest.MapFile{Data: data, Mode: mode, ModTime: at}
		for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
			content[dir] = &fstest.MapFile{Mode: fs.ModeDir | 0o755, ModTime: at}
		}
		return err
	}
	err := add(p.exe(r.name), exe, 0o755)
	for name, file := range files {
		err = cmp.Or(err, add(name, file, 0o644))
	}
	if err != nil {
		return "", err
	}
	var out bytes.Buffer
	if p.os == "windows" {
		base += ".zip"
		w := zip.NewWriter(&out)
		err = cmp.Or(w.AddFS(content), w.Close())
	} else {
		base += ".tar.gz"
		zipped := gzip.NewWriter(&out)
		w := tar.NewWriter(zipped)
		err = cmp.Or(w.AddFS(content), w.Close(), zipped.Close())
	}
	return base, cmp.Or(err, os.WriteFile(filepath.Join(r.out, base), out.Bytes(), 0o644))
}

// commitTime is what the build recorded, or a time that is always the same.
func commitTime(exe string) time.Time {
	if info, err := buildinfo.ReadFile(exe); err == nil {
		for _, s := range info.Settings {
			if at, err := time.Parse(time.RFC3339, s.Value); s.Key == "vcs.time" && err == nil {
				return at.UTC()
			}
		}
	}
	return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
}

// goCommand runs the go command for a platform, without C.
func goCommand(p platform, args ...string) error {
	cmd := exec.Command("go", args...)
	cmd.Env = append(os.Environ(), "GOOS="+p.os, "GOARCH="+p.arch, "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go %s: %w\n%s", args[0], err, out)
	}
	return nil
}

// output runs a program and returns what it prints.
func output(exe string, args ...string) ([]byte, error) {
	out, err := exec.Command(exe, args...).Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", strings.Join(args, " "), err)
	}
	return out, nil
}
