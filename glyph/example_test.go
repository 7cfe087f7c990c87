package glyph_test

import (
	"fmt"
	"os"
	"strings"

	"github.com/wirekit/wirekit/glyph"
	"github.com/wirekit/wirekit/wire"
)

func Example() {
	v, err := glyph.FromJSONLoose([]byte(`{"total":3,"ok":true,"rows":[{"id":1,"name":"Ada"},{"id":2,"name":"Grace H."},{"id":3,"name":null}]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	text := glyph.CanonicalizeLoose(v)
	fmt.Println(text)

	back, err := glyph.Codec{}.Decode([]byte(text))
	fmt.Println(wire.Equal(v, back), err)
	// Output:
	// {ok=t rows=@tab _ [id name]
	// |1|Ada|
	// |2|"Grace H."|
	// |3|_|
	// @end total=3}
	// true <nil>
}

func ExampleCodec() {
	v, _ := wire.ParseJSON([]byte(`[{"n":1.0},{"n":9007199254740993,"x":1},{"n":0.10}]`))
	for _, c := range []glyph.Codec{{}, {Profile: glyph.ProfileCanonical}, {Profile: glyph.ProfileExact}} {
		text, err := c.AppendEncode(nil, v)
		fmt.Println(string(text), err)
		fmt.Println("may lose:", c.Info().Loss)
	}
	// Output:
	// [{n=1.0} {n=9007199254740993 x=1} {n=0.10}] <nil>
	// may lose: scalar tags
	// @tab _ [n x]
	// |1|_|
	// |9.007199254740992e+15|1|
	// |0.1|_|
	// @end <nil>
	// may lose: member order, number spelling, number precision, absent and null members, time as text, scalar tags
	// @tab _ [n x]
	// |1||
	// |9007199254740993|1|
	// |0.1||
	// @end <nil>
	// may lose: member order, number spelling, time as text, scalar tags
}

func ExampleMarshal() {
	type user struct {
		ID   int    `json:"id"`
		Name string `json:"name"`
	}
	text, err := glyph.Marshal([]user{{1, "Ada"}, {2, "Grace"}, {3, "Mary Ann"}})
	fmt.Println(string(text), err)
	// Output:
	// @tab _ [id name]
	// |1|Ada|
	// |2|Grace|
	// |3|"Mary Ann"|
	// @end <nil>
}

func ExampleCodec_NewTableWriter() {
	keys, _ := wire.NewKeys("id", "name")
	w, err := glyph.Codec{}.NewTableWriter(os.Stdout, keys, 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, name := range []string{"Ada", "Grace H."} {
		row := glyph.Map(glyph.MapEntry{Key: "id", Value: glyph.Int(int64(i))}, glyph.MapEntry{Key: "name", Value: glyph.Str(name)})
		if err := w.Write(row); err != nil {
			fmt.Println(err)
			return
		}
	}
	fmt.Println("", w.Close())
	// Output:
	// @tab _ rows=2 cols=2 [id name]
	// |0|Ada|
	// |1|"Grace H."|
	// @end <nil>
}

func ExampleCodec_Records() {
	cutOff := "@tab _ rows=3 cols=2 [id name]\n|1|Ada|\n|2|Grace|\n|3|Ma"
	codec := glyph.Codec{Lenient: true, Warn: func(e *wire.Error) { fmt.Println(e.Code) }}
	for row, err := range codec.Records(strings.NewReader(cutOff)) {
		fmt.Println(row, err)
	}
	// Output:
	// {"id":1,"name":"Ada"} <nil>
	// {"id":2,"name":"Grace"} <nil>
	// row_cut_off
	// missing_end
	// count_mismatch
}

func ExampleParseLoosePayload() {
	registry := glyph.NewSchemaRegistry()
	for _, text := range []string{
		"@schema#S1 @keys=[role content]\n{#0=user #1=\"What is GLYPH?\"}",
		"{#0=assistant #1=\"A compact text.\"}",
	} {
		v, schema, err := glyph.ParseLoosePayload(text, registry)
		fmt.Println(schema.ID(), v, err)
	}
	// Output:
	// S1 {"role":"user","content":"What is GLYPH?"} <nil>
	// S1 {"role":"assistant","content":"A compact text."} <nil>
}

func ExampleDiff() {
	before, _ := wire.ParseJSON([]byte(`{"score":1,"events":["kick-off"],"extra":null}`))
	after, _ := wire.ParseJSON([]byte(`{"score":2,"events":["kick-off","Goal!"]}`))
	patch, err := glyph.Diff(before, after)
	if err != nil {
		fmt.Println(err)
		return
	}
	patch.Target = "m:123"
	fmt.Println(patch)
	v, err := patch.Apply(before)
	fmt.Println(v, err)
	_, err = patch.Apply(after)
	fmt.Println(err != nil)
	// Output:
	// @patch @keys=wire @target=m:123 @base=f408ad0e24781316 @exact=f408ad0e24781316
	// = score 2
	// + events "Goal!"
	// - extra
	// @end
	// {"score":2,"events":["kick-off","Goal!"]} <nil>
	// true
}

func ExampleValidateWithSchema() {
	str, number := glyph.PrimitiveType("str"), glyph.PrimitiveType("int")
	schema := glyph.NewSchemaBuilder().
		AddStruct("Address", "", glyph.Field("host", str), glyph.Field("port", number)).
		AddOpenStruct("Config", "v1", glyph.Field("services", glyph.MapType(str, glyph.RefType("Address")))).
		Build()
	v, _ := wire.ParseJSON([]byte(`{"services":{"a":{"host":"h","port":"80"}},"more":1}`))
	result := glyph.ValidateWithSchema(v, schema)
	for _, e := range result.Errors {
		fmt.Println(e.Code, e.Path, e.Message)
	}
	for _, w := range result.Warnings {
		fmt.Println(w.Code, w.Path)
	}
	// Output:
	// type_mismatch services.a.port expected int, got str
	// unknown_field_captured more
}

func ExampleCanonicalizeLooseWithSchema() {
	v, _ := glyph.FromJSONLoose([]byte(`{"role":"user","content":"Hello"}`))
	schema := glyph.NewSchemaContext([]string{"role", "content", "tool_calls"})
	fmt.Println(glyph.CanonicalizeLooseWithSchema(v, glyph.SchemaLooseCanonOpts(schema)))
	// Output:
	// @schema#jka43dvv @keys=[role content tool_calls]
	// {#0=user #1=Hello}
}

func ExampleBridgeOpts() {
	v := glyph.Map(
		glyph.MapEntry{Key: "owner", Value: glyph.ID("user", "42")},
		glyph.MapEntry{Key: "data", Value: wire.Bytes([]byte{0, 1, 2})},
	)
	strict, err := glyph.ToJSONLoose(v)
	fmt.Println(string(strict), err)
	extended, err := glyph.BridgeOpts{Extended: true}.ToJSON(v)
	fmt.Println(string(extended), err)
	// Output:
	// {"owner":"^user:42","data":"AAEC"} <nil>
	// {"owner":{"$glyph":"id","value":"^user:42"},"data":{"$glyph":"bytes","base64":"AAEC"}} <nil>
}

func ExampleNewPatchBuilder() {
	base, _ := wire.ParseJSON([]byte(`{"score":1,"events":[]}`))
	patch := glyph.NewPatchBuilder("m:123").
		WithBaseValue(base).
		Set("score", glyph.Int(5)).
		Append("events", glyph.Str("Goal!"))
	fmt.Println(patch)
	v, err := patch.Apply(base)
	fmt.Println(v, err)
	// Output:
	// @patch @keys=wire @target=m:123 @base=5f55e871dff893ea @exact=5f55e871dff893ea
	// = score 5
	// + events "Goal!"
	// @end
	// {"score":5,"events":["Goal!"]} <nil>
}

func ExampleCodec_Decode_error() {
	_, err := glyph.Codec{}.Decode([]byte("@tab _ [id name]\n|1|Ada|\n|2|\n@end"))
	fmt.Println(err)
	fmt.Println(err.(*wire.Error).Excerpt())
	// Output:
	// glyph: line 3, column 4: row_width_mismatch: row 2 has 1 cells, the header names 2 columns (at /1)
	// 3 | |2|
	//        ^
}

func ExampleNewSchemaBuilder() {
	schema := glyph.NewSchemaBuilder().
		AddStruct("Order", "v1",
			glyph.Field("id", glyph.PrimitiveType("int")),
			glyph.Field("tags", glyph.ListType(glyph.PrimitiveType("str"))).Optional()).
		Build()
	v, err := glyph.FromJSONLoose([]byte(`{"id":"7"}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(schema)
	for _, issue := range glyph.ValidateStrict(v, schema).Errors {
		fmt.Println(issue.Code, issue.Path)
	}
	// Output:
	// Order:v1 struct{
	//     id: int
	//     tags: list<str>?
	// }
	// type_mismatch id
}
