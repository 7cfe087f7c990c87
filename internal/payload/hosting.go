package payload

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// generators make the answers, by kind.
var generators = map[string]func(m maker) any{
	"code hosting: issues":        hostedIssues,
	"code hosting: pull requests": pullRequests,
	"code hosting: repositories":  repositories,
	"code hosting: events":        hostedEvents,
	"code hosting: check runs":    checkRuns,
	"code search":                 codeSearch,
	"pull request files":          changedFiles,
	"JUnit":                       junit,
	"SARIF":                       sarif,
	"file tree":                   fileTree,
	"OpenAPI":                     openAPI,
	"MCP tools":                   mcpTools,
	"MCP graph of entities":       mcpGraph,
	"notebook":                    notebook,

	"Kubernetes pods":     pods,
	"Kubernetes events":   clusterEvents,
	"docker inspect":      containers,
	"Prometheus vector":   vector,
	"Prometheus matrix":   matrix,
	"Prometheus targets":  targets,
	"OpenTelemetry spans": spans,
	"structured logs":     logs,
	"terraform plan":      plan,
	"time series":         series,
	"feature flags":       flags,
	"configuration":       configuration,

	"orders":          orders,
	"product search":  productSearch,
	"rows of a query": queryRows,
	"spreadsheet":     sheet,
	"calendar":        calendar,
	"mail":            mail,
	"chat messages":   chat,
	"tickets":         tickets,
	"GeoJSON":         geoJSON,
	"weather":         weather,
	"web search":      webSearch,
	"documents found": documentsFound,
	"invoices":        invoices,
	"timetable":       timetable,
	"people":          people,

	"posts":                      posts,
	"event catalogue":            eventCatalogue,
	"build jobs":                 builds,
	"music tracker":              tracker,
	"plug-in catalogue":          pluginCatalogue,
	"terraform provider schemas": providerSchemas,
	"terraform functions":        functions,
	"directions":                 directions,
	"code hosting: webhooks":     webhook,
}

const (
	apiBase = "https://api.git.example.com"
	webBase = "https://git.example.com"
)

// A user has the members that code hosting repeats wherever one is named.
func user(m maker, name string) obj {
	l := login(name)
	id := int64(0)
	for _, c := range l {
		id = id*31%90_000_001 + int64(c)
	}
	api := apiBase + "/users/" + l
	return obj{
		"login", l, "id", id, "node_id", "MDQ6VXNlc" + itoa(id*7), "avatar_url", fmt.Sprintf("https://avatars.example.com/u/%d?v=4", id), "gravatar_id", "",
		"url", api, "html_url", webBase + "/" + l, "followers_url", api + "/followers", "following_url", api + "/following{/other_user}",
		"gists_url", api + "/gists{/gist_id}", "starred_url", api + "/starred{/owner}{/repo}", "subscriptions_url", api + "/subscriptions",
		"organizations_url", api + "/orgs", "repos_url", api + "/repos", "events_url", api + "/events{/privacy}", "received_events_url", api + "/received_events",
		"type", "User", "user_view_type", "public", "site_admin", false,
	}
}

func label(m maker, repo, name string) obj {
	colors := map[string]string{"bug": "d73a4a", "enhancement": "a2eeef", "documentation": "0075ca", "speed": "fbca04", "good first issue": "7057ff"}
	return obj{"id", 208045946 + len(name)*977, "node_id", "MDU6TGFiZWwyMDgwNDU5NDY" + strings.ToUpper(name[:1]), "url", apiBase + "/repos/" + repo + "/labels/" + strings.ReplaceAll(name, " ", "%20"),
		"name", name, "color", colors[name], "default", name != "speed", "description", nil}
}

func labels(m maker, repo string) list {
	l := list{}
	for _, name := range []string{"bug", "enhancement", "documentation", "speed", "good first issue"} {
		if m.chance(0.22) {
			l = append(l, label(m, repo, name))
		}
	}
	return l
}

