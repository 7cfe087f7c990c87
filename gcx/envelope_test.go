package gcx_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit/gcx"
	"github.com/wirekit/wirekit/internal/codectest"
	"github.com/wirekit/wirekit/wire"
)

const (
	definitionsHeader = "GCX1 tool=tool_definitions fields=name,scope\n"
	requestHeader     = "GCX1 tool=tool_request fields=tool,scope,repo\n"
	errorHeader       = "GCX1 tool=error fields=code,message,detail\n"
)

func TestToolDefinitions(t *testing.T) {
	definitions := []gcx.ToolDefinition{{"list_repos", gcx.ScopeWorkspace}, {"audit_agent_config", gcx.ScopeFanOut}, {"find_usages", gcx.ScopeRepo}}
	got, err := gcx.Codec{}.AppendToolDefinitions(nil, definitions)
	require.NoError(t, err)
	require.Equal(t, definitionsHeader+"audit_agent_config\tfan-out\nfind_usages\trepo\nlist_repos\tworkspace\n", string(got))
	require.Equal(t, "list_repos", definitions[0].Name, "the caller's list is left alone")
	back, err := gcx.Codec{}.DecodeToolDefinitions(got)
	require.NoError(t, err)
	again, err := gcx.Codec{}.AppendToolDefinitions(nil, back)
	require.NoError(t, err)
	require.Equal(t, got, again)
	for name, bad := range map[string][]gcx.ToolDefinition{
		"no scope": {{"a", ""}}, "case": {{"a", "Repo"}}, "spelling": {{"a", "fanout"}}, "no name": {{"", "repo"}}, "twice": {{"a", "repo"}, {"a", "repo"}},
	} {
		_, err := gcx.Codec{}.AppendToolDefinitions(nil, bad)
		require.Error(t, err, name)
	}
	for _, test := range []struct {
		name, payload, code string
		n                   int
	}{
		{name: "unsorted", payload: definitionsHeader + "b\trepo\na\trepo\n", n: 2},
		{name: "further columns", payload: "GCX1 tool=tool_definitions fields=scope,since,name\nrepo\t1\ta\n", n: 1},
		{name: "none", payload: definitionsHeader, n: 0},
		{name: "no column scope", payload: "GCX1 tool=tool_definitions fields=name\na\n", code: "missing_column"},
		{name: "empty scope", payload: definitionsHeader + "a\t\n", code: "invalid_scope"},
		{name: "scope omitted", payload: definitionsHeader + "a\n", code: "invalid_scope"},
		{name: "unknown scope", payload: definitionsHeader + "a\tall\n", code: "invalid_scope"},
		{name: "twice", payload: definitionsHeader + "a\trepo\na\trepo\n", code: "duplicate_name"},
		{name: "no name", payload: definitionsHeader + "\trepo\n", code: "missing_name"},
		{name: "another tool", payload: errorHeader + "a\tb\tc\n", code: "other_tool"},
		{name: "two sections", payload: definitionsHeader + "a\trepo\n" + definitionsHeader, code: "other_tool"},
	} {
		got, err := gcx.Codec{}.DecodeToolDefinitions([]byte(test.payload))
		if test.code != "" {
			codectest.Refused(t, err, test.code, nil)
			continue
		}
		require.NoError(t, err, test.name)
		require.Len(t, got, test.n, test.name)
	}
}

