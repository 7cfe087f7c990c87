//go:build !playground

package site

import "io/fs"

// Files returns the playground's files, nil if the program was built without.
func Files() fs.FS { return nil }