func hostedIssues(m maker) any {
	const repo = "harbour/quay"
	people := rows(14, func(int) any { return m.person() })
	return rows(26, func(i int) any {
		number := 4312 - 3*i - m.IntN(3)
		api := fmt.Sprintf("%s/repos/%s/issues/%d", apiBase, repo, number)
		at := m.moment(200)
		state, closed := "open", any(nil)
		if m.chance(0.4) {
			state, closed = "closed", stamp(at.Add(time.Duration(m.long(2_000_000))*time.Second))
		}
		var assignee any
		assignees := list{}
		if m.chance(0.4) {
			u := user(m, pick(m, people...).(string))
			assignee, assignees = u, list{u}
		}
		return obj{
			"url", api, "repository_url", apiBase + "/repos/" + repo, "labels_url", api + "/labels{/name}", "comments_url", api + "/comments", "events_url", api + "/events",
			"html_url", fmt.Sprintf("%s/%s/issues/%d", webBase, repo, number), "id", 2_400_000_000 + int64(number)*1377, "node_id", "I_kwDOAB" + m.mixed(10), "number", number,
			"title", m.title(), "user", user(m, often(m, people...).(string)), "labels", labels(m, repo), "state", state, "locked", m.chance(0.05),
			"assignee", assignee, "assignees", assignees, "milestone", nil, "comments", m.long(40),
			"created_at", stamp(at), "updated_at", stamp(at.Add(time.Duration(m.long(3_000_000)) * time.Second)), "closed_at", closed,
			"author_association", often(m, "NONE", "CONTRIBUTOR", "MEMBER"), "active_lock_reason", nil, "body", m.text(6),
			"reactions", obj{"url", api + "/reactions", "total_count", m.long(9), "+1", m.long(9), "-1", 0, "laugh", 0, "hooray", 0, "confused", 0, "heart", m.long(2), "rocket", 0, "eyes", m.long(2)},
			"timeline_url", api + "/timeline", "performed_via_github_app", nil, "state_reason", map[bool]any{true: nil, false: "completed"}[closed == nil],
		}
	})
}

// pullRequests is the list that a tool server cuts from the full answer.
func pullRequests(m maker) any {
	const repo = "harbour/quay"
	return obj{"total_count", 214, "incomplete_results", false, "items", rows(40, func(i int) any {
		number := 2210 - 2*i - m.IntN(2)
		title := m.title()
		branch := strings.ToLower(strings.NewReplacer(" ", "-", ":", "").Replace(title))
		at := m.moment(60)
		author := m.person()
		return obj{
			"number", number, "title", title, "state", often(m, "open", "closed"), "draft", m.chance(0.1), "user", obj{"login", login(author), "type", often(m, "User", "User", "Bot")},
			"html_url", fmt.Sprintf("%s/%s/pull/%d", webBase, repo, number), "head", obj{"ref", branch, "sha", m.hex(40), "repo", often(m, repo, repo, login(author)+"/quay")},
			"base", obj{"ref", often(m, "main", "main", "release-2.4"), "sha", m.hex(40)}, "labels", several(m, 2, "bug", "speed", "documentation", "breaking"),
			"additions", m.long(900), "deletions", m.long(400), "changed_files", 1 + m.long(30), "review_comments", m.long(20),
			"created_at", stamp(at), "updated_at", stamp(at.Add(time.Duration(m.long(900_000)) * time.Second)),
		}
	})}
}

