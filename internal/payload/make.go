package payload

import (
	"encoding/hex"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"github.com/wirekit/wirekit/wire"
)

// obj is an object: keys and values in turn.
type obj []any

// list is an array.
type list []any

// decimal is a number with its spelling.
type decimal string

// value returns the Value of what a generator made.
func value(x any) wire.Value {
	switch x := x.(type) {
	case decimal:
		return must(wire.Number(string(x)))
	case list:
		values := make([]wire.Value, len(x))
		for i := range x {
			values[i] = value(x[i])
		}
		return wire.Array(values...)
	case obj:
		members := make([]wire.Member, 0, len(x)/2)
		for i := 0; i < len(x); i += 2 {
			members = append(members, wire.Member{Key: x[i].(string), Value: value(x[i+1])})
		}
		return must(wire.Object(members...))
	}
	return must(wire.FromGo(x))
}

// must returns what a call without an error returned: payloads are parts of the program.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// A maker draws what answers are made of.
type maker struct{ *rand.Rand }

// newMaker returns the maker of one kind: its answer depends on no other's.
func newMaker(kind string) maker {
	h := fnv.New64a()
	h.Write([]byte(kind))
	return maker{rand.New(rand.NewPCG(h.Sum64(), 2026))}
}

// rows makes a list of n.
func rows(n int, row func(i int) any) list {
	l := make(list, n)
	for i := range l {
		l[i] = row(i)
	}
	return l
}

// pick draws one of a few, evenly.
func pick[T any](m maker, from ...T) T { return from[m.IntN(len(from))] }

// often draws one of a few, the first ones more often, as states and names
// occur.
func often[T any](m maker, from ...T) T {
	f := m.Float64()
	return from[int(f*f*float64(len(from)))]
}

// chance is true in p of all cases.
func (m maker) chance(p float64) bool { return m.Float64() < p }

// between draws a whole number.
func (m maker) between(low, high int) int { return low + m.IntN(high-low+1) }

// wide draws a whole number of more than 32 bits.
func (m maker) wide(low, high int64) int64 { return low + m.Int64N(high-low+1) }

// itoa writes a whole number of more than 32 bits.
func itoa(n int64) string { return strconv.FormatInt(n, 10) }

// long draws a number whose order of magnitude varies.
func (m maker) long(high int) int {
	n := high
	for n > 10 && m.chance(0.5) {
		n /= 10
	}
	return m.IntN(n + 1)
}

// digits writes a number with n decimals, without zeros at its end.
func digits(f float64, n int) decimal {
	text := strconv.FormatFloat(f, 'f', n, 64)
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	if text == "-0" {
		text = "0"
	}
	return decimal(text)
}

// real draws a number with decimals.
func (m maker) real(low, high float64, n int) decimal {
	return digits(low+m.Float64()*(high-low), n)
}

// hex draws n hexadecimal digits.
func (m maker) hex(n int) string {
	b := make([]byte, (n+1)/2)
	for i := range b {
		b[i] = byte(m.Uint32())
	}
	return hex.EncodeToString(b)[:n]
}

// mixed draws n letters and digits, as keys and ids have them.
func (m maker) mixed(n int) string {
	return m.letters("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", n)
}

// lower draws n lower-case letters and digits, as names of pods have them.
func (m maker) lower(n int) string { return m.letters("bcdfghjklmnpqrstvwxz2456789", n) }

func (m maker) letters(from string, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = from[m.IntN(len(from))]
	}
	return string(b)
}

func (m maker) uuid() string {
	h := m.hex(30)
	return h[:8] + "-" + h[8:12] + "-4" + h[12:15] + "-a" + h[15:18] + "-" + h[18:]
}

// day zero of all answers.
var zero = time.Date(2026, 3, 2, 6, 0, 0, 0, time.UTC)

// moment draws a time within days after zero.
func (m maker) moment(days float64) time.Time {
	return zero.Add(time.Duration(m.Float64() * days * 24 * float64(time.Hour)))
}

func stamp(t time.Time) string { return t.Format("2006-01-02T15:04:05Z") }

func millis(t time.Time) string { return t.Format("2006-01-02T15:04:05.000Z") }

func nanos(t time.Time) string { return t.Format("2006-01-02T15:04:05.000000000Z") }

