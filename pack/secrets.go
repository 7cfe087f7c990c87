package pack

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// A Secret is where a token was masked. Its value is kept nowhere.
type Secret struct {
	Path string `json:"path"` // "" in the instruction
	Line int    `json:"line"` // of the original, counted from 1
	Rule string `json:"rule"` // such as github-token
}

// A shape is a kind of token. What the last group of its expression holds is
// the token, or all if it has none. An expression is tried only on texts
// that have one of the words, and one with ^ only where a word is, since that is many times
// faster; with ^\b where a word begins. What matches is a token if real, where there is one,
// agrees.
type shape struct {
	rule  string
	words []string
	re    *regexp.Regexp
	real  func(token string) bool
}

var shapes = []shape{
	{"aws-access-key-id", []string{"AKIA", "ASIA"}, regexp.MustCompile(`^\bA[KS]IA[0-9A-Z]{16}\b`), noExample},
	{"aws-secret-key", []string{"ecret_access", "ecretAccess", "ecretaccess", "ECRET_ACCESS"}, regexp.MustCompile(`(?i:secret_?access_?key)["']?\s{0,8}[:=]\s{0,8}["']?([0-9A-Za-z/+]{40})(?:[^0-9A-Za-z/+=]|$)`), noExample},
	{"anthropic-key", []string{"sk-ant-"}, regexp.MustCompile(`^\bsk-ant-[0-9A-Za-z_-]{20,}`), nil},
	{"openai-key", []string{"sk-"}, regexp.MustCompile(`^\bsk-(?:(?:proj|svcacct|admin)-[0-9A-Za-z_-]{40,}|[0-9A-Za-z]{40,})`), nil},
	{"github-token", []string{"gho_", "ghp_", "ghr_", "ghs_", "ghu_"}, regexp.MustCompile(`^\bgh[oprsu]_[0-9A-Za-z]{36,}`), nil},
	{"github-token", []string{"github_pat_"}, regexp.MustCompile(`^\bgithub_pat_[0-9A-Za-z_]{22,}`), nil},
	{"gitlab-token", []string{"glpat-"}, regexp.MustCompile(`^\bglpat-[0-9A-Za-z_-]{20,}`), nil},
	{"slack-token", []string{"xox"}, regexp.MustCompile(`^\bxox[abeoprs]-[0-9A-Za-z-]{10,}`), nil},
	{"google-key", []string{"AIza"}, regexp.MustCompile(`^\bAIza[0-9A-Za-z_-]{35}`), nil},
	{"stripe-key", []string{"rk_live_", "sk_live_"}, regexp.MustCompile(`^\b[rs]k_live_[0-9A-Za-z]{16,}`), nil},
	{"sendgrid-key", []string{"SG."}, regexp.MustCompile(`^\bSG\.[0-9A-Za-z_-]{22}\.[0-9A-Za-z_-]{43}`), nil},
	{"npm-token", []string{"npm_"}, regexp.MustCompile(`^\bnpm_[0-9A-Za-z]{36}\b`), nil},
	{"pypi-token", []string{"pypi-"}, regexp.MustCompile(`^\bpypi-[0-9A-Za-z_-]{50,}`), nil},
	{"huggingface-token", []string{"hf_"}, regexp.MustCompile(`^\bhf_[0-9A-Za-z]{30,}`), nil},
	{"azure-key", []string{"AccountKey="}, regexp.MustCompile(`^\bAccountKey=([0-9A-Za-z+/]{80,}={0,2})`), nil},
	{"jwt", []string{".eyJ"}, regexp.MustCompile(`\beyJ[0-9A-Za-z_-]{10,}\.eyJ[0-9A-Za-z_-]{10,}\.[0-9A-Za-z_-]{10,}`), nil},
	{"url-password", []string{"://"}, regexp.MustCompile(`://[^\s:/@"'<>]{1,64}:([^\s:/@"'<>]{3,128})@`), noPlaceholder},
	{"slack-webhook", []string{"hooks.slack.com/"}, regexp.MustCompile(`^\bhooks\.slack\.com/(?:services|triggers|workflows)/([0-9A-Za-z/+]{24,})`), nil},
	{"google-client-secret", []string{"GOCSPX-"}, regexp.MustCompile(`^\bGOCSPX-[0-9A-Za-z_-]{28}`), nil},
	{"digitalocean-token", []string{"doo_v1_", "dop_v1_", "dor_v1_"}, regexp.MustCompile(`^\bdo[opr]_v1_[0-9a-f]{64}\b`), nil},
	{"shopify-token", []string{"shpat_", "shpca_", "shppa_", "shpss_"}, regexp.MustCompile(`^\bshp(?:at|ca|pa|ss)_[0-9A-Fa-f]{32}\b`), nil},
	{"age-key", []string{"AGE-SECRET-KEY-1"}, regexp.MustCompile(`^\bAGE-SECRET-KEY-1[0-9A-Z]{58}\b`), nil},
	{"vault-token", []string{"hvb.", "hvr.", "hvs."}, regexp.MustCompile(`^\bhv[brs]\.[0-9A-Za-z_-]{24,}`), nil},
	{"terraform-token", []string{".atlasv1."}, regexp.MustCompile(`\b[0-9A-Za-z]{14}\.atlasv1\.[0-9A-Za-z_=-]{60,}`), nil},
	{"telegram-token", []string{":AA"}, regexp.MustCompile(`\b[0-9]{8,10}:AA[0-9A-Za-z_-]{33}`), nil},
	{"discord-token", []string{"iscord", "ISCORD"}, regexp.MustCompile(`\b[MNO][0-9A-Za-z_-]{23,27}\.[0-9A-Za-z_-]{6}\.[0-9A-Za-z_-]{27,38}`), nil},
	{"twilio-key", []string{"SK"}, regexp.MustCompile(`^\bSK[0-9a-f]{32}\b`), nil},
	{"mailgun-key", []string{"key-"}, regexp.MustCompile(`^\bkey-[0-9a-f]{32}\b`), nil},
	{"azure-signature", []string{"sig="}, regexp.MustCompile(`[?&;]sig=([0-9A-Za-z%+/=]{43,})`), nil},
	{"private-key", []string{"Private-Lines:"}, regexp.MustCompile(`\bPrivate-Lines: [0-9]+\s+((?:[^\n]{0,32}?[0-9A-Za-z+/=]{4,}\s*\n)*?[^\n]{0,32}?[0-9A-Za-z+/=]{4,})\s+[^\n]{0,32}?Private-MAC:`), nil},
	{"docker-auth", []string{`"auth"`}, regexp.MustCompile(`"auth"\s{0,8}:\s{0,8}"([0-9A-Za-z+/]{8,}={0,2})"`), pairInBase64},
	{"authorization", []string{"uthorization", "UTHORIZATION"}, regexp.MustCompile(`^(?i:uthorization)["']?\s{0,8}[:=,]\s{0,8}["']?(?i:bearer)\s+([0-9A-Za-z._~+/-]{20,}=*)`), hasDigit},
	{"authorization", []string{"uthorization", "UTHORIZATION"}, regexp.MustCompile(`^(?i:uthorization)["']?\s{0,8}[:=,]\s{0,8}["']?(?i:basic)\s+([0-9A-Za-z+/]{8,}={0,2})`), pairInBase64},
	{"basic-password", []string{"curl"}, regexp.MustCompile(`^\bcurl\b[^\n]{0,256}?\s(?:-u|--user)[ =]?["']?[^\s:"'$]{1,64}:([^\s"']{3,128})`), noPlaceholder},
	{"netrc-password", []string{"machine"}, regexp.MustCompile(`^\bmachine\s+\S+[\s#>;*%|/-]+login\s+\S+[\s#>;*%|/-]+password\s+(\S+)`), noPlaceholder},
	{"pgpass-password", []string{":5432:"}, regexp.MustCompile(`(?m)^(?:[^\w\n]{0,16}[^\S\n])?[^\s:#]+:5432:[^\s:]+:[^\s:]+:(\S{3,})$`), noPlaceholder},
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
	if strings.ContainsAny(password, "${}%*") {
		return false
	}
	return !slices.Contains([]string{"pass", "passwd", "password", "pwd", "secret", "token", "example", "changeme", "xxx"}, strings.ToLower(password))
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
	for _, s := range shapes {
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
