// Package sample generates the JSON documents that tests and benchmarks of
// every package share. The same call always gives the same bytes.
package sample

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/wirekit/wirekit/internal/base/scan"
)

// A Document is a JSON text with a name for benchmarks.
type Document struct {
	Name string
	JSON []byte
}

// Documents returns the three documents that the speed targets name: 10,000
// uniform rows, 500 nested orders, and about 1 MB of an API's answers.
func Documents() []Document {
	return []Document{
		{"rows", Rows(10_000)},
		{"orders", Orders(500)},
		{"api", API(900)},
	}
}

func source(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0x9E3779B97F4A7C15)) }

var (
	firstNames = []string{"Ada", "Björn", "Chloé", "Deepa", "Emeka", "Fatima", "Goran", "Hana", "Iván", "Jun"}
	lastNames  = []string{"Okafor", "Lindqvist", "Moreau", "Rao", "Silva", "Tanaka", "Novak", "Haddad", "Weiss", "Park"}
	teams      = []string{"platform", "billing", "search", "mobile", "data", "security"}
	cities     = []string{"Lagos", "Malmö", "Lyon", "Pune", "São Paulo", "Osaka", "Zagreb", "Amman", "Köln", "Seoul"}
	words      = strings.Fields("the service returned an error while reading from upstream because connection was reset by peer " +
		"retry after backoff request took longer than expected cache miss for key index rebuilt in background user session expired")
)

func pick(r *rand.Rand, from []string) string { return from[r.IntN(len(from))] }

func sentence(r *rand.Rand, n int) string {
	picked := make([]string, n)
	for i := range picked {
		picked[i] = pick(r, words)
	}
	return strings.Join(picked, " ")
}

// Rows returns an array of n objects with the same six members.
func Rows(n int) []byte {
	r := source(1)
	return array(nil, n, ",", func(b []byte, i int) []byte {
		name := pick(r, firstNames) + " " + pick(r, lastNames)
		return fmt.Appendf(b, `{"id":%d,"name":"%s","email":"user%d@example.com","team":"%s","score":%.2f,"active":%t}`,
			i+1, name, i+1, pick(r, teams), r.Float64()*100, r.IntN(3) > 0)
	})
}

// Orders returns an object with a list of n orders: a nested customer each,
// and one to five items.
func Orders(n int) []byte {
	r := source(2)
	b := array([]byte(`{"orders":`), n, ",", func(b []byte, i int) []byte {
		b = fmt.Appendf(b, `{"id":"ord_%05d","customer":{"id":%d,"name":"%s %s","city":"%s"},"status":"%s","items":`,
			i+1, r.IntN(9000)+1000, pick(r, firstNames), pick(r, lastNames), pick(r, cities),
			[]string{"paid", "shipped", "open", "refunded"}[r.IntN(4)])
		total := 0
		b = array(b, r.IntN(5)+1, ",", func(b []byte, _ int) []byte {
			price := r.IntN(20000) + 100
			total += price
			return fmt.Appendf(b, `{"sku":"SKU-%04d","name":"%s","quantity":%d,"price":%d.%02d}`,
				r.IntN(5000), pick(r, words)+" "+pick(r, words), r.IntN(9)+1, price/100, price%100)
		})
		return fmt.Appendf(b, `,"total":%d.%02d,"note":%s,"created":"2026-%02d-%02dT%02d:%02d:00Z"}`,
			total/100, total%100, []string{"null", `"gift"`, `"leave at door"`}[r.IntN(3)],
			r.IntN(12)+1, r.IntN(28)+1, r.IntN(24), r.IntN(60))
	})
	return append(b, '}')
}

// API returns an API's answer with n results: nested objects, long texts with
// line ends, quotation marks and characters beyond ASCII, optional members.
func API(n int) []byte {
	r := source(3)
	b := fmt.Appendf(nil, `{"meta":{"page":1,"per_page":%d,"next":null,"took_ms":12.75},"results":`, n)
	b = array(b, n, ",", func(b []byte, i int) []byte {
		b = fmt.Appendf(b, `{"node_id":"MDU6SXNzdWU%08d","number":%d,"title":%s,"body":%s,"user":{"login":"%s-%d","id":%d,"site_admin":%t},"labels":`,
			r.IntN(1e8), i+1, quote(sentence(r, 8)), quote(body(r)), strings.ToLower(pick(r, firstNames)), r.IntN(100), r.IntN(1e7), r.IntN(40) == 0)
		b = array(b, r.IntN(4), ",", func(b []byte, _ int) []byte {
			return fmt.Appendf(b, `{"name":"%s","color":"%06x"}`, pick(r, teams), r.IntN(1<<24))
		})
		b = fmt.Appendf(b, `,"comments":%d,"reactions":{"+1":%d,"-1":%d,"heart":%d}`, r.IntN(30), r.IntN(9), r.IntN(3), r.IntN(5))
		if r.IntN(2) == 0 {
			b = fmt.Appendf(b, `,"closed_at":"2026-%02d-%02dT10:00:00Z"`, r.IntN(12)+1, r.IntN(28)+1)
		}
		if r.IntN(5) == 0 {
			b = append(b, `,"milestone":null`...)
		}
		return append(b, '}')
	})
	return append(b, '}')
}

