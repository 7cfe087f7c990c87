package serve

import (
	"encoding/json"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestServeArguments: what clients write for what a schema has, and what is none of it.
func TestServeArguments(t *testing.T) {
	dir := served(t)
	for _, same := range []struct{ tool, plain, others string }{
		{"pack", `{"budget":150,"paths":["web"],"format":"xml"}`, `{"budget":150.0,"paths":"web","format":"xml"}
			{"budget":"150","paths":"[\"web\"]","format":"xml","about":null}
			{"budget":1.5e2,"paths":" [ \"web\" ] ","format":"xml","focus":null}
			{"budget":" 150.00 ","paths":"web","format":"xml","focus":[],"about":""}
			"{\"budget\":150,\"paths\":\"web\",\"format\":\"xml\"}"`},
		{"pack", `{}`, `{"budget":null,"paths":null,"about":null,"focus":null,"format":null}
			{"budget":"","paths":"","about":"","focus":"[]","format":""}
			{"budget":8000,"paths":"."}
			null
			""
			"{}"
			{"budget":0}`},
		{"pack", `{"focus":["web/*.py"],"budget":300}`, `{"focus":"web/*.py","budget":3e2} {"focus":"[\"web/*.py\"]","budget":"3e2"}`},
		{"pack", `{"paths":["[vw]eb/*"]}`, `{"paths":"[vw]eb/*"}`},
		{"outline", `{"path":"web/a.py","budget":8000}`, `{"path":"web/a.py","budget":8000.000} {"path":"web/a.py"} {"path":"web/a.py","budget":"8000"} "{\"path\":\"web/a.py\"}"`},
		{"convert", `{"document":"{\"a\":[1,2.50]}","to":"json"}`, `{"document":{"a":[1,2.50]},"to":"json","path":null} {"document":"{\"a\":[1,2.50]}","to":"json","from":null,"at":null}`},
		{"convert", `{"document":"[1,2]","at":"/0","to":"json"}`, `{"document":[1,2],"at":"/0","to":"json"} {"document":[1,2],"at":"/0","to":"json","path":""}`},
		{"convert", `{"document":"12345678901234567890123","from":"json","to":"json"}`, `{"document":12345678901234567890123,"from":"json","to":"json"}`},
		{"convert", `{"document":"false","from":"json","to":"json"}`, `{"document":false,"from":"json","to":"json"}`},
		{"compare", `{"document":"[{\"a\":1},{\"a\":2}]"}`, `{"document":[{"a":1},{"a":2}]} {"document":"[{\"a\":1},{\"a\":2}]","path":null}`},
	} {
		want, failed := called(t, dir, same.tool, same.plain)
		require.False(t, failed, want)
		others := json.NewDecoder(strings.NewReader(same.others))
		for others.More() {
			var arguments json.RawMessage
			require.NoError(t, others.Decode(&arguments))
			text, failed := called(t, dir, same.tool, string(arguments))
			require.False(t, failed, "%s: %s", arguments, text)
			require.Equal(t, want, text, "%s", arguments)
		}
	}
	for _, c := range []struct{ tool, arguments, want string }{
		{"pack", `{"budget":150.5}`, "budget is a whole number from 100 to 200000"},
		{"pack", `{"budget":"many"}`, "budget is a whole number from 100 to 200000"},
		{"pack", `{"budget":"0x100"}`, "budget is a whole number from 100 to 200000"},
		{"pack", `{"budget":"NaN"}`, "budget is a whole number from 100 to 200000"},
		{"pack", `{"budget":1e400}`, "budget is a whole number from 100 to 200000"},
		{"pack", `{"budget":-150}`, "budget is a whole number from 100 to 200000"},
		{"outline", `{"path":".","budget":[150]}`, "budget is a whole number from 100 to 200000"},
		{"outline", `{"path":".","budget":true}`, "budget is a whole number from 100 to 200000"},
		{"pack", `{"paths":{"a":1}}`, "paths is a list of strings"},
		{"pack", `{"paths":[1]}`, "paths is a list of strings"},
		{"pack", `{"paths":["a",null]}`, "paths is a list of strings"},
		{"pack", `{"focus":5}`, "focus is a list of strings"},
		{"pack", `{"about":["a"]}`, "about is a string"},
		{"pack", `{"format":"pdf"}`, "format is one of xml, markdown, minimal"},
		{"pack", `{"format":1}`, "format is one of xml, markdown, minimal"},
		{"outline", `{"path":["a"]}`, "path is a string"},
		{"convert", `{"document":"[]","to":{}}`, "to is a string"},
		{"compare", `{"path":"rows.json","at":0}`, "at is a string"},
		{"compare", `{"file":"rows.json"}`, `compare has no argument "file"; its arguments are at, document, from, path`},
		{"pack", `[]`, "the arguments of pack are an object"},
		{"pack", `"paths"`, "the arguments of pack are an object"},
		{"pack", `5`, "the arguments of pack are an object"},
	} {
		text, failed := called(t, dir, c.tool, c.arguments)
		require.True(t, failed, "%s: %s", c.arguments, text)
		require.Equal(t, c.want, text, c.arguments)
	}
}

// TestServeAnyArgument: whatever is given to whichever argument of a tool, it is taken or
// refused in the words of the schema.
func TestServeAnyArgument(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	values := []string{`null`, `true`, `0`, `-1`, `150`, `150.0`, `1e3`, `99999999999999999999`, `1e999`, `""`, `"150"`, `"x"`, `"[]"`, `"[\"a\"]"`, `"[1]"`, `"{}"`, `[]`, `["a"]`, `[null]`, `[["a"]]`, `{}`, `{"a":[1]}`, `"\ud800"`, `"xml"`}
	words := regexp.MustCompile(`^(\w+ is (a string|a list of strings|a whole number from \d+ to \d+|one of [\w, ]+)|the arguments of \w+ are an object|\w+ has no argument .*)$`)
	require.Len(t, propertiesOf, 6)
	for tool, properties := range propertiesOf {
		require.NotEmpty(t, properties)
		for name, p := range properties {
			require.True(t, p.Type != "" || p.Enum != nil, "%s of %s has no type", name, tool)
			for _, value := range values {
				arguments := `{"` + name + `":` + value + `}`
				if other := values[r.IntN(len(values))]; r.IntN(4) == 0 {
					arguments = `{"` + name + `":` + value + `,"` + name + `x":` + other + `}`
				}
				text, err := fitted(tool, json.RawMessage(arguments))
				if err != nil {
					require.Regexp(t, words, err.Error(), "%s %s", tool, arguments)
					continue
				}
				require.NoError(t, json.Unmarshal(text, map[string]any{"pack": &packArguments{}, "outline": &outlineArguments{}, "grep": &grepArguments{}, "read": &readArguments{}, "convert": &convertArguments{}, "compare": &documentArguments{}}[tool]), "%s %s", tool, arguments)
			}
		}
	}
}
