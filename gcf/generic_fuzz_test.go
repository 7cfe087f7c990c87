package gcf_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wirekit/wirekit/gcf"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/wire"
)

// fuzzLimits keep one run short: tables over rows that share nothing are long.
var fuzzLimits = wire.Limits{OutputBytes: 1 << 20}

// FuzzDecode decodes arbitrary bytes. What decodes must encode, to a document
// that decodes to the same value and is its own encoding. An empty interface gets the
// same straight and through a Value.
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
		codectest.SameAny(t, gcf.Codec{}, src)
		if err != nil {
			codectest.Placed(t, err, src)
			if e := codectest.Error(t, err); e.Code == "" || e.Kind == nil || v.Kind() != wire.KindNull {
				t.Fatalf("poor error %#v with value %v", err, v)
			}
			return
		}
		codectest.Fixpoint(t, gcf.Codec{Limits: fuzzLimits}, v, wire.ErrLimit)
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
			codectest.Fixpoint(t, codec, v, wire.ErrLimit, wire.ErrRange)
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
	f.Add([]byte(header + "# :]0\n # :]0")) // comments
	f.Fuzz(func(t *testing.T, src []byte) {
		whole, wantErr := gcf.DecodeGeneric(src)
		if wantErr == nil {
			if want, ok := recordsOf(src, whole); ok {
				whole = want
			} else {
				wantErr = errors.New("the document has no records")
			}
		}
		for _, reader := range readers {
			records, err := codectest.Collect(t, gcf.Codec{}.Records(reader(bytes.NewReader(src))))
			if (err == nil) != (wantErr == nil) {
				t.Fatalf("as a stream: %v, whole: %v", err, wantErr)
			}
			if got := wire.Array(records...); err == nil && !wire.Identical(whole, got) {
				t.Fatalf("as a stream %v, whole %v", got, whole)
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
