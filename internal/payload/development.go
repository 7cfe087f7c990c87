package payload

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

func junit(m maker) any {
	return obj{"testsuites", rows(9, func(i int) any {
		class := "com.example.quay." + pick(m, areas...) + "." + upper(pick(m, nouns...)) + "Test"
		n := m.between(6, 18)
		failures := 0
		cases := rows(n, func(j int) any {
			o := obj{"classname", class, "name", pick(m, verbs...) + upper(pick(m, adjectives...)) + upper(pick(m, nouns...)), "time", m.real(0, 2, 3)}
			if m.chance(0.08) {
				failures++
				o = append(o, "failure", obj{"type", "org.opentest4j.AssertionFailedError", "message", fmt.Sprintf("expected: <%d> but was: <%d>", m.long(99), m.long(99)),
					"text", fmt.Sprintf("org.opentest4j.AssertionFailedError: %s\n\tat %s.%s(%s.java:%d)\n\tat java.base/java.util.ArrayList.forEach(ArrayList.java:1511)", m.sentence(), class, "run", "Suite", m.between(20, 300))})
			}
			return o
		})
		return obj{"name", class, "tests", n, "failures", failures, "errors", 0, "skipped", m.IntN(2), "timestamp", stamp(zero.Add(time.Duration(i*11) * time.Second)), "hostname", "ci-runner-" + strconv.Itoa(m.IntN(9)), "time", m.real(0.1, 9, 3), "testcases", cases}
	})}
}

func sarif(m maker) any {
	ids := rows(12, func(i int) any { return fmt.Sprintf("QY%04d", 1001+i*7) })
	rules := rows(12, func(i int) any {
		return obj{"id", ids[i], "name", upper(pick(m, adjectives...)) + upper(pick(m, nouns...)), "shortDescription", obj{"text", m.title()}, "fullDescription", obj{"text", m.text(2)},
			"helpUri", "https://lint.example.com/rules/" + ids[i].(string), "defaultConfiguration", obj{"level", often(m, "warning", "error", "note")}, "properties", obj{"tags", several(m, 2, "correctness", "style", "security")}}
	})
	return obj{"$schema", "https://json.schemastore.org/sarif-2.1.0.json", "version", "2.1.0", "runs", list{obj{
		"tool", obj{"driver", obj{"name", "quaylint", "semanticVersion", "3.2.1", "informationUri", "https://lint.example.com", "rules", rules}},
		"results", rows(60, func(i int) any {
			r := m.IntN(12)
			line := m.between(1, 700)
			return obj{"ruleId", ids[r], "ruleIndex", r, "level", often(m, "warning", "error", "note"), "message", obj{"text", m.title()},
				"locations", list{obj{"physicalLocation", obj{"artifactLocation", obj{"uri", m.file(".go"), "uriBaseId", "%SRCROOT%"}, "region", obj{"startLine", line, "startColumn", m.between(1, 60), "endLine", line, "endColumn", m.between(60, 100)}}}},
				"partialFingerprints", obj{"primaryLocationLineHash", m.hex(16) + ":1"}}
		}), "columnKind", "utf16CodeUnits"}}}
}

func fileTree(m maker) any {
	var folder func(name, path string, depth int) any
	folder = func(name, path string, depth int) any {
		children := rows(m.between(2, 8), func(i int) any {
			if depth < 3 && m.chance(0.4) {
				n := pick(m, nouns...) + strconv.Itoa(i)
				return folder(n, path+"/"+n, depth+1)
			}
			n := pick(m, nouns...) + "_" + pick(m, verbs...) + strconv.Itoa(i) + pick(m, ".go", ".md", ".ts", ".json")
			return obj{"name", n, "path", path + "/" + n, "type", "file", "size", m.long(60_000), "modified", stamp(m.moment(100))}
		})
		return obj{"name", name, "path", path, "type", "directory", "children", children}
	}
	return folder("quay", "/home/ada/quay", 0)
}

func jsonSchema(m maker, depth int) obj {
	switch m.IntN(6 + depth) {
	case 0:
		if depth < 1 {
			return obj{"type", "array", "items", jsonSchema(m, depth+1), "description", m.title()}
		}
		return obj{"type", "boolean", "default", false}
	case 1:
		return obj{"type", "integer", "minimum", m.IntN(2), "maximum", pick(m, 50, 100, 1000), "description", m.title()}
	case 2:
		return obj{"type", "string", "enum", several(m, 3, "open", "closed", "all", "draft"), "description", m.title()}
	case 3:
		return obj{"type", "string", "format", pick(m, "date-time", "uuid", "uri")}
	}
	return obj{"type", "string", "description", m.title()}
}

// fields makes members of different names.
func fields(m maker, n int, value func() any) obj {
	seen := map[string]bool{}
	var o obj
	for len(o) < 2*n {
		key := pick(m, nouns...)
		if m.chance(0.4) {
			key += "_" + pick(m, "id", "name", "count", "url", "at")
		}
		if !seen[key] {
			seen[key] = true
			o = append(o, key, value())
		}
	}
	return o
}

