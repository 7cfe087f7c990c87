package gcf_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit/gcf"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/wire"
)

// formTable has values that Reorder, ReorderNested or Dense write in another form than the
// canonical one.
var formTable = []struct {
	name, json string
	codec      gcf.Codec
	doc        string
}{
	{"path columns of two orders", `[{"id":1,"pos":{"x":1,"y":2}},{"id":2,"pos":{"y":3,"x":4}}]`, gcf.Codec{ReorderNested: true},
		"## [2]{id,\"pos>x\",\"pos>y\"}\n1|1|2\n2|4|3\n"},
	{"objects within objects", `[{"p":{"q":{"x":1,"y":2},"r":3}},{"p":{"r":4,"q":{"y":5,"x":6}}}]`, gcf.Codec{ReorderNested: true},
		"## [2]{\"p>q>x\",\"p>q>y\",\"p>r\"}\n1|2|3\n6|5|4\n"},
	{"another order outside of path columns", `{"n":0,"o":{"x":1,"y":2},"p":{"y":3,"x":4,"z":[{"q":{"m":1,"n":2},"l":[{"a":1,"b":2}]},{"q":null,"l":[{"b":3,"a":4}]},{"q":{"n":5,"m":6}}]}}`, gcf.Codec{ReorderNested: true},
		"n=0\n## o\n  x=1\n  y=2\n## p\n  y=3\n  x=4\n  ## z [3]{\"q>m\",\"q>n\",l}\n" +
			"  @0 1|2|^\n  .l [1]{a,b}\n      1|2\n  @1 -|-|^\n  .l [1]{b,a}\n      3|4\n  6|5|~\n"},
	{"other members", `[{"p":{"x":1,"y":2}},{"p":{"y":3,"z":4}}]`, gcf.Codec{ReorderNested: true},
		"## [2]{p}\n@0 ^\n.p {}\n    x=1\n    y=2\n@1 ^\n.p {}\n    y=3\n    z=4\n"},
	{"a word first", `[{"id":1,"name":"a b","l":[{"n":2,"s":"x"},{"n":3,"s":"5"}]},{"id":2,"name":"c","l":[]}]`, gcf.Codec{Reorder: true},
		"## [2]{name,id,l}\n@0 a b|1|^\n.l [2]{s,n}\n    x|2\n    \"5\"|3\n@1 c|2|^\n.l [0]\n"},
	{"a word first within", `[{"id":1,"p":{"n":2,"s":"x"}},{"id":2,"p":{"n":3,"s":"y"}}]`, gcf.Codec{Reorder: true},
		"## [2]{\"p>s\",\"p>n\",id}\nx|2|1\ny|3|2\n"},
	{"no word to come first", `[{"id":1,"at":"2026-01-01"},{"id":2,"at":"2026-01-02"}]`, gcf.Codec{Reorder: true},
		"## [2]{id,at}\n1|2026-01-01\n2|2026-01-02\n"},
	{"a full map", `{"a":{"x":1,"y":2},"b":{"x":3,"y":4}}`, gcf.Codec{Dense: true},
		"## [2:]{key,x,y}\na|1|2\nb|3|4\n"},
	{"a map that is filled to 70 %", `{"a":{"u":1,"v":1,"w":1,"x":1,"y":1},"b":{"u":1,"v":1}}`, gcf.Codec{Dense: true},
		"## [2:]{key,u,v,w,x,y}\na|1|1|1|1|1\nb|1|1|~|~|~\n"},
	{"a map that is filled to less", `{"a":{"u":1,"v":1,"w":1},"b":{"u":1}}`, gcf.Codec{Dense: true},
		"## a\n  u=1\n  v=1\n  w=1\n## b\n  u=1\n"},
	{"maps in rows", `[{"m":{"a":{"x":1},"b":{"y":2}}},{"m":{}}]`, gcf.Codec{Dense: true},
		"## [2]{m}\n@0 ^\n.m {}\n    ## a\n      x=1\n    ## b\n      y=2\n@1 ^\n.m {}\n"},
	{"sparse rows", `[{"a":1},{"b":2},{"c":3},{"d":4},{"e":5}]`, gcf.Codec{Dense: true},
		"## [5]\n@0 {}\n  a=1\n@1 {}\n  b=2\n@2 {}\n  c=3\n@3 {}\n  d=4\n@4 {}\n  e=5\n"},
	{"rows that are worth their marks", `[{"a":1},{"b":2},{"c":3}]`, gcf.Codec{Dense: true},
		"## [3]{a,b,c}\n1|~|~\n~|2|~\n~|~|3\n"},
	{"containers in sparse rows", `[{"a":[1]},{"b":[2]},{"c":[3]}]`, gcf.Codec{Dense: true},
		"## [3]\n@0 {}\n  a[1]: 1\n@1 {}\n  b[1]: 2\n@2 {}\n  c[1]: 3\n"},
	{"sparse rows of which others are full", `[{"l":[{"a":1},{"b":1},{"c":1},{"d":1},{"e":1}]},{"l":[{"a":1,"b":1,"c":1,"d":1,"e":1}]}]`, gcf.Codec{Dense: true},
		"## [2]{l}\n@0 ^\n.l [5]\n    @0 {}\n      a=1\n    @1 {}\n      b=1\n    @2 {}\n      c=1\n    @3 {}\n      d=1\n    @4 {}\n      e=1\n" +
			"@1 ^\n.l [1]{a,b,c,d,e}\n    1|1|1|1|1\n"},
}

func TestForms(t *testing.T) {
	for _, test := range formTable {
		t.Run(test.name, func(t *testing.T) {
			v := parse(t, test.json)
			doc := codectest.Encoded(t, test.codec, v)
			require.Equal(t, header+test.doc, string(doc))
			back := codectest.Decoded(t, gcf.Codec{}, doc)
			require.True(t, wire.Equal(v, back), "%s", back)
			loss, at := wire.Difference(v, back)
			require.Zero(t, loss&^wire.LossOrder, "%s at %s", loss, at)
			again := codectest.Encoded(t, test.codec, back)
			require.Equal(t, string(doc), string(again))
		})
	}
}

// TestFormsInStreams: what a stream holds as a whole is written as the codec
// writes it.
func TestFormsInStreams(t *testing.T) {
	list := parse(t, `[{"l":[{"p":{"x":1,"y":2}},{"p":{"y":3,"x":4}}]},{"l":[{"a":1},{"b":2},{"c":3},{"d":4},{"e":5}]}]`)
	for codec, want := range map[*gcf.Codec]string{
		{ReorderNested: true}: ".l [2]{\"p>x\",\"p>y\"}\n    1|2\n    4|3\n",
		{Dense: true}:         ".l [5]\n    @0 {}\n      a=1\n",
	} {
		var records, members bytes.Buffer
		w, err := codec.NewRecordWriter(&records, list.Index(0).Keys())
		require.NoError(t, err)
		e := codec.NewStreamEncoder(&members, "t")
		for row := range list.Elements() {
			require.NoError(t, w.Write(row))
		}
		require.NoError(t, e.Member("list", list))
		require.NoError(t, w.Close())
		require.NoError(t, e.Close())
		require.Contains(t, records.String(), want)
		require.Contains(t, members.String(), want)
		back := codectest.Decoded(t, gcf.Codec{}, records.Bytes())
		require.True(t, wire.Equal(list, back), "%s", records.String())
		back = codectest.Decoded(t, gcf.Codec{}, members.Bytes())
		got, _ := back.Get("list")
		require.True(t, wire.Equal(list, got), "%s", members.String())
	}
}
