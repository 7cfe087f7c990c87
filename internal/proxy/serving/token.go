package serving

import (
	"cmp"
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"net/url"
	"strings"
)

// TokenHeader is the header that has the token of a proxy. A client that cannot set one
// puts the token into the path: /token/TOKEN/v1.
const TokenHeader = "X-Wirekit-Token"

const tokenPath = "/token/"

// TakeToken returns the token that a request has, and the request without it.
func TakeToken(r *http.Request) (string, *http.Request) {
	given := r.Header.Get(TokenHeader)
	r = r.Clone(r.Context())
	r.Header.Del(TokenHeader)
	if escaped, ok := strings.CutPrefix(r.URL.EscapedPath(), tokenPath); ok {
		word, rest, _ := strings.Cut(escaped, "/")
		inPath, err := url.PathUnescape(word)
		path, err2 := url.PathUnescape(rest)
		if err == nil && err2 == nil {
			given = cmp.Or(given, inPath)
			r.URL.Path, r.URL.RawPath = "/"+path, "/"+rest
		}
	}
	return given, r
}

// IsToken compares in a time that depends on neither token. Any is one where none is
// wanted.
func IsToken(given, want string) bool {
	a, b := sha256.Sum256([]byte(given)), sha256.Sum256([]byte(want))
	return subtle.ConstantTimeCompare(a[:], b[:]) == 1 || want == ""
}