func schemaObject(m maker, n int) obj {
	properties := fields(m, n, func() any { return jsonSchema(m, 0) })
	var required list
	for i := 0; i < len(properties); i += 2 {
		if m.chance(0.4) {
			required = append(required, properties[i])
		}
	}
	return obj{"type", "object", "properties", properties, "required", append(list{}, required...), "additionalProperties", false, "$schema", "http://json-schema.org/draft-07/schema#"}
}

func openAPI(m maker) any {
	models := []string{"Order", "Customer", "Invoice", "Shipment", "Product", "Refund"}
	ref := func(name string) obj { return obj{"$ref", "#/components/schemas/" + name} }
	body := func(o obj) obj { return obj{"content", obj{"application/json", obj{"schema", o}}} }
	responses := func(model, code string) obj {
		return obj{code, append(obj{"description", "The " + strings.ToLower(model)}, body(ref(model))...), "default", append(obj{"description", "An error"}, body(ref("Error"))...)}
	}
	var paths, schemas obj
	for _, model := range models {
		name := strings.ToLower(model)
		id := obj{"name", name + "Id", "in", "path", "required", true, "description", "The " + name + "'s id", "schema", obj{"type", "string", "format", "uuid"}}
		paths = append(paths, "/"+name+"s", obj{
			"get", obj{"summary", "List " + name + "s", "operationId", "list" + model + "s", "tags", list{name + "s"}, "parameters", list{
				obj{"name", "limit", "in", "query", "description", "How many at most", "required", false, "schema", obj{"type", "integer", "maximum", 100, "default", 20}},
				obj{"name", "cursor", "in", "query", "description", "Where to go on", "required", false, "schema", obj{"type", "string"}}}, "responses", responses(model, "200")},
			"post", obj{"summary", "Make " + name, "operationId", "create" + model, "tags", list{name + "s"}, "requestBody", append(obj{"required", true}, body(ref(model))...), "responses", responses(model, "201")}},
			"/"+name+"s/{"+name+"Id}", obj{
				"get", obj{"summary", m.title(), "operationId", "get" + model, "tags", list{name + "s"}, "parameters", list{id}, "responses", responses(model, "200")},
				"delete", obj{"summary", m.title(), "operationId", "delete" + model, "tags", list{name + "s"}, "parameters", list{id}, "responses", obj{"204", obj{"description", "Gone"}}}})
		o := schemaObject(m, m.between(5, 12))
		schemas = append(schemas, model, o[:len(o)-4])
	}
	schemas = append(schemas, "Error", obj{"type", "object", "required", list{"code", "message"}, "properties", obj{"code", obj{"type", "integer", "format", "int32"}, "message", obj{"type", "string"}}})
	return obj{"openapi", "3.0.3", "info", obj{"title", "Quay shop", "version", "1.4.0", "license", obj{"name", "MIT"}}, "servers", list{obj{"url", "https://shop.example.com/v1"}}, "paths", paths, "components", obj{"schemas", schemas}}
}

func mcpTools(m maker) any {
	seen := map[string]bool{}
	return obj{"tools", rows(28, func(int) any {
		name := ""
		for name == "" || seen[name] {
			name = pick(m, "list", "get", "search", "create", "update") + "_" + pick(m, nouns...)
		}
		seen[name] = true
		return obj{"name", name, "title", upper(strings.ReplaceAll(name, "_", " ")), "description", m.text(3), "inputSchema", schemaObject(m, m.between(1, 6)),
			"annotations", obj{"readOnlyHint", !strings.HasPrefix(name, "create"), "destructiveHint", false, "idempotentHint", true, "openWorldHint", false}}
	})}
}

func mcpGraph(m maker) any {
	names := rows(40, func(i int) any { return m.person() + " " + strconv.Itoa(i) })
	return obj{"entities", rows(40, func(i int) any {
		return obj{"type", "entity", "name", names[i], "entityType", often(m, "person", "team", "service"), "observations", rows(m.between(1, 4), func(int) any { return m.sentence() })}
	}), "relations", rows(80, func(i int) any {
		return obj{"type", "relation", "from", pick(m, names...), "to", pick(m, names...), "relationType", often(m, "works_with", "owns", "reports_to")}
	})}
}

func notebook(m maker) any {
	return obj{"cells", rows(36, func(i int) any {
		lines := rows(m.between(1, 7), func(int) any {
			return pick(m, "import pandas as pd", "df = pd.read_csv('"+pick(m, nouns...)+".csv')", "df."+pick(m, "head()", "describe()", "dropna()"), "# "+m.title(), "plt.plot(df['"+pick(m, nouns...)+"'])", "print(df['"+pick(m, nouns...)+"'].mean())") + "\n"
		})
		if m.chance(0.3) {
			return obj{"cell_type", "markdown", "id", m.hex(8), "metadata", obj{}, "source", list{"## " + m.title() + "\n", "\n", m.text(3)}}
		}
		return obj{"cell_type", "code", "execution_count", i + 1, "id", m.hex(8), "metadata", obj{}, "outputs", list{obj{"name", "stdout", "output_type", "stream", "text", list{string(m.real(0, 900, 6)) + "\n"}}}, "source", lines}
	}), "metadata", obj{"kernelspec", obj{"display_name", "Python 3", "language", "python", "name", "python3"}, "language_info", obj{"name", "python", "version", "3.11.7"}}, "nbformat", 4, "nbformat_minor", 5}
}
