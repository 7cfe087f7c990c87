package yaml

import (
	"bytes"
	"strings"

	"go.yaml.in/yaml/v4"
)

// comment returns the line of the first comment of a text, 0 if there is none before
// something that is not YAML.
func comment(src []byte) int {
	d := Codec{}.decoder(src)
	for p, err := range d.pieces() {
		head, _ := headOf(src[p.from:p.to])
		if at := bytes.IndexByte(src[p.from:p.from+head], '#'); at >= 0 {
			return lineOf(src, p.from+at)
		}
		if err != nil {
			return 0
		}
		if !p.exists() {
			continue
		}
		root, err := d.load(p)
		if err != nil {
			return 0
		}
		if line := commentBelow(root); line > 0 {
			return lineOf(src, d.offset(line, 1))
		}
		if bytes.IndexByte(src[p.to:p.next], '#') >= 0 {
			return lineOf(src, p.to)
		}
	}
	return 0
}

func lineOf(src []byte, at int) int { return 1 + bytes.Count(src[:at], []byte{'\n'}) }

func commentBelow(n *yaml.Node) int {
	if n.HeadComment+n.LineComment+n.FootComment != "" {
		return max(1, n.Line-strings.Count(n.HeadComment, "\n")-min(1, len(n.HeadComment)))
	}
	for _, child := range n.Content {
		if line := commentBelow(child); line > 0 {
			return line
		}
	}
	return 0
}
