package mcp

import (
	"errors"
	"slices"

	"github.com/wirekit/wirekit/internal/rewrite"
	"github.com/wirekit/wirekit/internal/scan"
	"github.com/wirekit/wirekit/internal/splice"
	"github.com/wirekit/wirekit/wire"
)

// A job is the rewriting of one result.
type job struct {
	rule     Rule
	plan     rewrite.Plan
	maxBytes int

	result []byte
	top    splice.Object // with the members of topNames
	blocks []block
	event  Event
}

var topNames = []string{"content", "structuredContent", "isError", "resultType"}

const (
	content = iota
	structured
	isError
	resultType
)

// A block is an element of content.
type block struct {
	splice.Object        // with the members of blockNames
	isText        bool   // and for the model
	text          string // if isText
	value         wire.Value
	json          bool // value, which replace reads, is the object or array that text is
	rewritten     bool // it says its format already
	bare          bool // it has a type and a text and nothing else
	extensible    bool // a format can be noted in its _meta
}

var blockNames = []string{"type", "text", "_meta", "annotations"}

const (
	blockType = iota
	blockText
	blockMeta
	blockAnnotations
)

// left is why a result stays as it is.
func left(reason Reason) error { return rewrite.Left(reason) }

// run returns the rewritten result. An error is a reason to leave it.
func (j *job) run(result []byte) ([]byte, error) {
	if j.rule.Mode == ModeOff {
		return nil, left(ReasonOff)
	}
	if len(result) > j.maxBytes {
		return nil, left(ReasonTooLarge)
	}
	j.result = result
	var out []byte
	decoded := false
	err := wire.View(rewrite.Strict, result, func(v wire.Value) (err error) {
		decoded = true
		out, err = j.rewritten(v, result)
		return err
	})
	if !decoded {
		return nil, left(ReasonNotJSON)
	}
	return out, err
}

// runText is run for a text that the codec reads.
func (j *job) runText(text []byte, codec wire.Codec) (out []byte, err error) {
	switch {
	case j.rule.Mode == ModeOff:
		return nil, left(ReasonOff)
	case len(text) > j.maxBytes:
		return nil, left(ReasonTooLarge)
	case len(text) < j.plan.MinTokens: // each token has a byte or more
		return nil, left(ReasonSmall)
	}
	var t rewrite.Text
	if codec == nil {
		t, j.event.TokensIn, err = j.plan.Text(string(text))
	} else {
		t, err = j.read(text, codec)
	}
	if err != nil {
		return nil, err
	}
	j.take(t)
	j.event.TokensOut, j.event.Reason = t.Tokens, ReasonConverted
	return []byte(t.Text), nil
}

// read rewrites a text in another format than JSON.
func (j *job) read(text []byte, codec wire.Codec) (t rewrite.Text, err error) {
	v, err := codec.Decode(text)
	if err != nil {
		return t, left(ReasonNotJSON)
	}
	if j.event.TokensIn, err = j.plan.Count(string(text)); err != nil {
		return t, err
	}
	return j.plan.Value(v, len(text), j.event.TokensIn, 0)
}

// rewritten is run for the value of the result, which is lent.
func (j *job) rewritten(v wire.Value, result []byte) ([]byte, error) {
	var ok bool
	var err error
	if j.top, ok = splice.FindMembers(result, splice.Whole(result), topNames...); !ok {
		return nil, left(ReasonNotJSON)
	}
	if !ready(v) {
		return nil, left(ReasonNotReady)
	}
	if meta, has := v.Get("_meta"); has {
		if _, marked := meta.Get(MetaKey); marked {
			return nil, left(ReasonKept)
		}
	}
	if !j.readBlocks(v) {
		return nil, left(ReasonNotJSON)
	}
	data, has := v.Get("structuredContent")
	var edits []splice.Edit
	if has && j.rule.Mode != ModeText {
		edits, err = j.replace(data)
	} else {
		edits, err = j.rewriteTexts()
	}
	if err != nil {
		return nil, err
	}
	j.event.Reason = ReasonConverted
	return splice.Apply(result, edits), nil
}

