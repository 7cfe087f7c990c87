package mcp

import (
	"context"
	"slices"
	"strings"

	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/internal/scan"
	"github.com/wirekit/wirekit/internal/splice"
	"github.com/wirekit/wirekit/tokens"
	"github.com/wirekit/wirekit/wire"
)

// A job is the rewriting of one result.
type job struct {
	ctx       context.Context
	counter   tokens.Counter
	rule      Rule
	formats   []string
	minTokens int
	minSaving float64
	maxBytes  int

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
	json          bool // value is the object or array that text is
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

// run returns the rewritten result. An error is a reason to leave it.
func (j *job) run(result []byte) ([]byte, error) {
	if j.rule.Mode == ModeOff {
		return nil, leave{ReasonOff}
	}
	if len(result) > j.maxBytes {
		return nil, leave{ReasonTooLarge}
	}
	j.result = result
	var out []byte
	decoded := false
	err := wire.With(strict, result, func(v wire.Value) (err error) {
		decoded = true
		out, err = j.rewritten(v, result)
		return err
	})
	if !decoded {
		return nil, leave{ReasonNotJSON}
	}
	return out, err
}

// rewritten is run for the value of the result, which is lent.
func (j *job) rewritten(v wire.Value, result []byte) ([]byte, error) {
	var ok bool
	var err error
	if j.top, ok = splice.FindMembers(result, splice.Whole(result), topNames...); !ok {
		return nil, leave{ReasonNotJSON}
	}
	if !ready(v) {
		return nil, leave{ReasonUnready}
	}
	if meta, has := v.Get("_meta"); has {
		if _, marked := meta.Get(MetaKey); marked {
			return nil, leave{ReasonAlready}
		}
	}
	if !j.readBlocks(v) {
		return nil, leave{ReasonNotJSON}
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
	if j.ctx.Err() != nil {
		return nil, leave{ReasonTimeout}
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
	b.value, b.json = container(b.text)
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

// container returns the object or array that a text is.
func container(text string) (wire.Value, bool) {
	text = strings.Trim(text, " \t\r\n")
	if text == "" || text[0] != '{' && text[0] != '[' {
		return wire.Value{}, false
	}
	v, err := strict.Decode([]byte(text))
	return v, err == nil
}

// rewriteTexts rewrites each text block that is JSON on its own.
func (j *job) rewriteTexts() ([]splice.Edit, error) {
	why := leave{ReasonNotJSON}
	var edits []splice.Edit
	for _, b := range j.blocks {
		if b.rewritten {
			why = leave{ReasonAlready}
			continue
		}
		if !b.json || !b.extensible {
			continue
		}
		before, err := j.count(b.text)
		if err != nil {
			return nil, err
		}
		j.event.TokensIn += before
		best, err := j.encode(b.value, before, 0)
		if left, ok := err.(leave); ok {
			why = left
			j.event.TokensOut += before
			continue
		}
		if err != nil {
			return nil, err
		}
		j.event.TokensOut += best.tokens
		edits = append(edits, b.rewrite(j.result, best)...)
	}
	if edits == nil {
		return nil, why
	}
	return edits, nil
}

// replace puts one text in the place of structuredContent and of the text
// block that says the same.
func (j *job) replace(data wire.Value) ([]splice.Edit, error) {
	if k := data.Kind(); k != wire.KindObject && k != wire.KindArray {
		return nil, leave{ReasonNotJSON}
	}
	var texts []string
	for _, b := range j.blocks {
		switch {
		case b.rewritten:
			return nil, leave{ReasonAlready}
		case !b.isText || !b.extensible:
			return nil, leave{ReasonMixed}
		case b.text != "":
			texts = append(texts, b.text)
		}
	}
	before, err := j.count(string(wire.AppendJSON(nil, data)))
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
			j.event.TokensOut = best.tokens
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
		j.event.TokensOut = best.tokens
		return j.addBlock(best, gone, true), nil
	}
	prose := 0
	for _, text := range texts {
		n, err := j.count(text)
		if err != nil {
			return nil, err
		}
		prose += n
	}
	best, err := j.encode(data, before, prose)
	if err != nil {
		return nil, err
	}
	j.event.TokensOut = best.tokens + prose
	return j.addBlock(best, gone, false), nil
}

// says reports whether a text block says what structuredContent says, and
// which value that is. A member of any name around it adds nothing: servers
// wrap what is no object.
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
	if before < j.minTokens {
		return nil, leave{ReasonSmall}
	}
	after, err := j.count(b.text)
	if err != nil {
		return nil, err
	}
	if !j.enough(before, after) {
		return nil, leave{ReasonNoGain}
	}
	j.event.TokensOut, j.event.Format = after, "text"
	return []splice.Edit{gone}, nil
}

// addBlock adds a block behind those that are there, or instead of them.
func (j *job) addBlock(t text, gone splice.Edit, instead bool) []splice.Edit {
	added := []byte(`{"type":"text","text":`)
	added = append(append(added, quote(t.text)...), `,"_meta":{"`+MetaKey+`":`...)
	added = append(append(added, quote(t.format)...), "}}"...)
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

// A text is an encoding.
type text struct {
	format, text string
	tokens       int
}

// encode returns the smallest text of v if it is worth it: if it, and further
// tokens beside it, save enough of those there were.
func (j *job) encode(v wire.Value, before, beside int) (text, error) {
	if before < j.minTokens {
		return text{}, leave{ReasonSmall}
	}
	v, omitted := j.rule.thin(v)
	best, err := wirekit.Chooser{
		Candidates: j.formats, Counter: j.counter, MinSaving: wirekit.TextSaving, Measure: wirekit.MeasureSampled,
		Identical: !j.rule.Fold, // folding changes the order of members
	}.Choose(j.ctx, v)
	if err != nil {
		return text{}, err
	}
	if j.rule.Fold {
		back, err := best.Codec.Decode(best.Encoded)
		if err != nil || differs(v, back) {
			return text{}, leave{ReasonNoGain}
		}
	}
	t := text{format: best.Name(), text: string(best.Encoded)}
	if t.tokens, err = j.count(t.text); err != nil {
		return text{}, err
	}
	if !j.enough(before, t.tokens+beside) {
		if j.ctx.Err() != nil {
			return text{}, leave{ReasonTimeout}
		}
		return text{}, leave{ReasonNoGain}
	}
	j.event.Omitted += omitted
	j.event.Format = t.format
	return t, nil
}

// differs reports whether a value came back as another, the order of members
// apart.
func differs(want, have wire.Value) bool {
	loss, _ := wire.Difference(want, have)
	return loss&^wire.LossOrder != 0
}

// enough reports whether a number of tokens is small enough to be worth it.
func (j *job) enough(before, after int) bool {
	return after < before && float64(after) <= float64(before)*(1-j.minSaving)
}

func (j *job) count(text string) (int, error) {
	if j.ctx.Err() != nil {
		return 0, leave{ReasonTimeout}
	}
	return j.counter.Count([]byte(text))
}

// rewrite returns the edits that put a text into a block and say its format.
func (b block) rewrite(src []byte, t text) []splice.Edit {
	put := splice.Put(b.Members[blockText].Value, quote(t.text))
	meta := b.Members[blockMeta]
	if !meta.Found {
		return []splice.Edit{put, b.Append("_meta", append(append([]byte(`{"`+MetaKey+`":`), quote(t.format)...), '}'))}
	}
	inner, _ := splice.FindMembers(src, meta.Value)
	return []splice.Edit{put, inner.Append(MetaKey, quote(t.format))}
}

func quote(s string) []byte { return scan.AppendQuote(nil, s) }

// stringAt returns the string at s.
func stringAt(text []byte, s splice.Span) (string, bool) { return splice.Unquote(s.Of(text)) }
