// Package envelope has the GCX1 document's section "Workspace-aware MCP shapes": the
// registry of tools with their scopes, the envelope of a request and the envelope of
// an error.
//
// A server publishes [AppendDefinitions]; a call is [AppendRequest]. [Resolve] judges a
// call. Its error is an [*Error] with one of the document's codes, such as
// [gcx.ErrCodeUnknownRepo], to be sent with [AppendError]. Each is a section, which
// [gcx.Codec.DecodeSections] reads. Of the codec that writes them Interop counts.
package envelope

import (
	"slices"
	"strconv"
	"strings"

	"github.com/wirekit/wirekit/gcx"
	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/wire"
)

// Scope is which repositories a tool works on: "repo", "workspace" or "fan-out". There are
// no others, and no default.
type Scope string

const (
	scopeRepo      Scope = "repo"      // one repository, which the request names
	scopeWorkspace Scope = "workspace" // the workspace; the request names no repository
	scopeFanOut    Scope = "fan-out"   // several, which the request lists
)

const format = "gcx"

// shape returns the error for something an envelope cannot hold.
func shape(code, message string) *wire.Error {
	return &wire.Error{Format: format, Code: code, Kind: wire.ErrShape, Message: message}
}

func (s Scope) valid() bool { return s == scopeRepo || s == scopeWorkspace || s == scopeFanOut }

// allRepos, alone in a list, means every repository of the workspace.
const allRepos = "*"

// Definition is a row of tool_definitions.
type Definition struct {
	Name  string
	Scope Scope
}

// Request is the row of tool_request. Repo is set if the scope is repo,
// Repos if it is fan-out.
type Request struct {
	Tool  string
	Scope Scope
	Repo  string
	Repos []string
}

// Error is the row of an error section, a server's answer in place of a
// result. Codes other than the document's are allowed.
type Error struct {
	Code    string
	Message string
	Detail  string
}

// Error returns the code and the message.
func (e *Error) Error() string {
	if e.Message == "" {
		return e.Code
	}
	return e.Code + ": " + e.Message
}

// AppendDefinitions appends the registry, sorted by name.
func AppendDefinitions(dst []byte, c gcx.Codec, definitions []Definition) ([]byte, error) {
	definitions = slices.Clone(definitions)
	slices.SortFunc(definitions, func(a, b Definition) int { return strings.Compare(a.Name, b.Name) })
	s := gcx.Section{Header: gcx.Header{Tool: "tool_definitions", Fields: []string{"name", "scope"}}}
	for i, d := range definitions {
		if err := d.check(); err != nil {
			return dst, err
		}
		if i > 0 && d.Name == definitions[i-1].Name {
			return dst, &wire.Error{Format: format, Code: "duplicate_name", Kind: wire.ErrDuplicateKey,
				Message: "tool " + strconv.Quote(d.Name) + " is defined twice"}
		}
		s.Rows = append(s.Rows, []string{d.Name, string(d.Scope)})
	}
	return c.AppendSections(dst, s)
}

func (d Definition) check() error {
	switch {
	case d.Name == "":
		return shape("missing_name", "a tool without a name")
	case !d.Scope.valid():
		return shape("invalid_scope", "tool "+strconv.Quote(d.Name)+" has the scope "+strconv.Quote(string(d.Scope)))
	}
	return nil
}

// AppendRequest appends the envelope of a request. Names that Repos has
// twice are written once.
func AppendRequest(dst []byte, c gcx.Codec, r Request) ([]byte, error) {
	cell, err := r.repoCell()
	if err != nil {
		return dst, err
	}
	return c.AppendSections(dst, gcx.Section{
		Header: gcx.Header{Tool: "tool_request", Fields: []string{"tool", "scope", "repo"}},
		Rows:   [][]string{{r.Tool, string(r.Scope), cell}},
	})
}

// repoCell returns the cell repo, whose shape the scope decides.
func (r *Request) repoCell() (string, error) {
	if err := (Definition{r.Tool, r.Scope}).check(); err != nil {
		return "", err
	}
	switch {
	case r.Scope != scopeRepo && r.Repo != "":
		return "", shape(gcx.ErrCodeWrongRepoShape, "scope "+string(r.Scope)+" takes no single repo")
	case r.Scope != scopeFanOut && r.Repos != nil:
		return "", shape(gcx.ErrCodeWrongRepoShape, "scope "+string(r.Scope)+" takes no list of repos")
	case r.Scope == scopeRepo && r.Repo == "":
		return "", shape(gcx.ErrCodeMissingRepo, "scope repo needs a repo")
	case r.Scope != scopeFanOut:
		return r.Repo, nil // none for the workspace
	}
	repos, err := checkRepos(r.Repos)
	if err != nil {
		return "", err
	}
	var cell []byte // with the bytes that JSON.stringify writes
	for i, repo := range repos {
		cell = scan.AppendQuote(append(cell, "[,"[min(i, 1)]), repo)
	}
	return string(append(cell, ']')), nil
}

