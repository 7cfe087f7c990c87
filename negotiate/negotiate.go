package negotiate

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
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
	// MaxBody is the most bytes of a request's body; 0 means the default of
	// wire.Limits.InputBytes. What a body may hold is bounded by the codecs' own
	// Limits.
	MaxBody int64
	// Options say how bodies become Go values.
	Options wire.UnmarshalOptions

	offers   []offer
	registry *wire.Registry
}

// An offer is a codec with its media type.
type offer struct {
	codec         wire.Codec
	mediaType     string
	kind, subtype string
	params        map[string]string
}

// New returns a Negotiator of the codecs, those that the server likes best first;
// the first is the default. JSON stands before all unless it is among them. It is
// an error if two have one name or one media type.
func New(codecs ...wire.Codec) (*Negotiator, error) {
	isJSON := func(c wire.Codec) bool { return c.Info().Name == "json" }
	if !slices.ContainsFunc(codecs, isJSON) {
		codecs = slices.Insert(slices.Clone(codecs), 0, wire.Codec(wire.JSON{}))
	}
	registry, err := wire.NewRegistry(codecs...)
	if err != nil {
		return nil, fmt.Errorf("negotiate: %w", err)
	}
	n := &Negotiator{registry: registry}
	for _, c := range codecs {
		o := offer{codec: c, mediaType: c.Info().MediaType}
		base, params, err := mime.ParseMediaType(o.mediaType)
		if err != nil {
			return nil, fmt.Errorf("negotiate: %s has no media type: %w", c.Info().FullName(), err)
		}
		o.kind, o.subtype, _ = strings.Cut(base, "/")
		o.params = params
		n.offers = append(n.offers, o)
	}
	return n, nil
}

// An Error is an error with the HTTP status that says it to the client.
type Error struct {
	Status int
	Err    error
}

func (e *Error) Error() string { return "negotiate: " + e.Err.Error() }
func (e *Error) Unwrap() error { return e.Err }

// Status returns the HTTP status for an error of this package: that of an
// [*Error], 500 for all others, 200 for nil.
func Status(err error) int {
	var e *Error
	switch {
	case err == nil:
		return http.StatusOK
	case errors.As(err, &e):
		return e.Status
	}
	return http.StatusInternalServerError
}

// Codecs returns the codecs that a request with that header accepts, best first.
// There are none if nothing of what the server has is acceptable.
func (n *Negotiator) Codecs(h http.Header) []wire.Codec {
	ranges := parseAccept(h.Values("Accept"))
	if len(ranges) == 0 {
		ranges = []mediaRange{{kind: "*", subtype: "*", weight: 1000}}
	}
	var matches []match
	for i := range n.offers {
		if m := n.offers[i].match(ranges); m.weight > 0 {
			matches = append(matches, m)
		}
	}
	slices.SortStableFunc(matches, match.compare)
	codecs := make([]wire.Codec, len(matches))
	for i, m := range matches {
		codecs[i] = m.offer.codec
	}
	return codecs
}

// A match is what a request says to an offer.
type match struct {
	offer  *offer
	weight int
	rank   int // how specific the range is
	extra  int // parameters of the offer that nobody asked for
}

// compare puts the better match first.
func (m match) compare(other match) int {
	return cmp.Or(cmp.Compare(other.weight, m.weight), cmp.Compare(other.rank, m.rank), cmp.Compare(m.extra, other.extra))
}

// match returns what the most specific of the ranges that fit says.
func (o *offer) match(ranges []mediaRange) match {
	best := match{offer: o, rank: -1}
	for i := range ranges {
		r := &ranges[i]
		if rank := o.rank(r); rank > best.rank {
			best.rank, best.weight, best.extra = rank, r.weight, len(o.params)-len(r.params)
		}
	}
	return best
}

// rank tells how specifically a range means the offer, -1 if it does not.
func (o *offer) rank(r *mediaRange) int {
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
	for _, p := range r.params {
		if value, ok := o.params[p.name]; !ok || !strings.EqualFold(value, p.value) {
			return -1
		}
	}
	return 2 + len(r.params)
}

