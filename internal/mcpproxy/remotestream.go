package mcpproxy

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
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

// stream writes the messages of a stream that answers m, and takes it up again
// while that has not come.
func (r *remote) stream(ctx context.Context, response *http.Response, m message) (answered bool, err error) {
	at := place{}
	answered, err = r.events(response.Body, &at, m)
	for !answered && err == nil && m.isRequest && at.last != "" && at.vain < retries {
		if !at.wait(ctx) {
			return false, ctx.Err()
		}
		again, failed := r.open(ctx, at.last)
		if errors.Is(failed, errNoStream) {
			break
		}
		if failed == nil {
			answered, err = r.events(again.Body, &at, m)
			again.Body.Close()
		}
	}
	if !answered && err == nil {
		err = errors.New("the server has ended its stream before its answer")
	}
	return answered, err
}

// open asks for a stream of the session's that goes on after an event. The error
// wraps errNoStream if asking again is of no use.
func (r *remote) open(ctx context.Context, last string) (*http.Response, error) {
	request, err := r.request(ctx, http.MethodGet, nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Accept", "text/event-stream")
	if last != "" {
		request.Header.Set("Last-Event-ID", last)
	}
	response, err := r.client.Do(request)
	if err != nil {
		return nil, err
	}
	kind, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type"))
	status := response.StatusCode
	if status == http.StatusOK && kind == "text/event-stream" {
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

// listen writes what the server says unasked, as long as there is a client.
func (r *remote) listen() {
	if !r.listening.CompareAndSwap(false, true) {
		return
	}
	go func() {
		for at := (place{}); ; {
			response, err := r.open(r.ctx, at.last)
			if err == nil {
				_, err = r.events(response.Body, &at, message{})
				response.Body.Close()
			}
			if err != nil && err != errNoStream && at.vain <= 1 && r.ctx.Err() == nil { // not each of many
				r.ErrorLog.Printf("mcp: %v", err)
			}
			if errors.Is(err, errNoStream) || !at.wait(r.ctx) {
				return
			}
		}
	}()
}

// events writes the messages of a stream until it ends, and reports whether
// one of them was an answer. The stream goes on after its last whole event, or
// after one that is longer than MaxLine, which is an error.
func (r *remote) events(body io.Reader, at *place, m message) (answered bool, err error) {
	in := newEventScanner(body, r.MaxLine+1024)
	in.noComments = true // they keep a connection alive, and are no part of a message
	for {
		text, whole, err := in.next()
		e := event{id: at.last, retry: at.retry}
		e.read(text)
		at.retry = e.retry
		if !whole {
			at.last = e.id
			return answered, fmt.Errorf("an event of the server's is too long: more than %d bytes, see --max-line", r.MaxLine)
		}
		if err != nil {
			return answered, nil // an event without its end is none
		}
		if e.isMessage() && len(bytes.TrimSpace(e.data)) > 0 {
			answered = r.receive(e.data, m) || answered
		}
		if at.last != e.id || e.n > 0 {
			at.last, at.vain = e.id, 0
		}
	}
}
