package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/csv"
	"github.com/wirekit/wirekit/gcf"
	"github.com/wirekit/wirekit/internal/codec/describe"
	"github.com/wirekit/wirekit/jsonl"
	"github.com/wirekit/wirekit/toon"
	"github.com/wirekit/wirekit/wire"
	"github.com/wirekit/wirekit/yaml"
)

// InputOptions are the flags of the verbs that read a document in any format.
type InputOptions struct {
	From string
	Selection
}

// Add adds the flags.
func (o *InputOptions) Add(cmd *cobra.Command) {
	cmd.Flags().StringVarP(&o.From, "from", "f", "", "format of the input (default: by its extension, or detected)")
	o.Selection.Add(cmd)
}

// A Document is an input that has been read.
type Document struct {
	Src   []byte
	Codec wire.Codec // that of its format
	Value wire.Value // what is selected of it
}

// Load reads the document that a FILE argument names.
func (o InputOptions) Load(c *Console, file string) (Document, error) {
	src, err := o.Source(c, file)
	if err != nil {
		return Document{}, err
	}
	return o.Parse(c, file, src)
}

// Parse is Load for what was read from file.
func (o InputOptions) Parse(c *Console, file string, src []byte) (Document, error) {
	codec, v, err := c.decode(file, src, o.From)
	if err != nil {
		return Document{}, About(file, err)
	}
	v, err = o.In(c, file, v)
	return Document{src, codec, v}, About(file, err)
}

// decode reads a document in the format from; without one in that of the file's
// extension, and without such an extension in the one detected. It notes what a
// codec accepts but warns of, such as a stream without its trailer.
func (c *Console) decode(file string, src []byte, from string) (wire.Codec, wire.Value, error) {
	if err := Foreign(src); err != nil && from == "" {
		return nil, wire.Value{}, err
	}
	var codec wire.Codec
	if from == "" {
		codec = c.Separated(ByExtension(file, src), file, src)
	}
	named := codec != nil
	if !named {
		var err error
		if codec, err = source(src, from); err != nil {
			return nil, wire.Value{}, OfUnread(file, src, err)
		}
	}
	codec = wire.WithLimits(codec, c.limits(len(src)))
	v, err := c.decodeAs(codec, file, src)
	if several, ok := codec.(yaml.Codec); ok && Code(err) == "several_documents" {
		several.MultiDocument = true
		codec = several
		v, err = c.decodeAs(codec, file, src)
	}
	if err != nil && named {
		err = c.misnamed(err, codec, src)
	}
	if table, ok := codec.(csv.Codec); ok && err == nil && v.Len() == 0 {
		c.Note("%s: a header and no rows, read as %s", Title(file), table.Info().FullName())
	}
	return codec, v, OfUnread(file, src, err)
}

// unread says what to do with files of formats that are not read, by their extensions.
var unread = map[string]string{
	".toml":  "TOML is not read: convert it first, as with yq -p toml -o json",
	".xml":   "XML is not read: convert it first, as with yq -p xml -o json",
	".jsonc": comments,
	".json5": "JSON5 is not read: write it as JSON first",
}

// likeTOML matches a text whose first setting is one of TOML: files of the environment,
// and shells, have no blanks there.
var likeTOML = regexp.MustCompile(`\A(?:\s*(?:#.*|\[.*\].*)?\n)*\s*[\w."'-]+[ \t]+=[ \t]+(?:["'\[{\d+-]|true|false)`)

const comments = "comments are not read in JSON: take them out first"

// OfUnread adds to the error of a document in a format that is not read what to do.
func OfUnread(file string, src []byte, err error) error {
	hint := unread[strings.ToLower(filepath.Ext(UncompressedName(file)))]
	if err != nil && hint == "" && likeTOML.Match(src) {
		hint = unread[".toml"]
	}
	if e := Fault(err); e != nil && (e.Format == "json" || e.Format == "jsonl") && hint == "" {
		hint = Dialect(src, e.Offset)
	}
	if err != nil && hint != "" {
		return fmt.Errorf("%w; %s", err, hint)
	}
	return err
}

// Dialect says what to do about what only dialects of JSON have at an offset, or "".
func Dialect(src []byte, offset int) string {
	offset = min(offset, len(src))
	at, before := src[offset:], bytes.TrimSpace(src[:offset])
	switch {
	case bytes.HasPrefix(at, []byte("//")), bytes.HasPrefix(at, []byte("/*")):
		return comments
	case bytes.HasPrefix(at, []byte("'")):
		return `texts are in double quotation marks in JSON: write "…" in place of '…'`
	case len(at) > 0 && (at[0] == '}' || at[0] == ']') && bytes.HasSuffix(before, []byte(",")):
		return "nothing follows the last comma: take it out"
	}
	return ""
}

// decodeAs decodes a document. It notes warnings, and a key that an object of JSON has
// twice.
func (c *Console) decodeAs(codec wire.Codec, file string, src []byte) (wire.Value, error) {
	strict, lenient := codec, false
	switch j := codec.(type) {
	case wire.JSON:
		lenient, j.RejectDuplicates = !j.RejectDuplicates, true
		strict = j
	case jsonl.Codec:
		lenient, j.RejectDuplicates = !j.RejectDuplicates, true
		strict = j
	}
	v, err := c.Warned(strict).Decode(src)
	e := Fault(err)
	if !lenient || e == nil || e.Code != wire.CodeDuplicateKey {
		return v, err
	}
	if v, err = codec.Decode(src); err == nil {
		c.Note("%s: line %d, column %d: %s; the last one counts", Title(file), e.Line, e.Column, e.Message)
	}
	return v, err
}

