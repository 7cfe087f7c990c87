package lines_test

import (
	"bytes"
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// decodeByDocument decodes in the way that docs/lines.md puts it, sentence by
// sentence, and shares nothing with the package.
func decodeByDocument(text []byte) ([]byte, error) {
	head, rest, ok := strings.Cut(string(text), "\n")
	if !ok {
		return nil, errors.New("no line feed after the head")
	}
	m := headForm.FindStringSubmatch(head)
	if m == nil {
		return nil, errors.New("no head")
	}
	sigil, heading, repeat := m[1], m[4], m[5]
	marks := strings.Split(sigil+heading+repeat, "")
	slices.Sort(marks)
	if sigil != m[2] || repeat != m[6] || len(marks) == 0 || len(slices.Compact(slices.Clone(marks))) < len(marks) {
		return nil, errors.New("marks")
	}

	legend := map[string]string{}
	if sigil != "" {
		n, err := strconv.Atoi(m[3])
		if err != nil {
			return nil, err
		}
		for i := 1; i <= n; i++ {
			entry, after, ok := strings.Cut(rest, "\n")
			name := sigil + strconv.Itoa(i)
			phrase, found := strings.CutPrefix(entry, name+"=")
			if !ok || !found || phrase == "" {
				return nil, errors.New("entry " + name)
			}
			legend[name], rest = phrase, after
		}
	}

	body, ended := strings.CutSuffix(rest, "\n")
	var out []string
	type block struct{ from, to int }
	var blocks []block
	prefix, dangling := "", false
	for _, item := range strings.Split(body, "\n") {
		dangling = false
		switch {
		case item == "":
			out = append(out, "")
		case heading != "" && strings.HasPrefix(item, heading):
			prefix, dangling = item[1:], true
		case repeat != "" && strings.HasPrefix(item, repeat):
			m := repeatForm.FindStringSubmatch(item[1:])
			if m == nil {
				return nil, errors.New("item " + item)
			}
			number := func(s string, missing int) int {
				if s == "" {
					return missing
				}
				n, _ := strconv.Atoi(s)
				return n
			}
			if m[2] != "" {
				if number(m[1], 0) != len(blocks)+1 {
					return nil, errors.New("block " + item)
				}
				blocks = append(blocks, block{len(out), len(out) + number(m[2], 0)})
				break
			}
			b := block{len(out) - 1, len(out)}
			if m[3]+m[5] == "" {
				return nil, errors.New("item " + item)
			}
			if n := number(m[3], 0); n > len(blocks) {
				return nil, errors.New("block " + item)
			} else if n > 0 {
				b = blocks[n-1]
			}
			times := number(m[4]+m[5], 1)
			if b.from < 0 || b.to > len(out) || times*(b.to-b.from) > 1<<20 {
				return nil, errors.New("item " + item)
			}
			again := slices.Clone(out[b.from:b.to])
			for range times {
				out = append(out, again...)
			}
		default:
			line := item
			if sigil != "" {
				var err error
				line = regexp.MustCompile(regexp.QuoteMeta(sigil)+`[0-9]+;?`).ReplaceAllStringFunc(item, func(ref string) string {
					phrase, ok := legend[strings.TrimSuffix(ref, ";")]
					if !ok {
						err = errors.New("reference " + ref)
					}
					return phrase
				})
				if err != nil {
					return nil, err
				}
			}
			out = append(out, prefix+line)
		}
	}
	if dangling {
		return nil, errors.New("heading without lines")
	}
	for _, b := range blocks {
		if b.to > len(out) {
			return nil, errors.New("block without lines")
		}
	}
	var text2 bytes.Buffer
	text2.WriteString(strings.Join(out, "\n"))
	if ended {
		text2.WriteByte('\n')
	}
	return text2.Bytes(), nil
}

// A mark is an ASCII character that is not a letter, digit, blank, comma or semicolon.
const markForm = `([!-+\--/:<-@\[-` + "`" + `{-~])`

var (
	headForm = regexp.MustCompile(`^lines v1` +
		`(?:; ` + markForm + `1 to ` + markForm + `([1-9][0-9]{0,8}) stand for the texts below)?` +
		`(?:; ` + markForm + `text begins the lines under it)?` +
		`(?:; ` + markForm + `1 repeats block 1, ` + markForm + `\*2 the line above twice)?$`)
	repeatForm = regexp.MustCompile(`^(?:([1-9][0-9]{0,8}), ([1-9][0-9]{0,8}) lines:|([1-9][0-9]{0,8})(?:\*([1-9][0-9]{0,8}))?|\*([1-9][0-9]{0,8}))$`)
)
