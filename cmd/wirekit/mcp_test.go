package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// mcpServer is a server for scripts: it answers tools/call with as many rows as
// the name of the tool says, and ends with the code that its argument is.
func mcpServer() {
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		var request struct {
			ID     json.RawMessage
			Method string
			Params struct{ Name string }
		}
		if json.Unmarshal(in.Bytes(), &request) != nil || request.ID == nil {
			continue
		}
		result := `{"tools":[{"name":"rows_40","inputSchema":{"type":"object"},"outputSchema":{"type":"array"}}]}`
		if request.Method == "tools/call" {
			_, number, _ := strings.Cut(request.Params.Name, "_")
			n, _ := strconv.Atoi(number)
			var rows []string
			for i := range n {
				rows = append(rows, fmt.Sprintf(`{"id":%d,"name":"row","url":"https://example.org/%d"}`, i, i))
			}
			data := "[" + strings.Join(rows, ",") + "]"
			quoted, _ := json.Marshal(data)
			result = `{"content":[{"type":"text","text":` + string(quoted) + `}],"structuredContent":` + data + `}`
		}
		fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", request.ID, result)
	}
	if len(os.Args) > 1 {
		code, _ := strconv.Atoi(os.Args[1])
		os.Exit(code)
	}
}