// checkRepos returns the list without names that it has already.
func checkRepos(repos []string) ([]string, error) {
	var distinct []string
	seen := make(map[string]bool, len(repos))
	for _, repo := range repos {
		if repo == "" {
			return nil, shape(gcx.ErrCodeWrongRepoShape, "a repo without a name in a list")
		}
		if !seen[repo] {
			seen[repo] = true
			distinct = append(distinct, repo)
		}
	}
	switch {
	case len(distinct) == 0:
		return nil, shape(gcx.ErrCodeMissingRepoList, "scope fan-out needs a list of repos")
	case len(distinct) > 1 && seen[allRepos]:
		return nil, shape(gcx.ErrCodeWrongRepoShape, strconv.Quote(allRepos)+" is alone in its list or not there")
	}
	return distinct, nil
}

// AppendError appends the envelope of an error.
func AppendError(dst []byte, c gcx.Codec, e Error) ([]byte, error) {
	if e.Code == "" {
		return dst, shape("missing_code", "an error without a code")
	}
	return c.AppendSections(dst, gcx.Section{
		Header: gcx.Header{Tool: "error", Fields: []string{"code", "message", "detail"}},
		Rows:   [][]string{{e.Code, e.Message, e.Detail}},
	})
}

// Workspace is where a request is resolved.
type Workspace struct {
	// Repos are the names of the workspace's repositories.
	Repos []string
	// Bound is the repository of a server that is bound to a single one, whether
	// or not Repos has it. It is used for a repo that the request omits; without
	// it that is an error.
	Bound string
}

// Resolve decides whether a call of a tool is legal: repo is the call's repo
// parameter, null if it has none. It returns the request's envelope, or a
// [*Error] to answer with. Any other error is a definition that is not
// valid.
func Resolve(definition Definition, repo wire.Value, w Workspace) (Request, error) {
	if err := definition.check(); err != nil {
		return Request{}, err
	}
	r := Request{Tool: definition.Name, Scope: definition.Scope}
	var bad *Error
	switch definition.Scope {
	case scopeRepo:
		r.Repo, bad = w.one(repo)
	case scopeFanOut:
		r.Repos, bad = w.several(repo)
	case scopeWorkspace:
		if repo.Kind() != wire.KindNull {
			bad = &Error{Code: gcx.ErrCodeRepoNotAllowed, Message: definition.Name + " works on the workspace and takes no repo"}
		}
	}
	if bad != nil {
		return Request{}, bad
	}
	return r, nil
}

func (w Workspace) one(repo wire.Value) (string, *Error) {
	switch {
	case repo.Kind() == wire.KindNull && w.Bound != "":
		return w.Bound, nil
	case repo.Kind() == wire.KindNull, repo.Kind() == wire.KindString && repo.Len() == 0:
		return "", &Error{Code: gcx.ErrCodeMissingRepo, Message: "repo must name a repository"}
	case repo.Kind() != wire.KindString:
		return "", &Error{Code: gcx.ErrCodeWrongRepoShape, Message: "repo must be a string", Detail: repo.Kind().String()}
	}
	if repo.Text() != w.Bound && !slices.Contains(w.Repos, repo.Text()) {
		return "", unknownRepo(repo.Text())
	}
	return repo.Text(), nil
}

func (w Workspace) several(repo wire.Value) ([]string, *Error) {
	switch {
	case repo.Kind() == wire.KindNull && w.Bound != "":
		return []string{w.Bound}, nil
	case repo.Kind() == wire.KindNull, repo.Kind() == wire.KindArray && repo.Len() == 0:
		return nil, &Error{Code: gcx.ErrCodeMissingRepoList, Message: `repo must list repositories, or be ["*"]`}
	case repo.Kind() != wire.KindArray:
		return nil, &Error{Code: gcx.ErrCodeWrongRepoShape, Message: "repo must be a list of strings", Detail: repo.Kind().String()}
	}
	var repos []string
	for e := range repo.Elements() {
		if e.Kind() != wire.KindString {
			return nil, &Error{Code: gcx.ErrCodeWrongRepoShape, Message: "repo must be a list of strings", Detail: e.Kind().String()}
		}
		repos = append(repos, e.Text())
	}
	repos, err := checkRepos(repos)
	if err != nil {
		return nil, &Error{Code: gcx.ErrCodeWrongRepoShape, Message: `repo must be ["*"] or a list of names`}
	}
	if repos[0] == allRepos {
		return repos, nil
	}
	known := make(map[string]bool, len(w.Repos)+1)
	known[w.Bound] = w.Bound != ""
	for _, repo := range w.Repos {
		known[repo] = true
	}
	for _, repo := range repos {
		if !known[repo] {
			return nil, unknownRepo(repo)
		}
	}
	return repos, nil
}

func unknownRepo(repo string) *Error {
	return &Error{Code: gcx.ErrCodeUnknownRepo, Message: "no such repo: " + repo}
}
