package gcf_test

import (
	"testing"

	"github.com/wirekit/wirekit/gcf"
	"github.com/wirekit/wirekit/internal/testkit/codectest"
	"github.com/wirekit/wirekit/wire"
)

// TestNilArguments: a nil pointer is an error, not a panic.
func TestNilArguments(t *testing.T) {
	var g gcf.Graph
	graphs := gcf.GraphCodec{Omitted: func(error) {}}
	for name, call := range map[string]func() error{
		"Encode":              func() error { _, err := gcf.Encode(nil); return err },
		"AppendGraph":         func() error { _, err := graphs.AppendGraph(nil, nil); return err },
		"PackRoot":            func() error { _, err := gcf.PackRoot(nil); return err },
		"PackRootFullScores":  func() error { _, err := gcf.PackRootFullScores(nil); return err },
		"EncodeWithSession":   func() error { _, err := gcf.EncodeWithSession(nil, &gcf.Session{}); return err },
		"no session":          func() error { _, err := gcf.EncodeWithSession(&g, nil); return err },
		"AppendWithSession":   func() error { _, err := graphs.AppendWithSession(nil, nil, &gcf.Session{}); return err },
		"DiffGraphs":          func() error { _, err := gcf.DiffGraphs(nil, &g); return err },
		"DiffGraphs to nil":   func() error { _, err := gcf.DiffGraphs(&g, nil); return err },
		"ApplyDelta":          func() error { _, err := gcf.ApplyDelta(nil, &gcf.Delta{}); return err },
		"no delta":            func() error { _, err := gcf.ApplyDelta(&g, nil); return err },
		"EncodeDelta":         func() error { _, err := gcf.EncodeDelta(nil); return err },
		"EncodeUnchanged":     func() error { _, err := gcf.EncodeUnchanged(nil); return err },
		"StreamEncoder":       func() error { return gcf.GraphCodec{}.NewStreamEncoder(nil, gcf.Graph{}).Symbol(nil) },
		"StreamEncoder, edge": func() error { return gcf.GraphCodec{}.NewStreamEncoder(nil, gcf.Graph{}).Edge(nil) },
	} {
		t.Run(name, func(t *testing.T) {
			err := call()
			codectest.Refused(t, err, "no_value", wire.ErrShape)
		})
	}
}
