package wire_test

import (
	"errors"
	"fmt"
	"iter"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/testkit/sample"
	"github.com/wirekit/wirekit/jsonl"
	"github.com/wirekit/wirekit/wire"
)

// lenderTexts are documents of many sizes and shapes, among them some that fail.
func lenderTexts() []string {
	texts := []string{
		`1`, `"x"`, `[]`, `{}`, `[1,2`, `{"a":{"b":[true,null]}}`, `{"a":1,"a":2}`, `["\u00e9\n","plain"]`,
		`[` + strings.Repeat(`{"id":1,"name":"ä\"b"},`, 3000) + `{"id":2}]`,
		`[` + strings.Repeat(`1.5,`, 40000) + `2]`,
		`"` + strings.Repeat("long", 1<<18) + `"`,
		strings.Repeat(`{"k":`, 300) + `1` + strings.Repeat(`}`, 300),
		`{"` + strings.Repeat("k", 70000) + `":1}`,
		`{"a":1,}`, "\xff",
	}
	wide := make([]string, 2000)
	for i := range wide {
		wide[i] = fmt.Sprintf(`{"a%d":%d,"b":"x"}`, i, i)
	}
	texts = append(texts, "["+strings.Join(wide, ",")+"]", "{"+strings.ReplaceAll(strings.Join(wide[:0], ","), "{", "")+"}")
	for _, d := range sample.Documents() {
		texts = append(texts, string(d.JSON))
	}
	return texts
}

func TestView(t *testing.T) {
	texts := lenderTexts()
	for round := range 3 {
		for i := range texts {
			text := texts[(i*(2*round+1))%len(texts)]
			want, wantErr := wire.ParseJSON([]byte(text))
			called := false
			err := wire.View(wire.JSON{}, []byte(text), func(got wire.Value) error {
				called = true
				require.True(t, wire.Identical(want, got), "%.80s", text)
				require.Equal(t, string(wire.AppendJSON(nil, want)), string(wire.AppendJSON(nil, got)))
				return nil
			})
			require.Equal(t, wantErr, err, "%.80s", text)
			require.Equal(t, wantErr == nil, called)
		}
	}
	failed := errors.New("failed")
	require.ErrorIs(t, wire.View(wire.JSON{}, []byte("1"), func(wire.Value) error { return failed }), failed)
}

// TestWithin has scopes in each other, one of which ends by a panic.
func TestWithin(t *testing.T) {
	text := []byte(`{"a":[1,2,{"b":"c"}]}`)
	require.NoError(t, wire.View(wire.JSON{}, text, func(outer wire.Value) error {
		require.Panics(t, func() {
			_ = wire.View(wire.JSON{}, text, func(wire.Value) error { panic("given up") })
		})
		require.NoError(t, wire.View(wire.JSON{}, []byte(`[[["other"]]]`), func(wire.Value) error { return nil }))
		require.Equal(t, string(text), outer.String())
		return nil
	}))
}

// TestErrorsOutliveValues holds that every error in a tree of them keeps its texts, which
// were those of a value, when its memory is reused.
func TestErrorsOutliveValues(t *testing.T) {
	fault := func(text string) error { return wire.AtKey(&wire.Error{Message: text}, text) }
	var memory wire.Memory
	err := memory.View(wire.JSON{}, []byte(`["first","other","third","fourth"]`), func(v wire.Value) error {
		text := func(i int) string { return v.Index(i).Text() }
		cause := &wire.Error{Kind: errors.Join(errors.New("a kind"), fault(text(3)))}
		return errors.Join(fault(text(0)), fmt.Errorf("wrapped: %w", errors.Join(fault(text(1)), fault(text(2)))), cause)
	})
	require.NoError(t, memory.View(wire.JSON{}, []byte(`["-----","-----","-----","------"]`), func(wire.Value) error { return nil }))
	var found []string
	var walk func(err error)
	walk = func(err error) {
		if e, ok := err.(*wire.Error); ok && e.Message != "" {
			found = append(found, e.Message+e.Path())
		}
		switch e := err.(type) {
		case interface{ Unwrap() error }:
			walk(e.Unwrap())
		case interface{ Unwrap() []error }:
			for _, err := range e.Unwrap() {
				walk(err)
			}
		}
	}
	walk(err)
	require.Equal(t, []string{"first/first", "other/other", "third/third", "fourth/fourth"}, found)
}

