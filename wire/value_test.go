package wire_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/choose/measure"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/internal/testkit/growth"
	"github.com/wirekit/wirekit/internal/testkit/trials"
	"github.com/wirekit/wirekit/wire"
)

func number(t testing.TB, text string) wire.Value {
	t.Helper()
	v, err := wire.Number(text)
	require.NoError(t, err)
	return v
}

func object(t testing.TB, members ...wire.Member) wire.Value {
	t.Helper()
	v, err := wire.Object(members...)
	require.NoError(t, err)
	return v
}

var parse = codectest.JSON[string]

func TestValueSize(t *testing.T) {
	require.LessOrEqual(t, unsafe.Sizeof(wire.Value{}), uintptr(24))
}

func TestScalarsDoNotAllocate(t *testing.T) {
	now, b := time.Now(), true
	growth.Allocs(t, 0, func() {
		vs := [...]wire.Value{wire.Null(), wire.Bool(b), wire.Int(1 << 40), wire.Uint(math.MaxUint64),
			wire.Float(1.5), wire.String("text"), wire.Time(now)}
		for _, v := range vs {
			_, _ = v.Int64()
			_, _ = v.Float64()
			_ = v.Time()
			_ = v.Len()
			_ = v.Bool()
		}
	})
}

func TestZeroValueIsNull(t *testing.T) {
	var v wire.Value
	require.Equal(t, wire.KindNull, v.Kind())
	require.True(t, wire.Identical(v, wire.Null()))
	require.Equal(t, "null", v.String())
}

func TestAccessorsOfOtherKinds(t *testing.T) {
	for _, v := range []wire.Value{wire.Null(), wire.Bool(true), wire.Array(), wire.Bytes(nil)} {
		_, ok := v.Int64()
		require.False(t, ok)
		_, ok = v.Uint64()
		require.False(t, ok)
		_, ok = v.Float64()
		require.False(t, ok)
		require.Empty(t, v.Text())
		require.True(t, v.Time().IsZero())
		_, ok = v.Get("a")
		require.False(t, ok)
		require.Zero(t, wire.Internal.Tag(v))
		for range v.Members() {
			t.Fatal("a member")
		}
	}
	require.Panics(t, func() { wire.Null().Index(0) })
	require.Panics(t, func() { wire.Array().Keys() })
}

func TestNumberConversions(t *testing.T) {
	for _, c := range []struct {
		text   string
		i      int64
		iOK    bool
		u      uint64
		uOK    bool
		f      float64
		fExact bool
	}{
		{"0", 0, true, 0, true, 0, true},
		{"-0", 0, true, 0, true, math.Copysign(0, -1), true},
		{"1.0", 1, true, 1, true, 1, true},
		{"1e3", 1000, true, 1000, true, 1000, true},
		{"12.50e1", 125, true, 125, true, 125, true},
		{"1e-1", 0, false, 0, false, 0.1, true},
		{"0.1", 0, false, 0, false, 0.1, true},
		{"-1", -1, true, 0, false, -1, true},
		{"9223372036854775807", math.MaxInt64, true, math.MaxInt64, true, 1 << 63, false},
		{"9223372036854775808", 0, false, 1 << 63, true, 1 << 63, false},
		{"-9223372036854775808", math.MinInt64, true, 0, false, -1 << 63, false},
		{"-9223372036854775809", 0, false, 0, false, -1 << 63, false},
		{"18446744073709551615", 0, false, math.MaxUint64, true, 1 << 64, false},
		{"18446744073709551616", 0, false, 0, false, 1 << 64, false},
		{"9007199254740993", 9007199254740993, true, 9007199254740993, true, 9007199254740992, false},
		{"0.10000000000000000001", 0, false, 0, false, 0.1, false},
		{"1e400", 0, false, 0, false, math.Inf(1), false},
		{"1e-400", 0, false, 0, false, 0, false},
		{"0e999999999999999999999", 0, true, 0, true, 0, true},
		{"1e99999999999999999999", 0, false, 0, false, math.Inf(1), false},
	} {
		t.Run(c.text, func(t *testing.T) {
			v := number(t, c.text)
			i, ok := v.Int64()
			require.Equal(t, c.iOK, ok)
			require.Equal(t, c.i, i)
			u, ok := v.Uint64()
			require.Equal(t, c.uOK, ok)
			require.Equal(t, c.u, u)
			f, ok := v.Float64()
			require.Equal(t, c.fExact, ok, "survives")
			require.Equal(t, c.f, f)
			require.Equal(t, c.text, v.Text())
		})
	}
}

