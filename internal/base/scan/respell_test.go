package scan_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/base/scan"
)

func TestRespell(t *testing.T) {
	for s, want := range map[string]string{
		"1": "1", "-0.50": "-0.50", "1E5": "1E5", "+1": "1", "007": "7", "-00.1": "-0.1", "00": "0", "-0": "-0", "+0": "0",
		".5": "0.5", "-.5e1": "-0.5e1", "1.": "1", "-1.": "-1", "1.e5": "1e5", "1.50": "1.50", "+.5E-3": "0.5E-3",
		"": "", "-": "", "+": "", ".": "", "-.": "", ".e5": "", "+-1": "", "-+1": "", "1e": "", "1.5.5": "", "1..5": "", "1.-5": "", " 1": "", "1 ": "", "e1": "", "0x1": "",
	} {
		text, ok := scan.Respell(s)
		require.Equal(t, want != "", ok, s)
		if ok {
			require.Equal(t, want, text, s)
		}
	}
}
