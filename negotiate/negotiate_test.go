package negotiate_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/csv"
	"github.com/wirekit/wirekit/gcf"
	"github.com/wirekit/wirekit/glyph"
	"github.com/wirekit/wirekit/negotiate"
	"github.com/wirekit/wirekit/toon"
	"github.com/wirekit/wirekit/wire"
)

func formats(t testing.TB) *negotiate.Negotiator {
	t.Helper()
	n, err := negotiate.New(gcf.GraphCodec{}, gcf.Codec{}, glyph.Codec{}, toon.Codec{}, csv.Codec{})
	require.NoError(t, err)
	return n
}

func names(codecs []wire.Codec) string {
	var all []string
	for _, c := range codecs {
		all = append(all, c.Info().FullName())
	}
	return strings.Join(all, " ")
}

func TestAccept(t *testing.T) {
	n := formats(t)
	for accept, want := range map[string]string{
		"":                                       "json gcf glyph toon csv gcf-graph",
		"*/*":                                    "json gcf glyph toon csv gcf-graph",
		"application/json":                       "json",
		"Application/JSON; charset=utf-8":        "json",
		"text/toon":                              "toon",
		"text/*":                                 "glyph toon csv",
		"text/*, */*;q=0.1":                      "glyph toon csv json gcf gcf-graph",
		"*/*;q=0.5, text/toon":                   "toon json gcf glyph csv gcf-graph",
		"text/toon;q=0.5, application/json":      "json toon",
		"text/toon, application/json":            "json toon",
		"*/*, text/toon;q=0":                     "json gcf glyph csv gcf-graph",
		"application/json;q=0, */*":              "gcf glyph toon csv gcf-graph",
		"text/toon;q=0.001, text/csv;q=0.002":    "csv toon",
		"application/vnd.gcf+text":               "gcf gcf-graph",
		"application/vnd.gcf+text;profile=graph": "gcf-graph",
		`application/vnd.gcf+text; Profile="graph" ;q=1`:                       "gcf-graph",
		"application/vnd.gcf+text;profile=graph;q=0, application/vnd.gcf+text": "gcf",
		"application/vnd.gcf+text;profile=other":                               "",
		"image/png":                                                            "",
		"text/toon;q=0":                                                        "",
		"*/*;q=0":                                                              "",
		`text/toon;x="a,b"`:                                                    "",
		`text/toon;q=0.5;ext="a,b", text/csv;q=0.4`:                            "toon csv",
		// Malformed elements are passed over.
		"text/toon;q=2, text/csv;q=0.4":      "csv",
		"text/toon;q=0.1234, text/csv":       "csv",
		"text, /csv, text/, */csv, text/csv": "csv",
		`text/toon;x="unclosed, text/csv`:    "json gcf glyph toon csv gcf-graph",
		"nonsense":                           "json gcf glyph toon csv gcf-graph",
		" , ,, text/csv ,":                   "csv",
		"text/csv;;q=0.5;":                   "csv",
		"text / csv":                         "json gcf glyph toon csv gcf-graph",
	} {
		h := http.Header{}
		if accept != "" {
			h.Set("Accept", accept)
		}
		require.Equal(t, want, names(n.AcceptCodecs(h)), accept)
	}
	require.Equal(t, "csv toon", names(n.AcceptCodecs(http.Header{"Accept": {"text/toon;q=0.5", "text/csv"}})), "several lines are one list")
}

func TestDefault(t *testing.T) {
	n, err := negotiate.New()
	require.NoError(t, err)
	require.Equal(t, "json", names(n.AcceptCodecs(nil)))
	n, err = negotiate.New(gcf.Codec{}, wire.JSON{Indent: "  "})
	require.NoError(t, err)
	require.Equal(t, "json:pretty gcf", names(n.AcceptCodecs(nil)))
	n, err = negotiate.New(wirekit.Registry().Codecs()...)
	require.NoError(t, err)
	for _, accept := range []string{"", "*/*", "application/*", "garbage"} {
		require.Equal(t, "json", n.AcceptCodecs(http.Header{"Accept": {accept}})[0].Info().Name, accept)
	}
	_, err = negotiate.New(gcf.Codec{}, gcf.Codec{})
	require.Error(t, err)
}

func get(n *negotiate.Negotiator, accept, method string, v any) (*http.Response, string, error) {
	w := httptest.NewRecorder()
	r := httptest.NewRequest(method, "/", nil)
	if accept != "" {
		r.Header.Set("Accept", accept)
	}
	err := n.Write(w, r, http.StatusCreated, v)
	body, _ := io.ReadAll(w.Result().Body)
	return w.Result(), string(body), err
}

