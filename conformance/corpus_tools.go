package conformance

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/wirekit/wirekit/wire"
)

// Words that the generated answers are made of.
var (
	packages  = []string{"server", "storage/index", "auth", "cmd/api", "internal/cache", "web/ui", "billing"}
	functions = []string{"Handle", "parseRequest", "NewClient", "(*Store).Get", "(*Store).Put", "operator<<", "std::vector<int>::push_back", "foldRight[A, B]", "__init__", "render$", "größe", "Validate"}
	languages = []string{"go", "python", "c++", "rust", "typescript", "kotlin"}
	people    = []string{"ada", "björn-l", "chloé.m", "deepa", "O'Neil", "山田"}
	phrases   = []string{"connection reset by peer", "retry after backoff", "cache miss for key \"user:42\"", "took longer than expected (2.5s)", "unexpected token '|' at 3:14", "disk usage at 91%", "see #123, fixes #45", "C:\\build\\out", "line one\nline two", "naïve café — 漢字 🙂", "a | b | c", "state=open; owner=none", ""}
	signature = []string{"func (s *Store) Get(ctx context.Context, key string) ([]byte, error)", "def parse(self, text: str, *, strict: bool = False) -> dict[str, Any]", "template <typename T> T max(const T& a, const T& b)", "fn map<F>(self, f: F) -> Map<Self, F> where F: FnMut(Self::Item) -> B", "export const f = <T,>(x: T | null): x is T => x !== null"}
)

func sentence(r *rand.Rand) string {
	parts := make([]string, r.IntN(4)+1)
	for i := range parts {
		parts[i] = pick(r, phrases)
	}
	return strings.Join(parts, pick(r, []string{" ", "; ", ". ", "\n", " - "}))
}

func stamp(r *rand.Rand) string {
	return time.Unix(1_750_000_000+r.Int64N(30_000_000), 0).UTC().Format(time.RFC3339)
}

func path(r *rand.Rand) string {
	return fmt.Sprintf("%s/file_%d.%s", pick(r, packages), r.IntN(30), pick(r, []string{"go", "py", "cc", "rs", "ts"}))
}

// maybe returns v, or null half of the time.
func maybe(r *rand.Rand, v any) any {
	if r.IntN(2) == 0 {
		return nil
	}
	return v
}

// without returns an object that lacks each of the optional members half of
// the time.
func without(r *rand.Rand, v wire.Value, optional ...string) wire.Value {
	var members []wire.Member
	for key, e := range v.Members() {
		if !slices.Contains(optional, key) || r.IntN(2) != 0 {
			members = append(members, wire.Member{Key: key, Value: e})
		}
	}
	return object(members)
}

// sizes adds a case for each size of an answer.
func (l *caseList) sizes(name string, of func(n int) wire.Value, sizes ...int) {
	for _, n := range sizes {
		l.add(fmt.Sprintf("%s, %d", name, n), of(n))
	}
}

