package gcx_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/goccy/go-json"

	"github.com/wirekit/wirekit/gcx"
	"github.com/wirekit/wirekit/internal/sample"
	"github.com/wirekit/wirekit/wire"
)

type user struct {
	ID     int     `json:"id"`
	Name   string  `json:"name"`
	Email  string  `json:"email"`
	Team   string  `json:"team"`
	Score  float64 `json:"score"`
	Active bool    `json:"active"`
}

func users(b testing.TB) []user {
	var rows []user
	if err := json.Unmarshal(sample.Rows(10_000), &rows); err != nil {
		b.Fatal(err)
	}
	return rows
}

// benchmarkDocuments are the generated documents and, where the shared corpora
// are beside the repository, twitter and citm from there.
func benchmarkDocuments() []sample.Document {
	docs := sample.Documents()
	for _, name := range []string{"twitter", "citm_catalog"} {
		if b, err := os.ReadFile(filepath.Join("..", "..", "shared", "corpora", name+".json")); err == nil {
			docs = append(docs, sample.Document{Name: name, JSON: compact(b)})
		}
	}
	return docs
}

func compact(text []byte) []byte {
	var out bytes.Buffer
	_ = json.Compact(&out, text)
	return out.Bytes()
}

// BenchmarkValue measures values of the sample documents, with goccy/go-json
// on any for the same data beside it; MB/s are relative to the compact JSON.
func BenchmarkValue(b *testing.B) {
	for _, d := range benchmarkDocuments() {
		v, err := wire.ParseJSON(d.JSON)
		if err != nil {
			b.Fatal(err)
		}
		var a any
		if err := json.Unmarshal(d.JSON, &a); err != nil {
			b.Fatal(err)
		}
		payload, err := gcx.Codec{}.AppendEncode(nil, v)
		if err != nil {
			b.Fatal(err)
		}
		run := func(name string, f func() error) {
			b.Run(d.Name+"/"+name, func(b *testing.B) {
				b.SetBytes(int64(len(d.JSON)))
				b.ReportAllocs()
				for b.Loop() {
					if err := f(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
		buf := make([]byte, 0, 2*len(payload))
		run("encode", func() error {
			_, err := gcx.Codec{}.AppendEncode(buf, v)
			return err
		})
		run("encode-plain", func() error {
			_, err := gcx.Codec{Plain: true}.AppendEncode(buf, v)
			return err
		})
		run("encode-goccy", func() error {
			_, err := json.Marshal(a)
			return err
		})
		run("decode", func() error {
			_, err := gcx.Codec{}.Decode(payload)
			return err
		})
		run("decode-goccy", func() error {
			var a any
			return json.Unmarshal(d.JSON, &a)
		})
	}
}

// BenchmarkStructs measures 10,000 structs of 6 fields, with goccy/go-json on
// the same structs beside it.
func BenchmarkStructs(b *testing.B) {
	rows := users(b)
	text, err := json.Marshal(rows)
	if err != nil {
		b.Fatal(err)
	}
	payload, err := gcx.Marshal(rows)
	if err != nil {
		b.Fatal(err)
	}
	run := func(name string, f func() error) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if err := f(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	run("marshal", func() error {
		_, err := gcx.Marshal(rows)
		return err
	})
	run("marshal-values", func() error {
		_, err := wire.Marshal(gcx.Codec{}, rows)
		return err
	})
	run("marshal-goccy", func() error {
		_, err := json.Marshal(rows)
		return err
	})
	run("unmarshal", func() error {
		var back []user
		return gcx.Unmarshal(payload, &back)
	})
	run("unmarshal-values", func() error {
		var back []user
		return wire.Unmarshal(gcx.Codec{}, payload, &back)
	})
	run("unmarshal-goccy", func() error {
		var back []user
		return json.Unmarshal(text, &back)
	})
}

// BenchmarkGrowth decodes and encodes what is meant to be slow, in sizes that
// grow by ten: MB/s must not fall with them.
func BenchmarkGrowth(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 100_000} {
		fields := make([]string, n)
		var distinct []wire.Value
		for i := range fields {
			fields[i] = strconv.Itoa(i)
			distinct = append(distinct, object(fields[i], wire.Int(1)))
		}
		keys := strings.Join(fields, ",")
		for name, payload := range map[string]string{
			"short-rows":   "GCX1 tool=t types=m fields=" + keys + "\n" + strings.Repeat("x\n", n),
			"blank-lines":  "GCX1 tool=t fields=a rows=999999999\n" + strings.Repeat("\n1\n", n),
			"brackets":     "GCX1 tool=t fields=a\n" + strings.Repeat(strings.Repeat("[", 100)+"\n", n/50),
			"meta":         "GCX1 tool=t fields=a " + strings.ReplaceAll(keys, ",", "=v ") + "=v\n",
			"sections":     strings.Repeat("GCX1 tool=t.x fields=a k=v\n", n),
			"backslashes":  "GCX1 tool=t fields=a\n" + strings.Repeat("\\", 20*n) + "\n",
			"fields-wide":  "GCX1 tool=t fields=" + keys + "\n" + strings.Repeat("\t", n-1) + "\n",
			"escaped-cell": "GCX1 tool=t fields=a\n" + strings.Repeat("\\n", 10*n) + "\n",
		} {
			b.Run(name+"/"+strconv.Itoa(n), func(b *testing.B) {
				b.SetBytes(int64(len(payload)))
				for b.Loop() {
					gcx.Codec{}.Decode([]byte(payload))
				}
			})
		}
		b.Run("encode-distinct-keys/"+strconv.Itoa(n), func(b *testing.B) {
			b.SetBytes(int64(len(keys)))
			for b.Loop() {
				if _, err := (gcx.Codec{}).AppendEncode(nil, wire.Array(distinct...)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
