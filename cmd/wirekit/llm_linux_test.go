package main

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/testkit/resident"
)

// TestLLMMemory holds requests of a megabyte in the proxy at once, none of which is
// answered before the API has them all: 50 in 160 MB, and with WIREKIT_SOAK 500, each of
// them another, in a gigabyte.
func TestLLMMemory(t *testing.T) {
	if testing.Short() || resident.RaceEnabled {
		t.Skip("runs without -short and the race detector: it sends many megabytes")
	}
	requests, bodies, most := 50, 5, 160<<10
	if os.Getenv("WIREKIT_SOAK") != "" {
		requests, bodies, most = 500, 500, 1<<20
	}
	var all sync.WaitGroup
	all.Add(requests)
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		all.Done()
		all.Wait()
		_, _ = io.WriteString(w, "{}")
	}))
	defer api.Close()
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(self, "llm", "proxy", "--upstream", api.URL, "--listen", "127.0.0.1:0")
	cmd.Args[0] = "wirekit"
	notes, err := cmd.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	line, err := bufio.NewReader(notes).ReadString('\n')
	require.NoError(t, err)
	at := strings.Fields(line)[2] + "v1/chat/completions"
	client := &http.Client{Transport: &http.Transport{}}
	var sent sync.WaitGroup
	for n := range requests {
		sent.Go(func() {
			resp, err := client.Post(at, "application/json", strings.NewReader(megabyte(n%bodies)))
			if err != nil || resp.StatusCode != http.StatusOK {
				t.Error(err)
				all.Done()
				return
			}
			_ = resp.Body.Close()
		})
	}
	sent.Wait()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", cmd.Process.Pid))
	require.NoError(t, err)
	peak, err := strconv.Atoi(regexp.MustCompile(`VmHWM:\s+(\d+) kB`).FindStringSubmatch(string(status))[1])
	require.NoError(t, err)
	t.Logf("%d MB at most", peak>>10)
	require.Less(t, peak, most, "kilobytes")
	require.NoError(t, cmd.Process.Signal(os.Interrupt))
	_, _ = io.Copy(io.Discard, notes)
	require.NoError(t, cmd.Wait())
}

// megabyte is a request of that length with twenty results of a tool.
func megabyte(n int) string {
	var b strings.Builder
	b.WriteString(`{"model":"m","messages":[`)
	for i := range 20 {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"role":"tool","content":"[{\"salt\":\"%d-%d\",\"id\":0}`, n, i)
		for row := 1; b.Len() < (i+1)*(1<<20)/20-100; row++ {
			fmt.Fprintf(&b, `,{\"salt\":\"%d-%d\",\"id\":%d,\"name\":\"row %d\",\"note\":\"%x\"}`, n, i, row, row, row*7919*(n+1))
		}
		b.WriteString(`]"}`)
	}
	return b.String() + "]}"
}
