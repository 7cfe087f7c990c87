package serving

import (
	"errors"
	"io"
	"net/url"
	"regexp"
	"strings"
	"time"
)

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