// ready reports whether a result is a complete answer of a tool that worked.
func ready(v wire.Value) bool {
	if e, has := v.Get("isError"); has && (e.Kind() != wire.KindBool || e.Bool()) {
		return false
	}
	kind, has := v.Get("resultType")
	return !has || kind.Kind() == wire.KindString && kind.Text() == "complete"
}

// readBlocks reads content, which may be missing. It reports whether it is an
// array of objects.
func (j *job) readBlocks(v wire.Value) bool {
	list, has := v.Get("content")
	if !has {
		return true
	}
	if list.Kind() != wire.KindArray {
		return false
	}
	spans, ok := splice.FindElements(j.result, j.top.Members[content].Value)
	if !ok {
		return false
	}
	for i, s := range spans {
		o, ok := splice.FindMembers(j.result, s, blockNames...)
		if !ok {
			return false
		}
		b := newBlock(list.Index(i))
		b.Object = o
		j.blocks = append(j.blocks, b)
	}
	return true
}

func newBlock(v wire.Value) block {
	b := block{extensible: true, bare: v.Len() == 2}
	if meta, has := v.Get("_meta"); has {
		b.extensible = meta.Kind() == wire.KindObject
		if b.extensible {
			_, b.rewritten = meta.Get(MetaKey)
		}
	}
	kind, _ := v.Get("type")
	text, has := v.Get("text")
	if kind.Kind() != wire.KindString || kind.Text() != "text" || !has || text.Kind() != wire.KindString || !forModel(v) {
		return b
	}
	b.isText, b.text = true, text.Text()
	return b
}

// forModel reports whether a block's annotations have the model in its
// audience, or say nothing of it.
func forModel(v wire.Value) bool {
	annotations, has := v.Get("annotations")
	if !has || annotations.Kind() != wire.KindObject {
		return true
	}
	audience, has := annotations.Get("audience")
	if !has || audience.Kind() != wire.KindArray || audience.Len() == 0 {
		return true
	}
	for who := range audience.Elements() {
		if who.Kind() == wire.KindString && who.Text() == "assistant" {
			return true
		}
	}
	return false
}

