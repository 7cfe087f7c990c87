package negotiate

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/wirekit/wirekit/wire"
)

// A Negotiator knows the formats of a server. It is safe for concurrent use once
// its fields are set.
type Negotiator struct {
	// MaxBody is the most bytes of a request's body; 0 means 16 MiB, as
	// [wire.Untrusted] has it. What a body may hold is bounded by the codecs' own
	// Limits.
	MaxBody int64
	// Options say how bodies become Go values.
	Options wire.Options

	offers   []offer
	registry *wire.Registry
}

// An offer is a codec with its media type, which has no weight.
type offer struct {
	codec wire.Codec
	mediaRange
}

// New returns a Negotiator of JSON, which is the default, and the codecs, those
// that the server likes best first. JSON may be among them, as with an
// indentation. It is an error if two have one name or one media type.
func New(codecs ...wire.Codec) (*Negotiator, error) {
	codecs = append([]wire.Codec{wire.JSON{}}, codecs...)
	if i := slices.IndexFunc(codecs[1:], func(c wire.Codec) bool { return c.Info().Name == "json" }) + 1; i > 0 {
		codecs[0] = codecs[i]
		codecs = slices.Delete(codecs, i, i+1)
	}
	registry, err := wire.NewRegistry(codecs...)
	if err != nil {
		return nil, fmt.Errorf("negotiate: %w", err)
	}
	n := &Negotiator{registry: registry}
	for _, c := range codecs {
		base, params, err := mime.ParseMediaType(c.Info().MediaType)
		if err != nil {
			return nil, fmt.Errorf("negotiate: %s has no media type: %w", c.Info().FullName(), err)
		}
		kind, subtype, _ := strings.Cut(base, "/")
		n.offers = append(n.offers, offer{c, mediaRange{kind: kind, subtype: subtype, params: params}})
	}
	return n, nil
}

// A statusError is an error with the HTTP status that says it to the client.
type statusError struct {
	status int
	err    error
}

func (e *statusError) Error() string { return "negotiate: " + e.err.Error() }
func (e *statusError) Unwrap() error { return e.err }

// Status returns the HTTP status for an error of [Negotiator.Read],
// or [Negotiator.Write]; 500 for any other error, 200 for nil.
func Status(err error) int {
	var e *statusError
	switch {
	case err == nil:
		return http.StatusOK
	case errors.As(err, &e):
		return e.status
	}
	return http.StatusInternalServerError
}

// AcceptCodecs returns the codecs that a request with that header accepts, best first.
// There are none if nothing of what the server has is acceptable.
func (n *Negotiator) AcceptCodecs(h http.Header) []wire.Codec {
	ranges := parseAccept(h.Values("Accept"))
	if len(ranges) == 0 {
		ranges = []mediaRange{{kind: "*", subtype: "*", weight: 1000}}
	}
	var matches []match
	for _, o := range n.offers {
		best := match{codec: o.codec, rank: -1}
		for _, r := range ranges {
			if rank := o.rank(r); rank > best.rank {
				best.rank, best.weight, best.extra = rank, r.weight, len(o.params)-len(r.params)
			}
		}
		if best.weight > 0 {
			matches = append(matches, best)
		}
	}
	slices.SortStableFunc(matches, func(a, b match) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(b.rank, a.rank), cmp.Compare(a.extra, b.extra))
	})
	codecs := make([]wire.Codec, len(matches))
	for i, m := range matches {
		codecs[i] = m.codec
	}
	return codecs
}

// A match is what the most specific of the ranges that fit an offer says.
type match struct {
	codec  wire.Codec
	weight int
	rank   int // how specific the range is
	extra  int // parameters of the offer that no one asked for
}

// rank tells how specifically a range means the offer, -1 if it does not.
func (o offer) rank(r mediaRange) int {
	switch {
	case r.kind == "*" && len(r.params) == 0:
		return 0
	case r.kind != o.kind:
		return -1
	case r.subtype == "*" && len(r.params) == 0:
		return 1
	case r.subtype != o.subtype:
		return -1
	}
	for name, want := range r.params {
		if value, ok := o.params[name]; !ok || !strings.EqualFold(value, want) {
			return -1
		}
	}
	return 2 + len(r.params)
}

