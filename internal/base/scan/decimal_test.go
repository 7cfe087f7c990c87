package scan_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/base/scan"
)

// TestDecimal compares Decimal with Number, for what numbers begin with and every
// length of their parts, near the end of the text and not.
func TestDecimal(t *testing.T) {
	digits := strings.Repeat("1234567890", 4)
	texts := []string{"-", ".5", "1.", "-1.", "0.", "-0.", "00", "-00", "007", "0.x", "x", "--1", "1-2", "+1", " 1"}
	for _, sign := range []string{"", "-"} {
		for whole := range 21 {
			texts = append(texts, sign+digits[:whole], sign+"0"+digits[:whole], sign+digits[1:1+whole]+".0")
			for fraction := range 27 {
				texts = append(texts, sign+digits[:whole]+"."+digits[:fraction])
			}
		}
	}
	for _, text := range texts {
		for _, behind := range []string{"", ",", "\n", "x,2.5", "e5", ",1234567890123456", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"} {
			s := text + behind
			if s == "" {
				continue
			}
			n, end, whole := scan.Decimal(s, 0)
			want := scan.Number(text)
			digits := strings.TrimPrefix(text[:want], "-")
			fraction := strings.Contains(digits, ".")
			if want < len(text) && (text[want] == '.' || text[want]-'0' <= 9) || !fraction && (len(digits) > 18 || text[:want] == "-0") {
				want = 0
			}
			if want == 0 {
				require.Equal(t, -1, end, "%q", s)
				continue
			}
			require.Equal(t, want, end, "%q", s)
			require.Equal(t, !fraction, whole, "%q", s)
			if whole {
				value, err := strconv.ParseInt(text[:want], 10, 64)
				require.NoError(t, err)
				require.Equal(t, value, n, "%q", s)
			}
		}
	}
}