func TestWithConcurrently(t *testing.T) {
	texts := lenderTexts()
	var group sync.WaitGroup
	for g := range 4 {
		group.Go(func() {
			for i := range 100 {
				text := texts[(i*7+g)%len(texts)]
				if len(text) > 1<<16 {
					continue
				}
				want, wantErr := wire.ParseJSON([]byte(text))
				err := wire.View(wire.JSON{}, []byte(text), func(got wire.Value) error {
					if !wire.Identical(want, got) {
						t.Errorf("%.80s differs", text)
					}
					return nil
				})
				if (err == nil) != (wantErr == nil) {
					t.Errorf("%v, not %v", err, wantErr)
				}
			}
		})
	}
	group.Wait()
}

// TestKeysStay holds that key lists and clones outlive the value.
func TestKeysStay(t *testing.T) {
	var keys *wire.Keys
	var kept wire.Value
	use := func(text string) {
		require.NoError(t, wire.View(wire.JSON{}, []byte(text), func(v wire.Value) error {
			if keys == nil {
				keys, kept = v.Keys(), v.Clone()
			}
			return nil
		}))
	}
	use(`{"first":"text","second":[1.50,{"third":null}]}`)
	for i := range 50 {
		use(fmt.Sprintf(`{"other%d":"OVER","again":[9.99,{"x":1}]}`, i))
	}
	require.Equal(t, 2, keys.Len())
	require.Equal(t, "first", keys.At(0))
	require.Equal(t, `{"first":"text","second":[1.50,{"third":null}]}`, kept.String())
}

func TestViewRecords(t *testing.T) {
	var in strings.Builder
	for i := range 500 {
		fmt.Fprintf(&in, "{\"id\":%d,\"text\":%q}\n", i, strings.Repeat("x", i%50*(i%9)))
		if i%10 == 0 {
			fmt.Fprintln(&in, strings.Repeat("[", 40)+strings.Repeat("]", 40))
		}
	}
	for _, bad := range []string{"", "{", "\xff\n", `{"id":1,"text":tru}`} {
		read := func(records iter.Seq2[wire.Value, error]) (got []string, failed error) {
			for v, err := range records {
				if failed = err; err == nil {
					got = append(got, v.String())
				}
			}
			return got, failed
		}
		want, wantErr := read(jsonl.Codec{}.Records(strings.NewReader(in.String() + bad)))
		got, err := read(wire.ViewRecords(jsonl.Codec{}, strings.NewReader(in.String()+bad)))
		require.Equal(t, want, got)
		require.Equal(t, wantErr, err)
	}
	n := 0
	for range wire.ViewRecords(jsonl.Codec{}, strings.NewReader(in.String())) {
		if n++; n == 3 {
			break
		}
	}
	require.Equal(t, 3, n)
}

func ExampleView() {
	src := []byte(`{"user":{"name":"Ada"},"rows":[1,2,3]}`)
	var name string
	err := wire.View(wire.JSON{}, src, func(v wire.Value) error {
		user, _ := v.Get("user")
		n, _ := user.Get("name")
		name = string([]byte(n.Text())) // a copy: v is valid in here only
		return nil
	})
	fmt.Println(name, err)
	// Output: Ada <nil>
}

func ExampleViewRecords() {
	in := strings.NewReader("{\"n\":1}\n{\"n\":41}\n")
	sum := int64(0)
	for record, err := range wire.ViewRecords(jsonl.Codec{}, in) {
		if err != nil {
			fmt.Println(err)
			return
		}
		v, _ := record.Get("n")
		n, _ := v.Int64()
		sum += n
	}
	fmt.Println(sum)
	// Output: 42
}

// shouting is a codec that embeds another one and reads otherwise.
type shouting struct{ jsonl.Codec }

func (s shouting) Decode(src []byte) (wire.Value, error) {
	return s.Codec.Decode([]byte(strings.ToUpper(string(src))))
}

func TestViewEmbedded(t *testing.T) {
	require.NoError(t, wire.View(shouting{}, []byte(`"a"`), func(v wire.Value) error {
		require.Equal(t, `["A"]`, v.String())
		return nil
	}))
}
