package bound

// The defaults of wire.Limits, and the most that Depth can be.
const (
	Depth       = 512
	MostDepth   = 10_000
	InputBytes  = 1 << 30
	OutputBytes = 256 << 20
	Values      = 64 << 20
	LineBytes   = 16 << 20
)