func TestToolRequest(t *testing.T) {
	for _, test := range []struct {
		name    string
		request gcx.ToolRequest
		want    string // the row, or
		code    string
	}{
		{"repo", gcx.ToolRequest{Tool: "find_usages", Scope: "repo", Repo: "gortex"}, "find_usages\trepo\tgortex\n", ""},
		{"repo that looks like a list", gcx.ToolRequest{Tool: "t", Scope: "repo", Repo: "[x"}, "t\trepo\t[x\n", ""},
		{"workspace", gcx.ToolRequest{Tool: "list_repos", Scope: "workspace"}, "list_repos\tworkspace\t\n", ""},
		{"every repo", gcx.ToolRequest{Tool: "audit_agent_config", Scope: "fan-out", Repos: []string{"*"}}, "audit_agent_config\tfan-out\t[\"*\"]\n", ""},
		{"named repos", gcx.ToolRequest{Tool: "audit_agent_config", Scope: "fan-out", Repos: []string{"gortex", "gortex-cloud"}},
			"audit_agent_config\tfan-out\t[\"gortex\",\"gortex-cloud\"]\n", ""},
		{"quotation mark", gcx.ToolRequest{Tool: "t", Scope: "fan-out", Repos: []string{"a\"b"}}, "t\tfan-out\t[\"a\\\\\"b\"]\n", ""},
		{"what JSON.stringify leaves alone", gcx.ToolRequest{Tool: "t", Scope: "fan-out", Repos: []string{"a<b>&\u2028\u2029\u007F/é"}}, "t\tfan-out\t[\"a<b>&\u2028\u2029\u007F/é\"]\n", ""},
		{"what JSON.stringify escapes", gcx.ToolRequest{Tool: "t", Scope: "fan-out", Repos: []string{"\b\f\n\r\t\x01\x1f"}},
			"t\tfan-out\t[\"\\\\b\\\\f\\\\n\\\\r\\\\t\\\\u0001\\\\u001f\"]\n", ""},
		{"repo without a name", gcx.ToolRequest{Tool: "t", Scope: "repo"}, "", gcx.ErrCodeMissingRepo},
		{"repo with a list", gcx.ToolRequest{Tool: "t", Scope: "repo", Repo: "a", Repos: []string{"b"}}, "", gcx.ErrCodeWrongRepoShape},
		{"workspace with a repo", gcx.ToolRequest{Tool: "t", Scope: "workspace", Repo: "a"}, "", gcx.ErrCodeWrongRepoShape},
		{"no list", gcx.ToolRequest{Tool: "t", Scope: "fan-out"}, "", gcx.ErrCodeMissingRepoList},
		{"empty list", gcx.ToolRequest{Tool: "t", Scope: "fan-out", Repos: []string{}}, "", gcx.ErrCodeMissingRepoList},
		{"empty name", gcx.ToolRequest{Tool: "t", Scope: "fan-out", Repos: []string{""}}, "", gcx.ErrCodeWrongRepoShape},
		{"every repo and one", gcx.ToolRequest{Tool: "t", Scope: "fan-out", Repos: []string{"*", "x"}}, "", gcx.ErrCodeWrongRepoShape},
		{"unknown scope", gcx.ToolRequest{Tool: "t", Scope: "all"}, "", "invalid_scope"},
		{"no tool", gcx.ToolRequest{Scope: "workspace"}, "", "missing_name"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := gcx.Codec{}.AppendToolRequest(nil, test.request)
			if test.code != "" {
				requireError(t, err, test.code, wire.ErrShape)
				return
			}
			require.NoError(t, err)
			require.Equal(t, requestHeader+test.want, string(got))
			back, err := gcx.Codec{}.DecodeToolRequest(got)
			require.NoError(t, err)
			require.Equal(t, test.request, back)
		})
	}
	for _, test := range []struct{ name, rows, code string }{
		{"workspace, cell omitted", "list_repos\tworkspace\n", ""},
		{"white space", "t\tfan-out\t[ \"a\" , \"b\" ]\n", ""},
		{"a name twice", "t\tfan-out\t[\"a\",\"b\",\"a\"]\n", ""},
		{"no row", "", "count_mismatch"},
		{"two rows", "a\trepo\tx\nb\trepo\tx\n", "count_mismatch"},
		{"repo without a name", "t\trepo\t\n", gcx.ErrCodeMissingRepo},
		{"workspace with a repo", "t\tworkspace\tx\n", gcx.ErrCodeRepoNotAllowed},
		{"fan-out without a list", "t\tfan-out\t\n", gcx.ErrCodeMissingRepoList},
		{"empty list", "t\tfan-out\t[]\n", gcx.ErrCodeMissingRepoList},
		{"a string", "t\tfan-out\t\"x\"\n", gcx.ErrCodeWrongRepoShape},
		{"a number in the list", "t\tfan-out\t[1]\n", gcx.ErrCodeWrongRepoShape},
		{"an empty name", "t\tfan-out\t[\"\"]\n", gcx.ErrCodeWrongRepoShape},
		{"every repo and one", "t\tfan-out\t[\"*\",\"x\"]\n", gcx.ErrCodeWrongRepoShape},
		{"no JSON", "t\tfan-out\t[x\n", gcx.ErrCodeWrongRepoShape},
		{"unknown scope", "t\tall\tx\n", "invalid_scope"},
	} {
		t.Run("decode "+test.name, func(t *testing.T) {
			got, err := gcx.Codec{}.DecodeToolRequest([]byte(requestHeader + test.rows))
			if test.code != "" {
				codectest.Refused(t, err, test.code, nil)
				require.Zero(t, got)
				return
			}
			require.NoError(t, err)
			if got.Scope == gcx.ScopeFanOut {
				require.Equal(t, []string{"a", "b"}, got.Repos)
			}
		})
	}
	_, err := gcx.Codec{}.DecodeToolRequest([]byte("GCX1 tool=tool_request fields=tool,scope\nt\tworkspace\n"))
	requireError(t, err, "missing_column", wire.ErrShape)
}

