package wire

import (
	"github.com/wirekit/wirekit/internal/base/bound"
	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/govalue/gotext"
)

// marshalsStraight reports whether the codec writes compact JSON within the
// default limits, and v is not a Value: then Go values of usual types need none.
func (c *JSON) marshalsStraight(v any) bool {
	switch v.(type) {
	case nil, Value, *Value:
		return false
	}
	return c.Indent == "" && c.Limits == Limits{}
}

// appendGo appends the text of v, the same that AppendEncode gives for its Value.
// It reports false for what it leaves to Values, errors included.
func appendGo(dst []byte, v any) ([]byte, bool) {
	w := gotext.BorrowJSONWriter(&goTypes, len(dst)+bound.OutputBytes)
	out, ok := w.AppendRoot(dst, v)
	w.GiveBack()
	// A longer text might hold more values than FromGo takes.
	if !ok || len(out)-len(dst) > bound.Values || !scan.IsUTF8(out[len(dst):]) {
		return dst, false
	}
	return out, true
}

// goTexts reads JSON into Go variables.
var goTexts = gotext.Format[*gotext.Node, *gotext.JSONReader]{
	Root:    func(v any) (*gotext.Root[*gotext.Node], gotext.Var) { return gotext.JSON.Root(&goTypes, v) },
	New:     gotext.NewJSONReader,
	Longest: 32 << 20, // a text of that length cannot exceed a limit
}

// unmarshalGo reads a text into what v points to, if that is zero. It reports
// false, and has stored nothing, for what it leaves to Values, errors included.
func (c *JSON) unmarshalGo(src []byte, v any) bool {
	return !c.RejectDuplicates && c.Limits == Limits{} && goTexts.Store(src, v)
}