func TestWrite(t *testing.T) {
	n := formats(t)
	rows := []map[string]int{{"a": 1, "b": 2}}
	value, err := wire.FromGo(rows)
	require.NoError(t, err)
	for _, v := range []any{rows, value} {
		res, body, err := get(n, "text/csv", "GET", v)
		require.NoError(t, err)
		require.Equal(t, http.StatusCreated, res.StatusCode)
		require.Equal(t, "a,b\r\n1,2\r\n", strings.ReplaceAll(strings.ReplaceAll(body, "\r\n", "\n"), "\n", "\r\n"))
		require.Equal(t, "text/csv", res.Header.Get("Content-Type"))
		require.Equal(t, "Accept", res.Header.Get("Vary"))
		require.EqualValues(t, len(body), res.ContentLength)
	}
	res, body, err := get(n, "", "HEAD", rows)
	require.NoError(t, err)
	require.Empty(t, body)
	require.Equal(t, "15", res.Header.Get("Content-Length"))

	// What CSV cannot carry goes out in the next best format.
	res, body, err = get(n, "text/csv, application/json;q=0.1", "GET", map[string]any{"a": []int{1}})
	require.NoError(t, err)
	require.Equal(t, "application/json", res.Header.Get("Content-Type"))
	require.Equal(t, `{"a":[1]}`, body)
	// There is none: the answer says so.
	res, body, err = get(n, "text/csv", "GET", map[string]any{"a": []int{1}})
	require.ErrorIs(t, err, wire.ErrShape)
	require.Equal(t, http.StatusNotAcceptable, negotiate.Status(err))
	require.Equal(t, http.StatusNotAcceptable, res.StatusCode)
	require.Equal(t, "Accept", res.Header.Get("Vary"))
	require.Contains(t, body, "there are application/json, ")
	// What JSON cannot carry either is the server's fault.
	for _, v := range []any{func() {}, map[string]string{"a": "\xff"}} {
		for _, accept := range []string{"", "text/csv"} {
			res, body, err = get(n, accept, "GET", v)
			require.Error(t, err)
			require.Equal(t, http.StatusInternalServerError, negotiate.Status(err))
			require.Equal(t, http.StatusInternalServerError, res.StatusCode)
			require.Equal(t, "Internal Server Error\n", body)
		}
	}

	res, body, err = get(n, "image/png", "GET", rows)
	require.Equal(t, http.StatusNotAcceptable, negotiate.Status(err))
	require.Equal(t, http.StatusNotAcceptable, res.StatusCode)
	require.Equal(t, "Accept", res.Header.Get("Vary"))
	require.Contains(t, body, "application/vnd.gcf+text; profile=graph")
}

// TestStatus: statuses without a body have none, and those that are not final are
// refused.
func TestStatus(t *testing.T) {
	n := formats(t)
	for status, want := range map[int]int{0: 200, 200: 200, 201: 201, 299: 299, 404: 404, 204: 204, 304: 304, 99: 500, 100: 500, 103: 500, 1000: 500, -1: 500} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if err := n.Write(w, r, status, []int{1}); (err != nil) != (want == 500) {
				t.Errorf("status %d: %v", status, err)
			}
		}))
		res, err := http.Get(server.URL)
		require.NoError(t, err)
		body, err := io.ReadAll(res.Body)
		require.NoError(t, err)
		res.Body.Close()
		server.Close()
		require.Equal(t, want, res.StatusCode)
		require.Equal(t, "Accept", res.Header.Get("Vary"))
		switch want {
		case 204, 304:
			require.Empty(t, body)
			require.Empty(t, res.Header.Get("Content-Length"))
		case 500:
			require.Equal(t, "Internal Server Error\n", string(body))
		default:
			require.Equal(t, "[1]", string(body))
		}
	}
}

func TestVary(t *testing.T) {
	for given, want := range map[string]string{"": "Accept", "Origin": "Origin, Accept", "origin, accept": "origin, accept", "*": "*"} {
		w := httptest.NewRecorder()
		if given != "" {
			w.Header().Set("Vary", given)
		}
		require.NoError(t, formats(t).Write(w, httptest.NewRequest("GET", "/", nil), 200, 1))
		require.Equal(t, want, strings.Join(w.Header().Values("Vary"), ", "))
	}
}

