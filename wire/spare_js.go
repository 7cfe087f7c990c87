package wire

const sparing = false

// A spare holds nothing: in a browser, programs are loaded before they are of use,
// and their length counts for more than what large documents leave.
type spare[T any] struct{}

func (*spare[T]) take() *T { return nil }

func (*spare[T]) leave(*T) {}
