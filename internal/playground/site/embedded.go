//go:build playground

package site

import (
	"embed"
	"io/fs"
)

//go:embed all:files
var embedded embed.FS

func files() fs.FS {
	sub, err := fs.Sub(embedded, "files")
	if err != nil {
		panic(err) // files is a valid path
	}
	return sub
}
