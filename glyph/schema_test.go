package glyph_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	. "github.com/wirekit/wirekit/glyph"
	"github.com/wirekit/wirekit/wire"
)

const configText = "Config:v1 @open struct{\n    name: str\n    port: int\n}"

func configSchema(open bool) *Schema {
	b := NewSchemaBuilder()
	fields := []FieldDef{Field("name", PrimitiveType("str")), Field("port", PrimitiveType("int"))}
	if open {
		return b.AddOpenStruct("Config", "v1", fields...).Build()
	}
	return b.AddStruct("Config", "v1", fields...).Build()
}

func TestSchemaText(t *testing.T) {
	require.Equal(t, configText, configSchema(true).String())
	s := NewSchemaBuilder().
		AddStruct("Address", "", Field("host", PrimitiveType("str")), Field("a b", PrimitiveType("any")).Optional()).
		AddOpenStruct("Registry", "v2.1", Field("services", MapType(PrimitiveType("str"), RefType("Address"))), Field("_", ListType(ListType(PrimitiveType("int")))).Optional()).
		Build()
	require.NoError(t, s.Check())
	want := "Address struct{\n    host: str\n    \"a b\": any?\n}\nRegistry:v2.1 @open struct{\n    services: map<str,Address>\n    _: list<list<int>>?\n}"
	require.Equal(t, want, s.String())
}

func TestSchemaMistakes(t *testing.T) {
	str := PrimitiveType("str")
	deep := PrimitiveType("int")
	for range 100 {
		deep = ListType(deep)
	}
	field := func(t Type) *SchemaBuilder { return NewSchemaBuilder().AddStruct("A", "", Field("x", t)) }
	for _, c := range []struct {
		b    *SchemaBuilder
		code string
	}{
		{NewSchemaBuilder(), "empty_schema"},
		{field(RefType("B")), "type_not_found"},
		{field(ListType(RefType("B"))), "type_not_found"},
		{field(PrimitiveType("zzz")), "type_not_found"},
		{field(MapType(RefType("A"), str)), "invalid_key_type"},
		{field(deep), "too_deep"},
		{NewSchemaBuilder().AddStruct("A", "", Field("x", str), Field("x", str)), "duplicate_field_name"},
		{field(str).AddStruct("A", ""), "duplicate_type"},
		{NewSchemaBuilder().AddStruct("str", ""), "invalid_name"},
		{NewSchemaBuilder().AddStruct("1A", ""), "invalid_name"},
		{NewSchemaBuilder().AddStruct("A", "a b"), "invalid_name"},
	} {
		requireCode(t, c.b.Build().Check(), c.code)
	}
}

func requireCode(t *testing.T, err error, code string) {
	t.Helper()
	var e *wire.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, code, e.Code)
}

// issues are the codes and paths of a result.
func issues(list []ValidationIssue) []string {
	var all []string
	for _, i := range list {
		all = append(all, i.Code+" "+i.Path)
	}
	return all
}

// TestUnknownFields is the document's table of outcomes.
func TestUnknownFields(t *testing.T) {
	known := parseJSON(t, `{"name":"x","port":1}`)
	unknown := parseJSON(t, `{"name":"x","port":1,"extra":true}`)
	for _, open := range []bool{false, true} {
		s := configSchema(open)
		require.True(t, ValidateWithSchema(known, s).Valid())
		require.True(t, ValidateStrict(known, s).Valid())
		require.Empty(t, ValidateWithSchema(known, s).Warnings)

		r := ValidateWithSchema(unknown, s)
		require.Equal(t, open, r.Valid())
		if open {
			require.Equal(t, []string{"unknown_field_captured extra"}, issues(r.Warnings))
		} else {
			require.Equal(t, []string{"unknown_field extra"}, issues(r.Errors))
		}
		r = ValidateStrict(unknown, s)
		require.Equal(t, []string{"unknown_field extra"}, issues(r.Errors))
		require.Empty(t, r.Warnings)
	}
	require.True(t, wire.Identical(parseJSON(t, `{"name":"x","port":1,"extra":true}`), unknown))
}

