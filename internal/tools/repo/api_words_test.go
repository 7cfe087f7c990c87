package repo

import (
	"encoding"
	"go/ast"
	"go/token"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/bcp/render"
	"github.com/wirekit/wirekit/glyph"
	"github.com/wirekit/wirekit/llm"
	"github.com/wirekit/wirekit/mcp"
	"github.com/wirekit/wirekit/partial"
)

// enums are the enumerations of the public packages: a value that each does not know, and
// where a name goes.
var enums = map[string]struct {
	unknown encoding.TextMarshaler
	into    encoding.TextUnmarshaler
}{
	"wirekit.Precision": {wirekit.Precision(255), new(wirekit.Precision)},
	"render.Mode":       {render.Mode(255), new(render.Mode)},
	"render.Policy":     {render.Policy(255), new(render.Policy)},
	"render.Verbosity":  {render.Verbosity(255), new(render.Verbosity)},
	"glyph.NullStyle":   {glyph.NullStyle(255), new(glyph.NullStyle)},
	"glyph.Profile":     {glyph.Profile(255), new(glyph.Profile)},
	"llm.Shape":         {llm.Shape(255), new(llm.Shape)},
	"mcp.Mode":          {mcp.Mode(255), new(mcp.Mode)},
	"partial.Kind":      {partial.Kind(255), new(partial.Kind)},
	"partial.Level":     {partial.Level(255), new(partial.Level)},
}

// noEnums are whole numbers with named values that are not enumerations, or that no text
// names.
var noEnums = map[string]string{
	"bcp.BlockFlags": "a set", "bcp.HeaderFlags": "a set", "wire.Loss": "a set",
	"bcp.BlockType":  "a byte of the format, whose unknown values are kept",
	"wire.Kind":      "never an option",
	"partial.Inside": "never an option",
	"bcp.Priority":   "a byte of the format that begins with 1",
}

// TestEnums: every enumeration is a text that flags and JSON take, and refuses values and
// names that it does not know.
func TestEnums(t *testing.T) {
	for name, e := range enums {
		require.Contains(t, reflect.TypeOf(e.unknown).String(), name)
		text, err := e.unknown.MarshalText()
		require.Error(t, err, "%s: %s", name, text)
		for _, unknown := range []string{"", "no such value", "255"} {
			require.Error(t, e.into.UnmarshalText([]byte(unknown)), "%s: %q", name, unknown)
		}
		zero, err := reflect.ValueOf(e.into).Elem().Interface().(encoding.TextMarshaler).MarshalText()
		require.NoError(t, err, "the zero %s", name)
		require.NoError(t, e.into.UnmarshalText(zero), "%s: %s", name, zero)
	}
	for _, dir := range publicPackages(t) {
		pkg, _ := load(t, dir)
		for _, typ := range pkg.Types {
			name := pkg.Name + "." + typ.Name
			_, listed := enums[name]
			if isEnum(typ.Decl) && len(typ.Consts) > 0 && noEnums[name] == "" {
				require.True(t, listed, "%s has named values: list it in enums, or in noEnums with the reason", name)
			}
		}
	}
}

// isEnum reports whether a declaration is that of a small whole number.
func isEnum(d *ast.GenDecl) bool {
	for _, spec := range d.Specs {
		s, ok := spec.(*ast.TypeSpec)
		if !ok {
			continue
		}
		if underlying, ok := s.Type.(*ast.Ident); ok && strings.HasPrefix(underlying.Name, "uint") {
			return true
		}
	}
	return false
}

// concepts have one word in all public packages: a field, or a function's parameter, of
// the type is called so. What a format's document names is left to it.
var concepts = map[string]string{
	"tokens.Counter": "Counter",
	"*wire.Registry": "Registry",
	"wire.Limits":    "Limits",
}

// otherWords are fields that mean something else.
var otherWords = map[string]bool{
	"tokens.Estimate.Base": true, // whose count is multiplied
}

// TestConcepts: no two packages name one concept differently.
func TestConcepts(t *testing.T) {
	seen := 0
	for _, dir := range publicPackages(t) {
		pkg, _ := load(t, dir)
		for _, typ := range pkg.Types {
			for _, spec := range typ.Decl.Specs {
				s, ok := spec.(*ast.TypeSpec)
				if !ok {
					continue
				}
				structure, ok := s.Type.(*ast.StructType)
				if !ok {
					continue
				}
				for _, field := range structure.Fields.List {
					of := typeText(field.Type)
					if strings.IndexByte(of, '.') < 0 && ast.IsExported(strings.TrimPrefix(of, "*")) {
						of = strings.Replace(of, strings.TrimPrefix(of, "*"), pkg.Name+"."+strings.TrimPrefix(of, "*"), 1)
					}
					for _, name := range field.Names {
						full := pkg.Name + "." + typ.Name + "." + name.Name
						if !name.IsExported() || otherWords[full] {
							continue
						}
						if word := concepts[of]; word != "" {
							seen++
							require.Equal(t, word, name.Name, "%s is a %s", full, of)
						}
						if of == "[]string" {
							require.NotContains(t, []string{"Candidates", "Codecs", "Encodings"}, name.Name, "%s: names of formats are Formats", full)
						}
					}
				}
			}
			for _, f := range typ.Methods {
				ordered(t, pkg.Name+"."+typ.Name+"."+f.Name, f.Decl)
			}
			for _, f := range typ.Funcs {
				ordered(t, pkg.Name+"."+f.Name, f.Decl)
			}
		}
		for _, f := range pkg.Funcs {
			ordered(t, pkg.Name+"."+f.Name, f.Decl)
		}
	}
	require.Greater(t, seen, 20, "fields of these types are found")
}

// ordered holds that a context comes first, and dst right after it.
func ordered(t *testing.T, name string, f *ast.FuncDecl) {
	at := 0
	context := false
	for _, field := range f.Type.Params.List {
		of := typeText(field.Type)
		if of == "context.Context" {
			require.Zero(t, at, "%s: the context is the first parameter", name)
			context = true
		}
		for _, param := range field.Names {
			if param.Name == "dst" && of == "[]byte" {
				require.True(t, at == 0 || at == 1 && context, "%s: dst is the first parameter, or follows the context", name)
			}
			at++
		}
	}
}

// typeText returns a type as it is written, where it is a name, perhaps with a package,
// a star or a slice of that.
func typeText(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return typeText(e.X) + "." + e.Sel.Name
	case *ast.StarExpr:
		return token.MUL.String() + typeText(e.X)
	case *ast.ArrayType:
		if e.Len == nil {
			return "[]" + typeText(e.Elt)
		}
	}
	return ""
}
