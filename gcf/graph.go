package gcf

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/wirekit/wirekit/gcf/internal/lex"
	"github.com/wirekit/wirekit/internal/base/decimal"
	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/wire"
)

// A Graph is what one document of the graph profile carries (sections 5 to 6a).
// The JSON names are those of the specification's own fixtures.
type Graph struct {
	Tool        string   `json:"tool"`        // the producing tool; may be empty
	TokenBudget int      `json:"tokenBudget"` // the consumer's budget; 0 if there is none
	TokensUsed  int      `json:"tokensUsed"`  // what the payload uses; 0 if unknown
	PackRoot    string   `json:"packRoot"`    // of the symbols and edges, see PackRoot; may be empty
	Symbols     []Symbol `json:"symbols"`
	Edges       []Edge   `json:"edges"`
}

// A Symbol is a node of a graph. Kind and qualified name are its identity
// (section 9.1): two symbols of one graph differ in one of them.
type Symbol struct {
	QualifiedName string `json:"qualifiedName"`
	// Kind is the full form, such as "function". An abbreviation of section 5,
	// such as "fn", is the same kind; decoders return the full form. Other
	// kinds travel as they are.
	Kind string `json:"kind"`
	// Score is written with two decimals, rounded half to even.
	Score      float64 `json:"score"`
	Provenance string  `json:"provenance"`
	// Distance is the number of hops from the query's targets; 0 is a target.
	Distance int `json:"distance"`
}

// An Edge says that Source, the name of a symbol, has the relation Type,
// such as "calls", to Target.
type Edge struct {
	Source string `json:"source"`
	Target string `json:"target"`
	Type   string `json:"edgeType"`
	// Status is "added" or "removed" in payloads about a change. Empty and
	// "unchanged" are the same and are not written.
	Status string `json:"status"`

	// SourceKind and TargetKind are needed only where symbols of several kinds
	// share a name. Decoders set them only there.
	SourceKind string `json:"sourceKind,omitempty"`
	TargetKind string `json:"targetKind,omitempty"`
}

// shortKind returns a kind's abbreviation (section 5), or the kind itself.
func shortKind(kind string) string {
	switch kind {
	case "function":
		return "fn"
	case "interface":
		return "iface"
	case "route_handler":
		return "route"
	case "external":
		return "ext"
	case "package":
		return "pkg"
	case "service":
		return "svc"
	}
	return kind
}

// longKind returns the kind that an abbreviation stands for, or the word
// itself. The ten abbreviations that equal their kinds need no case.
func longKind(word string) string {
	switch word {
	case "fn":
		return "function"
	case "iface":
		return "interface"
	case "route":
		return "route_handler"
	case "ext":
		return "external"
	case "pkg":
		return "package"
	case "svc":
		return "service"
	}
	return word
}

// status returns an edge's status as it is written.
func (e *Edge) status() string {
	if e.Status == "unchanged" {
		return ""
	}
	return e.Status
}

// isWord reports whether s can be between the spaces of a line of the graph
// profile: not empty, no white space, no control characters. The grammar wants
// printable ASCII; other characters are accepted in both directions, because
// identifiers have them and the specification's fixtures decode them.
func isWord(s string) bool {
	n := len(s)
	var odd uint64
	switch {
	case n >= 8:
		odd = oddBytes(scan.Load64(s, n-8))
		for i := 0; i+8 < n; i += 8 {
			odd |= oddBytes(scan.Load64(s, i))
		}
	case n >= 4:
		odd = oddBytes(uint64(scan.Load32(s, 0))<<32 | uint64(scan.Load32(s, n-4)))
	case n == 0:
		return false
	default:
		odd = oddBytes(0x2121212121<<24 | uint64(s[0])<<16 | uint64(s[n/2])<<8 | uint64(s[n-1]))
	}
	return odd&scan.Highs == 0 || isWordSlow(s)
}

// oddBytes has the highest bit of some byte set if one is below '!', DEL, or beyond ASCII.
func oddBytes(w uint64) uint64 {
	return (w - 0x21*scan.Ones) | ((w ^ 0x7F*scan.Ones) - scan.Ones) | w
}

func isWordSlow(s string) bool {
	beyond := false
	for i := range len(s) {
		switch c := s[i]; {
		case c <= ' ' || c == 0x7F:
			return false
		case c >= 0x80:
			beyond = true
		}
	}
	return !beyond || utf8.ValidString(s) && !lex.HoldsSpace(s)
}

