package packview

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/playground"
	"github.com/wirekit/wirekit/wire"
)

func ask(t *testing.T, e *playground.Engine, head, body string) (wire.Value, string) {
	t.Helper()
	out := e.Do([]byte(head), []byte(body))
	n := binary.LittleEndian.Uint32(out)
	v, err := wire.ParseJSON(out[4 : 4+n])
	require.NoError(t, err)
	return v, string(out[4+n:])
}

// TestPack packs files and renders them within budgets: the file of high priority
// stays longest.
func TestPack(t *testing.T) {
	e := Engine()
	answer, _ := ask(t, e, `{"op":"pack","files":[{"path":"a [1].txt","bytes":600,"priority":"low"},{"path":"b/c.txt","bytes":8,"priority":"high"},{"path":"yarn.lock","bytes":1}]}`, strings.Repeat("hello\n", 100)+"worlds!\nx")
	require.Equal(t, `[{"path":"a [1].txt","bytes":600,"priority":"low","why":"documentation, low by \"/a\\\\ \\\\[1].txt\""},{"path":"b/c.txt","bytes":8,"priority":"high","why":"documentation, high by \"/b/c.txt\""}]`, member(answer, "files"))
	require.Equal(t, `[{"path":"yarn.lock","reason":"lock file"}]`, member(answer, "skipped"))
	answer, text := ask(t, e, `{"op":"render","mode":"markdown"}`, "")
	require.Contains(t, text, "hello")
	require.Equal(t, `[{"path":"a [1].txt","level":"full"},{"path":"b/c.txt","level":"full"}]`, member(answer, "files"))
	all, _ := answer.Get("tokens")
	n, _ := all.Int64()
	_, text = ask(t, e, `{"op":"render","mode":"markdown","budget":`+wire.Int(n-1).String()+`}`, "")
	require.NotContains(t, text, "hello")
	require.Contains(t, text, "worlds!")
	answer, _ = ask(t, e, `{"op":"render","budget":0}`, "")
	_, failed := answer.Get("error")
	require.True(t, failed)
}

func TestPackErrors(t *testing.T) {
	for head, want := range map[string]string{
		`{"op":"render"}`:           "there is no pack",
		`{"op":"pack"}`:             "pack needs files",
		`{"op":"pack","files":[1]}`: "a file is an object",
		`{"op":"pack","files":[{"path":"a","bytes":9}]}`:                        "as many bytes",
		`{"op":"pack","files":[{"path":"../a","bytes":0}]}`:                     "not a file's path",
		`{"op":"pack","files":[{"path":"a","bytes":0},{"path":"a","bytes":0}]}`: "two files",
		`{"op":"pack","files":[{"path":"a","bytes":0,"priority":"x"}]}`:         "priority",
	} {
		answer, _ := ask(t, Engine(), head, "")
		require.Contains(t, member(answer, "error"), want, head)
	}
}

func member(v wire.Value, name string) string {
	m, _ := v.Get(name)
	return m.String()
}
