package goon

import (
	"github.com/wirekit/wirekit/internal/codec/gowire"
	"github.com/wirekit/wirekit/internal/govalue/gotext"
)

var goOutputs gotext.Outputs

// Marshal returns the GOON text of v: a Response, or a Go value whose JSON
// form is that of a response.
func Marshal(v any) ([]byte, error) { return Codec{}.Marshal(v) }

// Unmarshal reads a GOON text into what v points to: a Response, or a Go value
// that the response's JSON form fits.
func Unmarshal(src []byte, v any) error { return Codec{}.Unmarshal(src, v) }

// Marshal is [Marshal] for the codec as it is configured.
func (c Codec) Marshal(v any) ([]byte, error) {
	if r := response(v); r != nil {
		return c.AppendResponse(nil, r)
	}
	if out, ok := goOutputs.Write(v, func(dst []byte) ([]byte, bool) { return c.appendGo(dst, v) }); ok {
		return out, nil
	}
	return gowire.Marshal(c, v)
}

// response returns the Response that v is or points to, nil if it is none.
func response(v any) *Response {
	switch r := v.(type) {
	case *Response:
		return r
	case Response:
		return &r
	}
	return nil
}

// Unmarshal is [Unmarshal] for the codec as it is configured.
func (c Codec) Unmarshal(src []byte, v any) error {
	if r, ok := v.(*Response); ok && r != nil {
		decoded, err := c.DecodeResponse(src)
		if err != nil {
			return err
		}
		*r = *decoded
		return nil
	}
	return gowire.Unmarshal(c, src, v)
}
