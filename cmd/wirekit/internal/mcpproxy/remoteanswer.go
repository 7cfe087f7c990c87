package mcpproxy

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/http/httptrace"
	"strings"
	"time"

	"github.com/wirekit/wirekit/internal/base/lineio"
	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/base/splice"
	"github.com/wirekit/wirekit/internal/proxy/rewrite"
	"github.com/wirekit/wirekit/internal/proxy/serving"
)

// post sends a call and hands on what the server says to it. What is not answered then is
// answered with an error.
func (r *remote) post(ctx context.Context, c *call, written func()) {
	asks, in := len(c.open) > 0, r.current()
	if c.begun != nil {
		in = sessionHeaders{}
	}
	err := r.exchange(ctx, c, in, written)
	switch {
	case asks && ctx.Err() == nil:
		c.failed(cmp.Or(err, errors.New("the server has not answered")).Error())
	case !asks && err != nil:
		r.ErrorLog.Printf("mcp: %v", err)
	}
}

// exchange sends a call in a session, once more if the server has forgotten that and so has
// not looked at the call. The error is about what is not answered.
func (r *remote) exchange(ctx context.Context, c *call, in sessionHeaders, written func()) error {
	response, err := r.do(ctx, c, in, written)
	if err != nil {
		return err
	}
	if response.StatusCode == http.StatusNotFound && in.id != "" && len(c.open) > 0 {
		response.Body.Close()
		if err := r.renew(in); err != nil {
			return fmt.Errorf("the server has forgotten the session, and another one could not be begun: %w", err)
		}
		if response, err = r.do(ctx, c, r.current(), written); err != nil {
			return err
		}
	}
	defer response.Body.Close()
	packed := response.Header.Get("Content-Encoding")
	switch {
	case response.StatusCode/100 != 2:
		return r.refused(response, c)
	case packed != "" && packed != "identity":
		return fmt.Errorf("the server has not answered: %s, %s", cut(response.Status), came(response.Header, nil))
	case mediaType(response.Header) == "text/event-stream":
		return r.stream(ctx, response, c)
	case len(c.open) > 0:
		return r.document(response, c)
	}
	return nil
}

// do sends a call in a session.
func (r *remote) do(ctx context.Context, c *call, in sessionHeaders, written func()) (*http.Response, error) {
	c.session = in
	traced := httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{WroteRequest: func(httptrace.WroteRequestInfo) { written() }})
	header := http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"}}
	r.describe(header, c.message)
	response, err := r.request(traced, http.MethodPost, c.text, c.session, header)
	if err != nil {
		return nil, err
	}
	if c.begun != nil && response.StatusCode/100 == 2 {
		c.session.id = response.Header.Get("Mcp-Session-Id")
		c.begun(c.session)
	}
	return response, nil
}

// What is read of an answer that is not one: so many bytes, and what comes within the time.
const maxRefusal = 1 << 20

var refusalTime = time.Second

// refused reads an answer with the status of an error. Its body may be the answer, as that of
// a server is that takes errors of JSON-RPC for such.
func (r *remote) refused(response *http.Response, c *call) error {
	asks := len(c.open) > 0
	body := bytes.TrimSpace(scan.TrimBOM(serving.Start(response.Body, maxRefusal, refusalTime)))
	why, said := "the server answers "+cut(response.Status), ""
	if json.Valid(body) {
		r.receive(body, c)
		said = says(body)
	}
	if asks && len(c.open) == 0 {
		return nil
	}
	if at, err := response.Location(); err == nil && response.StatusCode/100 == 3 {
		why += ", and points to " + serving.Address(at)
	}
	if said == "" && len(body) > 0 {
		said = came(response.Header, body)
	}
	if said != "" {
		why += ": " + said
	}
	return errors.New(why)
}