func TestRead(t *testing.T) {
	n := formats(t)
	n.MaxBody = 40
	n.Options.RejectUnknownMembers = true
	type point struct{ X, Y int }
	for name, c := range map[string]struct {
		contentType, coding, body string
		status                    int
	}{
		"json":         {"application/json; charset=utf-8", "", `{"X":1,"Y":2}`, 200},
		"default":      {"", "identity", `{"X":1,"Y":2}`, 200},
		"toon":         {"text/toon", "", "X: 1\nY: 2", 200},
		"limit":        {"", "", `{"X":1,"Y":2}` + strings.Repeat(" ", 27), 200},
		"too long":     {"", "", `{"X":1,"Y":2}` + strings.Repeat(" ", 28), 413},
		"no format":    {"image/png", "", "x", 415},
		"no type":      {"a b c", "", "x", 415},
		"compressed":   {"application/json", "gzip", "x", 415},
		"malformed":    {"application/json", "", `{"X":1,`, 400},
		"other member": {"application/json", "", `{"X":1,"Z":2}`, 400},
		"other type":   {"application/json", "", `{"X":1,"Y":"2"}`, 400},
		"empty":        {"application/json", "", ``, 400},
		"ascii":        {"application/json; charset=US-ASCII", "", `{"X":1,"Y":2}`, 200},
		"quoted":       {`text/toon; charset="UTF-8"`, "", "X: 1\nY: 2", 200},
		"latin":        {"text/csv; charset=windows-1252", "", "X,Y\n1,2", 415},
		"utf-16":       {"application/json; charset=utf-16", "", `{"X":1,"Y":2}`, 415},
		"no charset":   {"application/json; charset=", "", `{"X":1,"Y":2}`, 415},
		"suffix":       {"application/problem+json", "", `{"X":1,"Y":2}`, 200},
		"latin suffix": {"application/vnd.api+JSON; charset=latin1", "", `{"X":1,"Y":2}`, 415},
		"other suffix": {"image/svg+xml", "", "x", 415},
		"too deep":     {"application/json", "", strings.Repeat("[", 40), 400},
	} {
		for _, chunked := range []bool{false, true} {
			var body io.Reader = strings.NewReader(c.body)
			if chunked {
				body = io.MultiReader(body) // of unknown length
			}
			r := httptest.NewRequest("POST", "/", body)
			if c.contentType != "" {
				r.Header.Set("Content-Type", c.contentType)
			}
			if c.coding != "" {
				r.Header.Set("Content-Encoding", c.coding)
			}
			var p point
			err := n.Read(r, &p)
			require.Equal(t, c.status, negotiate.Status(err), "%s: %v", name, err)
			if c.status == 200 {
				require.Equal(t, point{1, 2}, p, name)
			}
		}
	}
	var v wire.Value
	require.NoError(t, n.Read(httptest.NewRequest("POST", "/", strings.NewReader("[1]")), &v))
	require.Equal(t, "[1]", v.String())
	broken := errors.New("broken")
	err := n.Read(httptest.NewRequest("POST", "/", io.MultiReader(strings.NewReader("[1"), iotest.ErrReader(broken))), &v)
	require.ErrorIs(t, err, broken)
	require.Equal(t, 400, negotiate.Status(err))
	r := httptest.NewRequest("POST", "/", strings.NewReader("[1,2,3]"))
	r.Body = http.MaxBytesReader(httptest.NewRecorder(), r.Body, 3)
	require.Equal(t, 413, negotiate.Status(n.Read(r, &v)))
}

// TestReadCut: a body that breaks off is refused, wherever the limit lies.
func TestReadCut(t *testing.T) {
	const text = "a,b\n1,2\n3,"
	for limit := len(text) - 1; limit <= len(text)+1; limit++ {
		n := formats(t)
		n.MaxBody = int64(limit)
		var v wire.Value
		r := httptest.NewRequest("POST", "/", io.MultiReader(strings.NewReader(text), iotest.ErrReader(io.ErrUnexpectedEOF)))
		r.Header.Set("Content-Type", "text/csv")
		err := n.Read(r, &v)
		want := 400
		if limit < len(text) {
			want = 413
		}
		require.Equal(t, want, negotiate.Status(err), "%d: %v %v", limit, err, v)
	}
}

// TestMaxBody: the default is a server's.
func TestMaxBody(t *testing.T) {
	n := formats(t)
	var v wire.Value
	for length, want := range map[int]int{16 << 20: 200, 16<<20 + 1: 413} {
		r := httptest.NewRequest("POST", "/", io.MultiReader(strings.NewReader(`[1]`+strings.Repeat(" ", length-3))))
		require.Equal(t, want, negotiate.Status(n.Read(r, &v)), length)
	}
}

func Example() {
	formats, err := negotiate.New(gcf.Codec{}, csv.Codec{})
	if err != nil {
		fmt.Println(err)
		return
	}
	type order struct {
		ID    int    `json:"id"`
		Place string `json:"place"`
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := formats.Write(w, r, http.StatusOK, []order{{1, "Lagos"}, {2, "Osaka"}}); err != nil {
			fmt.Println(err)
		}
	}))
	defer server.Close()
	for _, accept := range []string{"*/*", "application/vnd.gcf+text, */*;q=0.1", "image/png"} {
		req, _ := http.NewRequest("GET", server.URL, nil)
		req.Header.Set("Accept", accept)
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			fmt.Println(err)
			return
		}
		body, _ := io.ReadAll(res.Body)
		res.Body.Close()
		fmt.Println(res.StatusCode, res.Header.Get("Content-Type"))
		fmt.Println(strings.TrimSpace(string(body)))
	}
	// Output:
	// 200 application/json
	// [{"id":1,"place":"Lagos"},{"id":2,"place":"Osaka"}]
	// 200 application/vnd.gcf+text
	// GCF profile=generic
	// ## [2]{id,place}
	// 1|Lagos
	// 2|Osaka
	// negotiate: none of the media types in Accept is there; there are application/json, application/vnd.gcf+text, text/csv
	// 406 text/plain; charset=utf-8
	// none of the media types in Accept is there; there are application/json, application/vnd.gcf+text, text/csv
}
