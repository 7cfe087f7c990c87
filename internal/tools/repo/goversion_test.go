package repo

import (
	"go/version"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLowestGo: go.mod asks for no newer Go than its dependencies do, and the
// other places say the same. What the code uses of the language and of the
// standard library is held to that version by the compiler and by go vet.
func TestLowestGo(t *testing.T) {
	lowest := regexp.MustCompile(`(?m)^go (\S+)$`).FindStringSubmatch(read(t, "go.mod"))[1]
	out, err := exec.Command("go", "list", "-m", "-f", "{{if not .Main}}{{.GoVersion}}{{end}}", "all").CombinedOutput()
	require.NoError(t, err, string(out))
	demanded := "go1"
	for _, v := range strings.Fields(string(out)) {
		if version.Compare("go"+v, demanded) > 0 {
			demanded = "go" + v
		}
	}
	require.Equal(t, version.Lang(demanded), version.Lang("go"+lowest), "the dependencies demand %s", demanded)

	short := strings.TrimPrefix(version.Lang("go"+lowest), "go")
	require.Contains(t, read(t, "CONTRIBUTING.md"), "Go "+short+" or later")
	require.Contains(t, read(t, "README.md"), "Go "+short+" or later")
}
