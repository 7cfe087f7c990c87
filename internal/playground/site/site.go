// Package site holds the playground's files in programs that are built with the tag
// playground, and serves them. "make playground" writes the files before.
package site

import (
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"net/http"
	"path"
	"strings"
)

// policy is the page's own, as a header.
const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'; worker-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// Handler serves files. A browser asks each time whether a file is still the same,
// and gets it again only if it is not.
func Handler(files fs.FS) http.Handler {
	server := http.FileServerFS(files)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cache-Control", "no-cache")
		name := strings.TrimPrefix(path.Clean(r.URL.Path), "/")
		if kind := kinds[path.Ext(name)]; kind != "" {
			h.Set("Content-Type", kind) // whatever the system's table says
		}
		if data, err := fs.ReadFile(files, name); err == nil {
			sum := sha256.Sum256(data)
			h.Set("ETag", `"`+hex.EncodeToString(sum[:16])+`"`)
		}
		server.ServeHTTP(w, r)
	})
}

var kinds = map[string]string{
	".html": "text/html; charset=utf-8",
	".css":  "text/css; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".json": "application/json",
	".gz":   "application/gzip",
}