func codeIntelligence(yield func(string, wire.Value) bool) {
	l := caseList{yield: yield}
	r := source(11)
	symbol := func(i int) wire.Value {
		return without(r, record("id", fmt.Sprintf("%s::%s", path(r), pick(r, functions)), "kind", pick(r, []string{"function", "method", "class", "interface"}), "name", pick(r, functions),
			"file", path(r), "line", i*7+1, "sig", pick(r, signature), "score", float64(r.IntN(1000))/1000, "exported", r.IntN(2) == 0, "doc", maybe(r, sentence(r))), "doc", "score")
	}
	position := func() wire.Value { return record("line", r.IntN(900), "character", r.IntN(80)) }
	l.sizes("symbol search", func(n int) wire.Value {
		return record("query", "get|put", "total", n*3, "truncated", n > 10, "symbols", repeated(n, symbol))
	}, 0, 1, 2, 5, 40)
	l.sizes("symbols, bare", func(n int) wire.Value { return repeated(n, symbol) }, 1, 3, 40)
	l.sizes("call graph", func(n int) wire.Value {
		return record("root", pick(r, functions), "nodes", repeated(n, func(i int) wire.Value {
			return record("id", i, "qname", pick(r, packages)+"."+pick(r, functions), "kind", "function", "depth", i%4)
		}), "edges", repeated(2*n, func(i int) wire.Value {
			return record("from", r.IntN(n+1), "to", r.IntN(n+1), "type", pick(r, []string{"calls", "implements", "imports"}))
		}))
	}, 0, 1, 4, 30)
	l.sizes("references by file", func(n int) wire.Value {
		var members []wire.Member
		for i := range n {
			members = append(members, wire.Member{Key: fmt.Sprintf("%s/f%d.go", pick(r, packages), i), Value: repeated(r.IntN(4), func(int) wire.Value {
				return record("range", record("start", position(), "end", position()), "text", "\t"+pick(r, signature)+" {")
			})})
		}
		return object(members)
	}, 0, 1, 2, 15)
	l.sizes("diagnostics", func(n int) wire.Value {
		return record("uri", "file:///home/dev/"+path(r), "version", maybe(r, 3), "diagnostics", repeated(n, func(int) wire.Value {
			return without(r, record("range", record("start", position(), "end", position()), "severity", r.IntN(4)+1, "code", pick(r, []any{"E0308", 2345, nil}), "source", pick(r, languages), "message", sentence(r), "tags", array(1)), "tags", "code")
		}))
	}, 0, 1, 3, 20)
	l.sizes("file with its outline", func(n int) wire.Value {
		return record("path", path(r), "language", pick(r, languages), "content", strings.Repeat(sourceCode, n), "outline", repeated(n, func(i int) wire.Value {
			return record("name", pick(r, functions), "children", repeated(i%3, func(int) wire.Value { return record("name", pick(r, functions), "children", array()) }))
		}))
	}, 0, 1, 6)
	l.sizes("context for a change", func(n int) wire.Value {
		return record("symbol", symbol(1), "callers", repeated(n, symbol), "callees", repeated(n/2, symbol), "tests", array(), "risk", record("level", "high", "score", 0.85, "reasons", []string{"public API", "no tests | 0%"}))
	}, 0, 3, 12)
}

func issueTracker(yield func(string, wire.Value) bool) {
	l := caseList{yield: yield}
	r := source(12)
	user := func() wire.Value {
		return record("login", pick(r, people), "id", r.IntN(1e8), "bot", r.IntN(9) == 0)
	}
	labels := func() wire.Value {
		return repeated(r.IntN(4), func(i int) wire.Value {
			return record("name", pick(r, []string{"bug", "good first issue", "area/api", "P1"}), "color", fmt.Sprintf("%06x", r.IntN(1<<24)))
		})
	}
	issue := func(i int) wire.Value {
		return without(r, record("number", i+1, "node_id", fmt.Sprintf("MDU6SXNzdWU%d", r.IntN(1e9)), "title", sentence(r), "state", pick(r, []string{"open", "closed"}), "user", user(), "labels", labels(),
			"assignee", maybe(r, user()), "milestone", maybe(r, record("title", "v1.0", "due_on", maybe(r, stamp(r)))), "comments", r.IntN(30), "created_at", stamp(r), "closed_at", maybe(r, stamp(r)),
			"reactions", record("+1", r.IntN(9), "-1", r.IntN(2), "heart", 0), "body", maybe(r, sentence(r)+"\n\n- [x] done\n- [ ] open\n\n```go\n"+pick(r, signature)+"\n```\n"), "draft", false), "draft", "closed_at", "assignee")
	}
	l.sizes("issues", func(n int) wire.Value { return repeated(n, issue) }, 0, 1, 2, 3, 30)
	l.sizes("search", func(n int) wire.Value {
		return record("total_count", n*10, "incomplete_results", false, "items", repeated(n, issue))
	}, 0, 1, 10)
	l.sizes("comments", func(n int) wire.Value {
		return repeated(n, func(i int) wire.Value {
			return record("id", r.Int64N(1<<40)|1, "user", user(), "body", sentence(r), "created_at", stamp(r), "author_association", "NONE")
		})
	}, 1, 3, 25)
	l.sizes("board", func(n int) wire.Value {
		column := func() wire.Value {
			return repeated(n, func(i int) wire.Value {
				return record("key", fmt.Sprintf("PROJ-%d", r.IntN(999)), "summary", sentence(r), "points", maybe(r, r.IntN(13)), "labels", []string{"a b", "c"}[:r.IntN(3)])
			})
		}
		return record("To do", column(), "In progress", column(), "Done", array())
	}, 0, 2, 8)
	l.sizes("pull request", func(n int) wire.Value {
		return record("number", 7, "head", record("ref", "fix/a-b", "sha", "0e12345"), "base", record("ref", "main", "sha", "1234567"), "mergeable", nil, "files", repeated(n, func(i int) wire.Value {
			return without(r, record("filename", path(r), "status", pick(r, []string{"added", "modified", "renamed"}), "additions", r.IntN(200), "deletions", r.IntN(50), "patch", "@@ -1,3 +1,4 @@\n-old | line\n+new\tline\n # c\n", "previous_filename", path(r)), "previous_filename", "patch")
		}))
	}, 0, 1, 9)
	l.sizes("fields of any kind", func(n int) wire.Value {
		return repeated(n, func(i int) wire.Value {
			return record("id", fmt.Sprintf("%d", 10000+i), "fields", without(r, record("priority", record("name", "High", "id", "2"), "customfield_10016", maybe(r, 3.0), "customfield_10020", array(record("name", "Sprint 1", "state", "active")), "components", array(), "parent", nil), "customfield_10016", "components", "parent"))
		})
	}, 1, 3, 12)
}

