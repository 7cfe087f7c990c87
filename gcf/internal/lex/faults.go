package lex

import (
	"strconv"

	"github.com/wirekit/wirekit/wire"
)

// Fault returns an error about the member of a graph, a symbol or an edge.
func Fault(code string, kind error, member, message, hint string) error {
	err := error(&wire.Error{Format: FormatName, Code: code, Kind: kind, Message: message, Hint: hint})
	if member != "" {
		err = wire.AtKey(err, member)
	}
	return err
}

// MissingArgument refuses a nil pointer where a graph, a set or the like is
// needed.
func MissingArgument(what string) error {
	return Fault("no_value", wire.ErrShape, "", "the "+what+" is nil", "")
}

// Quoted returns s for a message.
func Quoted(s string) string { return strconv.Quote(Abbreviated(s)) }

// CheckHeaderValue accepts the empty value, for which no field is written.
func CheckHeaderValue(member, value string) error {
	if value == "" || IsHeaderValue(value) {
		return nil
	}
	return Fault("invalid_header_value", wire.ErrShape, member,
		"the header value "+Quoted(value)+" holds something else than printable ASCII without spaces", "")
}

func Malformed(member string, i int, message string) error {
	return wire.AtKey(wire.AtIndex(Fault("malformed_delta", wire.ErrShape, "", message, ""), i), member)
}