// scripts are the first and the last letter of some of many writing systems.
var scripts = [][2]rune{{'a', 'z'}, {'а', 'я'}, {'α', 'ω'}, {'ա', 'ֆ'}, {'א', 'ת'}, {'ا', 'ي'}, {'अ', 'ह'}, {'ก', 'ฮ'}, {'ა', 'ჰ'}, {'ぁ', 'ん'}, {'一', '鿋'}, {'가', '힣'}}

// Names returns an array of n places with a name in each of three scripts, whose letters
// are by chance: few words occur twice.
func Names(n int) []byte {
	r := source(8)
	name := func() string {
		s := scripts[r.IntN(len(scripts))]
		var b strings.Builder
		for range r.IntN(8) + 3 {
			b.WriteRune(s[0] + r.Int32N(s[1]-s[0]+1))
		}
		return b.String()
	}
	return array(nil, n, ",", func(b []byte, _ int) []byte {
		return fmt.Appendf(b, `{"code":"%c%c","name":"%s","native":"%s","capital":"%s","population":%d}`, 'A'+r.IntN(26), 'A'+r.IntN(26), name(), name(), name(), r.IntN(1e8))
	})
}

func quote(s string) string { return string(scan.AppendQuote(nil, s)) }

func body(r *rand.Rand) string {
	var b strings.Builder
	for range r.IntN(7) + 3 {
		b.WriteString(sentence(r, r.IntN(14)+4))
		switch r.IntN(5) {
		case 0:
			b.WriteString(": \"" + pick(r, words) + "\"")
		case 1:
			b.WriteString(" — naïve café, 漢字 🙂")
		case 2:
			b.WriteString(" `C:\\tmp\\" + pick(r, words) + "`")
		}
		b.WriteString(".\n")
	}
	return b.String()
}

// Numbers returns documents that are mostly numbers: pairs of coordinates with 15
// to 17 digits, a mesh with one number a line, small integers, small decimals.
func Numbers() []Document {
	return []Document{
		{"coordinates", Coordinates(20_000)},
		{"mesh", Mesh(20_000)},
		{"integers", Integers(20_000)},
		{"prices", Prices(20_000)},
	}
}

// Coordinates returns an array of n pairs of decimals with 15 to 17 digits.
func Coordinates(n int) []byte {
	r := source(4)
	return array(nil, n, ",", func(b []byte, _ int) []byte {
		b = strconv.AppendFloat(append(b, '['), r.Float64()*360-180, 'f', -1, 64)
		return append(strconv.AppendFloat(append(b, ','), r.Float64()*180-90, 'f', 14, 64), ']')
	})
}

// Mesh returns an indented array of n decimals, one a line.
func Mesh(n int) []byte {
	r := source(5)
	return array(nil, n, ",\n  ", func(b []byte, _ int) []byte { return strconv.AppendFloat(b, r.Float64()*20-10, 'f', 6, 64) })
}

// Integers returns an array of n whole numbers of one to six digits.
func Integers(n int) []byte {
	r := source(6)
	return array(nil, n, ",", func(b []byte, _ int) []byte { return strconv.AppendInt(b, int64(r.IntN(1_000_000)>>r.IntN(16)), 10) })
}

// Prices returns an array of n decimals with two digits after the point.
func Prices(n int) []byte {
	r := source(7)
	return array(nil, n, ",", func(b []byte, _ int) []byte { return strconv.AppendFloat(b, float64(r.IntN(100_000))/100, 'f', 2, 64) })
}

// array appends an array of n elements, each of which element appends.
func array(b []byte, n int, separator string, element func(b []byte, i int) []byte) []byte {
	b = append(b, '[')
	for i := range n {
		if i > 0 {
			b = append(b, separator...)
		}
		b = element(b, i)
	}
	return append(b, ']')
}