func monitoring(yield func(string, wire.Value) bool) {
	l := caseList{yield: yield}
	r := source(13)
	l.sizes("time series", func(n int) wire.Value {
		return record("status", "success", "data", record("resultType", "matrix", "result", repeated(3, func(i int) wire.Value {
			return record("metric", record("__name__", "http_requests_total", "job", "api", "instance", fmt.Sprintf("10.0.0.%d:9090", i)), "values", repeated(n, func(j int) wire.Value {
				return array(1_750_000_000+15*j, fmt.Sprint(r.IntN(10000)))
			}))
		})))
	}, 0, 1, 30)
	l.sizes("points", func(n int) wire.Value {
		return repeated(n, func(i int) wire.Value {
			return record("t", 1_750_000_000_000+r.Int64N(1e9), "cpu", math.Round(r.Float64()*1e4)/1e4, "rss", r.Int64N(1<<35)|1, "p99", r.ExpFloat64()/1000, "load", number(fmt.Sprintf("%.2f", r.Float64()*10)))
		})
	}, 1, 2, 100)
	l.sizes("log lines", func(n int) wire.Value {
		return repeated(n, func(i int) wire.Value {
			return without(r, record("ts", stamp(r), "level", pick(r, []string{"INFO", "WARN", "ERROR"}), "msg", sentence(r), "trace_id", fmt.Sprintf("%032x", r.Uint64()), "status", pick(r, []any{200, 404, "500", nil}), "duration_ms", r.Float64()*1000,
				"error", record("type", "io.EOF", "stack", "goroutine 1 [running]:\nmain.main()\n\t/src/main.go:10 +0x1d\n")), "error", "status", "trace_id")
		})
	}, 1, 3, 60)
	l.sizes("alerts", func(n int) wire.Value {
		return record("alerts", repeated(n, func(i int) wire.Value {
			return record("labels", record("alertname", "HighLatency", "severity", pick(r, []string{"page", "ticket"}), "service", pick(r, packages)), "annotations", record("summary", sentence(r), "value", "{{ $value }}"), "state", "firing", "activeAt", stamp(r), "value", "1e+00")
		}))
	}, 0, 1, 12)
	l.sizes("hosts", func(n int) wire.Value {
		return numbered(n, func(i int) wire.Value {
			return record("status", pick(r, []string{"up", "down", "unknown"}), "uptime", r.IntN(1e6), "load", array(r.Float64(), 0.5, 1.0), "disks", record("/", record("used", r.IntN(100), "total", 100), "/var", record("used", 1, "total", 2)))
		})
	}, 0, 1, 2, 20)
	var span func(depth int) wire.Value
	span = func(depth int) wire.Value {
		children := 0
		if depth > 0 {
			children = r.IntN(3)
		}
		return record("name", "GET /a/{id}", "start", r.Int64N(1e9), "attributes", without(r, record("http.status_code", 200, "db.statement", "SELECT 1; -- x"), "db.statement"), "children", repeated(children, func(int) wire.Value { return span(depth - 1) }))
	}
	l.sizes("trace", func(n int) wire.Value { return span(n) }, 0, 2, 8)
	l.sizes("percentiles", func(n int) wire.Value {
		return numbered(n, func(i int) wire.Value {
			return record("p50", r.Float64(), "p99", r.Float64()*10, "p99.9", maybe(r, r.Float64()*100), "n", r.IntN(1e6))
		})
	}, 2, 30)
}

