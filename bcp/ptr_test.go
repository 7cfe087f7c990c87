package bcp

// ptr returns a pointer to a copy of v, for optional members.
func ptr[T any](v T) *T { return &v }
