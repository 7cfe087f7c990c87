package pack

import (
	"bytes"
	"cmp"
	_ "embed"
	"encoding/base64"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// A Secret is where a token was masked. Its value is kept nowhere.
type Secret struct {
	Path string `json:"path"` // "" in the instruction
	Line int    `json:"line"` // of the original, counted from 1
	Rule string `json:"rule"` // such as github-token
}

// A shape is a kind of token, see secrets.txt.
type shape struct {
	rule  string
	words []string
	re    *regexp.Regexp
	real  func(token string) bool // nil for any
}

// secretsText has the kinds of tokens, a line each.
//
//go:embed secrets.txt
var secretsText string

var shapes = sync.OnceValue(func() (all []shape) {
	for line := range strings.Lines(secretsText) {
		if f := strings.Split(strings.TrimSuffix(line, "\n"), "\t"); len(f) == 4 {
			all = append(all, shape{f[0], strings.Split(f[1], ","), regexp.MustCompile(f[3]), realTokens[f[2]]})
		}
	}
	return all
})

// realTokens are what tokens may have to be beside their form.
var realTokens = map[string]func(token string) bool{
	"no-example": noExample, "has-digit": hasDigit, "pair-in-base64": pairInBase64, "no-placeholder": noPlaceholder,
}

// noExample reports whether a key is not one of the examples that Amazon publishes.
func noExample(key string) bool { return !strings.Contains(key, "EXAMPLE") }

// hasDigit distinguishes tokens from words that take their place in documents.
func hasDigit(token string) bool { return strings.ContainsAny(token, "0123456789") }

// pairInBase64 reports whether a text is a name and a password with a colon between.
func pairInBase64(text string) bool {
	data, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(text, "="))
	return err == nil && bytes.IndexByte(data, ':') > 0 && utf8.Valid(data)
}

// noPlaceholder reports whether a password does not take the place of another one.
func noPlaceholder(password string) bool {
	return !strings.ContainsAny(password, "${}%*") && !is("placeholder", strings.ToLower(password))
}

// A span is a stretch of a text that a rule found.
type span struct {
	from, to int
	rule     string
}