func toolResults(yield func(string, wire.Value) bool) {
	l := caseList{yield: yield}
	r := source(14)
	l.add("text content", record("content", array(record("type", "text", "text", sourceCode)), "isError", false))
	l.add("error", record("error", record("code", -32602, "message", "Invalid params: 'path' | must be a string", "data", nil)))
	l.add("error with details", record("isError", true, "content", array(record("type", "text", "text", "exit status 1\nstderr:\n\tfatal: not a repository\n"))))
	l.add("structured and text", record("structuredContent", record("rows", array(record("a", 1), record("a", 2))), "content", array(record("type", "text", "text", `{"rows":[{"a":1},{"a":2}]}`))))
	l.add("image", record("content", array(record("type", "image", "data", "iVBORw0KGgo=", "mimeType", "image/png"))))
	l.add("command", record("command", "grep -rn 'a|b' . | head", "exitCode", 0, "stdout", "./a.go:1:a|b\n./b.go:2:\ta\n", "stderr", "", "durationMs", 12.5))
	l.add("weather", record("location", record("name", "São Paulo", "lat", -23.5475, "lon", -46.63611), "current", record("tempC", 21.0, "wind", nil), "hourly", repeated(24, func(i int) wire.Value {
		return record("time", fmt.Sprintf("2026-01-01T%02d:00", i), "tempC", float64(i)/2, "rain", i%5 == 0)
	})))
	l.add("not found", array())
	l.add("nothing", wire.Null())
	l.add("done", wire.Bool(true))
	l.add("count", wire.Int(42))
	l.add("tool definitions", record("tools", repeated(3, func(i int) wire.Value {
		return record("name", fmt.Sprintf("tool_%d", i), "description", sentence(r), "inputSchema", record("type", "object", "properties", record("path", record("type", "string", "description", "file; \"relative\""), "limit", record("type", "integer", "default", 10, "minimum", 0)), "required", []string{"path"}, "additionalProperties", false))
	})))
	l.sizes("directory", func(n int) wire.Value {
		return repeated(n, func(i int) wire.Value {
			return without(r, record("path", path(r), "size", r.IntN(1e6), "mode", "-rw-r--r--", "mtime", stamp(r), "dir", i%4 == 0, "target", "../x"), "target")
		})
	}, 0, 1, 2, 50)
	l.sizes("database rows", func(n int) wire.Value {
		return record("columns", []string{"id", "name", "count(*)", "sum(x) > 1"}, "rows", repeated(n, func(i int) wire.Value { return array(i, pick(r, people), nil, r.Float64()) }))
	}, 0, 1, 20)
	l.sizes("records", func(n int) wire.Value {
		return repeated(n, func(i int) wire.Value {
			return record("id", i, "email", fmt.Sprintf("user%d@example.com", i), "balance", number(fmt.Sprintf("%.2f", r.Float64()*1000)), "big", number(fmt.Sprintf("%d", uint64(9007199254740993)+uint64(i))), "address", maybe(r, record("street", sentence(r), "zip", fmt.Sprintf("%05d", r.IntN(99999)))))
		})
	}, 1, 3, 40)
	l.sizes("search hits", func(n int) wire.Value {
		return record("took", 3, "hits", record("total", n, "max_score", maybe(r, 1.5), "hits", repeated(n, func(i int) wire.Value {
			return record("_id", fmt.Sprint(i), "_score", 1/float64(i+1), "_source", without(r, record("title", sentence(r), "tags", []string{"a", "b|c", ""}[:r.IntN(4)], "n", i), "tags", "n"), "highlight", record("title", array("<em>a</em> & b")))
		})))
	}, 0, 1, 10)
}

