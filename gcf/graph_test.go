package gcf_test

import (
	"errors"
	"io"

	"github.com/wirekit/wirekit/gcf"
	"github.com/wirekit/wirekit/wire"
)

// readGraphStream collects what a stream decoder returns.
func readGraphStream(r io.Reader) (*gcf.Graph, error) {
	d := gcf.NewStreamDecoder(r, wire.Limits{})
	g, err := d.Header()
	if err != nil {
		return nil, err
	}
	for {
		item, err := d.Next()
		switch {
		case errors.Is(err, io.EOF):
			return &g, nil
		case err != nil:
			return nil, err
		case item.Symbol != nil:
			g.Symbols = append(g.Symbols, *item.Symbol)
		default:
			g.Edges = append(g.Edges, *item.Edge)
		}
	}
}
