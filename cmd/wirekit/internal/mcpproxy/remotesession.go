package mcpproxy

import (
	"context"
	"errors"
	"net/http"
	"sync"
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
	if response, err := r.request(ctx, http.MethodDelete, nil, s, nil); err == nil {
		response.Body.Close()
	}
}

// renew begins another session in the place of one, unless that has been done: once for all
// calls that find out that the server has forgotten theirs.
func (r *remote) renew(old sessionHeaders) error {
	r.mu.Lock()
	if r.session.id != old.id {
		r.mu.Unlock()
		return nil
	}
	if r.renewing == nil {
		c, initialized := newCall(r.beginning, nil), r.initialized
		r.renewing = sync.OnceValue(func() error { return r.begin(c, initialized) })
	}
	renewing := r.renewing
	r.mu.Unlock()
	return renewing()
}

// toBegin is how long the server has to begin another session.
const toBegin = 30 * time.Second

// begin begins another session with what the client has sent to begin the first.
func (r *remote) begin(c *call, initialized []byte) error {
	ctx, cancel := context.WithTimeout(r.ctx, toBegin)
	defer cancel()
	made, err := r.initialize(ctx, c)
	if err == nil && initialized != nil {
		err = r.exchange(ctx, newCall(initialized, r.hand), made, func() {})
	}
	if err == nil {
		r.enter(made)
	}
	r.mu.Lock()
	r.renewing = nil // who finds the old session gone from now on finds the new one
	r.mu.Unlock()
	switch {
	case err != nil:
		r.leave(made)
	case initialized != nil:
		r.listen()
	}
	return err
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
	if err = r.exchange(ctx, c, sessionHeaders{}, func() {}); err == nil && !answer.isResult() {
		err = errors.New("the server answers " + says(answer.text))
	}
	return made, err
}
