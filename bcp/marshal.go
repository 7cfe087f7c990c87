package bcp

import (
	"cmp"
	"context"

	"github.com/wirekit/wirekit/internal/gowire"
)

// Marshal encodes a Go value with the default options.
func Marshal(v any) ([]byte, error) { return Codec{}.Marshal(v) }

// Unmarshal decodes src into what v points to, with the default options.
func Unmarshal(src []byte, v any) error { return Codec{}.Unmarshal(src, v) }

// Marshal encodes a Go value. A [*Payload] is written as the payload that it is.
func (c Codec) Marshal(v any) ([]byte, error) { return c.AppendMarshal(nil, v) }

// AppendMarshal is Marshal for a payload that is appended to dst. On error it
// returns dst as it was given.
func (c Codec) AppendMarshal(dst []byte, v any) ([]byte, error) {
	switch p := v.(type) {
	case Payload:
		return c.appendPayload(dst, p)
	case *Payload:
		if p != nil {
			return c.appendPayload(dst, *p)
		}
	}
	return gowire.AppendMarshal(dst, c, v)
}

func (c Codec) appendPayload(dst []byte, p Payload) ([]byte, error) {
	if err := c.check(); err != nil {
		return dst, err
	}
	p.Header.Magic = cmp.Or(p.Header.Magic, c.Magic)
	return EncodeOptions{CompressBlocks: c.Compress, Store: c.Store, Limits: c.limits()}.AppendEncode(context.Background(), dst, &p)
}

// Unmarshal decodes src into what v points to. A [*Payload] gets the payload itself, of
// which byte fields are parts of src, as after [DecodeOptions.Decode].
func (c Codec) Unmarshal(src []byte, v any) error {
	p, ok := v.(*Payload)
	if !ok || p == nil {
		return gowire.Unmarshal(c, src, v)
	}
	got, err := c.decodeOptions().Decode(context.Background(), src)
	if err != nil {
		return err
	}
	*p = *got
	return nil
}