func TestNumberForms(t *testing.T) {
	require.Equal(t, "-9223372036854775808", wire.Int(math.MinInt64).Text())
	require.Equal(t, "18446744073709551615", wire.Uint(math.MaxUint64).Text())
	for f, want := range map[float64]string{
		1: "1", 0.1: "0.1", 1e20: "100000000000000000000", 1e21: "1e+21", 1e-6: "0.000001", 1e-7: "1e-7",
		1.5e300: "1.5e+300", 5e-324: "5e-324", -2.5: "-2.5", 1e100: "1e+100",
	} {
		require.Equal(t, want, wire.Float(f).Text())
	}
	require.Equal(t, "-0", wire.Float(math.Copysign(0, -1)).Text())
	for _, f := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		require.Panics(t, func() { wire.Float(f) })
	}
	for _, text := range []string{"", "-", "+1", "01", "1.", ".5", "1e", "1e+", "0x1", "NaN", "1 ", " 1", "1_0", "٣"} {
		_, err := wire.Number(text)
		require.ErrorIs(t, err, wire.ErrSyntax, text)
	}
}

// TestConversionsFollowTheNumber: what a number converts to, and whether that
// is exact, does not depend on its spelling or on the Go type it came from.
func TestConversionsFollowTheNumber(t *testing.T) {
	trials.OneGoroutine(t)
	check := func(v wire.Value) {
		t.Helper()
		// The same number from text, and spelled with an exponent.
		for _, text := range []string{v.Text(), shifted(v.Text())} {
			w := number(t, text)
			require.True(t, wire.Equal(v, w))
			i, iOK := v.Int64()
			j, jOK := w.Int64()
			require.Equal(t, iOK, jOK, "Int64 of %s", text)
			require.Equal(t, i, j)
			u, uOK := v.Uint64()
			x, xOK := w.Uint64()
			require.Equal(t, uOK, xOK, "Uint64 of %s", text)
			require.Equal(t, u, x)
			f, fOK := v.Float64()
			g, gOK := w.Float64()
			require.Equal(t, fOK, gOK, "Float64 of %s", text)
			require.Equal(t, f, g)

			var a, b any
			require.NoError(t, wire.ToGo(v, &a))
			require.NoError(t, wire.ToGo(w, &b))
			require.IsType(t, a, b, text)
		}
	}
	for _, n := range []int64{0, 1, -1, 1<<53 - 1, 1 << 53, 1<<53 + 1, 260568661625120500, 260568661625120512, -260568661625120500, math.MaxInt64, math.MinInt64} {
		check(wire.Int(n))
		check(wire.Float(float64(n)))
	}
	for _, n := range []uint64{1 << 63, 1<<63 + 1, math.MaxUint64, 18446744073709552000 - 2000, 1e19} {
		check(wire.Uint(n))
		check(wire.Float(float64(n)))
	}
	for _, f := range []float64{1.5, -1.5, 0.1, 1e20, 1e300, -1 << 63, 1 << 63, 1 << 64, 5e-324} {
		check(wire.Float(f))
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 5_000 {
		check(wire.Int(int64(random.Uint64()) >> random.IntN(64)))
		check(wire.Uint(random.Uint64() >> random.IntN(64)))
		check(wire.Float(math.Trunc(math.Ldexp(random.Float64(), random.IntN(80)))))
	}
	var a any
	require.NoError(t, wire.ToGo(wire.Int(260568661625120500), &a))
	require.Equal(t, 2.605686616251205e17, a)
}

// shifted spells a number without an exponent with one.
func shifted(text string) string {
	if strings.ContainsAny(text, "e") {
		return text
	}
	if strings.Contains(text, ".") {
		return text + "0e0"
	}
	return text + ".0e+0"
}

func TestEqualIsMathematical(t *testing.T) {
	same := [][]wire.Value{
		{number(t, "1"), number(t, "1.0"), number(t, "10e-1"), number(t, "0.1e1"), wire.Int(1), wire.Float(1), wire.Uint(1)},
		{number(t, "0"), number(t, "-0"), number(t, "0.000"), number(t, "0e5"), wire.Int(0), wire.Float(math.Copysign(0, -1))},
		{number(t, "1e400"), number(t, "10e399"), number(t, "1"+zeros(400))},
		{number(t, "1e-400"), number(t, "0."+zeros(399)+"1")},
		{number(t, "18446744073709551615"), wire.Uint(math.MaxUint64)},
		{number(t, "0.1"), wire.Float(0.1)},
		{number(t, "-12.5e-3"), number(t, "-0.0125")},
		{number(t, "1e100000000000000000000"), number(t, "1e+0100000000000000000000"), number(t, "10e99999999999999999999")},
		{number(t, "1e100000000000000000001"), number(t, "10e100000000000000000000")},
		{wire.String("a"), wire.Internal.TaggedString("a", 3)},
		{parse(t, `{"a":1,"b":[2]}`), parse(t, `{"b":[2.0],"a":1}`)},
		{wire.Time(time.Unix(5, 7)), wire.Time(time.Unix(5, 7).In(time.FixedZone("x", 3600)))},
		{wire.Bytes([]byte{1, 2}), wire.Bytes([]byte{1, 2})},
		{wire.Array(), parse(t, "[]")}, {object(t), parse(t, "{}")}, {wire.String(""), parse(t, `""`)},
	}
	for i, group := range same {
		for _, a := range group {
			for j, other := range same {
				for _, b := range other {
					require.Equal(t, i == j, wire.Equal(a, b), "%#v %#v", a, b)
				}
			}
		}
	}
}

func zeros(n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = '0'
	}
	return string(b)
}

