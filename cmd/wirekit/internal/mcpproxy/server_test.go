package mcpproxy_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// serverVariable makes the test's own program a server of that kind.
const serverVariable = "WIREKIT_TEST_SERVER"

func TestMain(m *testing.M) {
	switch kind := os.Getenv(serverVariable); kind {
	case "":
		os.Exit(m.Run())
	case "exit":
		fmt.Println(`{"jsonrpc":"2.0","method":"notifications/message"}`)
		os.Exit(7)
	case "hang":
		fmt.Println("ready")
		time.Sleep(time.Hour) // not select: without other goroutines that is a deadlock
	case "stall":
		fmt.Scanln()
		fmt.Println(`{"jsonrpc":"2.0","id":0,"result":{}}`)
		time.Sleep(time.Hour)
	case "garbage":
		_, _ = os.Stdout.Write([]byte("not JSON\n\x00\xff\xfe\n{\"id\":1,\n\n[[[\n\"no end"))
	case "linger":
		linger()
	case "child":
		time.Sleep(time.Minute)
	default:
		serve(kind)
	}
}

// linger ends and leaves a process behind that keeps the output open.
func linger() {
	self, _ := os.Executable()
	child := exec.Command(self)
	child.Env = append(os.Environ(), serverVariable+"=child")
	child.Stdout = os.Stdout
	if err := child.Start(); err != nil {
		panic(err)
	}
	fmt.Println("last words")
}

// serve answers tools/call with what the arguments ask for. The kind shuffle
// answers a thousand requests in any order once all are there; talk says
// something of its own before each answer.
func serve(kind string) {
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	var answers []string
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		var request struct {
			ID     json.RawMessage
			Method string
			Params struct {
				Name      string
				Arguments struct{ Rows, Bytes int }
				Meta      struct{ ProgressToken json.RawMessage } `json:"_meta"`
			}
		}
		if json.Unmarshal(line, &request) != nil || request.ID == nil {
			continue
		}
		text := tableOf(string(request.ID), request.Params.Arguments.Rows)
		if n := request.Params.Arguments.Bytes; n > 0 {
			text = strings.Repeat("x", n)
		}
		quoted, _ := json.Marshal(text)
		answer := fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":%s}]}}`+"\n", request.ID, quoted)
		if request.Method == "initialize" {
			answer = strings.Replace(answer, `{"content"`, `{"protocolVersion":"3000-01-01","content"`, 1)
		}
		if token := request.Params.Meta.ProgressToken; token != nil {
			fmt.Printf(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s}}`+"\n", token)
		}
		if kind == "talk" && request.Params.Name == "t" {
			fmt.Println(`{"jsonrpc":"2.0","method":"notifications/message"}`)
		}
		if kind != "shuffle" {
			_, _ = io.WriteString(os.Stdout, answer)
			continue
		}
		if answers = append(answers, answer); len(answers) == 1000 {
			rand.Shuffle(len(answers), func(i, k int) { answers[i], answers[k] = answers[k], answers[i] })
			_, _ = io.WriteString(os.Stdout, strings.Join(answers, ""))
		}
	}
}

// tableOf returns rows that name the id of the request.
func tableOf(id string, rows int) string {
	list := make([]string, rows)
	for i := range list {
		quoted, _ := json.Marshal(id)
		list[i] = fmt.Sprintf(`{"id":12345678901234567890,"request":%s,"number":%d,"ratio":1.10,"zero":-0}`, quoted, i)
	}
	return "[" + strings.Join(list, ",") + "]"
}