func repositories(m maker) any {
	return obj{"total_count", 1893, "incomplete_results", false, "items", rows(12, func(i int) any {
		person := m.person()
		owner := login(person)
		name := pick(m, nouns...) + "-" + pick(m, nouns...)
		full := owner + "/" + name
		api := apiBase + "/repos/" + full
		at := m.moment(900)
		o := obj{"id", m.between(100_000, 900_000_000), "node_id", "R_kgDO" + m.mixed(8), "name", name, "full_name", full, "private", false, "owner", user(m, person),
			"html_url", webBase + "/" + full, "description", m.title(), "fork", m.chance(0.2), "url", api}
		for _, part := range strings.Fields("forks keys{/key_id} collaborators{/collaborator} teams hooks issue_events{/number} events assignees{/user} branches{/branch} tags git_blobs{/sha} git_tags{/sha} git_refs{/sha} git_trees{/sha} statuses/{sha} languages stargazers contributors subscribers subscription commits{/sha} comments{/number} contents/{+path} compare/{base}...{head} merges {archive_format}{/ref} downloads issues{/number} pulls{/number} milestones{/number} labels{/name} releases{/id} deployments") {
			key, _, _ := strings.Cut(strings.ReplaceAll(part, "{archive_format}", "archive"), "{")
			o = append(o, strings.Trim(strings.SplitN(key, "/", 2)[0], "/")+"_url", api+"/"+part)
		}
		return append(o, "created_at", stamp(at), "updated_at", stamp(at.Add(400*time.Hour)), "pushed_at", stamp(at.Add(300*time.Hour)),
			"clone_url", webBase+"/"+full+".git", "size", m.long(90_000), "stargazers_count", m.long(20_000), "watchers_count", m.long(20_000),
			"language", often(m, "Go", "TypeScript", "Python", "Rust", "C"), "has_issues", true, "has_wiki", m.chance(0.6), "forks_count", m.long(2000), "archived", m.chance(0.1),
			"open_issues_count", m.long(500), "license", obj{"key", "mit", "name", "MIT License", "spdx_id", "MIT", "url", apiBase + "/licenses/mit"},
			"topics", several(m, 4, "cli", "parser", "database", "testing", "http", "json"), "visibility", "public", "default_branch", often(m, "main", "master"), "score", 1)
	})}
}

func hostedEvents(m maker) any {
	return rows(34, func(i int) any {
		name := m.person()
		l := login(name)
		repo := login(m.person()) + "/" + pick(m, nouns...)
		id := m.between(1_000_000, 90_000_000)
		kind := often(m, "PushEvent", "PullRequestEvent", "WatchEvent", "CreateEvent", "IssueCommentEvent")
		var body obj
		switch kind {
		case "PushEvent":
			body = obj{"push_id", m.wide(1e9, 9e9), "size", 1, "ref", "refs/heads/" + often(m, "main", "dev"), "head", m.hex(40), "before", m.hex(40),
				"commits", rows(m.between(1, 3), func(int) any {
					sha := m.hex(40)
					return obj{"sha", sha, "author", obj{"email", l + "@mail.example.com", "name", name}, "message", m.title(), "distinct", true, "url", apiBase + "/repos/" + repo + "/commits/" + sha}
				})}
		case "WatchEvent":
			body = obj{"action", "started"}
		case "CreateEvent":
			body = obj{"ref", pick(m, verbs...) + "-" + pick(m, nouns...), "ref_type", "branch", "master_branch", "main", "description", m.title(), "pusher_type", "user"}
		case "PullRequestEvent":
			n := m.long(2000)
			body = obj{"action", often(m, "opened", "closed"), "number", n, "pull_request", obj{"url", fmt.Sprintf("%s/repos/%s/pulls/%d", apiBase, repo, n), "title", m.title(), "additions", m.long(500), "deletions", m.long(300), "merged", m.chance(0.5)}}
		default:
			n := m.long(2000)
			body = obj{"action", "created", "issue", obj{"url", fmt.Sprintf("%s/repos/%s/issues/%d", apiBase, repo, n), "number", n, "title", m.title(), "state", often(m, "open", "closed")},
				"comment", obj{"id", m.between(1e8, 9e8), "body", m.text(3), "created_at", stamp(m.moment(1))}}
		}
		return obj{"id", itoa(24_000_000_000 + int64(i*7919+m.IntN(900))), "type", kind,
			"actor", obj{"id", id, "login", l, "display_login", l, "gravatar_id", "", "url", apiBase + "/users/" + l, "avatar_url", fmt.Sprintf("https://avatars.example.com/u/%d?", id)},
			"repo", obj{"id", m.between(1000, 900_000_000), "name", repo, "url", apiBase + "/repos/" + repo}, "payload", body, "public", true, "created_at", stamp(zero.Add(-time.Duration(i*13+m.IntN(9)) * time.Second))}
	})
}

