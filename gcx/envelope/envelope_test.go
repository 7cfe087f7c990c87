package envelope_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit/gcx"
	"github.com/wirekit/wirekit/gcx/envelope"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/wire"
)

const (
	definitionsHeader = "GCX1 tool=tool_definitions fields=name,scope\n"
	requestHeader     = "GCX1 tool=tool_request fields=tool,scope,repo\n"
	errorHeader       = "GCX1 tool=error fields=code,message,detail\n"
)

func TestDefinitions(t *testing.T) {
	definitions := []envelope.Definition{{"list_repos", "workspace"}, {"audit_agent_config", "fan-out"}, {"find_usages", "repo"}}
	got, err := envelope.AppendDefinitions(nil, gcx.Codec{}, definitions)
	require.NoError(t, err)
	require.Equal(t, definitionsHeader+"audit_agent_config\tfan-out\nfind_usages\trepo\nlist_repos\tworkspace\n", string(got))
	require.Equal(t, "list_repos", definitions[0].Name, "the caller's list is left alone")
	for name, bad := range map[string][]envelope.Definition{
		"no scope": {{"a", ""}}, "case": {{"a", "Repo"}}, "spelling": {{"a", "fanout"}}, "no name": {{"", "repo"}}, "twice": {{"a", "repo"}, {"a", "repo"}},
	} {
		_, err := envelope.AppendDefinitions(nil, gcx.Codec{}, bad)
		require.Error(t, err, name)
	}
}

func TestRequest(t *testing.T) {
	for _, test := range []struct {
		name    string
		request envelope.Request
		want    string // the row, or
		code    string
	}{
		{"repo", envelope.Request{Tool: "find_usages", Scope: "repo", Repo: "gortex"}, "find_usages\trepo\tgortex\n", ""},
		{"repo that looks like a list", envelope.Request{Tool: "t", Scope: "repo", Repo: "[x"}, "t\trepo\t[x\n", ""},
		{"workspace", envelope.Request{Tool: "list_repos", Scope: "workspace"}, "list_repos\tworkspace\t\n", ""},
		{"every repo", envelope.Request{Tool: "audit_agent_config", Scope: "fan-out", Repos: []string{"*"}}, "audit_agent_config\tfan-out\t[\"*\"]\n", ""},
		{"named repos", envelope.Request{Tool: "audit_agent_config", Scope: "fan-out", Repos: []string{"gortex", "gortex-cloud"}},
			"audit_agent_config\tfan-out\t[\"gortex\",\"gortex-cloud\"]\n", ""},
		{"quotation mark", envelope.Request{Tool: "t", Scope: "fan-out", Repos: []string{"a\"b"}}, "t\tfan-out\t[\"a\\\\\"b\"]\n", ""},
		{"what JSON.stringify leaves alone", envelope.Request{Tool: "t", Scope: "fan-out", Repos: []string{"a<b>&\u2028\u2029\u007F/é"}}, "t\tfan-out\t[\"a<b>&\u2028\u2029\u007F/é\"]\n", ""},
		{"what JSON.stringify escapes", envelope.Request{Tool: "t", Scope: "fan-out", Repos: []string{"\b\f\n\r\t\x01\x1f"}},
			"t\tfan-out\t[\"\\\\b\\\\f\\\\n\\\\r\\\\t\\\\u0001\\\\u001f\"]\n", ""},
		{"repo without a name", envelope.Request{Tool: "t", Scope: "repo"}, "", gcx.ErrCodeMissingRepo},
		{"repo with a list", envelope.Request{Tool: "t", Scope: "repo", Repo: "a", Repos: []string{"b"}}, "", gcx.ErrCodeWrongRepoShape},
		{"workspace with a repo", envelope.Request{Tool: "t", Scope: "workspace", Repo: "a"}, "", gcx.ErrCodeWrongRepoShape},
		{"no list", envelope.Request{Tool: "t", Scope: "fan-out"}, "", gcx.ErrCodeMissingRepoList},
		{"empty list", envelope.Request{Tool: "t", Scope: "fan-out", Repos: []string{}}, "", gcx.ErrCodeMissingRepoList},
		{"empty name", envelope.Request{Tool: "t", Scope: "fan-out", Repos: []string{""}}, "", gcx.ErrCodeWrongRepoShape},
		{"every repo and one", envelope.Request{Tool: "t", Scope: "fan-out", Repos: []string{"*", "x"}}, "", gcx.ErrCodeWrongRepoShape},
		{"unknown scope", envelope.Request{Tool: "t", Scope: "all"}, "", "invalid_scope"},
		{"no tool", envelope.Request{Scope: "workspace"}, "", "missing_name"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := envelope.AppendRequest(nil, gcx.Codec{}, test.request)
			if test.code != "" {
				requireError(t, err, test.code, wire.ErrShape)
				return
			}
			require.NoError(t, err)
			require.Equal(t, requestHeader+test.want, string(got))
		})
	}
}

