package toon

import "github.com/wirekit/wirekit/internal/codec/gowire"

// Marshal encodes a Go value in canonical form. Structs, slices and maps of
// strings, numbers, booleans and times take a shorter way, with the same bytes.
func Marshal(v any) ([]byte, error) {
	if out, ok := goOutputs.Write(v, func(dst []byte) ([]byte, bool) { return appendGo(dst, v) }); ok {
		return out, nil
	}
	return gowire.Marshal(Codec{}, v)
}

// Unmarshal decodes src, strictly, and stores the value into what v points to, as
// [wire.ToGo] does. Targets that are zero take a shorter way where Marshal does.
func Unmarshal(src []byte, v any) error {
	if unmarshalGo(src, v) {
		return nil
	}
	return gowire.Unmarshal(Codec{}, src, v)
}

// Marshal is [Marshal] for the codec as it is configured.
func (c Codec) Marshal(v any) ([]byte, error) {
	if c == (Codec{}) {
		return Marshal(v)
	}
	return gowire.Marshal(c, v)
}

// Unmarshal is [Unmarshal] for the codec as it is configured.
func (c Codec) Unmarshal(src []byte, v any) error {
	if c == (Codec{}) {
		return Unmarshal(src, v)
	}
	return gowire.Unmarshal(c, src, v)
}
