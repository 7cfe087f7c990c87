package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"debug/buildinfo"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// build writes an archive for each platform, and SHA256SUMS.
func (r release) build(chosen []platform) error {
	temp, err := os.MkdirTemp("", "release-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	if err := os.MkdirAll(r.out, 0o777); err != nil {
		return err
	}
	files, err := r.extra(temp)
	if err != nil {
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
	all := make(map[string]string)
	maps.Copy(all, files)
	all[p.exe(r.name)] = exe
	base := fmt.Sprintf("%s_%s_%s_%s", r.name, strings.TrimPrefix(r.version, "v"), p.os, p.arch)
	pack, name := packTar, base+".tar.gz"
	if p.os == "windows" {
		pack, name = packZip, base+".zip"
	}
	var out bytes.Buffer
	if err := pack(&out, base, all, exe, commitTime(exe)); err != nil {
		return "", err
	}
	return name, os.WriteFile(filepath.Join(r.out, name), out.Bytes(), 0o644)
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

func packTar(out io.Writer, base string, files map[string]string, exe string, at time.Time) error {
	zipped := gzip.NewWriter(out)
	w := tar.NewWriter(zipped)
	for _, name := range sortedNames(files) {
		content, err := os.ReadFile(files[name])
		if err != nil {
			return err
		}
		h := &tar.Header{Name: base + "/" + name, Mode: 0o644, Size: int64(len(content)), ModTime: at, Format: tar.FormatPAX}
		if files[name] == exe {
			h.Mode = 0o755
		}
		if err := w.WriteHeader(h); err != nil {
			return err
		}
		if _, err := w.Write(content); err != nil {
			return err
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	return zipped.Close()
}

func packZip(out io.Writer, base string, files map[string]string, exe string, at time.Time) error {
	w := zip.NewWriter(out)
	for _, name := range sortedNames(files) {
		content, err := os.ReadFile(files[name])
		if err != nil {
			return err
		}
		h := &zip.FileHeader{Name: base + "/" + name, Method: zip.Deflate, Modified: at}
		h.SetMode(0o644)
		if files[name] == exe {
			h.SetMode(0o755)
		}
		f, err := w.CreateHeader(h)
		if err != nil {
			return err
		}
		if _, err := f.Write(content); err != nil {
			return err
		}
	}
	return w.Close()
}

// sortedNames are the keys of files in their order.
func sortedNames(files map[string]string) []string { return slices.Sorted(maps.Keys(files)) }

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