// hundredths returns a score in hundredths, rounded half to even from the exact
// value of the double (section 5), and whether the number is small enough for
// that. A negative score that rounds to 0 loses its sign here.
func hundredths(score float64) (int64, bool) {
	if !(math.Abs(score) < 1<<41) {
		return 0, false
	}
	product := score * 100
	n := math.RoundToEven(product)
	if down := math.Floor(product); product-down == 0.5 {
		// What the product lacks of its exact value decides.
		switch rest := math.FMA(score, 100, -product); {
		case rest < 0:
			n = down
		case rest > 0:
			n = down + 1
		}
	}
	return int64(n), true
}

// appendScore appends a finite score as the wire carries it.
func appendScore(dst []byte, score float64) []byte {
	n, ok := hundredths(score)
	if !ok || n < 0 || n == 0 && math.Signbit(score) {
		return strconv.AppendFloat(dst, score, 'f', 2, 64)
	}
	return append(decimal.AppendInt(dst, n/100), '.', byte('0'+n/10%10), byte('0'+n%10))
}

// roundScore returns the score that the wire carries for a finite one.
func roundScore(score float64) float64 {
	if n, ok := hundredths(score); ok {
		return float64(n) / 100
	}
	var buf [512]byte
	f, _ := strconv.ParseFloat(string(strconv.AppendFloat(buf[:0], score, 'f', 2, 64)), 64)
	return f
}

// parseScore reads a score in the grammar of section 4: an optional sign,
// digits, a point and two digits.
func parseScore(s string) (float64, bool) {
	digits := strings.TrimPrefix(s, "-")
	point := len(digits) - len(".00")
	if point < 1 || digits[point] != '.' {
		return 0, false
	}
	n := int64(0)
	for i := range len(digits) {
		if i == point {
			continue
		}
		d := digits[i] - '0'
		if d > 9 {
			return 0, false
		}
		n = n*10 + int64(d)
	}
	if len(s) > 16 { // as many hundredths may be 2^53 or more
		f, err := strconv.ParseFloat(s, 64)
		return f, err == nil
	}
	f := float64(n) / 100 // the nearest double, since both are exact
	if s[0] == '-' {
		f = -f
	}
	return f, true
}

func notAWord(member, what, word string) error {
	message := "the " + what + " is empty"
	switch {
	case word == "":
	case !utf8.ValidString(word):
		return lex.Fault(wire.CodeInvalidUTF8, wire.ErrUTF8, member, "the "+what+" is not UTF-8", "")
	default:
		message = "the " + what + " " + lex.Quoted(word) + " holds white space or control characters"
	}
	return lex.Fault("invalid_name", wire.ErrShape, member, message,
		"the graph profile separates fields by spaces and has no quotation marks")
}

// check reports what a node line cannot carry of the symbol.
func (s *Symbol) check() error {
	switch {
	case !isWord(s.QualifiedName):
		return notAWord("qualifiedName", "qualified name", s.QualifiedName)
	case !isWord(s.Kind):
		return notAWord("kind", "kind", s.Kind)
	case !isWord(s.Provenance):
		return notAWord("provenance", "provenance", s.Provenance)
	case math.IsNaN(s.Score) || math.IsInf(s.Score, 0):
		return lex.Fault("invalid_score", wire.ErrRange, "score", "the score is not a finite number", "")
	case s.Distance < 0:
		return lex.Fault("invalid_distance", wire.ErrRange, "distance", "the distance is negative", "")
	}
	return nil
}

// check reports what an edge line cannot carry of the edge, its ends apart.
func (e *Edge) check() error {
	if !isWord(e.Type) {
		return notAWord("edgeType", "edge type", e.Type)
	}
	if status := e.status(); status != "" && !isWord(status) {
		return notAWord("status", "status", status)
	}
	return nil
}

// checkHeader reports what a header cannot carry of the graph.
func (g *Graph) checkHeader() error {
	switch {
	case g.TokenBudget < 0:
		return lex.Fault("invalid_count", wire.ErrRange, "tokenBudget", "the budget is negative", "")
	case g.TokensUsed < 0:
		return lex.Fault("invalid_count", wire.ErrRange, "tokensUsed", "the number of tokens is negative", "")
	}
	if err := lex.CheckHeaderValue("tool", g.Tool); err != nil {
		return err
	}
	return lex.CheckHeaderValue("packRoot", g.PackRoot)
}