// graphs has the shapes of the formats that take graphs only, and shapes that
// nearly are.
func graphs(yield func(string, wire.Value) bool) {
	l := caseList{yield: yield}
	r := source(15)
	l.sizes("symbols and edges", func(n int) wire.Value {
		return record("tool", "context_for_task", "tokenBudget", 4000, "tokensUsed", 120*n, "symbols", repeated(n, func(i int) wire.Value {
			return record("qualifiedName", fmt.Sprintf("pkg.F%d", i), "kind", pick(r, []string{"function", "type", "method", "interface"}), "score", float64(100-i)/100, "provenance", "lsp_resolved", "distance", i*3/(n+1))
		}), "edges", repeated(n/2, func(i int) wire.Value {
			return record("source", fmt.Sprintf("pkg.F%d", i), "target", fmt.Sprintf("pkg.F%d", i+1), "edgeType", "calls")
		}))
	}, 0, 1, 2, 6, 40)
	l.sizes("symbols and edges, as decoded", func(n int) wire.Value {
		return record("tool", "context_for_task", "tokenBudget", 4000, "tokensUsed", 120*n, "packRoot", "sha256:00ff", "symbols", repeated(n, func(i int) wire.Value {
			return record("qualifiedName", fmt.Sprintf("pkg.(*T).F%d", i), "kind", pick(r, []string{"function", "type", "größe"}), "score", number([]string{"0.75", "0.5", "0"}[3*i/n]), "provenance", "lsp", "distance", i)
		}), "edges", repeated(n/2, func(i int) wire.Value {
			return record("source", fmt.Sprintf("pkg.(*T).F%d", i), "target", fmt.Sprintf("pkg.(*T).F%d", i+1), "edgeType", "calls", "status", []string{"", "added"}[i%2])
		}))
	}, 0, 1, 2, 6, 40)
	l.sizes("nodes and edges, as decoded", func(n int) wire.Value {
		return record("query_type", "traversal", "nodes", repeated(n, func(i int) wire.Value {
			return record("type", []string{"MergeRequest", "User"}[2*i/n], "id", fmt.Sprint(i+1), "iid", 1<<53+int64(i), "ratio", 0.5, "draft", i%2 == 0, "username", pick(r, syntaxStrings[:60]))
		}), "edges", repeated(n/2, func(i int) wire.Value {
			return record("from", "User", "from_id", fmt.Sprint(i+1), "to", "User", "to_id", fmt.Sprint(i+2), "type", "KNOWS")
		}))
	}, 0, 1, 2, 6, 40)
	l.sizes("nodes and edges", func(n int) wire.Value {
		return record("format_version", "2.1.0", "query_type", "traversal", "nodes", repeated(n, func(i int) wire.Value {
			return record("type", pick(r, []string{"User", "MergeRequest"}), "id", fmt.Sprint(i+1), "username", fmt.Sprintf("user%d", i), "state", "active")
		}), "edges", repeated(n/2, func(i int) wire.Value {
			return record("from", "User", "from_id", fmt.Sprint(i+1), "to", "User", "to_id", fmt.Sprint(i+2), "type", "KNOWS")
		}))
	}, 0, 1, 2, 6, 40)
	l.add("nodes with awkward properties", record("format_version", "2.1.0", "query_type", "neighbors", "nodes", repeated(len(syntaxStrings), func(i int) wire.Value {
		return record("type", "Note", "id", fmt.Sprint(i), "title", syntaxStrings[i], "n", i, "none", nil, "ok", i%2 == 0, "x", 1.5)
	}), "edges", array()))
	l.add("aggregation", record("format_version", "2.1.0", "query_type", "aggregation", "nodes", array(), "edges", array(), "columns", array(record("name", "total", "function", "count", "target", "mr")), "group_columns", array(record("name", "state", "kind", "property", "node", "mr", "property", "state")), "rows", repeated(4, func(i int) wire.Value {
		return record("state", pick(r, []string{"opened", "merged", "with space"}), "total", i*10)
	})))
	l.add("paths", record("format_version", "2.1.0", "query_type", "path_finding", "nodes", repeated(3, func(i int) wire.Value { return record("type", "User", "id", fmt.Sprint(i+1)) }), "edges", repeated(2, func(i int) wire.Value {
		return record("from", "User", "from_id", fmt.Sprint(i+1), "to", "User", "to_id", fmt.Sprint(i+2), "type", "KNOWS", "path_id", 0, "step", i)
	})))
	l.add("cut at a page", record("format_version", "2.1.0", "query_type", "traversal", "nodes", array(record("type", "User", "id", "1")), "edges", array(), "pagination", record("has_more", true, "truncated", false, "next_cursor", "abc=")))
	l.json(`{"nodes":[],"edges":[]}`, `{"symbols":[],"edges":[]}`, `{"symbols":[{"qualifiedName":"a"}]}`, `{"nodes":[{"id":1}],"edges":[{"from":1,"to":2}]}`, `{"tool":"x","symbols":"none"}`, `{"query_type":"traversal"}`)
}

