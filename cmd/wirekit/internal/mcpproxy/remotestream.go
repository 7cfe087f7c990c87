package mcpproxy

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

// The times between two attempts to take up a stream again: what the server
// wants, or retryFirst, and twice as much after each attempt that brought no
// event. For an answer there are so many of these.
const (
	retryLeast = 100 * time.Millisecond
	retryFirst = time.Second
	retryMost  = 30 * time.Second
	retries    = 5
)

// A place is where a stream goes on.
type place struct {
	last  string        // the id of its last event; empty where it cannot be taken up
	retry time.Duration // as the server wants it; 0 if it has not said
	vain  int           // attempts since its last event
}

// wait waits before the next attempt, and reports whether ctx lasts.
func (p *place) wait(ctx context.Context) bool {
	next := time.After(p.delay())
	p.vain++
	select {
	case <-next:
		return true
	case <-ctx.Done():
		return false
	}
}

func (p *place) delay() time.Duration {
	return min(max(cmp.Or(p.retry, retryFirst), retryLeast)<<min(p.vain, 10), retryMost)
}

// stream hands on the messages of a stream that answers a call, and takes it up
// again while that has not come.
func (r *remote) stream(ctx context.Context, response *http.Response, c *call) error {
	at := place{}
	c.mixed = true
	err := r.events(response.Body, &at, c)
	for err == nil && len(c.open) > 0 && at.last != "" && at.vain < retries {
		if !at.wait(ctx) {
			return ctx.Err()
		}
		again, failed := r.open(ctx, c.session, at.last)
		if errors.Is(failed, errNoStream) {
			break
		}
		if failed == nil {
			err = r.events(again.Body, &at, c)
			again.Body.Close()
		}
	}
	if err == nil && len(c.open) > 0 {
		err = errors.New("the server has ended its stream before its answer")
	}
	if err != nil && c.instead != "" {
		err = fmt.Errorf("%w; an event of it is not a message: %s", err, c.instead)
	}
	return err
}

// open asks for a stream of a session that goes on after an event. The error
// wraps errNoStream if asking again is of no use.
func (r *remote) open(ctx context.Context, in sessionHeaders, last string) (*http.Response, error) {
	header := http.Header{"Accept": {"text/event-stream"}}
	if last != "" {
		header.Set("Last-Event-ID", last)
	}
	response, err := r.request(ctx, http.MethodGet, nil, in, header)
	if err != nil {
		return nil, err
	}
	status := response.StatusCode
	if status == http.StatusOK && mediaType(response.Header) == "text/event-stream" {
		return response, nil
	}
	response.Body.Close()
	switch status {
	case http.StatusNotFound:
		return nil, fmt.Errorf("the server has ended the session: %w", errNoStream)
	case http.StatusOK, http.StatusMethodNotAllowed:
		return nil, errNoStream
	}
	return nil, fmt.Errorf("the server answers %s to a request for its events", response.Status)
}

// errNoStream is what a server says that has nothing to say unasked: 405, or
// something that is not a stream; or whose session is gone: 404.
var errNoStream = errors.New("no stream")

// listen hands on what the server says unasked, as long as there are a client and the
// session.
func (r *remote) listen() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.deafen == nil {
		var ctx context.Context
		ctx, r.deafen = context.WithCancel(r.ctx)
		go r.hear(ctx, r.session)
	}
}

func (r *remote) hear(ctx context.Context, in sessionHeaders) {
	for at := (place{}); ; {
		response, err := r.open(ctx, in, at.last)
		if err == nil {
			err = r.events(response.Body, &at, &call{deliver: r.hand, mixed: true})
			response.Body.Close()
		}
		if err != nil && err != errNoStream && at.vain <= 1 && ctx.Err() == nil { // not each of many
			r.ErrorLog.Printf("mcp: %v", err)
		}
		if errors.Is(err, errNoStream) || !at.wait(ctx) {
			return
		}
	}
}

// events hands on the messages of a stream until it ends. It goes on after its last whole
// event, or after one that is longer than MaxLine, which is an error.
func (r *remote) events(body io.Reader, at *place, c *call) error {
	in := newScanner(body, r.MaxLine+1024, true)
	in.noComments = true // they keep a connection alive, and are no part of a message
	for {
		text, whole, err := in.next()
		e := event{id: at.last, retry: at.retry}
		e.read(text)
		at.retry = e.retry
		if !whole {
			at.last = e.id
			return fmt.Errorf("an event of the server's is too long: more than %d bytes, see --max-line", r.MaxLine)
		}
		if err != nil {
			return nil // an event without its end is none
		}
		switch data := bytes.TrimSpace(e.data); {
		case !e.isMessage() || len(data) == 0:
		case json.Valid(data):
			r.receive(data, c)
		case c.instead == "":
			c.instead = fmt.Sprintf("%q", cut(string(data)))
			r.ErrorLog.Printf("mcp: an event of the server's is not a message: %s", c.instead)
		}
		if at.last != e.id || e.n > 0 {
			at.last, at.vain = e.id, 0
		}
	}
}