// Write answers a request with a Go value, which is taken as [wire.FromGo] does,
// or a [wire.Value], in the format that the request asks for. It sets
// Content-Type, Content-Length and Vary, and leaves other headers alone. A status
// of 0 means 200; with 204 and 304 there is no body and v does not count.
//
// The request is answered in any case, and an error is for the server's log. If no
// acceptable format carries v, the answer is 406, as [Status] of the error is. For a
// value that JSON does not carry either, and a status below 200 or above 999, it
// is 500.
func (n *Negotiator) Write(w http.ResponseWriter, r *http.Request, status int, v any) error {
	vary(w.Header())
	status = cmp.Or(status, http.StatusOK)
	if status < 200 || status > 999 {
		return fail(w, fmt.Errorf("%d is not the status of an answer", status))
	}
	codecs := n.AcceptCodecs(r.Header)
	if len(codecs) == 0 {
		return n.refuse(w, errors.New("none of the media types in Accept is there"))
	}
	if status == http.StatusNoContent || status == http.StatusNotModified {
		w.WriteHeader(status)
		return nil
	}
	var chosen wire.Codec
	var body []byte
	carried := false // by JSON
	err := wire.Internal.ViewGo(v, func(v wire.Value) (err error) {
		var failed []error
		for _, chosen = range codecs { // the first that can carry it
			if body, err = chosen.AppendEncode(nil, v); err == nil {
				return nil
			}
			failed = append(failed, err)
		}
		_, err = wire.JSON{}.AppendEncode(nil, v)
		carried = err == nil
		return errors.Join(failed...)
	})
	if err != nil && carried {
		return n.refuse(w, fmt.Errorf("no acceptable format carries the answer: %w", err))
	}
	if err != nil {
		return fail(w, err)
	}
	w.Header().Set("Content-Type", chosen.Info().MediaType)
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	if r.Method == http.MethodHead {
		return nil
	}
	if _, err := w.Write(body); err != nil {
		return fmt.Errorf("negotiate: %w", err)
	}
	return nil
}

// refuse answers that there is no acceptable format, and which there are.
func (n *Negotiator) refuse(w http.ResponseWriter, reason error) error {
	var names []string
	for _, o := range n.offers {
		names = append(names, o.codec.Info().MediaType)
	}
	err := &statusError{http.StatusNotAcceptable, fmt.Errorf("%w; there are %s", reason, strings.Join(names, ", "))}
	http.Error(w, err.err.Error(), err.status)
	return err
}

// fail answers that the server is at fault. Why is not for the client.
func fail(w http.ResponseWriter, err error) error {
	http.Error(w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
	return fmt.Errorf("negotiate: %w", err)
}

// vary adds Accept to the Vary header.
func vary(h http.Header) {
	for _, name := range strings.Split(strings.Join(h.Values("Vary"), ","), ",") {
		if name = strings.TrimSpace(name); name == "*" || strings.EqualFold(name, "Accept") {
			return
		}
	}
	h.Add("Vary", "Accept")
}

// Read reads the body of a request into what v points to, as [wire.ToGo] does; a
// [*wire.Value] takes any. [Status] of an error is the one for the client.
// Where a member does not fit, those before it have been stored.
func (n *Negotiator) Read(r *http.Request, v any) error {
	codec, err := n.bodyCodec(r.Header)
	if err != nil {
		return err
	}
	body, err := n.body(r)
	if err != nil {
		return err
	}
	if err := n.Options.Unmarshal(codec, body, v); err != nil {
		status := http.StatusBadRequest
		if errors.Is(err, wire.ErrLimit) {
			status = http.StatusRequestEntityTooLarge
		}
		return &statusError{status, err}
	}
	return nil
}

// bodyCodec returns the codec of a body with that header, by its Content-Type: a media
// type that ends with +json, such as application/problem+json, is JSON. The error
// has the [Status] 415.
func (n *Negotiator) bodyCodec(h http.Header) (wire.Codec, error) {
	if coding := h.Get("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
		return nil, unsupported(fmt.Errorf("the Content-Encoding %.40q is not decoded here", coding))
	}
	mediaType := h.Get("Content-Type")
	if mediaType == "" {
		return n.registry.Lookup("json")
	}
	base, params, err := mime.ParseMediaType(mediaType)
	if err != nil {
		return nil, unsupported(fmt.Errorf("the Content-Type %.80q: %w", mediaType, err))
	}
	switch charset := params["charset"]; strings.ToLower(charset) {
	case "", "utf-8", "us-ascii":
	default:
		return nil, unsupported(fmt.Errorf("the charset %.40q is not decoded here: send utf-8", charset))
	}
	c, err := n.registry.LookupMediaType(mediaType)
	switch {
	case err == nil:
		return c, nil
	case strings.HasSuffix(base, "+json"):
		return n.registry.Lookup("json")
	}
	return nil, unsupported(err)
}

func unsupported(err error) error { return &statusError{http.StatusUnsupportedMediaType, err} }

// body reads the body within the limit.
func (n *Negotiator) body(r *http.Request) ([]byte, error) {
	if r.Body == nil {
		return nil, nil
	}
	limit := n.MaxBody
	if limit <= 0 {
		limit = int64(wire.Untrusted().InputBytes)
	}
	tooLong := &statusError{http.StatusRequestEntityTooLarge, fmt.Errorf("the body is longer than %d bytes: %w; raise MaxBody", limit, wire.ErrLimit)}
	if r.ContentLength > limit {
		return nil, tooLong
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, min(limit, math.MaxInt64-1)+1))
	var over *http.MaxBytesError
	switch {
	case int64(len(body)) > limit:
		return nil, tooLong
	case err == nil:
		return body, nil
	case errors.As(err, &over):
		return nil, &statusError{http.StatusRequestEntityTooLarge, err}
	}
	return nil, &statusError{http.StatusBadRequest, err}
}
