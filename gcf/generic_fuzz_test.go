package gcf_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit/gcf"
	"github.com/wirekit/wirekit/internal/codectest"
	"github.com/wirekit/wirekit/wire"
)

// fuzzLimits keep one run short: tables over rows that share nothing are long.
var fuzzLimits = wire.Limits{OutputBytes: 1 << 20}

// FuzzDecode decodes arbitrary bytes. What decodes must encode, to a document
// that decodes to the same value and is its own encoding.
func FuzzDecode(f *testing.F) {
	for _, tt := range encodeVectors {
		f.Add([]byte(header + tt.body))
	}
	for _, tt := range decodeVectors {
		f.Add([]byte(tt.doc))
	}
	for _, tt := range errorVectors {
		f.Add([]byte(tt.doc))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		kept := bytes.Clone(src)
		v, err := gcf.Codec{}.Decode(src)
		if !bytes.Equal(src, kept) {
			t.Fatal("the input was changed")
		}
		if err != nil {
			var e *wire.Error
			if !errors.As(err, &e) || e.Code == "" || e.Kind == nil || e.Line == 0 || !v.IsNull() {
				t.Fatalf("poor error %#v with value %v", err, v)
			}
			return
		}
		doc, err := gcf.Codec{Limits: fuzzLimits}.AppendEncode(nil, v)
		if errors.Is(err, wire.ErrLimit) {
			return
		}
		if err != nil {
			t.Fatalf("decoded, but does not encode: %v", err)
		}
		back, err := gcf.Codec{}.Decode(doc)
		if err != nil {
			t.Fatalf("%v\n%s", err, doc)
		}
		if !wire.Equal(v, back) {
			t.Fatalf("decoded %v\nagain   %v\n%s", v, back, doc)
		}
		again, err := gcf.Codec{}.AppendEncode(nil, back)
		if err != nil || !bytes.Equal(doc, again) {
			t.Fatalf("%v: encoding is not stable\n%s\n%s", err, doc, again)
		}
	})
}

// FuzzRoundTrip encodes the values of JSON texts with every option. They must
// come back equal, different only in what Info declares.
func FuzzRoundTrip(f *testing.F) {
	for _, tt := range encodeVectors {
		f.Add([]byte(tt.json))
	}
	for _, tt := range decodeVectors {
		f.Add([]byte(tt.json))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		v, err := wire.ParseJSON(src)
		if err != nil {
			return
		}
		for _, codec := range []gcf.Codec{{}, {NoFlatten: true}, {NoKeyedMaps: true}, v31} {
			codec.Limits = fuzzLimits
			doc, err := codec.AppendEncode(nil, v)
			if errors.Is(err, wire.ErrLimit) || errors.Is(err, wire.ErrRange) {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			back, err := gcf.Codec{}.Decode(doc)
			if err != nil {
				t.Fatalf("%v\n%s", err, doc)
			}
			if !wire.Equal(v, back) {
				t.Fatalf("value   %v\ndecoded %v\n%s", v, back, doc)
			}
			if loss, path := wire.Difference(v, back); loss&^codec.Info().Loss != 0 {
				t.Fatalf("%v at %q: value %v\ndecoded %v\n%s", loss, path, v, back, doc)
			}
		}
	})
}

// FuzzStream reads arbitrary bytes as a stream of the generic profile: the
// result is that of reading them at once.
func FuzzStream(f *testing.F) {
	for _, c := range streamDocuments {
		f.Add([]byte(c.doc))
	}
	for _, tt := range encodeVectors {
		f.Add([]byte(header + tt.body))
	}
	for _, tt := range decodeVectors {
		f.Add([]byte(tt.doc))
	}
	for _, tt := range errorVectors {
		f.Add([]byte(tt.doc))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		want, wantErr := gcf.DecodeGeneric(src)
		for _, reader := range readers {
			got, err := readStream(reader(bytes.NewReader(src)))
			if (err == nil) != (wantErr == nil) {
				t.Fatalf("as a stream: %v, whole: %v", err, wantErr)
			}
			if err == nil && !wire.Identical(want, got) {
				t.Fatalf("as a stream %v, whole %v", got, want)
			}
		}
	})
}

// FuzzRecords writes the elements of JSON arrays as records.
func FuzzRecords(f *testing.F) {
	for _, tt := range encodeVectors {
		f.Add([]byte(tt.json))
	}
	f.Add([]byte(`[{"a":1,"b":{"c":[1,{"d":2}]}},{"a":2},{"b":[[]],"a":"#"}]`))
	f.Fuzz(func(t *testing.T, src []byte) {
		v, err := wire.ParseJSON(src)
		if err != nil || v.Kind() != wire.KindArray {
			return
		}
		keyLists := []*wire.Keys{nil}
		if v.Len() > 0 && v.Index(0).Kind() == wire.KindObject {
			keyLists = append(keyLists, v.Index(0).Keys())
		}
		for _, keys := range keyLists {
			var buf bytes.Buffer
			w, err := gcf.Codec{Limits: fuzzLimits}.NewRecordWriter(&buf, keys)
			if err != nil {
				continue
			}
			for record := range v.Elements() {
				if err = w.Write(record); err != nil {
					break
				}
			}
			if err != nil {
				continue
			}
			require.NoError(t, w.Close())
			whole := codectest.Decoded(t, gcf.Codec{}, buf.Bytes())
			require.True(t, wire.Equal(v, whole), "%s\nwant %v\ngot  %v", buf.Bytes(), v, whole)
			got := codectest.All(t, gcf.Codec{}.Records(bytes.NewReader(buf.Bytes())))
			require.True(t, wire.Identical(whole, wire.Array(got...)))
		}
	})
}