// Write answers a request with a Go value, which is taken as [wire.FromGo] does,
// or a [wire.Value], in the format that the request asks for. It sets
// Content-Type, Content-Length and Vary, and leaves other headers alone.
//
// If no format is acceptable, it answers 406 and returns an [*Error]. On any other
// error before the first byte, such as a value that no format can carry, nothing
// is written and the answer is still the caller's.
func (n *Negotiator) Write(w http.ResponseWriter, r *http.Request, status int, v any) error {
	vary(w.Header())
	codecs := n.Codecs(r.Header)
	if len(codecs) == 0 {
		return n.refuse(w)
	}
	var chosen wire.Codec
	var body []byte
	err := wire.WithFromGo(v, func(v wire.Value) (err error) {
		chosen, body, err = encode(codecs, v)
		return err
	})
	if err != nil {
		return fmt.Errorf("negotiate: %w", err)
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

// encode writes v with the first of the codecs that can carry it.
func encode(codecs []wire.Codec, v wire.Value) (wire.Codec, []byte, error) {
	var failed []error
	for _, c := range codecs {
		body, err := c.AppendEncode(nil, v)
		if err == nil {
			return c, body, nil
		}
		failed = append(failed, err)
	}
	return nil, nil, errors.Join(failed...)
}

// refuse answers that there is no acceptable format.
func (n *Negotiator) refuse(w http.ResponseWriter) error {
	var names []string
	for _, o := range n.offers {
		names = append(names, o.mediaType)
	}
	err := &Error{http.StatusNotAcceptable, errors.New("none of the media types in Accept is there; there are " + strings.Join(names, ", "))}
	http.Error(w, err.Err.Error(), err.Status)
	return err
}

// vary adds Accept to the Vary header.
func vary(h http.Header) {
	for _, line := range h.Values("Vary") {
		for _, name := range strings.Split(line, ",") {
			if name = strings.TrimSpace(name); name == "*" || strings.EqualFold(name, "Accept") {
				return
			}
		}
	}
	h.Add("Vary", "Accept")
}

// Read reads the body of a request into what v points to, as [wire.ToGo] does; a
// [*wire.Value] takes any. Errors are [*Error] with a status for the client.
// Where a member does not fit, those before it have been stored.
func (n *Negotiator) Read(r *http.Request, v any) error {
	codec, err := n.Codec(r.Header)
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
		return &Error{status, err}
	}
	return nil
}

// Codec returns the codec of a body with that header, by its Content-Type. The
// error is an [*Error] with the status 415.
func (n *Negotiator) Codec(h http.Header) (wire.Codec, error) {
	if coding := h.Get("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
		return nil, &Error{http.StatusUnsupportedMediaType, fmt.Errorf("the Content-Encoding %.40q is not decoded here", coding)}
	}
	mediaType := h.Get("Content-Type")
	if mediaType == "" {
		return n.registry.Lookup("json")
	}
	c, err := n.registry.LookupMediaType(mediaType)
	if err != nil {
		return nil, &Error{http.StatusUnsupportedMediaType, err}
	}
	return c, nil
}

// body reads the body within the limit.
func (n *Negotiator) body(r *http.Request) ([]byte, error) {
	if r.Body == nil {
		return nil, nil
	}
	limit := n.MaxBody
	if limit <= 0 {
		limit = int64(wire.Limits{}.Resolved().InputBytes)
	}
	tooLong := &Error{http.StatusRequestEntityTooLarge, fmt.Errorf("the body is longer than %d bytes: %w; raise MaxBody", limit, wire.ErrLimit)}
	if r.ContentLength > limit {
		return nil, tooLong
	}
	var buf bytes.Buffer
	if _, err := io.Copy(&buf, io.LimitReader(r.Body, limit)); err != nil {
		var over *http.MaxBytesError
		if errors.As(err, &over) {
			return nil, &Error{http.StatusRequestEntityTooLarge, err}
		}
		return nil, &Error{http.StatusBadRequest, err}
	}
	if int64(buf.Len()) == limit {
		if n, _ := io.ReadFull(r.Body, make([]byte, 1)); n > 0 {
			return nil, tooLong
		}
	}
	return buf.Bytes(), nil
}
