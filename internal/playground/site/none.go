//go:build !playground

package site

import "io/fs"

func files() fs.FS { return nil }
