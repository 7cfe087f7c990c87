package audit

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Places returns the folders in which agents leave transcripts, as far as they are there.
func Places() []string {
	home, err := os.UserHomeDir()
	if err != nil {
		return nil
	}
	in := func(variable, otherwise string) string {
		if dir := os.Getenv(variable); dir != "" {
			return dir
		}
		return filepath.Join(home, otherwise)
	}
	patterns := []string{
		filepath.Join(in("CLAUDE_CONFIG_DIR", ".claude"), "projects"),
		filepath.Join(in("XDG_CONFIG_HOME", ".config"), "claude", "projects"),
		filepath.Join(in("CODEX_HOME", ".codex"), "sessions"),
		filepath.Join(home, ".gemini", "tmp", "*", "chats"),
		filepath.Join(in("XDG_DATA_HOME", filepath.Join(".local", "share")), "opencode", "storage", "part"),
	}
	var found []string
	for _, pattern := range patterns {
		matches, _ := filepath.Glob(pattern) // of a pattern that is well-formed, unless a folder's name is one
		found = append(found, slices.DeleteFunc(matches, func(dir string) bool { return slices.Contains(found, dir) })...)
	}
	return found
}

// extensions are those of transcripts.
var extensions = []string{".jsonl", ".ndjson", ".json"}

// Path reads a transcript, or those in a folder and the folders in it.
func (a *Auditor) Path(path string) {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	_ = filepath.WalkDir(path, func(name string, entry fs.DirEntry, err error) error {
		if err == nil && (entry.IsDir() || name != path && (!entry.Type().IsRegular() || !slices.Contains(extensions, strings.ToLower(filepath.Ext(name))))) {
			return nil
		}
		var in *os.File
		if err == nil {
			in, err = os.Open(name)
		}
		if err != nil {
			a.note(noteFile, name)
			return nil
		}
		defer in.Close()
		a.File(name, in)
		return nil
	})
}
