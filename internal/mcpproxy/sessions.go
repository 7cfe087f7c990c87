package mcpproxy

import (
	"sync"

	"github.com/wirekit/wirekit/mcp"
)

// maxSessions is the number of sessions whose clients are remembered; the
// oldest go first.
const maxSessions = 10_000

// sessions remember what clients have said of themselves in initialize, by the
// session that the server has given them, and nothing else.
type sessions struct {
	mu      sync.Mutex
	clients map[string]mcp.Client
	order   []string // of the sessions, the oldest first
}

// add remembers a client that has said something.
func (s *sessions) add(id string, c mcp.Client) {
	if id == "" || c.Name == "" && c.Accept == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.clients == nil {
		s.clients = make(map[string]mcp.Client)
	}
	if _, known := s.clients[id]; !known {
		s.order = append(s.order, id)
	}
	s.clients[id] = c
	if len(s.order) > maxSessions {
		delete(s.clients, s.order[0])
		s.order = s.order[1:]
	}
}

// of returns what the client of a session has said.
func (s *sessions) of(id string) mcp.Client {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.clients[id]
}