func TestDifference(t *testing.T) {
	for _, c := range []struct {
		name      string
		want, got wire.Value
		loss      wire.Loss
		path      string
	}{
		{"nothing", parse(t, `{"a":[1,{"b":null}]}`), parse(t, `{"a":[1,{"b":null}]}`), 0, ""},
		{"order", parse(t, `{"a":1,"b":2}`), parse(t, `{"b":2,"a":1}`), wire.LossOrder, ""},
		{"spelling", parse(t, `[1,{"x":1.0}]`), parse(t, `[1,{"x":1}]`), wire.LossNumberText, "/1/x"},
		{"precision", parse(t, `{"id":9007199254740993}`), parse(t, `{"id":9007199254740992}`), wire.LossPrecision, "/id"},
		{"underflow", parse(t, `1e-400`), parse(t, `0`), wire.LossPrecision, ""},
		{"all digits of a float64", parse(t, `1208925819614629174706177`), parse(t, `1208925819614629174706176`), wire.LossPrecision, ""},
		{"beyond float64", parse(t, `1e400`), parse(t, `2e400`), wire.LossContent, ""},
		{"below float64", parse(t, `1e-400`), parse(t, `2e-400`), wire.LossContent, ""},
		{"digits that no rounding makes", parse(t, `9007199254740993`), parse(t, `9007199254740992.25`), wire.LossContent, ""},
		{"other number", parse(t, `1`), parse(t, `2`), wire.LossContent, ""},
		{"absent to null", parse(t, `[{"a":1}]`), parse(t, `[{"a":1,"b":null}]`), wire.LossMissing, "/0"},
		{"null to absent", parse(t, `{"a":1,"b":null}`), parse(t, `{"a":1}`), wire.LossMissing, ""},
		{"member lost", parse(t, `{"a":1,"b":2}`), parse(t, `{"a":1}`), wire.LossContent, ""},
		{"member new", parse(t, `{"a":1}`), parse(t, `{"a":1,"b":2}`), wire.LossContent, ""},
		{"bytes", wire.Bytes([]byte{0, 1}), wire.String("AAE="), wire.LossBytes, ""},
		{"time", wire.Time(time.Unix(0, 0).UTC()), wire.String("1970-01-01T00:00:00Z"), wire.LossTime, ""},
		{"tag", wire.Internal.TaggedString("a", 1), wire.String("a"), wire.LossTag, ""},
		{"string", wire.String("a"), wire.String("b"), wire.LossContent, ""},
		{"shorter", parse(t, `[1,2]`), parse(t, `[1]`), wire.LossContent, ""},
		{"two", parse(t, `{"a~/":1.0,"b":{"x":1,"y":2}}`), parse(t, `{"a~/":1,"b":{"y":2,"x":1}}`), wire.LossNumberText | wire.LossOrder, "/a~0~1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			loss, path := wire.Difference(c.want, c.got)
			require.Equal(t, c.loss.String(), loss.String())
			require.Equal(t, c.path, path)
			require.Equal(t, loss == 0, wire.Identical(c.want, c.got))
		})
	}
}

