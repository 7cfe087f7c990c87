//go:build interop

package interop

import (
	"errors"
	"testing"

	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/partial"
	"github.com/wirekit/wirekit/wire"
)

// The reasons why ours may differ from what the packages agree on.
const (
	openNumber = "a number at the end may be cut: it is in Open, not in the value"
	openWord   = "a word at the end is not completed by guess"
	changed    = "the packages change or leave out data: a number as a double, text, elements"
	twoReading = "it has two readings"
)

// partialTexts are cut, or have mistakes, each with the reason for another value than that of
// the packages, where two of them or more agree.
var partialTexts = []struct{ text, reason string }{
	{`{"a":1`, openNumber}, {`{"a":`, ""}, {`{`, ""}, {`[`, ""}, {`[1`, openNumber}, {`[1,`, ""}, {`[1,2`, openNumber},
	{`[12`, openNumber}, {`[1.5`, openNumber}, {`[1e5`, openNumber}, {`1`, ""}, {`"`, ""}, {`"a`, ""}, {`t`, openWord}, {`true`, ""},
	{`[t`, openWord}, {`{"a":t`, openWord}, {`{"a":1,`, ""}, {`{"a":1,"b`, ""}, {`{"a":1,"b":`, ""}, {`{"a":[`, ""},
	{`{"a":[{"b":"c`, ""}, {`{"a":"x","a":"y`, ""}, {`{"a":{"b":1},`, ""}, {"```json\n{\"a\":1}\n```", ""}, {"```json\n{\"a\":1", openNumber},
	{"```\n[1,2]\n```", ""}, {`{"a":1} Hope this helps!`, ""}, {`{'a':1}`, ""}, {`{'a':'b'}`, ""}, {`{a:1}`, ""}, {`{"a":1,}`, ""},
	{`[1,]`, ""}, {`{"a":1 "b":2}`, ""}, {`[1 2]`, ""}, {`["a" "b"]`, twoReading}, {`["a""b"]`, twoReading}, {`{"a":1 b:2}`, ""},
	{`{"a":True,"b":None}`, ""}, {`{"a":1} // c`, ""}, {`{/*c*/"a":1}`, ""}, {`{"a":"he said "hi" to me"}`, changed},
	{"{\"a\":\"line1\nline2\"}", ""}, {"{\"a\":\"tab\there\"}", ""}, {`{"a":1}{"b":2}`, changed}, {`[1][2]`, changed},
	{`{"a":1}]`, ""}, {`[1}`, ""}, {`{"a":[1,2}`, ""}, {`{"a":{"b":1]}`, ""}, {`{"a":[1,2,...]}`, changed}, {`[1,2,...]`, changed},
	{`[1,...,9]`, ""}, {`{"a":"x",...}`, changed}, {`{"a":"b...`, ""}, {`[1.0,-0,0.10]`, ""}, {`[12345678901234567890]`, changed},
	{`{"a":1,"a":2}`, ""}, {`"a" + "b"`, twoReading}, {`nullx`, twoReading}, {`"a\`, ""}, {`"a\n`, ""}, {`"a\ud83d\ude00`, ""},
	{`{"a":"it\'s"}`, ""}, {`[.5]`, twoReading}, {`{1:2}`, ""}, {`{"a":1,,"b":2}`, ""}, {`[1,,2]`, ""},
	{`{"price":1,234}`, twoReading}, {`{"u":"http://x/y"}`, ""}, {"{\"a\":\u00a01}", ""}, {`[[1,2],[3`, openNumber},
	{`[{"a":1},{"a":`, ""}, {`{"a": "b" , `, ""}, {`{"k":"v"}}`, ""}, {"{\"a\":1}\n{\"b\":2}", changed}, {`{"a":1},{"b":2}`, changed}, {`[undefined]`, ""},
}

// TestInteropPartial: what two packages or more agree on is our value as well, unless there is
// a reason.
func TestInteropPartial(t *testing.T) {
	var requests []wire.Value
	for _, c := range partialTexts {
		requests = append(requests, request(t, "text", c.text))
	}
	agreed := 0
	for i, answer := range exchange(t, "partial.mjs", "jsonrepair", requests) {
		c := partialTexts[i]
		read, _ := answer.Get("read")
		theirs, found := agreement(read)
		if !found {
			if c.reason != "" {
				t.Errorf("%q: they do not agree: %v", c.text, read)
			}
			continue
		}
		agreed++
		v, _, err := partial.Parse([]byte(c.text), partial.Options{Level: partial.Lenient})
		same := (err == nil || errors.Is(err, partial.ErrCut)) && wire.Equal(codectest.JSON(t, []byte(theirs)), v)
		if c.reason == "" && !same {
			t.Errorf("%q: ours %v, %v; theirs %s", c.text, v, err, theirs)
		} else if c.reason != "" && same {
			t.Errorf("%q is read as they do, in spite of: %s", c.text, c.reason)
		}
	}
	t.Logf("%d texts, of which two packages agree on %d", len(partialTexts), agreed)
}

// agreement returns the JSON that most packages, and two at least, made of a text.
func agreement(read wire.Value) (string, bool) {
	counts, best := map[string]int{}, ""
	for e := range read.Elements() {
		if e.Kind() == wire.KindNull {
			continue
		}
		text := e.Text()
		if counts[text]++; counts[text] > counts[best] {
			best = text
		}
	}
	return best, counts[best] >= 2
}