var (
	givenNames = strings.Fields("Ada Grace Edsger Barbara Donald Niklaus Radia Tony Leslie Margaret Ken Frances Dennis Hedy Alan Katherine John Sophie Kurt Emmy Max Rosa Jun Aiko Chidi Amara Lars Ingrid Mateo Lucía Priya Arjun Oksana Pavel Zoë Noor")
	lastNames  = strings.Fields("Lovelace Hopper Dijkstra Liskov Knuth Wirth Perlman Hoare Lamport Hamilton Thompson Allen Ritchie Lamarr Kay Johnson Backus Wilson Gödel Noether Born Luxemburg Sato Tanaka Okafor Eze Nilsson Berg Rossi Herrera Rao Mehta Shevchenko Novák Vos Haddad")
	nouns      = strings.Fields("parser cache session request handler timeout buffer queue worker header index token cursor schema migration test build pipeline config logger socket stream retry lock deadline router cookie payload batch snapshot replica shard lease quota metric trace panel table column filter form upload invoice report template webhook secret certificate proxy gateway layout menu")
	verbs      = strings.Fields("fix add remove split rename document cache retry validate close drop move guard speed simplify check bound count merge replace")
	adjectives = strings.Fields("slow stale empty nested large missing invalid duplicate flaky wrong unused optional early late partial local remote shared broken concurrent")
	areas      = strings.Fields("api auth storage search billing ui cli docs network export import sync reports admin mobile scheduler")
	places     = strings.Fields("Oslo Lisbon Kraków Porto Turin Ghent Leipzig Utrecht Malmö Graz Brno Bilbao Lyon Bergen Tartu Riga Cork Split Patras Varna Osaka Sendai Recife Quito Accra Lagos Nairobi Pune Hanoi Cebu")
	products   = strings.Fields("lamp kettle backpack notebook keyboard monitor headset chair desk bottle jacket tent stove bicycle helmet camera tripod speaker charger cable")
	materials  = strings.Fields("oak steel cotton linen glass copper wool bamboo ceramic leather aluminium paper")
)

// person draws a name.
func (m maker) person() string { return pick(m, givenNames...) + " " + pick(m, lastNames...) }

// login is the account name of a person.
func login(person string) string {
	first, last, _ := strings.Cut(person, " ")
	return strings.ToLower(plain.Replace(first[:1] + last))
}

var plain = strings.NewReplacer("ö", "o", "ë", "e", "é", "e", "á", "a", "í", "i", "ó", "o", "ł", "l", "Ö", "O")

// title draws what a change, an issue or a task is called.
func (m maker) title() string {
	verb := pick(m, verbs...)
	switch m.IntN(4) {
	case 0:
		return upper(verb) + " the " + pick(m, adjectives...) + " " + pick(m, nouns...) + " in " + pick(m, areas...)
	case 1:
		return pick(m, areas...) + ": " + verb + " " + pick(m, nouns...) + " " + pick(m, nouns...)
	case 2:
		return upper(pick(m, nouns...)) + " is " + pick(m, adjectives...) + " after " + pick(m, nouns...) + " " + verb
	}
	return upper(verb) + " " + pick(m, nouns...) + " before " + pick(m, nouns...)
}

func upper(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// sentence draws a line of prose.
func (m maker) sentence() string {
	switch m.IntN(6) {
	case 0:
		return fmt.Sprintf("The %s %s fails when the %s is %s.", pick(m, adjectives...), pick(m, nouns...), pick(m, nouns...), pick(m, adjectives...))
	case 1:
		return fmt.Sprintf("I saw this %d times since %s, always with a %s %s.", m.between(2, 40), pick(m, "Monday", "the last release", "yesterday", "version 2."+strconv.Itoa(m.IntN(9))), pick(m, adjectives...), pick(m, nouns...))
	case 2:
		return fmt.Sprintf("Could we %s the %s instead of the %s?", pick(m, verbs...), pick(m, nouns...), pick(m, nouns...))
	case 3:
		return fmt.Sprintf("%s asked whether %s can %s a %s without the %s.", pick(m, givenNames...), pick(m, areas...), pick(m, verbs...), pick(m, nouns...), pick(m, nouns...))
	case 4:
		return fmt.Sprintf("It took %d ms for %d %ss, which is %s.", m.between(3, 4000), m.between(2, 900), pick(m, nouns...), pick(m, "fine", "too long", "what we expected", "worse than before"))
	}
	return fmt.Sprintf("See the notes about %s and %s in %s.", pick(m, nouns...), pick(m, nouns...), pick(m, areas...))
}

// text draws a few sentences.
func (m maker) text(most int) string {
	n := m.between(1, most)
	parts := make([]string, n)
	for i := range parts {
		parts[i] = m.sentence()
	}
	return strings.Join(parts, " ")
}

// file draws the path of a source file.
func (m maker) file(ext string) string {
	path := often(m, "internal", "src", "cmd", "pkg", "test") + "/" + pick(m, areas...)
	if m.chance(0.5) {
		path += "/" + pick(m, nouns...)
	}
	return path + "/" + pick(m, nouns...) + pick(m, "", "", "_test", "_util") + ext
}

// host draws an address.
func (m maker) address() string {
	return fmt.Sprintf("10.%d.%d.%d", m.between(0, 3), m.IntN(250), m.between(2, 250))
}

// several draws a few different ones in their order, at least one of them.
func several(m maker, most int, from ...string) list {
	n := m.between(1, min(most, len(from)))
	var l list
	for i, s := range from {
		if m.IntN(len(from)-i) < n {
			l = append(l, s)
			n--
		}
	}
	return l
}