// TestDifferenceOfReordered: objects within objects, more than are remembered at once,
// whose members are in another order on each level, and in rows again and again.
func TestDifferenceOfReordered(t *testing.T) {
	deep := func(levels int, leaf string, turned bool) string {
		text := leaf
		for i := range levels {
			if turned {
				text = fmt.Sprintf(`{"z%d":0,"y":[1,2],"x%d":%s}`, i%6, i, text)
				continue
			}
			text = fmt.Sprintf(`{"x%d":%s,"y":[1,2],"z%d":0}`, i, text, i%6)
		}
		return text
	}
	rows := func(leaves []string, turned bool) wire.Value {
		var all []string
		for i, leaf := range leaves {
			all = append(all, deep(i%9, leaf, turned))
		}
		return parse(t, "["+strings.Join(all, ",")+"]")
	}
	leaves := make([]string, 40)
	for i := range leaves {
		leaves[i] = strconv.Itoa(i)
	}
	want := rows(leaves, false)
	loss, path := wire.Difference(want, rows(leaves, true))
	require.Equal(t, wire.LossOrder.String(), loss.String())
	require.Equal(t, "/1", path)
	for i := range leaves {
		other := slices.Clone(leaves)
		other[i] = "[]"
		loss, path = wire.Internal.DifferenceBeyond(wire.LossOrder, want, rows(other, true))
		require.Equal(t, wire.LossContent.String(), loss.String())
		pointer := fmt.Sprintf("/%d", i)
		for level := i%9 - 1; level >= 0; level-- {
			pointer += fmt.Sprintf("/x%d", level)
		}
		require.Equal(t, pointer, path)
	}
}

func TestEqualAsJSON(t *testing.T) {
	utc := time.Date(2026, 1, 2, 3, 4, 5, 6e8, time.UTC)
	zone := utc.In(time.FixedZone("", 3600))
	for _, c := range []struct {
		name      string
		want, got wire.Value
		equal     bool
		beyond    wire.Loss
		path      string
	}{
		{"time as text", wire.Time(zone), wire.String("2026-01-02T04:04:05.6+01:00"), true, 0, ""},
		{"time as text in another zone", wire.Time(zone), wire.String("2026-01-02T03:04:05.6Z"), true, 0, ""},
		{"time as text of another", wire.Time(zone), wire.String("2026-01-02T03:04:05.7Z"), false, wire.LossContent, ""},
		{"time as no text of a time", wire.Time(zone), wire.String("2026-01-02 03:04:05.6"), false, wire.LossContent, ""},
		{"time in another zone", wire.Time(zone), wire.Time(utc), true, 0, ""},
		{"another time", wire.Time(zone), wire.Time(utc.Add(1)), false, wire.LossContent, ""},
		{"bytes as text", wire.Bytes([]byte("hi")), wire.String("aGk="), true, 0, ""},
		{"bytes as another text", wire.Bytes([]byte("hi")), wire.String("hi"), false, wire.LossContent, ""},
		{"bytes and time", wire.Bytes(nil), wire.Time(utc), false, wire.LossContent, ""},
		{"tag", wire.Internal.TaggedString("a", 1), wire.String("a"), true, 0, ""},
		{"order and spelling", parse(t, `{"a":1,"b":2.0}`), parse(t, `{"b":2,"a":1}`), true, 0, ""},
		{"absent and null", parse(t, `{"a":1,"b":null}`), parse(t, `{"a":1}`), false, wire.LossMissing, ""},
		{"deep", wire.Array(object(t, wire.Member{Key: "t", Value: wire.Time(utc)})), parse(t, `[{"t":"2026-01-02T03:04:05.6Z"}]`), true, 0, ""},
		{"behind what does not count",
			wire.Array(wire.Time(utc), parse(t, `{"b":1.0,"a":[9007199254740993]}`)),
			parse(t, `["2026-01-02T03:04:05.6Z",{"a":[9007199254740992],"b":1}]`), false, wire.LossPrecision, "/1/a/0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, c.equal, wire.Internal.EqualAsJSON(c.want, c.got))
			require.Equal(t, c.equal, wire.Internal.EqualAsJSON(c.got, c.want), "the other way round")
			loss, path := wire.Internal.DifferenceBeyond(measure.BeyondJSON, c.want, c.got)
			require.Equal(t, c.beyond.String(), loss.String())
			require.Equal(t, c.path, path)
		})
	}
	t.Run("what JSON gives back", func(t *testing.T) {
		v := object(t, wire.Member{Key: "t", Value: wire.Time(zone)}, wire.Member{Key: "b", Value: wire.Bytes([]byte{0, 1, 255})})
		back := parse(t, v.String())
		require.False(t, wire.Equal(v, back))
		require.True(t, wire.Internal.EqualAsJSON(v, back))
	})
}

