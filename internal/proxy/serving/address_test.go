package serving

import (
	"errors"
	"fmt"
	"io"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAddress(t *testing.T) {
	for text, want := range map[string]string{
		"https://example.org":                                   "https://example.org",
		"https://example.org:80/a%2Fb/@c/?api_key=secret":       "https://example.org:80/a%2Fb/@c/",
		"http://user:secret@[::1]:9/mcp#secret":                 "http://[::1]:9/mcp",
		"http://secret@host/":                                   "http://host/",
		"http://host/mcp?secret":                                "http://host/mcp",
		"http://host/token/secret/v1?x=secret":                  "http://host/token/…/v1",
		"http://host/a/token/secret":                            "http://host/a/token/…",
		"http://host/token/":                                    "http://host/token/",
		"http://host/tokens/x/token":                            "http://host/tokens/x/token",
		"http://user:se%63ret@host/mcp;p=1?key=se%63ret#secret": "http://host/mcp;p=1",
	} {
		at, err := url.Parse(text)
		require.NoError(t, err)
		require.Equal(t, want, Address(at))
		failure := errors.New("refused")
		inner := &url.Error{Op: "Post", URL: text, Err: &url.Error{Op: "parse", URL: text, Err: failure}}
		require.Equal(t, failure, Reason(fmt.Errorf("in vain: %w", inner)))
		require.Equal(t, failure, Reason(failure))
	}
}

// TestTakeToken: what is left of a path is what the client wrote after the token.
func TestTakeToken(t *testing.T) {
	for path, want := range map[string][2]string{
		"/token/T/v1":         {"T", "/v1"},
		"/token/T":            {"T", "/"},
		"/token/T/":           {"T", "/"},
		"/token/T//":          {"T", "//"},
		"/token/T//a/b":       {"T", "//a/b"},
		"/token/T///a":        {"T", "///a"},
		"/token/a%2Fb/c%2Fd":  {"a/b", "/c%2Fd"},
		"/token/T/token/U/v1": {"T", "/token/U/v1"},
		"/token//v1":          {"", "/v1"},
		"//token/T/v1":        {"", "//token/T/v1"},
		"/v1":                 {"", "/v1"},
	} {
		r := httptest.NewRequest("GET", "http://host"+path+"?q=1", nil)
		given, out := TakeToken(r)
		require.Equal(t, want, [2]string{given, out.URL.EscapedPath()}, path)
		require.Equal(t, "q=1", out.URL.RawQuery)
		r.Header.Set(TokenHeader, "H")
		given, out = TakeToken(r)
		require.Equal(t, "H", given)
		require.Empty(t, out.Header.Get(TokenHeader))
		require.Equal(t, "H", r.Header.Get(TokenHeader))
	}
}

// TestStart: what does not come is not waited for, nor is what is too much.
func TestStart(t *testing.T) {
	read, write := io.Pipe()
	go func() { _, _ = io.WriteString(write, "beginning") }()
	require.Equal(t, "beginning", string(Start(read, 100, 50_000_000)))
	require.Equal(t, "begin", string(Start(io.NopCloser(strings.NewReader("beginning")), 5, 1<<40)))
}
