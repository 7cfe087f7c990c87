package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/wirekit/wirekit/internal/testkit/payload"
)

// listing has a line for each payload, as sha256sum prints it: docs/payloads.sha256.
func listing(payloads []payload.Payload) string {
	var out strings.Builder
	for _, p := range payloads {
		fmt.Fprintf(&out, "%x  %s\n", sha256.Sum256(p.JSON), fileName(p))
	}
	return out.String()
}

// fileName is the name of the file that write makes of a payload.
func fileName(p payload.Payload) string {
	return strings.NewReplacer(": ", "__", " ", "_").Replace(p.Kind) + ".json"
}

// write writes each payload into a file of a folder.
func write(folder string, payloads []payload.Payload) error {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	for _, p := range payloads {
		if err := os.WriteFile(filepath.Join(folder, fileName(p)), p.JSON, 0o666); err != nil {
			return err
		}
	}
	return nil
}
