package mcp

import (
	"errors"
	"slices"

	"github.com/wirekit/wirekit/internal/base/splice"
	"github.com/wirekit/wirekit/internal/proxy/rewrite"
	"github.com/wirekit/wirekit/wire"
)

// A job is the rewriting of one result.
type job struct {
	rule Rule
	plan rewrite.Plan

	result              []byte
	content, structured splice.Member
	blocks              []block
	event               Event
}

// A block is an element of content.
type block struct {
	splice.Object            // with the members blockText and blockMeta
	isText        bool       // and for the model
	text          string     // if isText
	value         wire.Value // if json: the object or array that text is, which replace reads
	json          bool
	rewritten     bool // it says its format already
	bare          bool // it has a type and a text and nothing else
	extensible    bool // a format can be noted in its _meta
}

const (
	blockText = iota
	blockMeta
)

// run returns the rewritten result. An error is a reason to leave it.
func (j *job) run(result []byte) ([]byte, error) {
	j.result = result
	var out []byte
	decoded := false
	err := wire.View(rewrite.Strict, result, func(v wire.Value) (err error) {
		decoded = true
		out, err = j.rewritten(v)
		return err
	})
	if !decoded {
		return nil, rewrite.NotJSON
	}
	return out, err
}

// runText is run for a text that the codec reads.
func (j *job) runText(text []byte, codec wire.Codec) (out []byte, err error) {
	if len(text) < j.plan.MinTokens { // each token has a byte or more
		return nil, rewrite.Small
	}
	var t rewrite.Text
	if codec == nil {
		t, j.event.TokensIn, err = j.plan.Text(string(text))
	} else if v, bad := codec.Decode(text); bad != nil {
		err = rewrite.NotJSON
	} else if j.event.TokensIn, err = j.plan.Count(string(text)); err == nil {
		t, err = j.plan.Value(v, len(text), j.event.TokensIn, 0)
	}
	if err != nil {
		return nil, err
	}
	j.take(t)
	return []byte(t.Text), nil
}

// rewritten is run for the value of the result, whose memory is reused.
func (j *job) rewritten(v wire.Value) ([]byte, error) {
	top, ok := splice.FindMembers(j.result, splice.Whole(j.result), "content", "structuredContent")
	if !ok {
		return nil, rewrite.NotJSON
	}
	j.content, j.structured = top.Members[0], top.Members[1]
	if !ready(v) {
		return nil, rewrite.NotReady
	}
	meta, _ := v.Get("_meta")
	if _, marked := meta.Get(MetaKey); marked {
		return nil, rewrite.Kept
	}
	if !j.readBlocks(v) {
		return nil, rewrite.NotJSON
	}
	var edits []splice.Edit
	var err error
	if data, has := v.Get("structuredContent"); has && j.rule.Mode != ModeText {
		edits, err = j.replace(data)
	} else {
		edits, err = j.rewriteTexts()
	}
	if err != nil {
		return nil, err
	}
	return splice.Apply(j.result, edits), nil
}

// isString reports whether a value is a string of this text.
func isString(v wire.Value, text string) bool { return v.Kind() == wire.KindString && v.Text() == text }

// ready reports whether a result is a complete answer of a tool that worked.
func ready(v wire.Value) bool {
	if e, has := v.Get("isError"); has && (e.Kind() != wire.KindBool || e.Bool()) {
		return false
	}
	kind, has := v.Get("resultType")
	return !has || isString(kind, "complete")
}

// readBlocks reads content, which may be missing. It reports whether it is an
// array of objects.
func (j *job) readBlocks(v wire.Value) bool {
	list, has := v.Get("content")
	if !has {
		return true
	}
	spans, ok := splice.FindElements(j.result, j.content.Value)
	for i, s := range spans {
		b := newBlock(list.Index(i))
		var isObject bool
		b.Object, isObject = splice.FindMembers(j.result, s, "text", "_meta")
		ok = ok && isObject
		j.blocks = append(j.blocks, b)
	}
	return ok
}

func newBlock(v wire.Value) block {
	b := block{extensible: true, bare: v.Len() == 2}
	if meta, has := v.Get("_meta"); has {
		b.extensible = meta.Kind() == wire.KindObject
		_, b.rewritten = meta.Get(MetaKey)
	}
	kind, _ := v.Get("type")
	if text, _ := v.Get("text"); text.Kind() == wire.KindString && isString(kind, "text") && forModel(v) {
		b.isText, b.text = true, text.Text()
	}
	return b
}

// forModel reports whether a block's annotations have the model in its
// audience, or say nothing of it.
func forModel(v wire.Value) bool {
	annotations, _ := v.Get("annotations")
	audience, _ := annotations.Get("audience")
	isModel := func(who wire.Value) bool { return isString(who, "assistant") }
	return audience.Kind() != wire.KindArray || audience.Len() == 0 || slices.ContainsFunc(slices.Collect(audience.Elements()), isModel)
}

// rewriteTexts rewrites each text block that is JSON on its own.
func (j *job) rewriteTexts() ([]splice.Edit, error) {
	why := rewrite.NotJSON
	var edits []splice.Edit
	for _, b := range j.blocks {
		if b.rewritten {
			why = rewrite.Kept
			continue
		}
		if !b.isText || !b.extensible {
			continue
		}
		best, before, err := j.plan.Text(b.text)
		j.event.TokensIn += before
		var stays rewrite.Left
		if errors.As(err, &stays) {
			if stays != rewrite.NotJSON {
				why = stays
			}
			j.event.TokensOut += before
			continue
		}
		if err != nil {
			return nil, err
		}
		j.take(best)
		edits = append(edits, b.rewrite(j.result, best)...)
	}
	if edits == nil {
		return nil, why
	}
	return edits, nil
}

