package bcp

import (
	"cmp"
	"context"

	"github.com/wirekit/wirekit/wire"
)

// Marshal encodes a Go value with the default options.
func Marshal(v any) ([]byte, error) { return wire.Marshal(Codec{}, v) }

// Unmarshal decodes src into what v points to, with the default options.
func Unmarshal(src []byte, v any) error { return wire.Unmarshal(Codec{}, src, v) }

// Marshal encodes a Go value. A [*Payload] is written as the payload that it is.
func (c Codec) Marshal(v any) ([]byte, error) { return wire.Marshal(c, v) }

// appendGo appends a payload.
func (c Codec) appendGo(dst []byte, v any) (out []byte, done bool, err error) {
	p, ok := v.(Payload)
	if at, isPointer := v.(*Payload); isPointer && at != nil {
		p, ok = *at, true
	}
	if !ok {
		return nil, false, nil
	}
	if err := c.check(); err != nil {
		return dst, true, err
	}
	p.Header.Magic = cmp.Or(p.Header.Magic, c.Magic)
	out, err = EncodeOptions{CompressBlocks: c.Compress, Store: c.Store, Limits: c.limits()}.AppendEncode(context.Background(), dst, &p)
	return out, true, err
}

// Unmarshal decodes src into what v points to. A [*Payload] gets the payload itself, of
// which byte fields are parts of src, as after [DecodeOptions.Decode].
func (c Codec) Unmarshal(src []byte, v any) error { return wire.Unmarshal(c, src, v) }

// storeGo stores a payload.
func (c Codec) storeGo(src []byte, v any) (done bool, err error) {
	p, ok := v.(*Payload)
	if !ok || p == nil {
		return false, nil
	}
	got, err := c.decodeOptions().Decode(context.Background(), src)
	if err == nil {
		*p = *got
	}
	return true, err
}
