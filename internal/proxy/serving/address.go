package serving

import (
	"cmp"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"
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

// Address returns what may be said of an address to clients and in notes: scheme, host and
// path. What else it has may be a secret, as is a token in the path of a proxy for the APIs
// of models.
func Address(u *url.URL) string {
	return u.Scheme + "://" + u.Host + tokenInPath.ReplaceAllString(u.EscapedPath(), tokenPath+"…")
}

var tokenInPath = regexp.MustCompile(tokenPath + `[^/]+`)

// Reason returns an error without the address of the request that it is about, or that of
// an answer.
func Reason(err error) error {
	var request *url.Error
	for errors.As(err, &request) {
		err = request.Err
	}
	const redirected = "failed to parse Location header"
	if strings.HasPrefix(err.Error(), redirected) {
		return errors.New(redirected)
	}
	return err
}

// Start returns what a body begins with: at most so many bytes, and what comes within the
// time. The body is closed then, if it has not ended.
func Start(body io.ReadCloser, most int64, within time.Duration) []byte {
	late := time.AfterFunc(within, func() { body.Close() })
	defer late.Stop()
	text, _ := io.ReadAll(io.LimitReader(body, most))
	return text
}