// take notes what a text was rewritten to.
func (j *job) take(t rewrite.Text) {
	j.event.Omitted += t.Omitted
	j.event.Format = t.Format
	j.event.TokensOut += t.Tokens
}

// replace puts one text in the place of structuredContent and of the text
// block that says the same.
func (j *job) replace(data wire.Value) ([]splice.Edit, error) {
	if k := data.Kind(); k != wire.KindObject && k != wire.KindArray {
		return nil, rewrite.NotJSON
	}
	var texts []string
	for i, b := range j.blocks {
		switch {
		case b.rewritten:
			return nil, rewrite.Kept
		case !b.isText || !b.extensible:
			return nil, rewrite.Mixed
		case b.text != "":
			texts = append(texts, b.text)
		}
		j.blocks[i].value, j.blocks[i].json = rewrite.Container(b.text)
	}
	before, err := j.plan.Count(string(wire.AppendJSON(nil, data)))
	if err != nil {
		return nil, err
	}
	j.event.TokensIn = before
	gone := splice.Remove(j.result, splice.Whole(j.result), "structuredContent")
	if len(j.blocks) == 1 && len(texts) == 1 {
		// Servers wrap what is not an object: a member of any name around it adds nothing.
		if b := j.blocks[0]; b.says(data) || b.says(unwrapped(data)) {
			return j.replaceBlock(b, before, gone)
		}
	}
	prose, instead := 0, j.lists(unwrapped(data))
	if !instead {
		for _, text := range texts {
			n, err := j.plan.Count(text)
			if err != nil {
				return nil, err
			}
			prose += n
		}
	}
	best, err := j.plan.Value(data, len(j.result), before, prose)
	if err != nil {
		return nil, err
	}
	j.take(best)
	j.event.TokensOut += prose
	return j.addBlock(best, gone, instead), nil
}

// unwrapped returns the only member of an object that has one, and any other value as it is.
func unwrapped(v wire.Value) wire.Value {
	if v.Kind() == wire.KindObject && v.Len() == 1 {
		return v.Index(0)
	}
	return v
}

// says reports whether a text block says what a value is.
func (b block) says(v wire.Value) bool {
	return b.json && wire.Equal(v, b.value) || isString(v, b.text)
}

// lists reports whether the blocks are the elements of an array, a block each,
// and have nothing else to say.
func (j *job) lists(data wire.Value) bool {
	if data.Kind() != wire.KindArray || data.Len() != len(j.blocks) || len(j.blocks) < 2 {
		return false
	}
	for i, b := range j.blocks {
		if !b.bare || !b.says(data.Index(i)) {
			return false
		}
	}
	return true
}

// replaceBlock rewrites the block that says what structuredContent does. A text that is
// not JSON, which structuredContent only quotes, may stay.
func (j *job) replaceBlock(b block, before int, gone []splice.Edit) ([]splice.Edit, error) {
	if b.json {
		best, err := j.plan.Value(b.value, len(j.result), before, 0)
		if err != nil {
			return nil, err
		}
		j.take(best)
		return append(gone, b.rewrite(j.result, best)...), nil
	}
	if before < j.plan.MinTokens {
		return nil, rewrite.Small
	}
	if best, _, err := j.plan.Text(b.text); err == nil {
		j.take(best)
		return append(gone, b.rewrite(j.result, best)...), nil
	}
	after, err := j.plan.Count(b.text)
	if err != nil {
		return nil, err
	}
	if !j.plan.Enough(before, after) {
		return nil, rewrite.NoGain
	}
	j.event.TokensOut, j.event.Format = after, "text"
	return gone, nil
}

// addBlock adds a block after those that are there, or instead of them.
func (j *job) addBlock(t rewrite.Text, gone []splice.Edit, instead bool) []splice.Edit {
	added := slices.Concat([]byte(`{"type":"text","text":`), splice.Quote(t.Text), []byte(`,"_meta":`), note(t), []byte("}"))
	switch {
	case !j.content.Found:
		at := splice.Span{Start: j.structured.Key.Start, End: j.structured.Value.End}
		return []splice.Edit{splice.Put(at, slices.Concat([]byte(`"content":[`), added, []byte("]")))}
	case len(j.blocks) == 0 || instead:
		return append(gone, splice.Put(j.content.Value, slices.Concat([]byte("["), added, []byte("]"))))
	}
	end := j.blocks[len(j.blocks)-1].End
	return append(gone, splice.Insert(end, append([]byte(","), added...)))
}

// note returns the _meta that names a text's format.
func note(t rewrite.Text) []byte {
	return slices.Concat([]byte(`{"`+MetaKey+`":`), splice.Quote(t.Format), []byte("}"))
}

// rewrite returns the edits that put a text into a block and say its format.
func (b block) rewrite(src []byte, t rewrite.Text) []splice.Edit {
	put := splice.Put(b.Members[blockText].Value, splice.Quote(t.Text))
	meta := b.Members[blockMeta]
	if !meta.Found {
		return []splice.Edit{put, splice.Append(src, b.Span, "_meta", note(t))}
	}
	return []splice.Edit{put, splice.Append(src, meta.Value, MetaKey, splice.Quote(t.Format))}
}
