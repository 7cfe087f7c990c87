package payload

// A Group is a field that answers come from.
type Group struct {
	Name  string
	Kinds []string
}

// Groups returns the fields, each with the kinds of its answers. Every kind is
// in one of them.
func Groups() []Group {
	return []Group{
		{"code hosting", []string{"code hosting: issues", "code hosting: pull requests", "code hosting: repositories", "code hosting: events", "code hosting: check runs", "code hosting: webhooks", "pull request files"}},
		{"code search and editors", []string{"code search", "gopls document symbols", "gopls references", "gopls workspace symbols", "file tree", "js syntax tree"}},
		{"version control", []string{"git log", "git numstat", "git tree"}},
		{"packages", []string{"go list", "go modules", "npm ls", "npm sbom", "package lock", "plug-in catalogue"}},
		{"tests, linters, profiles", []string{"go test", "eslint", "JUnit", "SARIF", "istanbul coverage", "v8 coverage", "cpu profile", "build jobs"}},
		{"databases and tables", []string{"pg columns", "pg explain", "pg nested", "pg rows", "pg settings", "pg stat tables", "rows of a query", "spreadsheet"}},
		{"clusters and containers", []string{"Kubernetes pods", "Kubernetes events", "kubectl objects", "docker inspect", "terraform plan", "configuration", "feature flags"}},
		{"monitoring and logs", []string{"Prometheus vector", "Prometheus matrix", "Prometheus targets", "OpenTelemetry spans", "structured logs"}},
		{"schemas and tools", []string{"OpenAPI", "MCP tools", "MCP graph of entities", "terraform provider schemas", "terraform functions", "wirekit compare", "wirekit formats"}},
		{"business records", []string{"orders", "invoices", "product search", "people", "tickets", "calendar"}},
		{"messages and documents", []string{"mail", "chat messages", "posts", "web search", "documents found", "notebook"}},
		{"series, maps, catalogues", []string{"time series", "weather", "GeoJSON", "directions", "timetable", "event catalogue", "music tracker"}},
	}
}