func TestError(t *testing.T) {
	for _, e := range []envelope.Error{
		{Code: gcx.ErrCodeUnknownRepo, Message: "no such repo: zeta"}, {Code: "of its own", Message: "two\nlines\tand a tab", Detail: "x"},
	} {
		got, err := envelope.AppendError(nil, gcx.Codec{}, e)
		require.NoError(t, err)
		back, err := gcx.Codec{}.DecodeSections(got)
		require.NoError(t, err)
		require.Equal(t, [][]string{{e.Code, e.Message, e.Detail}}, back[0].Rows)
		require.Equal(t, e.Code+": "+e.Message, e.Error())
	}
	got, err := envelope.AppendError(nil, gcx.Codec{}, envelope.Error{Code: gcx.ErrCodeUnknownRepo, Message: "no such repo: zeta"})
	require.NoError(t, err)
	require.Equal(t, errorHeader+"unknown_repo\tno such repo: zeta\t\n", string(got))
	_, err = envelope.AppendError(nil, gcx.Codec{}, envelope.Error{Message: "x"})
	requireError(t, err, "missing_code", wire.ErrShape)
	require.Equal(t, []string{"unknown_repo", "missing_repo_list", "missing_repo", "repo_not_allowed", "wrong_repo_shape"},
		[]string{gcx.ErrCodeUnknownRepo, gcx.ErrCodeMissingRepoList, gcx.ErrCodeMissingRepo, gcx.ErrCodeRepoNotAllowed, gcx.ErrCodeWrongRepoShape})
}

func TestResolve(t *testing.T) {
	workspace := envelope.Workspace{Repos: []string{"gortex", "cloud"}}
	bound := envelope.Workspace{Repos: []string{"gortex"}, Bound: "gortex"}
	for _, test := range []struct {
		name  string
		scope envelope.Scope
		repo  string // JSON
		in    envelope.Workspace
		want  envelope.Request
		code  string
	}{
		{"repo", "repo", `"gortex"`, workspace, envelope.Request{Repo: "gortex"}, ""},
		{"repo omitted", "repo", `null`, workspace, envelope.Request{}, gcx.ErrCodeMissingRepo},
		{"repo omitted, bound", "repo", `null`, bound, envelope.Request{Repo: "gortex"}, ""},
		{"repo bound and named", "repo", `"a"`, envelope.Workspace{Bound: "a"}, envelope.Request{Repo: "a"}, ""},
		{"repo bound and another named", "repo", `"b"`, envelope.Workspace{Bound: "a"}, envelope.Request{}, gcx.ErrCodeUnknownRepo},
		{"repo empty", "repo", `""`, bound, envelope.Request{}, gcx.ErrCodeMissingRepo},
		{"repo unknown", "repo", `"zeta"`, workspace, envelope.Request{}, gcx.ErrCodeUnknownRepo},
		{"repo as a list", "repo", `["gortex"]`, workspace, envelope.Request{}, gcx.ErrCodeWrongRepoShape},
		{"repo as a number", "repo", `1`, workspace, envelope.Request{}, gcx.ErrCodeWrongRepoShape},
		{"workspace", "workspace", `null`, workspace, envelope.Request{}, ""},
		{"workspace with a repo", "workspace", `"gortex"`, workspace, envelope.Request{}, gcx.ErrCodeRepoNotAllowed},
		{"workspace with every repo", "workspace", `["*"]`, workspace, envelope.Request{}, gcx.ErrCodeRepoNotAllowed},
		{"workspace with nothing in it", "workspace", `""`, workspace, envelope.Request{}, gcx.ErrCodeRepoNotAllowed},
		{"every repo", "fan-out", `["*"]`, workspace, envelope.Request{Repos: []string{"*"}}, ""},
		{"some repos", "fan-out", `["cloud","gortex","cloud"]`, workspace, envelope.Request{Repos: []string{"cloud", "gortex"}}, ""},
		{"list omitted", "fan-out", `null`, workspace, envelope.Request{}, gcx.ErrCodeMissingRepoList},
		{"list omitted, bound", "fan-out", `null`, bound, envelope.Request{Repos: []string{"gortex"}}, ""},
		{"list of the bound one", "fan-out", `["a"]`, envelope.Workspace{Bound: "a"}, envelope.Request{Repos: []string{"a"}}, ""},
		{"empty list", "fan-out", `[]`, workspace, envelope.Request{}, gcx.ErrCodeMissingRepoList},
		{"a string", "fan-out", `"gortex"`, workspace, envelope.Request{}, gcx.ErrCodeWrongRepoShape},
		{"a number in the list", "fan-out", `["gortex",1]`, workspace, envelope.Request{}, gcx.ErrCodeWrongRepoShape},
		{"an empty name", "fan-out", `[""]`, workspace, envelope.Request{}, gcx.ErrCodeWrongRepoShape},
		{"every repo and one", "fan-out", `["*","gortex"]`, workspace, envelope.Request{}, gcx.ErrCodeWrongRepoShape},
		{"an unknown name", "fan-out", `["gortex","zeta"]`, workspace, envelope.Request{}, gcx.ErrCodeUnknownRepo},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := envelope.Resolve(envelope.Definition{Name: "t", Scope: test.scope}, codectest.JSON(t, test.repo), test.in)
			if test.code != "" {
				var e *envelope.Error
				require.ErrorAs(t, err, &e)
				require.Equal(t, test.code, e.Code)
				_, err := envelope.AppendError(nil, gcx.Codec{}, *e)
				require.NoError(t, err)
				return
			}
			require.NoError(t, err)
			test.want.Tool, test.want.Scope = "t", test.scope
			require.Equal(t, test.want, got)
			_, err = envelope.AppendRequest(nil, gcx.Codec{}, got)
			require.NoError(t, err)
		})
	}
	_, err := envelope.Resolve(envelope.Definition{Name: "t", Scope: "all"}, wire.Null(), workspace)
	var e *envelope.Error
	require.False(t, errors.As(err, &e))
	requireError(t, err, "invalid_scope", wire.ErrShape)
}

func requireError(t *testing.T, err error, code string, kind error) {
	t.Helper()
	codectest.Refused(t, err, code, nil)
	require.ErrorIs(t, err, kind)
}
