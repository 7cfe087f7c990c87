package goon

import (
	"github.com/wirekit/wirekit/wire"
)

// Marshal returns the GOON text of v: a Response, or a Go value whose JSON
// form is that of a response.
func Marshal(v any) ([]byte, error) { return wire.Marshal(Codec{}, v) }

// Unmarshal reads a GOON text into what v points to: a Response, or a Go value
// that the response's JSON form fits.
func Unmarshal(src []byte, v any) error { return wire.Unmarshal(Codec{}, src, v) }

// Marshal is [Marshal] for the codec as it is configured.
func (c Codec) Marshal(v any) ([]byte, error) { return wire.Marshal(c, v) }

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
func (c Codec) Unmarshal(src []byte, v any) error { return wire.Unmarshal(c, src, v) }

// storeResponse stores a response in what v points to, if that is one.
func (c Codec) storeResponse(src []byte, v any) (done bool, err error) {
	r, ok := v.(*Response)
	if !ok || r == nil {
		return false, nil
	}
	decoded, err := c.DecodeResponse(src)
	if err == nil {
		*r = *decoded
	}
	return true, err
}