// mask replaces the secrets of a text. Without any it returns text itself.
func mask(name string, text []byte) ([]byte, []Secret) {
	found := keys(text)
	has := pairsOf(text)
	for _, s := range shapes() {
		for _, at := range s.find(text, &has) {
			from, to := at[len(at)-2], at[len(at)-1]
			if s.real == nil || s.real(string(text[from:to])) {
				found = append(found, span{from, to, s.rule})
			}
		}
	}
	if len(found) == 0 {
		return text, nil
	}
	slices.SortStableFunc(found, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	var out []byte
	var secrets []Secret
	done, line := 0, 1
	for _, s := range found {
		if s.from < done {
			// Of two that overlap, the first has the name, and both are hidden.
			done = max(done, s.to)
			continue
		}
		line += bytes.Count(text[min(done, s.from):s.from], []byte("\n"))
		out = append(out, text[done:s.from]...)
		out = append(out, "[secret: "+s.rule+"]"...)
		secrets = append(secrets, Secret{name, line, s.rule})
		line += bytes.Count(text[s.from:s.to], []byte("\n"))
		done = s.to
	}
	return append(out, text[done:]...), secrets
}

// find returns where a text, which has these pairs, has the shape.
func (s *shape) find(text []byte, has *pairs) (all [][]int) {
	form := s.re.String()
	for _, word := range s.words {
		for from, to := 0, 0; has.all(word); {
			n := bytes.Index(text[to:], []byte(word))
			if n < 0 {
				break
			}
			if form[0] != '^' {
				return s.re.FindAllSubmatchIndex(text, -1)
			}
			if from, to = to+n, to+n+len(word); from > 0 && form[1] == '\\' && identifierByte(text[from-1]) {
				continue
			}
			if at := s.re.FindSubmatchIndex(text[from:]); at != nil {
				all = append(all, []int{from + at[len(at)-2], from + at[len(at)-1]})
				to = from + at[1]
			}
		}
	}
	return all
}

// Pairs are the pairs of bytes that follow each other in a text, a bit for each. Most words
// are not in a text by their pairs already.
type pairs [1 << 10]uint64

func pairsOf(text []byte) (p pairs) {
	for i := 1; i < len(text); i++ {
		p[uint16(text[i-1])<<2|uint16(text[i])>>6] |= 1 << (text[i] & 63)
	}
	return p
}

func (p *pairs) all(word string) bool {
	for i := 1; i < len(word); i++ {
		if p[uint16(word[i-1])<<2|uint16(word[i])>>6]>>(word[i]&63)&1 == 0 {
			return false
		}
	}
	return true
}

// keys finds private keys between their lines of dashes. A beginning that no
// key follows, as in a program that looks for keys, is none.
func keys(text []byte) []span {
	var found []span
	begin := []byte("-----BEGIN ")
	for at := 0; ; {
		n := bytes.Index(text[at:], begin)
		if n < 0 {
			return found
		}
		from := at + n
		at = from + len(begin)
		n = bytes.Index(text[at:min(len(text), at+64)], dashes)
		if n < 0 || !bytes.Contains(text[at:at+n], []byte("PRIVATE KEY")) {
			continue
		}
		at += n + len(dashes)
		line, _ := lineAround(text, from)
		body := armour(text, at, text[line:from])
		if body-at < 40 {
			continue
		}
		for at = body; bytes.HasPrefix(text[at:], []byte("------")); { // a line of a difference
			at++
		}
		if bytes.HasPrefix(text[at:], []byte("-----END ")) {
			at += len("-----END ")
			if n := bytes.Index(text[at:min(len(text), at+64)], dashes); n >= 0 {
				at += n + len(dashes)
			}
		}
		found = append(found, span{from, at, "private-key"})
	}
}

var (
	dashes = []byte("-----")
	// keyLine is a line of an armoured key, or the one that ends it, after the mark of a
	// comment, a quotation, a list or a listing with numbers.
	keyLine = regexp.MustCompile(`^[^0-9A-Za-z]{0,32}(?:(?:[0-9]{1,6}|(?i:rem|dnl)|[A-Za-z])[^0-9A-Za-z]{1,32})?` +
		`(?:[0-9A-Za-z+/]*={0,2}|[0-9A-Za-z-]+: .*|-----END .*)(?:\\r|[\s"'\\,+])*$`)
)

// armour returns where the text of a key ends that begins at at: what may be in one, and
// lines of one with a mark before it, such as the one of its first line.
func armour(text []byte, at int, mark []byte) int {
	for at < len(text) && !bytes.HasPrefix(text[at:], dashes) {
		if keyByte(text[at]) {
			at++
			continue
		}
		from, to := lineAround(text, at)
		if !keyLine.Match(bytes.TrimPrefix(text[from:to], mark)) {
			break
		}
		if end := bytes.Index(text[at:to], dashes); end >= 0 {
			return at + end
		}
		at = to
	}
	return at
}

// lineAround returns where the line is that has a byte, which may end with \n as in a string
// literal. Of a long one it returns a part, which is not a line of a key.
func lineAround(text []byte, at int) (from, to int) {
	const most = 256
	start := max(0, at-most)
	before, after := text[start:at], text[at:min(len(text), at+most)]
	for _, end := range []string{"\n", `\n`} {
		from = max(from, start+bytes.LastIndex(before, []byte(end))+len(end))
		if n := bytes.Index(after, []byte(end)); n >= 0 {
			after = after[:n]
		}
	}
	return min(from, at), at + len(after)
}

// keyByte reports whether a byte occurs in an armoured key, or between its
// lines in the string literals of other languages.
func keyByte(b byte) bool {
	return b >= '0' && b <= '9' || b >= 'A' && b <= 'Z' || b >= 'a' && b <= 'z' || strings.IndexByte("+/= \t\r\n\\:,.-\"'", b) >= 0
}

// keyFile reports whether a text is a private key and nothing else.
func keyFile(text []byte) bool {
	found := keys(text)
	return len(found) > 0 && len(bytes.TrimSpace(text[:found[0].from])) == 0
}