// document reads an answer that is not a stream: a message, whatever its type is, since what
// begins as JSON is nothing else that servers send.
func (r *remote) document(response *http.Response, c *call) error {
	in := bufio.NewReader(response.Body)
	first, err := firstByte(in)
	switch {
	case errors.Is(err, io.EOF):
		return fmt.Errorf("the server has not answered: %s, without a body", cut(response.Status))
	case err == nil && first != '{' && first != '[':
		start := serving.Start(serving.Body{Reader: in, Closer: response.Body}, 4*maxExcerpt, refusalTime)
		return fmt.Errorf("the server has not answered: %s, %s", cut(response.Status), came(response.Header, start))
	}
	c.mixed = first == '['
	body, err := io.ReadAll(io.LimitReader(in, int64(r.MaxLine)+1))
	if err == nil && len(body) <= r.MaxLine && json.Valid(body) {
		r.receive(body, c)
	}
	switch {
	case len(body) > r.MaxLine:
		return fmt.Errorf("the server's answer is too long: more than %d bytes, see --max-line", r.MaxLine)
	case err != nil:
		return fmt.Errorf("the server's answer breaks off: %w", err)
	case len(c.open) > 0:
		return fmt.Errorf("the server answers %s, and no message: %s", cut(response.Status), came(response.Header, body))
	}
	return nil
}

// firstByte returns the byte with which JSON begins, which is then the next one.
func firstByte(in *bufio.Reader) (byte, error) {
	for lineio.SkipMark(in); ; {
		c, err := in.ReadByte()
		if err != nil {
			return 0, err
		}
		if !strings.ContainsRune(" \t\r\n", rune(c)) {
			return c, in.UnreadByte()
		}
	}
}

// receive hands on what a client is to be given of a message of the server, or a batch.
func (r *remote) receive(text []byte, c *call) {
	var taken [][]byte
	all := messagesIn(text)
	for _, m := range all {
		if _, asked := c.open[m.key()]; asked && m.isReply {
			r.learn(c, m)
		}
		if c.takes(m, func(key string) bool { return r.isOther(key, c) }) {
			taken = append(taken, m.text)
		}
	}
	if len(taken) > 0 && len(taken) == len(all) {
		taken = [][]byte{text}
	}
	for _, m := range taken {
		c.deliver(m)
	}
}

// isOther reports whether an id is that of another call that is under way.
func (r *remote) isOther(key string, c *call) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	other := r.calls[key]
	return other != nil && other != c
}

// hand gives the client a message.
func (r *remote) hand(text []byte) { r.write(r.x.FromServer(text)) }

func mediaType(h http.Header) string {
	kind, _, _ := mime.ParseMediaType(h.Get("Content-Type"))
	return kind
}

// maxExcerpt is how much of what came is named, in bytes.
const maxExcerpt = 200

// cut returns the beginning of a text.
func cut(text string) string {
	if len(text) <= maxExcerpt {
		return text
	}
	return rewrite.Cut(text, maxExcerpt) + "…"
}

// came says what came instead of a message.
func came(h http.Header, body []byte) string {
	kind := cut(cmp.Or(h.Get("Content-Type"), "no Content-Type"))
	if packed := h.Get("Content-Encoding"); packed != "" && packed != "identity" {
		return kind + " packed with " + cut(packed) + ", which was not asked for"
	}
	return fmt.Sprintf("%s, %q", kind, cut(string(body[:min(len(body), maxExcerpt+1)])))
}

// says returns what an error says in the forms that servers give it: that of JSON-RPC, that of
// OAuth 2.0 (RFC 6749, section 5.2), that of problem details (RFC 9457), and others.
func says(body []byte) string {
	var words []string
	for _, path := range [][]string{{"error"}, {"error", "message"}, {"error_description"}, {"message"}, {"title"}, {"detail"}} {
		if word := splice.Word(body, splice.Whole(body), path...); word != "" {
			words = append(words, word)
		}
	}
	return cut(strings.Join(words, ": "))
}
