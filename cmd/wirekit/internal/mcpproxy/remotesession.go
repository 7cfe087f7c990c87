package mcpproxy

import (
	"context"
	"errors"
	"net/http"
	"time"
)

// sessionHeaders are what a server has said of a session, as headers have it.
type sessionHeaders struct{ id, version string }

func (r *remote) current() sessionHeaders {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.session
}

// enter makes a session the one of what is sent from now on.
func (r *remote) enter(s sessionHeaders) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.change(s)
}

// change is enter where r.mu is held.
func (r *remote) change(s sessionHeaders) {
	if r.session.id != s.id && r.deafen != nil {
		r.deafen()
		r.deafen = nil
	}
	r.session = s
}

// leave ends a session, if it has an id.
func (r *remote) leave(s sessionHeaders) {
	if s.id == "" {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	if request, err := r.request(ctx, http.MethodDelete, nil, s); err == nil {
		if response, err := r.client.Do(request); err == nil {
			response.Body.Close()
		}
	}
}

// A renewal is the beginning of another session, for all calls that find out that the server
// has forgotten theirs.
type renewal struct {
	done chan struct{}
	err  error
}

// renew begins another session in the place of one, unless that has been done.
func (r *remote) renew(ctx context.Context, old sessionHeaders) error {
	r.mu.Lock()
	if r.session.id != old.id {
		r.mu.Unlock()
		return nil
	}
	n := r.renewing
	if n == nil {
		n = &renewal{done: make(chan struct{})}
		r.renewing = n
		go r.begin(n, newCall(r.beginning, nil), r.initialized)
	}
	r.mu.Unlock()
	select {
	case <-n.done:
		return n.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// toBegin is how long the server has to begin another session.
const toBegin = 30 * time.Second

// begin begins another session with what the client has sent to begin the first.
func (r *remote) begin(n *renewal, c *call, initialized []byte) {
	ctx, cancel := context.WithTimeout(r.ctx, toBegin)
	defer cancel()
	var made sessionHeaders
	made, n.err = r.initialize(ctx, c)
	if n.err == nil && initialized != nil {
		n.err = r.confirm(ctx, newCall(initialized, r.hand), made)
	}
	r.mu.Lock()
	if r.renewing = nil; n.err == nil {
		r.change(made)
	}
	r.mu.Unlock()
	close(n.done)
	switch {
	case n.err != nil:
		r.leave(made)
	case initialized != nil:
		r.listen()
	}
}

// initialize sends initialize once more. The client has its answer to that.
func (r *remote) initialize(ctx context.Context, c *call) (made sessionHeaders, err error) {
	var answer message
	c.begun = func(s sessionHeaders) { made = s }
	c.deliver = func(text []byte) {
		if m := readMessage(text); m.isReply {
			answer = m
		} else {
			r.hand(text)
		}
	}
	if err = r.exchange(ctx, c, func() {}); err == nil && !answer.isResult() {
		err = errors.New("the server answers " + says(answer.text))
	}
	return made, err
}

// confirm sends what a client says when a session has begun.
func (r *remote) confirm(ctx context.Context, c *call, in sessionHeaders) error {
	response, err := r.do(ctx, c, in, func() {})
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode/100 != 2 {
		return r.refused(response, c)
	}
	return nil
}
