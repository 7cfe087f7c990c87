package partial

import (
	"fmt"

	"github.com/wirekit/wirekit/internal/base/enum"
	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/wire"
)

// Level says what is read beside correct JSON. Each accepts what those before it do.
type Level uint8

// The levels.
const (
	Strict  Level = iota // JSON, which may end anywhere
	Wrapped              // in a fence, between prose or in tags
	Lenient              // with mistakes that have one reading
)

var levels = enum.New[Level]("partial.Level", "strict", "wrapped", "lenient")

// String returns the level's name in lower case.
func (l Level) String() string { return levels.String(l) }

// MarshalText returns the name that String returns.
func (l Level) MarshalText() ([]byte, error) { return levels.Marshal(l) }

// UnmarshalText takes a name.
func (l *Level) UnmarshalText(name []byte) error { return levels.Unmarshal(l, name) }

// Kind says what a [Repair] is about.
type Kind uint8

// The kinds, by the level that they belong to.
const (
	BOM          Kind = iota // a byte order mark before the text
	DuplicateKey             // the value before the last one of a key is left out

	Fence       // a line of backticks or tildes before the value, and the one after it
	ProseBefore // text before the value
	ProseAfter  // text after the value
	Tag         // a tag before the value, and the one after it

	Comment           // after // or #, or between /* and */
	TrailingComma     // before a closing bracket
	LeadingComma      // after an opening brace
	MissingComma      // between members or elements
	MissingColon      // none, = or =>
	SingleQuotes      // around a string or key
	TypographicQuotes // around a string or key
	BareKey           // without quotation marks
	BareText          // without quotation marks
	Word              // True, False, None
	ControlInText     // a line break or tab in a string
	InnerQuote        // a quotation mark in a string without a backslash
	Escape            // a backslash that begins no escape of JSON
	WrongCloser       // a bracket of the other kind, or one that is missing before it
	ExtraCloser       // a bracket after the value
	Padding           // white space that JSON does not have
	QuotedJSON        // an array or object within a string; see Options.Quoted

	Cut // what a text lacks that ends too early: see Parser.Missing
)

var kinds = enum.New[Kind]("partial.Kind", "bom", "duplicate_key", "fence", "prose_before", "prose_after",
	"tag", "comment", "trailing_comma", "leading_comma", "missing_comma", "missing_colon", "single_quotes",
	"typographic_quotes", "bare_key", "bare_text", "word", "control_in_text", "inner_quote", "escape",
	"wrong_closer", "extra_closer", "padding", "quoted_json", "cut")

// String returns the kind's name, such as missing_comma.
func (k Kind) String() string { return kinds.String(k) }

// MarshalText returns the name that String returns.
func (k Kind) MarshalText() ([]byte, error) { return kinds.Marshal(k) }

// UnmarshalText takes a name.
func (k *Kind) UnmarshalText(name []byte) error { return kinds.Unmarshal(k, name) }

// A Repair is one place where a text is not JSON, and what it was read as.
type Repair struct {
	Kind    Kind   `json:"kind"`
	Offset  int    `json:"offset"`  // bytes before the place
	Pointer string `json:"pointer"` // JSON pointer of the value there
	Read    string `json:"read"`    // what the text has there; "" if it lacks something
	Took    string `json:"took"`    // what it was taken for; "" if it was left out
	Sure    bool   `json:"sure"`    // no other reading is known
}

// String says in a line what was assumed.
func (r Repair) String() string {
	s := r.Kind.String() + ": "
	switch {
	case r.Read == "":
		s += "added " + r.Took
	case r.Took == "":
		s += fmt.Sprintf("left out %.60q", r.Read)
	default:
		s += fmt.Sprintf("took %.60s for %.60s", scan.Printable(r.Read), scan.Printable(r.Took))
	}
	if !r.Sure {
		s += " (not sure)"
	}
	return s
}

// Parse reads a whole text. With an error that wraps [ErrCut] comes the value so far, as
// [Parser.Value] has it; with any other one, what precedes the fault.
func Parse(text []byte, o Options) (wire.Value, []Repair, error) {
	p := NewParser(o)
	_, _ = p.Write(text) // Close has the error
	err := p.Close()
	v, _ := p.Value()
	return v, p.Repairs(), err
}

// maxRepairs bounds the repairs of one text: a text with more of them is another format.
const maxRepairs = 1000

// exclusive are kinds of which a text must not have one of each pair: together they may be
// mistakes of another kind.
var exclusive = [][2]uint32{
	{1<<WrongCloser | 1<<ExtraCloser, 1<<MissingComma | 1<<MissingColon | 1<<LeadingComma | 1<<InnerQuote | 1<<DuplicateKey},
	{1 << InnerQuote, 1<<MissingComma | 1<<MissingColon | 1<<LeadingComma},
	{1 << ExtraCloser, 1<<WrongCloser | 1<<ProseBefore},
}

// repair lists a repair of the text from start to end.
func (p *Parser) repair(k Kind, start, end int, took string, sure bool) {
	open, _ := p.leaf()
	p.repairAt(Repair{Kind: k, Offset: start, Pointer: open.Pointer, Read: string(p.buf[start:end]), Took: took, Sure: sure})
}

func (p *Parser) repairAt(r Repair) {
	if len(p.repairs) == maxRepairs {
		p.fail(r.Offset, "too_many_repairs", wire.ErrLimit, fmt.Sprintf("the text needs more than %d repairs", maxRepairs), "have the model write JSON")
		return
	}
	p.repairs = append(p.repairs, r)
	p.kinds |= 1 << r.Kind
	for _, e := range exclusive {
		if e[0]&p.kinds != 0 && e[1]&p.kinds != 0 {
			p.ambiguous(r.Offset, "two mistakes that may be one in another place", "have the model write JSON")
		}
	}
}