func kinds(yield func(string, wire.Value) bool) {
	l := caseList{yield: yield}
	for _, b := range [][]byte{nil, {0}, {0xff}, []byte("a"), []byte("ab"), []byte("abc"), []byte("text\n|"), {0xfb, 0xff, 0xfe}, []byte(strings.Repeat("\x00\xff", 500))} {
		l.everywhere(shortened(fmt.Sprintf("bytes %x", b)), wire.Bytes(b))
	}
	zones := []*time.Location{time.UTC, time.FixedZone("", 3600), time.FixedZone("", -(5*3600 + 30*60)), time.FixedZone("NAMED", 20700), time.FixedZone("", 14*3600), time.FixedZone("", 61)}
	for _, zone := range zones {
		for _, t := range []time.Time{
			time.Date(2026, 1, 2, 3, 4, 5, 0, zone), time.Date(2026, 1, 2, 3, 4, 5, 123456789, zone), time.Date(2026, 1, 2, 0, 0, 0, 500_000_000, zone), time.Date(1, 1, 1, 0, 0, 0, 0, zone), time.Date(1969, 12, 31, 23, 59, 59, 1, zone), time.Date(9999, 12, 31, 23, 59, 59, 999_999_999, zone), time.Date(2024, 2, 29, 12, 0, 0, 0, zone),
		} {
			l.everywhere("time "+t.Format(time.RFC3339Nano), wire.Time(t))
		}
	}
	for _, t := range []time.Time{time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(-44, 3, 15, 0, 0, 0, 0, time.UTC), time.Unix(1<<40, 0)} {
		l.add("time "+t.UTC().Format(time.RFC3339Nano), record("at", t))
	}
	for _, s := range []string{"", "a", "a:b", "a b", "#1", "1", "x|y\n"} {
		l.everywhere(fmt.Sprintf("tagged %q", s), wire.Internal.TaggedString(s, 255))
	}
	l.add("bytes beside their text", array(record("v", []byte("abc")), record("v", "YWJj"), record("v", []byte("abc"))))
	l.add("times beside their text", array(record("v", time.Unix(0, 0).UTC()), record("v", "1970-01-01T00:00:00Z"), record("v", nil), record("n", 1)))
}
