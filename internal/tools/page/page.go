// Package page writes generated parts into the pages of the documentation.
package page

import (
	"fmt"
	"os"
	"strings"
)

// Replace returns a page with text between the comments <!-- NAME --> and <!-- /NAME -->.
func Replace(page, name, text string) (string, error) {
	begin, end := "<!-- "+name+" -->\n", "<!-- /"+name+" -->"
	before, rest, ok := strings.Cut(page, begin)
	_, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		return "", fmt.Errorf("the page has no %s … %s", strings.TrimSpace(begin), end)
	}
	return before + begin + text + end + after, nil
}

// Rewrite replaces the part of that name of a file.
func Rewrite(file, name, text string) error {
	old, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	replaced, err := Replace(string(old), name, text)
	if err != nil {
		return err
	}
	return os.WriteFile(file, []byte(replaced), 0o644)
}