func TestToolError(t *testing.T) {
	for _, e := range []gcx.ToolError{
		{Code: gcx.ErrCodeUnknownRepo, Message: "no such repo: zeta"}, {Code: "of its own", Message: "two\nlines\tand a tab", Detail: "x"},
	} {
		got, err := gcx.Codec{}.AppendToolError(nil, e)
		require.NoError(t, err)
		back, err := gcx.Codec{}.DecodeToolError(got)
		require.NoError(t, err)
		require.Equal(t, e, back)
		require.Equal(t, e.Code+": "+e.Message, back.Error())
	}
	got, err := gcx.Codec{}.AppendToolError(nil, gcx.ToolError{Code: gcx.ErrCodeUnknownRepo, Message: "no such repo: zeta"})
	require.NoError(t, err)
	require.Equal(t, errorHeader+"unknown_repo\tno such repo: zeta\t\n", string(got))
	_, err = gcx.Codec{}.AppendToolError(nil, gcx.ToolError{Message: "x"})
	requireError(t, err, "missing_code", wire.ErrShape)
	_, err = gcx.Codec{}.DecodeToolError([]byte(errorHeader + "\tx\t\n"))
	requireError(t, err, "missing_code", wire.ErrShape)
	_, err = gcx.Codec{}.DecodeToolError([]byte(errorHeader))
	requireError(t, err, "count_mismatch", wire.ErrChecksum)
	require.Equal(t, []string{"unknown_repo", "missing_repo_list", "missing_repo", "repo_not_allowed", "wrong_repo_shape"},
		[]string{gcx.ErrCodeUnknownRepo, gcx.ErrCodeMissingRepoList, gcx.ErrCodeMissingRepo, gcx.ErrCodeRepoNotAllowed, gcx.ErrCodeWrongRepoShape})
}

