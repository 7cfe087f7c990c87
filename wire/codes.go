package wire

// The codes of faults that more than one format can have: the same in all of them, with
// the same kind. docs/errors.md has the table. What only one format knows has a code in
// its own terms.
const (
	CodeUnexpectedEnd  = "unexpected_end"       // the input ends where more must follow
	CodeUnterminated   = "unterminated_quote"   // a string or cell lacks its closing quotation mark
	CodeInvalidEscape  = "invalid_escape"       // a backslash that begins no escape
	CodeInvalidUTF8    = "invalid_utf8"         // bytes that are not UTF-8
	CodeTrailingData   = "trailing_data"        // something follows the value
	CodeDuplicateKey   = "duplicate_key"        // an object has a key twice
	CodeDuplicateField = "duplicate_field_name" // a header names a column twice
	CodeRowWidth       = "row_width_mismatch"   // a row has more or fewer cells than columns
	CodeCount          = "count_mismatch"       // a declared number is not that of what is there
	CodeTooDeep        = "too_deep"             // Limits.Depth
	CodeTooManyValues  = "too_many_values"      // Limits.Values
	CodeInputTooLong   = "input_too_long"       // Limits.InputBytes
	CodeOutputTooLong  = "output_too_long"      // Limits.OutputBytes
	CodeLineTooLong    = "line_too_long"        // Limits.LineBytes
	CodeUnknownMember  = "unknown_member"       // no field or column takes a member
	CodeTypeMismatch   = "type_mismatch"        // a value of a kind that the Go type does not hold
	CodeNumberRange    = "number_out_of_range"  // a number that the Go type or the format does not hold
	CodeInvalidOption  = "invalid_option"       // a field of a codec outside its range
)

// codeInvalidString is that of a string that does not spell what the Go type wants.
const codeInvalidString = "invalid_string"