// ByExtension returns the codec of a file's extension, nil if there is none. The first bytes
// of .gcf may say that it is a graph, whose extension is .graph.gcf.
func ByExtension(file string, src []byte) wire.Codec {
	found, err := wirekit.Registry().LookupFile(UncompressedName(file))
	if err != nil {
		return nil
	}
	if _, ok := found.(gcf.Codec); ok && (gcf.GraphCodec{}).Sniff(src) {
		return gcf.GraphCodec{}
	}
	return found
}

// Separated returns the codec of CSV whose cells are parted as the first line says, or as its
// own seem to be: spreadsheets write semicolons and tabs where the comma is taken
// for numbers. It notes what it takes.
func (c *Console) Separated(codec wire.Codec, file string, src []byte) wire.Codec {
	table, ok := codec.(csv.Codec)
	if comma := csv.Separator(src); ok && comma != 0 {
		c.Note("%s: cells are parted by %q, as its first line says", Title(file), comma)
		table.Comma = comma
		return table
	}
	first, _, _ := bytes.Cut(src, []byte{'\n'})
	if !ok || table != (csv.Codec{}) || bytes.IndexByte(first, ',') >= 0 {
		return codec
	}
	for _, variant := range []csv.Codec{{Comma: ';'}, {Comma: '\t'}} {
		if bytes.IndexByte(first, variant.Comma) >= 0 {
			c.Note("%s: read as %s, by its first line; --from csv takes commas", Title(file), variant.Info().FullName())
			return variant
		}
	}
	return codec
}

var errEmpty = errors.New("the input is empty")

// Foreign is an error for bytes that some other program has to turn into a
// document first.
func Foreign(src []byte) error {
	for signature, what := range map[string]string{
		"\xff\xfe":   "in UTF-16, and wirekit reads UTF-8: convert it before, as with iconv -f UTF-16 -t UTF-8",
		"\xfe\xff":   "in UTF-16, and wirekit reads UTF-8: convert it before, as with iconv -f UTF-16 -t UTF-8",
		"BZh":        "compressed: pipe it through bzip2 -dc",
		"\xfd7zXZ":   "compressed: pipe it through xz -dc",
		"PK\x03\x04": "a ZIP archive, as spreadsheets are: unpack it, or export the sheet as CSV",
	} {
		if bytes.HasPrefix(src, []byte(signature)) {
			return errors.New("the input is " + what)
		}
	}
	return nil
}

// misnamed adds to the error of the codec that a file's extension names which
// other format the bytes are in, if they are.
func (c *Console) misnamed(err error, codec wire.Codec, src []byte) error {
	if len(bytes.TrimSpace(src)) == 0 {
		return errEmpty
	}
	other, unknown := wirekit.Detect(src)
	if unknown != nil || other.Info().Name == codec.Info().Name {
		return err
	}
	if _, refused := wire.WithLimits(other, c.limits(len(src))).Decode(src); refused != nil {
		return err
	}
	name := other.Info().FullName()
	return fmt.Errorf("%w; the extension says %s, the content reads as %s: if it is that, say --from %s",
		err, codec.Info().FullName(), name, name)
}

// source returns the codec of the format from, or of the one detected.
func source(src []byte, from string) (wire.Codec, error) {
	if from != "" {
		return wirekit.Lookup(from)
	}
	c, err := wirekit.Detect(src)
	if err == nil {
		return c, nil
	}
	if (yaml.Codec{}).Sniff(src) { // and it is TOON as well, with another value
		_, at, _ := strings.Cut(err.Error(), "which read ")
		at, _, _ = strings.Cut(at, ";")
		return nil, fmt.Errorf("the input could be YAML or TOON, which read %s; say --from yaml or --from toon", at)
	}
	if refused := Fault(err); refused != nil && refused.Format == "yaml" {
		if _, toonErr := (toon.Codec{}).Decode(src); toonErr == nil {
			return nil, fmt.Errorf("the input could be TOON, or YAML, which refuses it: %w; say --from yaml or --from toon", refused)
		}
		return nil, fmt.Errorf("the input begins like YAML, which refuses it: %w; if it is another format, name it with --from%s", refused, textHint)
	}
	switch text := bytes.TrimSpace(src); {
	case len(text) == 0:
		return nil, errEmpty
	case bytes.IndexByte([]byte(`{["/`), text[0]) >= 0:
		return wirekit.Lookup("json") // malformed: JSON's error says where
	}
	first, _, _ := bytes.Cut(src, []byte{'\n'})
	if utf8.Valid(first) && bytes.ContainsAny(first, ",;\t") {
		return nil, errors.New("the input is in no format that bytes tell; if it is a table, say --from csv, csv:semicolon or csv:tsv")
	}
	if !utf8.Valid(src) {
		return nil, ErrBinary
	}
	return nil, fmt.Errorf("%w %s; name one with --from%s", errNoFormat, strings.Join(describe.Names(wirekit.Registry()), ", "), textHint)
}

// textHint says what to do with text in no format.
const textHint = "; compare, tokens and convert --to lines take text in no format"

// ErrBinary is the error for bytes that are not UTF-8, in a format that they do not tell.
var ErrBinary = errors.New("the input is binary: if it is CBOR or MessagePack, say --from cbor or --from msgpack; if it is text in another encoding than UTF-8, convert it before, as with iconv")

// Auto is the name of whatever format is best for a document.
const Auto = "auto"

// Fewest writes a value in the format with the fewest tokens.
func Fewest(v wire.Value) (text, format string) {
	choice, err := wirekit.Choose(context.Background(), v)
	if err != nil {
		return "", ""
	}
	return string(choice.Encoded), choice.Name()
}

// FirstRows writes the rows that represent a table.
func FirstRows(v wire.Value) string {
	text, format := Fewest(v)
	if text == "" {
		return ""
	}
	return "[" + format + "]\n" + text
}