func TestResolve(t *testing.T) {
	workspace := gcx.Workspace{Repos: []string{"gortex", "cloud"}}
	bound := gcx.Workspace{Repos: []string{"gortex"}, Bound: "gortex"}
	for _, test := range []struct {
		name  string
		scope gcx.Scope
		repo  string // JSON
		in    gcx.Workspace
		want  gcx.ToolRequest
		code  string
	}{
		{"repo", "repo", `"gortex"`, workspace, gcx.ToolRequest{Repo: "gortex"}, ""},
		{"repo omitted", "repo", `null`, workspace, gcx.ToolRequest{}, gcx.ErrCodeMissingRepo},
		{"repo omitted, bound", "repo", `null`, bound, gcx.ToolRequest{Repo: "gortex"}, ""},
		{"repo bound and named", "repo", `"a"`, gcx.Workspace{Bound: "a"}, gcx.ToolRequest{Repo: "a"}, ""},
		{"repo bound and another named", "repo", `"b"`, gcx.Workspace{Bound: "a"}, gcx.ToolRequest{}, gcx.ErrCodeUnknownRepo},
		{"repo empty", "repo", `""`, bound, gcx.ToolRequest{}, gcx.ErrCodeMissingRepo},
		{"repo unknown", "repo", `"zeta"`, workspace, gcx.ToolRequest{}, gcx.ErrCodeUnknownRepo},
		{"repo as a list", "repo", `["gortex"]`, workspace, gcx.ToolRequest{}, gcx.ErrCodeWrongRepoShape},
		{"repo as a number", "repo", `1`, workspace, gcx.ToolRequest{}, gcx.ErrCodeWrongRepoShape},
		{"workspace", "workspace", `null`, workspace, gcx.ToolRequest{}, ""},
		{"workspace with a repo", "workspace", `"gortex"`, workspace, gcx.ToolRequest{}, gcx.ErrCodeRepoNotAllowed},
		{"workspace with every repo", "workspace", `["*"]`, workspace, gcx.ToolRequest{}, gcx.ErrCodeRepoNotAllowed},
		{"workspace with nothing in it", "workspace", `""`, workspace, gcx.ToolRequest{}, gcx.ErrCodeRepoNotAllowed},
		{"every repo", "fan-out", `["*"]`, workspace, gcx.ToolRequest{Repos: []string{"*"}}, ""},
		{"some repos", "fan-out", `["cloud","gortex","cloud"]`, workspace, gcx.ToolRequest{Repos: []string{"cloud", "gortex"}}, ""},
		{"list omitted", "fan-out", `null`, workspace, gcx.ToolRequest{}, gcx.ErrCodeMissingRepoList},
		{"list omitted, bound", "fan-out", `null`, bound, gcx.ToolRequest{Repos: []string{"gortex"}}, ""},
		{"list of the bound one", "fan-out", `["a"]`, gcx.Workspace{Bound: "a"}, gcx.ToolRequest{Repos: []string{"a"}}, ""},
		{"empty list", "fan-out", `[]`, workspace, gcx.ToolRequest{}, gcx.ErrCodeMissingRepoList},
		{"a string", "fan-out", `"gortex"`, workspace, gcx.ToolRequest{}, gcx.ErrCodeWrongRepoShape},
		{"a number in the list", "fan-out", `["gortex",1]`, workspace, gcx.ToolRequest{}, gcx.ErrCodeWrongRepoShape},
		{"an empty name", "fan-out", `[""]`, workspace, gcx.ToolRequest{}, gcx.ErrCodeWrongRepoShape},
		{"every repo and one", "fan-out", `["*","gortex"]`, workspace, gcx.ToolRequest{}, gcx.ErrCodeWrongRepoShape},
		{"an unknown name", "fan-out", `["gortex","zeta"]`, workspace, gcx.ToolRequest{}, gcx.ErrCodeUnknownRepo},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := gcx.Resolve(gcx.ToolDefinition{Name: "t", Scope: test.scope}, parse(t, test.repo), test.in)
			if test.code != "" {
				var e *gcx.ToolError
				require.ErrorAs(t, err, &e)
				require.Equal(t, test.code, e.Code)
				_, err := gcx.Codec{}.AppendToolError(nil, *e)
				require.NoError(t, err)
				return
			}
			require.NoError(t, err)
			test.want.Tool, test.want.Scope = "t", test.scope
			require.Equal(t, test.want, got)
			_, err = gcx.Codec{}.AppendToolRequest(nil, got)
			require.NoError(t, err)
		})
	}
	_, err := gcx.Resolve(gcx.ToolDefinition{Name: "t", Scope: "all"}, wire.Null(), workspace)
	var e *gcx.ToolError
	require.False(t, errors.As(err, &e))
	requireError(t, err, "invalid_scope", wire.ErrShape)
}