// rewriteTexts rewrites each text block that is JSON on its own.
func (j *job) rewriteTexts() ([]splice.Edit, error) {
	why := left(ReasonNotJSON)
	var edits []splice.Edit
	for _, b := range j.blocks {
		if b.rewritten {
			why = left(ReasonKept)
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
		j.event.TokensOut += best.Tokens
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
}

// replace puts one text in the place of structuredContent and of the text
// block that says the same.
func (j *job) replace(data wire.Value) ([]splice.Edit, error) {
	if k := data.Kind(); k != wire.KindObject && k != wire.KindArray {
		return nil, left(ReasonNotJSON)
	}
	var texts []string
	for i, b := range j.blocks {
		switch {
		case b.rewritten:
			return nil, left(ReasonKept)
		case !b.isText || !b.extensible:
			return nil, left(ReasonMixed)
		case b.text != "":
			texts = append(texts, b.text)
		}
		j.blocks[i].value, j.blocks[i].json = rewrite.Container(b.text)
	}
	before, err := j.plan.Count(string(wire.AppendJSON(nil, data)))
	if err != nil {
		return nil, err
	}
	j.event.TokensIn, j.event.TokensOut = before, before
	gone := splice.Edit{Span: j.top.Members[structured].Cut}
	if len(j.blocks) == 1 && len(texts) == 1 {
		b := j.blocks[0]
		switch said, same := says(data, b); {
		case same && b.json:
			best, err := j.encode(said, before, 0)
			if err != nil {
				return nil, err
			}
			j.event.TokensOut = best.Tokens
			return append(b.rewrite(j.result, best), gone), nil
		case same:
			return j.textAlone(b, before, gone)
		}
	}
	if j.lists(data) {
		best, err := j.encode(data, before, 0)
		if err != nil {
			return nil, err
		}
		j.event.TokensOut = best.Tokens
		return j.addBlock(best, gone, true), nil
	}
	prose := 0
	for _, text := range texts {
		n, err := j.plan.Count(text)
		if err != nil {
			return nil, err
		}
		prose += n
	}
	best, err := j.encode(data, before, prose)
	if err != nil {
		return nil, err
	}
	j.event.TokensOut = best.Tokens + prose
	return j.addBlock(best, gone, false), nil
}

// says reports whether a text block says what structuredContent says, and
// which value that is. A member of any name around it adds nothing: servers
// wrap what is not an object.
func says(data wire.Value, b block) (wire.Value, bool) {
	if b.json && wire.Equal(data, b.value) {
		return b.value, true
	}
	if data.Kind() != wire.KindObject || data.Len() != 1 {
		return wire.Value{}, false
	}
	inner := data.Index(0)
	if inner.Kind() == wire.KindString && inner.Text() == b.text || b.json && wire.Equal(inner, b.value) {
		return b.value, true
	}
	return wire.Value{}, false
}

// lists reports whether the blocks are the elements of an array, a block each,
// and have nothing else to say.
func (j *job) lists(data wire.Value) bool {
	if data.Kind() == wire.KindObject && data.Len() == 1 {
		data = data.Index(0)
	}
	if data.Kind() != wire.KindArray || data.Len() != len(j.blocks) || len(j.blocks) < 2 {
		return false
	}
	for i, b := range j.blocks {
		e := data.Index(i)
		said := b.json && wire.Equal(e, b.value) || e.Kind() == wire.KindString && e.Text() == b.text
		if !said || !b.bare {
			return false
		}
	}
	return true
}

// textAlone leaves a text that structuredContent only quotes.
func (j *job) textAlone(b block, before int, gone splice.Edit) ([]splice.Edit, error) {
	if before < j.plan.MinTokens {
		return nil, left(ReasonSmall)
	}
	best, _, err := j.plan.Text(b.text)
	if err == nil {
		j.take(best)
		j.event.TokensOut = best.Tokens
		return append(b.rewrite(j.result, best), gone), nil
	}
	after, err := j.plan.Count(b.text)
	if err != nil {
		return nil, err
	}
	if !j.plan.Enough(before, after) {
		return nil, left(ReasonNoGain)
	}
	j.event.TokensOut, j.event.Format = after, "text"
	return []splice.Edit{gone}, nil
}

// addBlock adds a block after those that are there, or instead of them.
func (j *job) addBlock(t rewrite.Text, gone splice.Edit, instead bool) []splice.Edit {
	added := []byte(`{"type":"text","text":`)
	added = append(append(added, quote(t.Text)...), `,"_meta":{"`+MetaKey+`":`...)
	added = append(append(added, quote(t.Format)...), "}}"...)
	list := j.top.Members[content]
	switch {
	case !list.Found:
		old := j.top.Members[structured]
		return []splice.Edit{splice.Put(splice.Span{Start: old.Key.Start, End: old.Value.End}, slices.Concat([]byte(`"content":[`), added, []byte("]")))}
	case len(j.blocks) == 0 || instead:
		return []splice.Edit{splice.Put(list.Value, slices.Concat([]byte("["), added, []byte("]"))), gone}
	}
	end := j.blocks[len(j.blocks)-1].End
	return []splice.Edit{splice.Insert(end, append([]byte(","), added...)), gone}
}

// encode returns the smallest text of v if it is worth it.
func (j *job) encode(v wire.Value, before, beside int) (rewrite.Text, error) {
	t, err := j.plan.Value(v, len(j.result), before, beside)
	if err == nil {
		j.take(t)
	}
	return t, err
}

// rewrite returns the edits that put a text into a block and say its format.
func (b block) rewrite(src []byte, t rewrite.Text) []splice.Edit {
	put := splice.Put(b.Members[blockText].Value, quote(t.Text))
	meta := b.Members[blockMeta]
	if !meta.Found {
		return []splice.Edit{put, b.Append("_meta", append(append([]byte(`{"`+MetaKey+`":`), quote(t.Format)...), '}'))}
	}
	inner, _ := splice.FindMembers(src, meta.Value)
	return []splice.Edit{put, inner.Append(MetaKey, quote(t.Format))}
}

func quote(s string) []byte { return scan.AppendQuote(nil, s) }
