//go:build interop

package interop

import (
	"math"
	"slices"
	"strings"

	"github.com/wirekit/wirekit/wire"
)

// knownDifference returns why the published package and ours may differ about
// v, "" if there is no reason. Each is a fault of the package in version 2.5.2.
func knownDifference(v wire.Value, theyRead bool) string {
	for _, d := range differences {
		if d.of(v) && (theyRead || !d.onlyReading) {
			return d.reason
		}
	}
	return ""
}

var differences = []struct {
	reason      string
	onlyReading bool // when they read what we write
	of          func(wire.Value) bool
}{
	{"keys with brackets are not found again in a line's beginning", true,
		func(v wire.Value) bool { return anyKey(v, func(k string) bool { return strings.ContainsAny(k, "[]") }) }},
	{"keys with a backslash before an equals sign end too early", true,
		func(v wire.Value) bool { return anyKey(v, func(k string) bool { return strings.ContainsAny(k, `\"`) }) }},
	{"members called __proto__, constructor or prototype are dropped from path columns", true,
		func(v wire.Value) bool {
			return anyKey(v, func(k string) bool { return slices.Contains([]string{"__proto__", "constructor", "prototype"}, k) })
		}},
	{"fields with '>' are written as columns of shared schemas, which no decoder can read", false,
		func(v wire.Value) bool { return anyKey(v, func(k string) bool { return strings.Contains(k, ">") }) }},
	{"decimals from 2^53 to 1e21 are written as digits, beyond int64", false,
		func(v wire.Value) bool { return anyNumber(v, func(f float64) bool { return math.Abs(f) >= 1<<53 }) }},
}

// anyKey reports whether an object in v has a key that is so.
func anyKey(v wire.Value, is func(string) bool) bool {
	if v.Kind() == wire.KindObject {
		for k := range v.Members() {
			if is(k) {
				return true
			}
		}
	}
	for e := range v.Elements() {
		if anyKey(e, is) {
			return true
		}
	}
	return false
}

// anyNumber is anyKey for numbers.
func anyNumber(v wire.Value, is func(float64) bool) bool {
	if v.Kind() == wire.KindNumber {
		f, _ := v.Float64()
		return is(f)
	}
	for e := range v.Elements() {
		if anyNumber(e, is) {
			return true
		}
	}
	return false
}
