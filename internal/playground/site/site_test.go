package site

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

func TestHandler(t *testing.T) {
	h := Handler(fstest.MapFS{"index.html": {Data: []byte("page")}, "app.js": {Data: []byte("js")}, "core.wasm.gz": {Data: []byte("gz")}})
	get := func(path, tag string) *http.Response {
		r := httptest.NewRequest("GET", path, nil)
		if tag != "" {
			r.Header.Set("If-None-Match", tag)
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w.Result()
	}
	for path, kind := range map[string]string{"/": "text/html; charset=utf-8", "/app.js": "text/javascript; charset=utf-8", "/core.wasm.gz": "application/gzip"} {
		r := get(path, "")
		require.Equal(t, http.StatusOK, r.StatusCode, path)
		require.Equal(t, kind, r.Header.Get("Content-Type"), path)
		require.Contains(t, r.Header.Get("Content-Security-Policy"), "default-src 'none'")
		require.Empty(t, r.Header.Get("Content-Encoding"))
	}
	tag := get("/app.js", "").Header.Get("ETag")
	require.NotEmpty(t, tag)
	require.Equal(t, http.StatusNotModified, get("/app.js", tag).StatusCode)
	require.Equal(t, http.StatusNotFound, get("/none", "").StatusCode)
}
