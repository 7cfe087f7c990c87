package gcf

// PackRootFullScores is what senders of other scores hash.
func PackRootFullScores(g *Graph) (string, error) { return packRoot(g, fullScore) }

// Len returns the number of symbols that the session remembers.
func (s *Session) Len() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.store.symbols)
}
