package proxy

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"
	"time"

	"github.com/wirekit/wirekit/internal/lineio"
)

// The times between two attempts to take up a stream again, and how often that
// is tried for an answer.
const (
	retryFirst = time.Second
	retryMost  = 30 * time.Second
	retries    = 5
)

// A place is where a stream goes on.
type place struct {
	last  string        // the id of its last event; empty where it cannot be taken up
	retry time.Duration // as the server wants it; 0 if it has not said
}

// after returns how long to wait: what the server wants, or d.
func (p place) after(d time.Duration) time.Duration {
	if p.retry > 0 {
		return p.retry
	}
	return d
}

// stream writes the messages of a stream that answers m, and takes it up again
// while that has not come.
func (r *remote) stream(ctx context.Context, response *http.Response, m message) (answered bool, err error) {
	at := place{}
	answered, err = r.events(response.Body, &at, m)
	for try := 0; !answered && err == nil && m.isRequest && at.last != "" && try < retries; try++ {
		if !sleep(ctx, at.after(retryFirst<<try/2)) {
			return false, ctx.Err()
		}
		again, err := r.open(ctx, at.last)
		if err != nil {
			return false, errors.New("the server has ended its stream before its answer")
		}
		answered, err = r.events(again.Body, &at, m)
		again.Body.Close()
		if err != nil {
			return answered, err
		}
	}
	if !answered && err == nil {
		err = errors.New("the server has ended its stream before its answer")
	}
	return answered, err
}

// open asks for a stream of the session's, from behind an event on.
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
	if response.StatusCode != http.StatusOK || kind != "text/event-stream" {
		response.Body.Close()
		return nil, errNoStream
	}
	return response, nil
}

// errNoStream is what a server says that has nothing to say unasked.
var errNoStream = errors.New("no stream")

// listen writes what the server says unasked, as long as there is a client.
func (r *remote) listen() {
	r.mu.Lock()
	started := r.listening
	r.listening = true
	r.mu.Unlock()
	if started {
		return
	}
	go func() {
		at, wait := place{}, retryFirst
		for {
			response, err := r.open(r.ctx, at.last)
			if errors.Is(err, errNoStream) {
				return
			}
			if err == nil {
				wait = retryFirst
				if _, err := r.events(response.Body, &at, message{}); err != nil {
					r.ErrorLog.Printf("mcp: %v", err)
				}
				response.Body.Close()
			}
			if !sleep(r.ctx, at.after(wait)) {
				return
			}
			wait = min(2*wait, retryMost)
		}
	}()
}

// events writes the messages of a stream until it ends, and reports whether
// one of them was an answer. The error is that of an event that is longer than
// MaxLine.
func (r *remote) events(body io.Reader, at *place, m message) (answered bool, err error) {
	in := bufio.NewReaderSize(body, 64<<10)
	var e fields
	for {
		line, err := lineio.Append(nil, in, r.MaxLine-len(e.data)+1024)
		if errors.Is(err, lineio.ErrTooLong) {
			return answered, fmt.Errorf("an event of the server's is too long: more than %d bytes, see --max-line", r.MaxLine)
		}
		if err != nil {
			return answered, nil // an event without its end is none
		}
		if isBlank(line) {
			if e.isMessage() && len(bytes.TrimSpace(e.data)) > 0 {
				answered = r.receive(e.data, m) || answered
			}
			e = fields{}
			continue
		}
		switch name, value := e.read(line); string(name) {
		case "id":
			at.last = string(value)
		case "retry":
			if n, err := strconv.Atoi(string(value)); err == nil && n >= 0 {
				at.retry = min(time.Duration(n)*time.Millisecond, retryMost)
			}
		}
	}
}

// sleep reports whether the time has passed before ctx ended.
func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
