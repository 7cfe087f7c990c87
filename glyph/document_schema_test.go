package glyph_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	. "github.com/wirekit/wirekit/glyph"
)

// The snippets of the document's "Schema Extensions", which name no package.

func TestDocumentOpenStruct(t *testing.T) {
	schema := NewSchemaBuilder().
		AddOpenStruct("Config", "v1",
			Field("name", PrimitiveType("str")),
			Field("port", PrimitiveType("int")),
		).
		Build()
	require.Equal(t, "Config:v1 @open struct{\n    name: str\n    port: int\n}", schema.String())

	value := Map(
		MapEntry{Key: "name", Value: Str("x")},
		MapEntry{Key: "port", Value: Int(1)},
		MapEntry{Key: "more", Value: Int(2)},
	)
	// Normal validation - unknown fields accepted with warning
	result := ValidateWithSchema(value, schema)
	require.True(t, result.Valid())
	require.Len(t, result.Warnings, 1)

	// Strict validation - unknown fields always rejected
	result = ValidateStrict(value, schema)
	require.Equal(t, "unknown_field", result.Errors[0].Code)
}

func TestDocumentMapValidation(t *testing.T) {
	schema := NewSchemaBuilder().
		AddStruct("Config", "v1",
			Field("settings", MapType(PrimitiveType("str"), PrimitiveType("int"))),
		).
		Build()

	// This passes - all values are ints
	value := Map(
		MapEntry{Key: "timeout", Value: Int(30)},
		MapEntry{Key: "port", Value: Int(8080)},
	)
	require.True(t, ValidateWithSchema(Map(MapEntry{Key: "settings", Value: value}), schema).Valid())

	// This fails - "name" value is string, not int
	value = Map(
		MapEntry{Key: "timeout", Value: Int(30)},
		MapEntry{Key: "name", Value: Str("myapp")}, // type_mismatch error
	)
	result := ValidateWithSchema(Map(MapEntry{Key: "settings", Value: value}), schema)
	require.Equal(t, []ValidationIssue{{Code: "type_mismatch", Path: "settings.name", Message: "expected int, got str"}}, result.Errors)
}

func TestDocumentNestedReferences(t *testing.T) {
	schema := NewSchemaBuilder().
		AddStruct("Address", "v1",
			Field("host", PrimitiveType("str")),
			Field("port", PrimitiveType("int")),
		).
		AddStruct("Registry", "v1",
			Field("services", MapType(PrimitiveType("str"), RefType("Address"))),
		).
		Build()
	bad := parseJSON(t, `{"services":{"a":{"host":"h","port":"1"}}}`)
	require.Equal(t, []string{"type_mismatch services.a.port"}, issues(ValidateWithSchema(bad, schema).Errors))
}