func TestObjectRefusesDuplicates(t *testing.T) {
	_, err := wire.Object(wire.Member{Key: "a"}, wire.Member{Key: "b"}, wire.Member{Key: "a"})
	require.ErrorIs(t, err, wire.ErrDuplicateKey)
	names := make([]string, 100)
	for i := range names {
		names[i] = strconv.Itoa(i)
	}
	codectest.Keys(t, names...)
	names[99] = "7"
	_, err = wire.NewKeys(names...)
	require.ErrorIs(t, err, wire.ErrDuplicateKey)
}

func TestIteration(t *testing.T) {
	v := parse(t, `{"a":1,"b":[true,"x"],"c":{}}`)
	var keys []string
	for k := range v.Members() {
		keys = append(keys, k)
	}
	require.Equal(t, []string{"a", "b", "c"}, keys)
	require.Equal(t, "b", v.Keys().At(1))
	list, ok := v.Get("b")
	require.True(t, ok)
	require.Equal(t, 2, list.Len())
	for e := range list.Elements() {
		require.Equal(t, wire.KindBool, e.Kind())
		break // stopping early is allowed
	}
	n := 0
	for range v.Elements() {
		n++
	}
	require.Equal(t, 3, n)
}

func TestCloneSharesNoMemory(t *testing.T) {
	src := []byte(`[{"key":"text","n":12.5},{"key":"more","n":1}]`)
	v := parse(t, string(src))
	c := v.Clone()
	require.True(t, wire.Identical(v, c))
	require.True(t, c.Index(0).Keys() == c.Index(1).Keys(), "the clone's rows share their keys")
	require.False(t, c.Index(0).Keys() == v.Index(0).Keys())
	require.NotSame(t, unsafe.StringData(v.Index(0).Index(0).Text()), unsafe.StringData(c.Index(0).Index(0).Text()))
}

func TestTimes(t *testing.T) {
	for _, instant := range []time.Time{
		{}, time.Unix(0, 0), time.Date(1, 1, 1, 0, 0, 0, 1, time.UTC), time.Date(9999, 12, 31, 23, 59, 59, 999999999, time.FixedZone("", -7*3600)),
		time.Date(292277, 1, 1, 0, 0, 0, 0, time.UTC), time.Now(),
	} {
		v := wire.Time(instant)
		require.True(t, instant.Equal(v.Time()))
		require.Equal(t, instant.Location(), v.Time().Location())
	}
	require.Equal(t, "2026-11-20T19:03:00.5+02:00",
		string(wire.Internal.AppendText(nil, wire.Time(time.Date(2026, 11, 20, 19, 3, 0, 5e8, time.FixedZone("", 7200))))))
	amsterdam := time.FixedZone("", 19*60+32)
	require.Equal(t, "1930-01-01T11:40:28Z", string(wire.Internal.AppendText(nil, wire.Time(time.Date(1930, 1, 1, 12, 0, 0, 0, amsterdam)))))
}

// TestIndexPanics: an element that a value does not have is not read from its memory.
func TestIndexPanics(t *testing.T) {
	object, err := wire.Object(wire.Member{Key: "a"})
	require.NoError(t, err)
	for _, v := range []wire.Value{wire.Array(), wire.Array(wire.Null()), object, wire.String("text"), wire.Int(8), wire.Null()} {
		for _, i := range []int{-1, 1, 2, math.MaxInt, math.MinInt} {
			require.Panics(t, func() { v.Index(i) }, "%#v %d", v, i)
		}
	}
	require.PanicsWithValue(t, "wire: Index of string", func() { wire.String("text").Index(0) })
	require.Panics(t, func() { wire.Array().Index(0) })
}
