package bcp

import (
	"errors"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/wire"
)

// The fields of the blocks are in one table, that of docs/bcp.md. Encoder,
// decoder, view and manifest spell them out each for itself; these tests hold
// all of them, and the Go structs, to the table.

type fieldRow struct {
	id       byte
	name     string
	value    string // word, number, text, bytes, or the record of a list
	optional bool
	list     bool
}

func (f fieldRow) wireType() wireType {
	switch {
	case f.list:
		return wireNested
	case f.value == "word" || f.value == "number":
		return wireVarint
	}
	return wireBytes
}

// inManifest is the field's name in manifests.
func (f fieldRow) inManifest() string {
	if f.name == "root_path" {
		return "root"
	}
	return f.name
}

// fieldTable returns the rows of docs/bcp.md by the name of the block or record,
// and the types of the blocks.
func fieldTable(t *testing.T) (rows map[string][]fieldRow, types map[string]BlockType) {
	t.Helper()
	doc, err := os.ReadFile("../docs/bcp.md")
	require.NoError(t, err)
	_, table, found := strings.Cut(string(doc), "| type | block | fields: id, name, value |\n| --- | --- | --- |\n")
	require.True(t, found)
	table, _, _ = strings.Cut(table, "\n\n")
	rows, types = make(map[string][]fieldRow), make(map[string]BlockType)
	for line := range strings.Lines(table) {
		cells := strings.Split(strings.Trim(line, "| \n"), "|")
		if len(cells) == 3 {
			n, err := strconv.Atoi(strings.TrimSpace(cells[0]))
			require.NoError(t, err)
			types[strings.Trim(cells[1], " `")] = BlockType(n)
			cells = cells[1:]
		}
		name := strings.Trim(cells[0], " `")
		for i, text := range strings.Split(cells[1], ",") {
			words := strings.Fields(text)
			require.Len(t, words, 3, line)
			require.Equal(t, strconv.Itoa(i+1), words[0], line)
			value := strings.TrimRight(words[2], "?*")
			rows[name] = append(rows[name], fieldRow{id: byte(i + 1), name: words[1], value: value,
				optional: value != words[2], list: strings.HasSuffix(words[2], "*")})
		}
	}
	return rows, types
}

// filled returns an empty body of a type, with every field set.
func filled(t *testing.T, typ BlockType) Body {
	t.Helper()
	for _, b := range []Body{new(Code), new(Conversation), new(FileTree), new(ToolResult), new(Document), new(StructuredData),
		new(Diff), new(Annotation), new(EmbeddingRef), new(Image), new(Extension)} {
		if b.blockType() == typ {
			fill(reflect.ValueOf(b).Elem(), 2)
			return b
		}
	}
	t.Fatalf("no body has the type %s", typ)
	return nil
}

// someWords are words that fields of enumerations take.
var someWords = map[string]string{"Code.Lang": "rust", "Conversation.Role": "system", "FileEntry.Kind": "directory", "ToolResult.Status": "ok",
	"Document.FormatHint": "markdown", "StructuredData.Format": "json", "Annotation.Kind": "priority", "Image.MediaType": "png"}

// fill sets all but the unknown fields: numbers to 1, texts and bytes to one
// character, lists to one element, as deep as that.
func fill(v reflect.Value, deep int) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			switch f := v.Type().Field(i); {
			case f.Name == "Extra":
			case someWords[v.Type().Name()+"."+f.Name] != "":
				v.Field(i).SetString(someWords[v.Type().Name()+"."+f.Name])
			default:
				fill(v.Field(i), deep)
			}
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), deep)
	case reflect.Slice:
		switch {
		case v.Type().Elem().Kind() == reflect.Uint8:
			v.SetBytes([]byte{1})
		case deep > 0:
			v.Set(reflect.MakeSlice(v.Type(), 1, 1))
			fill(v.Index(0), deep-1)
		}
	case reflect.String:
		v.SetString("x")
	default:
		v.SetUint(1)
	}
}

// split returns the fields of a body by their ids.
func split(t *testing.T, body []byte) map[byte][]byte {
	t.Helper()
	fields := make(map[byte][]byte)
	for last := byte(0); len(body) > 0; {
		n := skipField(body)
		require.Positive(t, n)
		require.Greater(t, body[0], last, "ids ascend")
		last = body[0]
		fields[last], body = body[:n:n], body[n:]
	}
	return fields
}

func TestFieldsAreThoseOfTheTable(t *testing.T) {
	rows, types := fieldTable(t)
	named := 0
	for _, k := range kinds {
		named += min(len(k.name), 1)
	}
	require.Len(t, types, named-1, "all but END")
	for name, typ := range types {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, name, typ.String())
			body := filled(t, typ)
			encoded := bodyOf(&Block{Body: body})
			_, size := (&checker{treeDepth: 9}).block(&Block{Body: body}, new(places))
			require.Equal(t, size, len(encoded))
			got, _, err := (&rules{strict: true, treeDepth: 9}).decodeBody(typ, encoded, origin{})
			require.NoError(t, err)
			require.Equal(t, body, got)
			held(t, rows, name, reflect.TypeOf(body).Elem(), encoded, func(body []byte) error {
				_, _, err := (&rules{treeDepth: 9}).decodeBody(typ, body, origin{})
				return err
			})
		})
	}
}

