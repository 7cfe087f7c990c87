package gcf

// PackRootFullScores is what senders of other scores hash.
var PackRootFullScores = packRootFullScores

// Len returns the number of symbols that the session remembers.
func (s *Session) Len() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.store.symbols)
}
