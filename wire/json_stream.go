//go:build go1.27 && goexperiment.jsonv2

package wire

import "encoding/json/jsontext"

// MarshalJSONTo writes v for encoding/json/v2, and for encoding/json where that is built on
// it: as MarshalJSON does, with one copy less. Go has it since 1.27, or by GOEXPERIMENT=jsonv2.
func (v Value) MarshalJSONTo(to *jsontext.Encoder) error {
	text, err := JSON{}.AppendEncode(to.AvailableBuffer(), v)
	if err != nil {
		return err
	}
	return to.WriteValue(text)
}

// UnmarshalJSONFrom is to UnmarshalJSON what MarshalJSONTo is to MarshalJSON.
func (v *Value) UnmarshalJSONFrom(from *jsontext.Decoder) error {
	text, err := from.ReadValue()
	if err != nil {
		return err
	}
	*v, err = ParseJSON(text)
	return err
}
