package arrange

import "github.com/wirekit/wirekit/wire"

// WordFirst returns v.
func WordFirst(v wire.Value, _ int) wire.Value { return v }

// ClosedLast returns v.
func ClosedLast(v wire.Value, _ int) wire.Value { return v }

// FilledFirst returns v.
func FilledFirst(v wire.Value) wire.Value { return v }
