package audit

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/wirekit/wirekit/internal/testkit/payload"
	"github.com/wirekit/wirekit/wire"
)

// transcript returns about size bytes of a transcript as Claude Code writes it: each
// result is in a line twice, as it is sent and as the tool gave it. A third of the results
// are logs, a fifth files of a program, and a tenth answers of servers as JSON; the others
// are short, or repeat an earlier one.
func transcript(seed uint64, size int) []byte {
	r := rand.New(rand.NewPCG(seed, 1))
	answers := payload.All()
	var out bytes.Buffer
	var earlier []string
	for i := 0; out.Len() < size; i++ {
		tool, text := "Bash", "ok"
		switch n := r.IntN(30); {
		case n < 10:
			text = logText(r, 10+r.IntN(60))
		case n < 16:
			tool, text = "Read", codeText(r, 20+r.IntN(100))
		case n < 19:
			tool, text = "mcp__server__list", fmt.Sprintf(`{"page":%d,"data":%s}`, r.IntN(1e6), answers[r.IntN(len(answers))].JSON)
		case n < 22 && len(earlier) > 0:
			text = earlier[r.IntN(len(earlier))]
		}
		if len(earlier) < 50 {
			earlier = append(earlier, text)
		}
		head := `"isSidechain":false,"userType":"external","cwd":"/home/ada/app","sessionId":"s1","version":"2.1.126","gitBranch":"main"`
		fmt.Fprintf(&out, `{%s,"type":"assistant","message":{"id":"msg_%d","type":"message","role":"assistant","model":"m","content":[{"type":"tool_use","id":"toolu_%d","name":%q,"input":{"n":%d}}],"usage":{"input_tokens":5,"cache_creation_input_tokens":500,"cache_read_input_tokens":%d}},"uuid":"a%d"}`+"\n",
			head, i, i, tool, i, 10000+500*i, i)
		quoted := wire.AppendJSON(nil, wire.String(text))
		fmt.Fprintf(&out, `{%s,"type":"user","message":{"role":"user","content":[{"tool_use_id":"toolu_%d","type":"tool_result","content":%s}]},"uuid":"u%d","toolUseResult":{"stdout":%s,"stderr":"","interrupted":false}}`+"\n",
			head, i, quoted, i, quoted)
	}
	return out.Bytes()
}

func random() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) }

func logText(r *rand.Rand, lines int) string {
	var b strings.Builder
	for i := range lines {
		fmt.Fprintf(&b, "2026-11-02T10:%02d:%02d.%03dZ INFO server/http.go:88 request handled method=GET path=/api/items/%d status=%d duration=%dms\n",
			i/60, i%60, r.IntN(1000), r.IntN(1e6), 200+r.IntN(3), r.IntN(900))
	}
	return b.String()
}

func codeText(r *rand.Rand, lines int) string {
	var b strings.Builder
	for i := range lines {
		fmt.Fprintf(&b, "%6d→\tif value%d := compute(%d, table[%d]); value%d > 0 {\n", i+1, r.IntN(1e4), r.IntN(1e4), i, r.IntN(100))
	}
	return b.String()
}
