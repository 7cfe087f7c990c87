package rewrite

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/wirekit/wirekit/internal/base/splice"
)

// Keywords of JSON Schema whose values are schemas, alone, in objects and in
// arrays. What is below any other keyword is not looked at: it may be data.
var (
	schemaKeywords = []string{"additionalItems", "additionalProperties", "contains", "contentSchema", "else", "if", "items",
		"not", "propertyNames", "then", "unevaluatedItems", "unevaluatedProperties"}
	schemaMaps  = []string{"$defs", "definitions", "dependentSchemas", "patternProperties", "properties"}
	schemaLists = []string{"allOf", "anyOf", "items", "oneOf", "prefixItems"}
)

// sameInAllDrafts are keywords that mean the same in every draft from 6 to
// 2020-12, so that a schema of these needs no $schema. Beside $ref the older
// drafts ignore everything.
var sameInAllDrafts = []string{"$comment", "$schema", "additionalProperties", "allOf", "anyOf", "const", "default", "description",
	"enum", "examples", "exclusiveMaximum", "exclusiveMinimum", "format", "if", "then", "else", "items", "maxItems", "maxLength", "maxProperties",
	"maximum", "minItems", "minLength", "minProperties", "minimum", "multipleOf", "not", "oneOf", "pattern", "patternProperties",
	"properties", "propertyNames", "readOnly", "required", "title", "type", "uniqueItems", "writeOnly"}

// A pruner takes out of a tool's schemas what validators ignore and what says
// nothing that is not said around it.
type pruner struct {
	text    []byte
	gone    map[splice.Span][]string // members of the object at a span
	foreign bool                     // it has a keyword that could mean something else without $schema
}

// around is what is said about a schema where it is.
type around struct {
	words        func() map[string]bool // of its name
	descriptions []string               // of what it is in
	depth        int
}

// maxSchemaDepth is how deep schemas are looked into.
const maxSchemaDepth = 64

// Prune returns the edits that take out of a tool's schema what validators ignore and
// what says nothing new. What it accepts stays the same.
func Prune(text []byte, at splice.Span, name, description string) []splice.Edit {
	p := pruner{text: text, gone: make(map[splice.Span][]string)}
	words := vocabulary(name, "args arguments input output params parameters request response result schema", description)
	p.schema(at, around{words: words, descriptions: []string{description}})
	if !p.foreign && p.knownVersion(at) {
		p.gone[at] = append(p.gone[at], "$schema")
	}
	var edits []splice.Edit
	for at, keys := range p.gone {
		edits = append(edits, splice.Remove(text, at, keys...)...)
	}
	return edits
}

// knownVersion reports whether a schema says that it is of a version in which
// its keywords mean the same as in others.
func (p *pruner) knownVersion(at splice.Span) bool {
	version := splice.Word(p.text, at, "$schema")
	return slices.ContainsFunc([]string{"draft-06/schema", "draft-07/schema", "draft/2019-09/schema", "draft/2020-12/schema"},
		func(known string) bool { return strings.Contains(version, "//json-schema.org/"+known) })
}

// schema looks at a schema and those in it.
func (p *pruner) schema(at splice.Span, a around) {
	o, ok := splice.AllMembers(p.text, at)
	if !ok || a.depth > maxSchemaDepth {
		p.foreign = p.foreign || ok
		return
	}
	a.depth++
	a = p.annotations(at, a)
	for _, m := range o.Members {
		key, _ := splice.StringAt(p.text, m.Key)
		if !slices.Contains(sameInAllDrafts, key) && !strings.HasPrefix(key, "x-") {
			p.foreign = true
		}
		switch {
		case slices.Contains(schemaMaps, key):
			p.named(m.Value, a)
		case slices.Contains(schemaLists, key) && p.list(m.Value, a):
			p.foreign = p.foreign || key == "items" // a list of them is a tuple in older drafts
		case slices.Contains(schemaKeywords, key):
			p.schema(m.Value, a)
		}
	}
}

// named looks at the schemas of an object.
func (p *pruner) named(at splice.Span, a around) {
	o, _ := splice.AllMembers(p.text, at)
	for _, m := range o.Members {
		name, _ := splice.StringAt(p.text, m.Key)
		a.words = vocabulary(name)
		p.schema(m.Value, a)
	}
}

// list looks at the schemas of an array, and reports whether it is one.
func (p *pruner) list(at splice.Span, a around) bool {
	list, ok := splice.FindElements(p.text, at)
	for _, s := range list {
		p.schema(s, a)
	}
	return ok
}

// annotations takes out a schema's comment, a title whose words are those of the
// name or the description, and a description that what it is in has too. It
// returns what is said around the schemas in it.
func (p *pruner) annotations(at splice.Span, a around) around {
	o, ok := splice.FindMembers(p.text, at, "$comment", "title", "description")
	if !ok {
		return a
	}
	comment, title, description := o.Members[0], o.Members[1], o.Members[2]
	if comment.Found {
		p.gone[at] = append(p.gone[at], "$comment")
	}
	said, isText := splice.StringAt(p.text, description.Value)
	own := vocabulary(said)
	isNew := func(word string) bool { return !a.words()[word] && !own()[word] }
	if text, ok := splice.StringAt(p.text, title.Value); ok && !slices.ContainsFunc(wordsOf(text), isNew) {
		p.gone[at] = append(p.gone[at], "title")
	}
	if isText && slices.Contains(a.descriptions, said) {
		p.gone[at] = append(p.gone[at], "description")
	}
	if isText {
		a.descriptions = append(slices.Clip(a.descriptions), said)
	}
	return a
}

// vocabulary returns the words of some texts, which are looked up when one is asked for: a
// list that comes from elsewhere may have as many texts as words.
func vocabulary(texts ...string) (words func() map[string]bool) {
	return sync.OnceValue(func() map[string]bool {
		words := make(map[string]bool)
		for _, text := range texts {
			for _, w := range wordsOf(text) {
				words[w] = true
			}
		}
		return words
	})
}

// wordsOf returns the words of a name or a text, in lower case: readFile and
// read_file have two.
func wordsOf(text string) []string {
	text = strings.ToLower(insideName.ReplaceAllString(text, "$1 $2"))
	return strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// insideName matches where another word begins in a name without anything between them.
var insideName = regexp.MustCompile(`(\p{Ll})(\p{Lu})`)
