package wire

import (
	"io"
	"reflect"

	"github.com/wirekit/wirekit/internal/base/lineio"
)

// DecodeAs is [Unmarshal] into a new T, which it returns; with an error comes the zero T.
func DecodeAs[T any](c Codec, src []byte) (T, error) {
	var v, none T
	if err := Unmarshal(c, src, &v); err != nil {
		return none, err
	}
	return v, nil
}

// MarshalWrite is [Marshal] of one document to w. It writes nothing of a value that cannot
// be encoded. Records, of any number, are written by a [NewEncoder].
func MarshalWrite(w io.Writer, c Codec, v any) error {
	text, err := Marshal(c, v)
	if err != nil {
		return err
	}
	return lineio.WriteWhole(w, text)
}

// UnmarshalRead is [Unmarshal] of one document that is all of r. It reads no more than one
// byte beyond InputBytes of the [Limits] that c has in its field Limits, or beyond the
// default: a longer document is an error that wraps [ErrLimit]. An error of r is returned
// as it is. Records, of any number, are read by a [NewDecoder].
func UnmarshalRead(c Codec, r io.Reader, v any) error {
	most := limitsOf(c).Resolved().InputBytes
	if most < int(^uint(0)>>1) {
		r = io.LimitReader(r, int64(most)+1)
	}
	src, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	return Unmarshal(c, src, v)
}

// limitsOf returns the limits of a codec or of the one that it is wrapped around.
func limitsOf(c Codec) (l Limits) {
	for {
		s := reflect.ValueOf(c)
		if s.Kind() == reflect.Pointer {
			s = s.Elem()
		}
		if s.Kind() != reflect.Struct {
			return l
		}
		if l, ok := fieldOf[Limits](s, "Limits"); ok {
			return l
		}
		inner, ok := fieldOf[Codec](s, "Inner")
		if !ok || inner == nil {
			return l
		}
		c = inner
	}
}

// fieldOf returns the exported field of that name and type.
func fieldOf[T any](s reflect.Value, name string) (f T, ok bool) {
	field := s.FieldByName(name)
	if !field.IsValid() || field.Type() != reflect.TypeFor[T]() || !field.CanInterface() {
		return f, false
	}
	f, _ = field.Interface().(T)
	return f, true
}