// held compares a record's struct and what encoder and decoder know of its
// fields with the table. encoded has them all.
func held(t *testing.T, rows map[string][]fieldRow, name string, goType reflect.Type, encoded []byte, decode func([]byte) error) {
	t.Helper()
	require.Equal(t, exceptExtra(goType), len(rows[name]), "%s has a row for each field but Extra", goType)
	fields := split(t, encoded)
	require.Len(t, fields, len(rows[name]))
	for i, f := range rows[name] {
		at := goType.Name() + " " + f.name
		require.Equal(t, byte(f.wireType()), fields[f.id][1], at)

		without := join(fields, f.id, nil)
		err := decode(without)
		if f.optional {
			require.NoError(t, err, at)
		} else {
			requireField(t, err, "missing_required_field", f.name, at)
		}

		// Another wire type, so the decoder says by which name it knows the field.
		other := []byte{f.id, byte(wireVarint), 0}
		if f.wireType() == wireVarint {
			other = []byte{f.id, byte(wireBytes), 0}
		}
		known := f.name
		if f.list {
			known = f.value
		}
		requireField(t, decode(join(fields, f.id, other)), "wire_type_mismatch", known, at)

		if !f.list {
			continue
		}
		element := fields[f.id][3:]
		require.Len(t, element, int(fields[f.id][2]), at)
		if len(split(t, element)) < len(rows[f.value]) {
			continue // the innermost entry has no children
		}
		held(t, rows, f.value, goType.Field(i).Type.Elem(), element, func(element []byte) error {
			return decode(join(fields, f.id, appendBytes(nil, f.id, element)))
		})
	}
}

func exceptExtra(t reflect.Type) int {
	if _, ok := t.FieldByName("Extra"); ok {
		return t.NumField() - 1
	}
	return t.NumField()
}

// join puts a body together again, with another field in place of id's.
func join(fields map[byte][]byte, id byte, field []byte) []byte {
	var body []byte
	for i := range byte(len(fields)) {
		if i+1 == id {
			body = append(body, field...)
		} else {
			body = append(body, fields[i+1]...)
		}
	}
	return body
}

func requireField(t *testing.T, err error, code, name, at string) {
	t.Helper()
	var e *wire.Error
	require.True(t, errors.As(err, &e), at)
	require.Equal(t, code, e.Code, at)
	require.Contains(t, "/"+e.Path(), "/"+name, at)
}

// A view has the members of the table, a manifest without one of them is refused
// unless the documentation of FromManifest gives it a question mark, and that
// documentation names them all.
func TestManifestsHaveTheFieldsOfTheTable(t *testing.T) {
	source, err := os.ReadFile("manifest.go")
	require.NoError(t, err)
	rows, types := fieldTable(t)
	for name, typ := range types {
		t.Run(name, func(t *testing.T) {
			body := filled(t, typ)
			view := (&Payload{Blocks: blocks(body)}).Value()
			p, _, err := FromManifest(view, nil, Limits{})
			require.NoError(t, err)
			require.Equal(t, body, p.Blocks[0].Body)

			list, _ := view.Get("blocks")
			block := list.Index(0)
			kind, _ := block.Get("type")
			require.Equal(t, strings.ToLower(name), kind.Text())
			_, doc, found := strings.Cut(string(source), "\n//\t"+kind.Text()+" ")
			require.True(t, found, "the documentation of FromManifest has the block")
			doc, _, _ = strings.Cut(doc, "\n")
			shown(t, rows, name, block, 1, doc, func(block wire.Value) error {
				pack, err := wire.Object(wire.Member{Key: "blocks", Value: wire.Array(block)})
				require.NoError(t, err)
				_, _, err = FromManifest(pack, nil, Limits{})
				return err
			})
		})
	}
}

// shown compares the members of a view, of which the first ones are not fields,
// with the table.
func shown(t *testing.T, rows map[string][]fieldRow, name string, v wire.Value, first int, doc string, read func(wire.Value) error) {
	t.Helper()
	require.Equal(t, len(rows[name]), v.Len()-first)
	for i, f := range rows[name] {
		require.Equal(t, f.inManifest(), v.Keys().At(first+i))
		var members []wire.Member
		for key, value := range v.Members() {
			if key != f.inManifest() {
				members = append(members, wire.Member{Key: key, Value: value})
			}
		}
		without, err := wire.Object(members...)
		require.NoError(t, err)
		err = read(without)
		if !strings.Contains(doc, f.inManifest()+"?") {
			require.Error(t, err, f.name)
			require.Contains(t, doc, f.inManifest())
			continue
		}
		require.NoError(t, err, f.name)
		if !f.list {
			continue
		}
		list := v.Index(first + i)
		if inner := list.Index(0); inner.Len() == len(rows[f.value]) {
			shown(t, rows, f.value, inner, 0, doc, func(element wire.Value) error {
				with := make([]wire.Value, v.Len())
				for j := range with {
					with[j] = v.Index(j)
				}
				with[first+i] = wire.Array(element)
				return read(wire.ObjectOf(v.Keys(), with...))
			})
		}
	}
}

// bodyOf is the body of a block as it is written, however deep it is.
func bodyOf(b *Block) []byte {
	w := blockWriter{checker: checker{lenient: true, treeDepth: 1 << 30}}
	var at places
	list, _ := w.checker.block(b, &at)
	return w.appendBody(nil, b, list, &at)
}
