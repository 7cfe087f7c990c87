// Command release builds the command for every platform, packs each build with
// the licence, the manual pages and the completions, and writes the checksums:
//
//	go run ./internal/release -version v0.1.0 -out dist
//
// It needs nothing but Go. The same commit gives the same bytes: paths are
// trimmed, and files have the time of the commit, as far as the build knows it.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"runtime"
	"strings"
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
	only := flag.String("platforms", "", "platforms to build for, such as linux/amd64,windows/arm64 (default: all)")
	flag.Parse()
	if err := r.run(*only); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// run builds for the platforms that only names, or for all.
func (r release) run(only string) error {
	if !isVersion.MatchString(r.version) {
		return fmt.Errorf("-version is like v0.1.0, not %q", r.version)
	}
	chosen := platforms
	if only != "" {
		chosen = nil
		for name := range strings.SplitSeq(only, ",") {
			os, arch, ok := strings.Cut(name, "/")
			if !ok {
				return fmt.Errorf("a platform is like linux/amd64, not %q", name)
			}
			chosen = append(chosen, platform{os, arch})
		}
	}
	return r.build(chosen)
}

// papers are the files that go with the command.
func papers(dir string) (map[string]string, error) {
	files := map[string]string{"LICENSE": "LICENSE", "README.md": "README.md", "CHANGELOG.md": "CHANGELOG.md"}
	host := platform{runtime.GOOS, runtime.GOARCH}
	exe := dir + "/" + host.exe("host")
	if err := goCommand(host, "build", "-o", exe, "./cmd/wirekit"); err != nil {
		return nil, err
	}
	if _, err := output(exe, "man", "--out-dir", dir+"/man1"); err != nil {
		return nil, err
	}
	pages, err := os.ReadDir(dir + "/man1")
	if err != nil {
		return nil, err
	}
	for _, page := range pages {
		files["man1/"+page.Name()] = dir + "/man1/" + page.Name()
	}
	for shell, name := range map[string]string{"bash": "wirekit.bash", "zsh": "_wirekit", "fish": "wirekit.fish", "powershell": "wirekit.ps1"} {
		script, err := output(exe, "completion", shell)
		if err != nil {
			return nil, err
		}
		if err := os.WriteFile(dir+"/"+name, script, 0o644); err != nil {
			return nil, err
		}
		files["completions/"+name] = dir + "/" + name
	}
	return files, nil
}
