package yaml_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/testkit/randgo"
	"github.com/wirekit/wirekit/wire"
	"github.com/wirekit/wirekit/yaml"
)

func goWays(c yaml.Codec) randgo.Ways {
	texts := []string{"", "a", "id", "007", "-1.5e3", "true", "~", "a: b", "a #b", "- x", "?", "two\nlines", "two\n\n lines\n", "\n", "say \"hi\"", "tab\there", " lead", "[x]", "é", "漢字: x", "\xff", "\u2028", strings.Repeat("long ", 60), "2026-11-23"}
	return randgo.Ways{
		Marshal:   c.Marshal,
		Append:    func(dst []byte, v any) ([]byte, error) { return wire.Internal.AppendMarshal(dst, c, v) },
		Unmarshal: c.Unmarshal,
		Codec:     c,
		Types:     func(seed uint64) randgo.Types { return randgo.Simple(seed, texts) },
	}
}

// TestGoRandom: Marshal writes what the way through Values writes, and refuses what that
// refuses.
func TestGoRandom(t *testing.T) { goWays(yaml.Codec{}).Compare(t, 3000) }

type goTree struct {
	Name  string             `json:"name"`
	Left  *goTree            `json:"left"`
	List  []goTree           `json:"list,omitempty"`
	Links []*goTree          `json:"links"`
	Lists [][]string         `json:"lists"`
	Texts map[string]string  `json:"texts"`
	Count map[string]float64 `json:"a key: with a colon,omitempty"`
	Any   any                `json:"any"`
	None  struct{}           `json:"none"`
}

func newTree(depth int) goTree {
	tree := goTree{
		Name: "one\ntwo", Links: []*goTree{nil, {Name: "x"}}, Lists: [][]string{{}, {"a", "1"}, nil, {"b"}},
		Texts: map[string]string{"plain": "text", "1": "", strings.Repeat("long", 80): "key", "é\n": "escaped"},
		Any:   map[string]any{"list": []any{1, []any{}, map[string]any{"k": []any{"v", map[string]any{}}}}, strings.Repeat("k", 300): nil},
	}
	if depth > 0 {
		child := newTree(depth - 1)
		tree.Left, tree.List = &child, []goTree{{Any: []any{[]any{"deep", 1.5}}}, {Name: "last", Count: map[string]float64{"n": 0.5}}}
		tree.List[0].Any = []any{tree.List[0].Any, &child}
	}
	return tree
}

// TestGoLevels: what is nested, up to and beyond where flow style begins, is written as
// through Values with any limits.
func TestGoLevels(t *testing.T) {
	for depth := range 6 {
		tree := newTree(depth)
		goWays(yaml.Codec{}).Same(t, []goTree{tree})
		for levels := 1; levels < 24; levels++ {
			goWays(yaml.Codec{Limits: wire.Limits{Depth: levels}}).Same(t, tree)
			goWays(yaml.Codec{MultiDocument: true, Limits: wire.Limits{Depth: levels}}).Same(t, []goTree{tree})
		}
	}
	nested := []any{newTree(0)}
	type holder struct {
		Name  string `json:"name"`
		Lists []any  `json:"lists"`
	}
	for range 30 {
		nested = []any{holder{"x", nested}, "y"}
		goWays(yaml.Codec{}).Same(t, holder{"in", nested})
	}
	type deep [][][][][][][][][][][][][][][][][][]string
	list := deep{{{{{{{{{{{{{{{{{{"x"}, {"two\nlines", ""}}}}}}}}}}}}}}}}}}
	goWays(yaml.Codec{}).Same(t, list)
	goWays(yaml.Codec{}).Same(t, list[0])
	goWays(yaml.Codec{}).Same(t, list[0][0])
	goWays(yaml.Codec{}).Same(t, list[0][0][0])
}

type goPointer *goPointer

// TestGoCycle: a cycle of pointers is refused as through Values.
func TestGoCycle(t *testing.T) {
	var tree goTree
	tree.Left = &tree
	goWays(yaml.Codec{}).Same(t, &tree)
	var pointer goPointer
	pointer = &pointer
	goWays(yaml.Codec{}).Same(t, &pointer)
	goWays(yaml.Codec{Limits: wire.Limits{Depth: 10_000}}).Same(t, &tree)
}

// TestGoLimits: the limit of the text holds to the byte.
func TestGoLimits(t *testing.T) {
	for _, v := range []any{newTree(0), []string{"a", "two\nlines"}, []int{1, 22}, map[string]any{}, &goTree{}} {
		whole, err := yaml.Marshal(v)
		require.NoError(t, err)
		for n := 1; n <= len(whole); n++ {
			text := goWays(yaml.Codec{Limits: wire.Limits{OutputBytes: n}}).Same(t, v)
			require.Equal(t, n == len(whole), text != nil)
		}
	}
}

// TestGoConcurrent: goroutines share what is kept between documents.
func TestGoConcurrent(t *testing.T) {
	want, err := yaml.Marshal(newTree(2))
	require.NoError(t, err)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 50 {
				if text, err := yaml.Marshal(newTree(2)); err != nil || string(text) != string(want) {
					t.Error(string(text), err)
				}
			}
		})
	}
	all.Wait()
}
