package repo

import (
	"os/exec"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit"
)

const module = "github.com/wirekit/wirekit"

// mayLink lists, for each package, the packages beside the standard library
// and internal ones that a program which imports it may link. A format links
// itself and wire: no other format, no vocabulary, no command line.
var mayLink = map[string][]string{
	"wire":          nil,
	"gcf":           {module + "/wire"},
	"gcf/set":       {module + "/wire", module + "/gcf/internal/lex"},
	"gcx":           {module + "/wire"},
	"gcx/envelope":  {module + "/wire", module + "/gcx"},
	"gcx/layouts":   {module + "/wire", module + "/gcx"},
	"glyph":         {module + "/wire"},
	"goon":          {module + "/wire"},
	"goon/response": {module + "/wire", module + "/goon"},
	"toon":          {module + "/wire"},
	"tron":          {module + "/wire"},
	// The format itself demands zstd and BLAKE3, which asks what the processor can.
	"bcp":       {module + "/wire", "github.com/klauspost/compress", "github.com/zeebo/blake3", "github.com/klauspost/cpuid/v2", "golang.org/x/sys"},
	"pack":      {module + "/wire", module + "/bcp", module + "/jsonl", "github.com/klauspost/compress", "github.com/zeebo/blake3", "github.com/klauspost/cpuid/v2", "golang.org/x/sys"},
	"csv":       {module + "/wire"},
	"jsonl":     {module + "/wire"},
	"md":        {module + "/wire"},
	"yaml":      {module + "/wire", "go.yaml.in/yaml/v4"},
	"fold":      {module + "/wire", module + "/tokens"},
	"lines":     {module + "/wire"},
	"cbor":      {module + "/wire"},
	"msgpack":   {module + "/wire"},
	"sqlrows":   {module + "/wire"},
	"partial":   {module + "/wire"},
	"negotiate": {module + "/wire"},
	"tokens":    nil,
	// All formats, to choose among them; but no SDK.
	"mcp":       {module, "github.com/klauspost/compress", "github.com/zeebo/blake3", "github.com/klauspost/cpuid/v2", "golang.org/x/sys", "go.yaml.in/yaml/v4"},
	"llm":       {module, "github.com/klauspost/compress", "github.com/zeebo/blake3", "github.com/klauspost/cpuid/v2", "golang.org/x/sys", "go.yaml.in/yaml/v4"},
	"llm/proxy": {module, "github.com/klauspost/compress", "github.com/zeebo/blake3", "github.com/klauspost/cpuid/v2", "golang.org/x/sys", "go.yaml.in/yaml/v4"},
}

// TestConformanceLinks lists what the tests of a codec of another module link for the suite.
func TestConformanceLinks(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", "./conformance").CombinedOutput()
	require.NoError(t, err, string(out))
	var own []string
	for _, dep := range strings.Fields(string(out)) {
		if name, ok := strings.CutPrefix(dep, module+"/"); ok {
			own = append(own, name)
		}
	}
	require.ElementsMatch(t, []string{
		"conformance", "wire",
		"internal/base/bound", "internal/base/decimal", "internal/base/enum", "internal/base/lineio", "internal/base/scan", "internal/base/splice",
		"internal/govalue/gotext", "internal/govalue/gotype", "internal/govalue/inplace",
		"internal/codec/builder", "internal/codec/variants",
		"internal/testkit/faulty", "internal/testkit/growth", "internal/testkit/payload", "internal/testkit/resident", "internal/testkit/sample",
	}, own)
}

func TestDependenciesPointOneWay(t *testing.T) {
	for _, codec := range wirekit.Registry().Codecs() {
		require.Contains(t, mayLink, strings.TrimPrefix(reflect.TypeOf(codec).PkgPath(), module+"/"))
	}
	for name, allowed := range mayLink {
		t.Run(name, func(t *testing.T) {
			out, err := exec.Command("go", "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", "./"+name).CombinedOutput()
			require.NoError(t, err, string(out))
			for _, dep := range strings.Fields(string(out)) {
				if dep == module+"/"+name || strings.HasPrefix(dep, module+"/internal/") || strings.HasPrefix(dep, module+"/"+name+"/") {
					continue
				}
				require.True(t, slices.ContainsFunc(allowed, func(prefix string) bool { return strings.HasPrefix(dep, prefix) }),
					"%s links %s", name, dep)
			}
		})
	}
}