func TestValidate(t *testing.T) {
	primitive := PrimitiveType
	address := RefType("Address")
	fields := []FieldDef{
		Field("services", MapType(primitive("str"), address)),
		Field("settings", MapType(primitive("str"), primitive("int"))),
		Field("numbers", MapType(primitive("int"), primitive("any"))),
		Field("hashes", MapType(primitive("bytes"), primitive("any"))),
		Field("list", ListType(address)),
	}
	for key, name := range map[string]string{"n": "null", "b": "bool", "i": "int", "f": "float", "s": "str", "y": "bytes", "t": "time", "d": "id"} {
		fields = append(fields, Field(key, primitive(name)))
	}
	for i, f := range fields {
		fields[i] = f.Optional()
	}
	s := NewSchemaBuilder().
		AddStruct("Address", "", Field("host", primitive("str")), Field("port", primitive("int"))).
		AddOpenStruct("All", "", fields...).
		Build()
	for _, c := range []struct {
		json string
		want []string
	}{
		{`{}`, nil},
		{`{"settings":{"timeout":30,"port":8080}}`, nil},
		{`{"settings":{"timeout":30,"name":"myapp"}}`, []string{"type_mismatch settings.name"}},
		{`{"services":{"a":{"host":"h","port":1}}}`, nil},
		{`{"services":{"b":{"host":1,"x":1},"a":{"host":"h","port":"1"}}}`,
			[]string{"type_mismatch services.a.port", "type_mismatch services.b.host", "required_field services.b.port", "unknown_field services.b.x"}},
		{`{"list":[{"host":"h","port":1},{"host":"h","port":null},3]}`, []string{"type_mismatch list[1].port", "type_mismatch list[2]"}},
		{`{"list":{},"services":[],"settings":1}`, []string{"type_mismatch list", "type_mismatch services", "type_mismatch settings"}},
		{`{"numbers":{"1":1,"-7":2,"12345678901234567890":3}}`, nil},
		{`{"numbers":{"abc":1,"1.5":2," 1":3}}`, []string{"type_mismatch numbers.\" 1\"", "type_mismatch numbers.\"1.5\"", "type_mismatch numbers.abc"}},
		{`{"hashes":{"AAEC":1,"":2,"AA==":3}}`, nil},
		{`{"hashes":{"AAE":1,"AB==":2,"AAEC\n":3}}`, []string{"type_mismatch hashes.\"AAEC\\n\"", "type_mismatch hashes.\"AB==\"", "type_mismatch hashes.AAE"}},
		{`{"i":1.0,"f":1,"b":true,"s":"x","n":null}`, nil},
		{`{"i":1e400,"f":"1","b":1,"s":true,"n":0}`, []string{"type_mismatch b", "type_mismatch f", "type_mismatch n", "type_mismatch s"}},
		{`{"i":1e20}`, nil}, // by its value, not its spelling
		{`{"i":12.50e1}`, nil},
		{`{"i":12.50e0}`, []string{"type_mismatch i"}},
		{`{"i":1e-99999999999999999999}`, []string{"type_mismatch i"}},
		{`{"i":123456789012345678901234567890,"f":0.5}`, nil},
		{`{"i":1.5}`, []string{"type_mismatch i"}},
		{`{"y":"AAEC","t":"2025-01-01T00:00:00Z","d":"^a:b"}`, []string{"type_mismatch d", "type_mismatch t", "type_mismatch y"}},
		{`[]`, []string{"type_mismatch "}},
	} {
		v := parseJSON(t, c.json)
		for range 3 {
			r := ValidateWithSchema(v, s)
			require.Equal(t, c.want, issues(r.Errors), c.json)
		}
		require.True(t, wire.Identical(parseJSON(t, c.json), v))
	}
	typed := Map(MapEntry{Key: "y", Value: wire.Bytes(nil)}, MapEntry{Key: "t", Value: wire.Time(time.Now())}, MapEntry{Key: "d", Value: ID("a", "b")})
	require.True(t, ValidateWithSchema(typed, s).Valid())
	require.True(t, ValidateWithSchema(parseJSON(t, `{"host":"h","port":1}`), s.As("Address")).Valid())
	require.False(t, ValidateStrict(parseJSON(t, `{"host":"h","port":1}`), s).Valid(), "As changes no schema")
	require.Equal(t, []string{"type_not_found "}, issues(ValidateWithSchema(typed, s.As("Nothing")).Errors))
	require.Equal(t, []string{"invalid_schema "}, issues(ValidateWithSchema(typed, NewSchemaBuilder().Build()).Errors))
	require.Equal(t, "expected int, got str", ValidateWithSchema(parseJSON(t, `{"settings":{"name":"x"}}`), s).Errors[0].Message)
}
