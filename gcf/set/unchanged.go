package set

import "github.com/wirekit/wirekit/gcf/internal/lex"

// EncodeUnchanged returns the answer, of one line, that the consumer's set is still
// current: it is s, whose root [PackRoot] gave (section 10a.4).
func EncodeUnchanged(s *Set, root string) ([]byte, error) {
	if s == nil {
		return nil, lex.MissingArgument("set")
	}
	return lex.AppendUnchanged(nil, lex.ProfileGeneric, s.Tool, root, "count", len(s.Rows))
}
