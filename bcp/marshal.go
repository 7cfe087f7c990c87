package bcp

import "github.com/wirekit/wirekit/wire"

// AppendMarshal is [Marshal] for a payload that is appended to dst. On error it
// returns dst as it was given.
func AppendMarshal(dst []byte, v any) ([]byte, error) { return Codec{}.AppendMarshal(dst, v) }

// AppendMarshal is Marshal for a payload that is appended to dst. On error it
// returns dst as it was given.
func (c Codec) AppendMarshal(dst []byte, v any) ([]byte, error) { return wire.AppendMarshal(dst, c, v) }
