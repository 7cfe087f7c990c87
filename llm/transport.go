package llm

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/wirekit/wirekit/internal/base/splice"
	"github.com/wirekit/wirekit/internal/proxy/serving"
)

// A Transport is an [http.RoundTripper] that rewrites requests, for the client of any SDK:
//
//	http.Client{Transport: &llm.Transport{}}
//
// Answers are not touched. A rewritten request that is answered with status 400 is sent
// once more as it came, and the second answer is the one that is returned. Requests that
// are signed, packed, too long or of no known shape pass as they are. With a Rewriter that
// [Rewriter.Validate] refuses, every request is that error, and none is sent.
//
// It is safe for concurrent use as long as its fields are not changed.
type Transport struct {
	// Rewriter of requests; nil means one with the defaults.
	Rewriter *Rewriter
	// Base sends requests; nil means [http.DefaultTransport].
	Base http.RoundTripper
	// Calibration, if not nil, learns from answers what the provider counts.
	Calibration *Calibration

	own Rewriter
}

// RoundTrip implements [http.RoundTripper].
func (t *Transport) RoundTrip(req *http.Request) (*http.Response, error) {
	base, r := cmp.Or(t.Base, http.DefaultTransport), cmp.Or(t.Rewriter, &t.own)
	r.ready.Do(r.prepare)
	if err := r.bad; err != nil {
		if req.Body != nil {
			err = errors.Join(err, req.Body.Close())
		}
		return nil, err
	}
	shape := shapeOf(req)
	if shape == ShapeNone {
		return base.RoundTrip(req)
	}
	body, long, err := readBody(req, r.maxBytes())
	if err != nil {
		return nil, errors.Join(err, req.Body.Close())
	}
	if long != nil {
		return base.RoundTrip(long)
	}
	if err := req.Body.Close(); err != nil {
		return nil, err
	}
	edits, report := r.edits(body, shape)
	defer func() { r.observe(report) }()
	pieces := splice.Pieces(body, edits) // there is not a second copy of the body
	resp, err := t.send(base, req, pieces, report.BytesOut, report)
	if err != nil || resp.StatusCode != http.StatusBadRequest || edits == nil {
		return resp, err
	}
	report.Refused = true
	_ = serving.Start(resp.Body, 64<<10, refusalTime) // so that the connection can be reused
	_ = resp.Body.Close()
	return t.send(base, req, [][]byte{body}, len(body), report)
}

// refusalTime is how long the body of an answer with status 400 is waited for.
var refusalTime = time.Second

// send sends a request with another body, which it holds no longer than needed, and learns from
// its answer.
func (t *Transport) send(base http.RoundTripper, req *http.Request, body [][]byte, length int, report Report) (*http.Response, error) {
	var held atomic.Pointer[[][]byte]
	held.Store(&body)
	defer held.Store(nil)
	out := req.Clone(req.Context())
	out.ContentLength, out.TransferEncoding = int64(length), nil
	if out.Header.Get("Content-Length") != "" {
		out.Header.Set("Content-Length", strconv.Itoa(length))
	}
	if t.Calibration != nil {
		out.Header.Set("Accept-Encoding", "identity")
	}
	out.Body = newReader(body)
	out.GetBody = func() (io.ReadCloser, error) {
		if body := held.Load(); body != nil {
			return newReader(*body), nil
		}
		return nil, errors.New("llm: the request has been answered")
	}
	resp, err := base.RoundTrip(out)
	if resp != nil {
		resp.Request = req
	}
	if err == nil && t.Calibration != nil {
		t.Calibration.watch(resp, cmp.Or(report.Model, report.Shape.String()), bytes.Join(body, nil))
	}
	return resp, err
}

// shapeOf returns the shape of a request that can be rewritten.
func shapeOf(req *http.Request) Shape {
	if req.Method != http.MethodPost || req.Body == nil || req.Body == http.NoBody {
		return ShapeNone
	}
	packed, signature := cmp.Or(req.Header.Get("Content-Encoding"), "identity"), req.Header.Get("Authorization")
	if packed != "identity" || strings.HasPrefix(signature, "AWS4-") {
		return ShapeNone
	}
	for _, name := range [...]string{"Content-Digest", "Digest", "Content-Md5", "X-Amz-Content-Sha256", "Signature", "Signature-Input", "Upgrade"} {
		if req.Header.Get(name) != "" {
			return ShapeNone // the body is signed, or the connection is to become another one
		}
	}
	kind, _, err := mime.ParseMediaType(cmp.Or(req.Header.Get("Content-Type"), "application/json"))
	if err != nil || kind != "application/json" && !strings.HasSuffix(kind, "+json") {
		return ShapeNone
	}
	return Detect(req.URL.Path, nil)
}

// firstRead is up to where a declared length is believed before it is there.
const firstRead = 1 << 20

// readBody reads a body of up to most bytes. Of a request whose body has more it returns
// one that has all of it.
func readBody(req *http.Request, most int) (data []byte, long *http.Request, err error) {
	first := min(max(req.ContentLength, 0), int64(most), firstRead)
	read := bytes.NewBuffer(make([]byte, 0, first+bytes.MinRead))
	if _, err = read.ReadFrom(io.LimitReader(req.Body, int64(most)+1)); err != nil || read.Len() <= most {
		return read.Bytes(), nil, err
	}
	long = req.Clone(req.Context())
	long.Body, long.GetBody = serving.Body{Reader: io.MultiReader(read, req.Body), Closer: req.Body}, nil
	return nil, long, nil
}

// newReader returns a reader of pieces, which lets go of each that it has read. It may be closed
// while it is read.
func newReader(pieces [][]byte) io.ReadCloser {
	var all []io.Reader
	for _, p := range pieces {
		all = append(all, bytes.NewReader(p))
	}
	return io.NopCloser(io.MultiReader(all...))
}

// Handler returns a handler that rewrites requests on their way to next, for servers that
// forward them themselves. One that next is refused is not sent again: a server whose
// requests go out through a [Transport] has that.
func (r *Rewriter) Handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		shape := shapeOf(req)
		if shape == ShapeNone {
			next.ServeHTTP(w, req)
			return
		}
		body, out, err := readBody(req, r.maxBytes())
		if err != nil {
			http.Error(w, "wirekit: the request cannot be read", http.StatusBadRequest)
			return
		}
		if out == nil {
			body, _ = r.RewriteRequest(body, shape)
			out = req.Clone(req.Context())
			out.Body, out.ContentLength, out.TransferEncoding = io.NopCloser(bytes.NewReader(body)), int64(len(body)), nil
			out.Header.Set("Content-Length", strconv.Itoa(len(body)))
		}
		next.ServeHTTP(w, out)
	})
}