func checkRuns(m maker) any {
	sha := m.hex(40)
	return obj{"total_count", 30, "check_runs", rows(30, func(i int) any {
		id := 18_700_000_000 + int64(i*131+m.IntN(100))
		at := zero.Add(time.Duration(i*20+m.IntN(60)) * time.Second)
		conclusion := often(m, "success", "success", "success", "skipped", "failure")
		return obj{"id", id, "name", fmt.Sprintf("%s (%s, %s)", pick(m, "test", "build", "lint", "integration"), pick(m, "linux", "macos", "windows"), pick(m, "1.24", "1.25", "1.26")),
			"head_sha", sha, "external_id", m.uuid(), "url", fmt.Sprintf("%s/repos/harbour/quay/check-runs/%d", apiBase, id), "html_url", fmt.Sprintf("%s/harbour/quay/actions/runs/917/job/%d", webBase, id),
			"details_url", fmt.Sprintf("%s/harbour/quay/actions/runs/917/job/%d", webBase, id), "status", "completed", "conclusion", conclusion,
			"started_at", stamp(at), "completed_at", stamp(at.Add(time.Duration(m.between(9, 900)) * time.Second)),
			"output", obj{"title", nil, "summary", nil, "text", nil, "annotations_count", m.long(3), "annotations_url", fmt.Sprintf("%s/repos/harbour/quay/check-runs/%d/annotations", apiBase, id)},
			"check_suite", obj{"id", int64(28_118_044_123)}, "app", obj{"id", 15368, "slug", "actions", "name", "Actions", "external_url", "https://actions.example.com", "events", list{"check_run", "check_suite", "push"}}, "pull_requests", list{}}
	})}
}

func (m maker) codeLine() string {
	return pick(m,
		"	if err := "+pick(m, nouns...)+"."+upper(pick(m, verbs...))+"(ctx, "+pick(m, nouns...)+"); err != nil {",
		"func (s *"+upper(pick(m, nouns...))+") "+upper(pick(m, verbs...))+upper(pick(m, nouns...))+"("+pick(m, nouns...)+" string) error {",
		"	return nil, fmt.Errorf(\""+pick(m, verbs...)+" "+pick(m, nouns...)+": %w\", err)",
		"	"+pick(m, nouns...)+" := make([]"+pick(m, "byte", "string", "int")+", 0, "+strconv.Itoa(m.long(4096))+")",
		"	for _, "+pick(m, nouns...)+" := range "+pick(m, nouns...)+"s {",
		"// "+m.sentence(),
		"	}", "")
}

func codeSearch(m maker) any {
	files := rows(22, func(int) any { return m.file(".go") })
	word := "Session"
	return obj{"query", word, "engine", "regexp", "total", 117, "truncated", true, "matches", rows(90, func(i int) any {
		path := files[i*len(files)/90].(string)
		line, column := 10+(i*37)%400, m.between(1, 60)
		return obj{"repository", "harbour/quay", "path", path, "url", fmt.Sprintf("%s/harbour/quay/blob/8f2c41d9/%s#L%d", webBase, path, line), "line", line, "column", column,
			"preview", m.codeLine(), "language", "Go", "kind", often(m, "content", "symbol")}
	})}
}

func changedFiles(m maker) any {
	sha := m.hex(40)
	return rows(30, func(i int) any {
		path := m.file(pick(m, ".go", ".go", ".md", ".yaml", ".ts"))
		added, deleted := m.long(120), m.long(60)
		var patch strings.Builder
		fmt.Fprintf(&patch, "@@ -%d,%d +%d,%d @@", m.long(300), 6+deleted, m.long(300), 6+added)
		for range m.between(4, 14) {
			patch.WriteString("\n" + pick(m, " ", " ", "+", "-") + m.codeLine())
		}
		return obj{"sha", m.hex(40), "filename", path, "status", often(m, "modified", "added", "removed"), "additions", added, "deletions", deleted, "changes", added + deleted,
			"blob_url", webBase + "/harbour/quay/blob/" + sha + "/" + path, "raw_url", webBase + "/harbour/quay/raw/" + sha + "/" + path,
			"contents_url", apiBase + "/repos/harbour/quay/contents/" + path + "?ref=" + sha, "patch", patch.String()}
	})
}
