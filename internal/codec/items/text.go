package items

import "github.com/wirekit/wirekit/internal/base/scan"

// isASCII reports whether s is short and has only characters of ASCII, as most texts.
func isASCII(s string) bool {
	const short = 32
	n := len(s)
	switch {
	case n > short:
		return false
	case n >= 8:
		w := scan.Load64(s, n-8)
		for i := 0; i < n-8; i += 8 {
			w |= scan.Load64(s, i)
		}
		return w&scan.Highs == 0
	case n >= 4:
		return (scan.Load32(s, 0)|scan.Load32(s, n-4))&(scan.Highs>>32) == 0
	}
	var all byte
	for i := range n {
		all |= s[i]
	}
	return all < 0x80
}
