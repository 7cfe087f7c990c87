//go:build playground

package site

import (
	"embed"
	"io/fs"
)

//go:embed all:files
var embedded embed.FS

// Files returns the playground's files, nil if the program was built without.
func Files() fs.FS {
	sub, _ := fs.Sub(embedded, "files") // which is a path
	return sub
}
