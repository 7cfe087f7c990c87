package gcf

import (
	"io"
	"iter"
	"strconv"

	"github.com/wirekit/wirekit/gcf/internal/lex"
	"github.com/wirekit/wirekit/wire"
)

// A StreamEncoder writes a graph while it is being found (section 8): all
// symbols, then all edges, then Close. Every call writes one line, with one
// call of the writer's Write, and holds nothing back; for files, give it a
// buffered writer. Of each symbol it keeps kind and name, to which edges refer.
//
// After an error it writes nothing more. It is not safe for concurrent use.
type StreamEncoder struct {
	sink
	codec    GraphCodec
	header   Graph
	line     []byte
	store    symbolStore
	distance int
	groups   []groupCount // in the order of their first headers
	byGroup  map[int]int  // positions in groups by distance
	edges    int
}

// groupCount is the number of symbols of one distance.
type groupCount struct{ distance, symbols int }

// NewStreamEncoder returns an encoder that writes to w a graph with the header of that
// one, which has no symbols and edges. Of the codec's options, it heeds LabeledCounts and
// NoTrailer.
func (c GraphCodec) NewStreamEncoder(w io.Writer, header Graph) *StreamEncoder {
	return &StreamEncoder{sink: sink{w: w}, codec: c, header: header, distance: -1, byGroup: make(map[int]int)}
}

// begin writes the header before anything else.
func (e *StreamEncoder) begin() {
	e.checkOpen()
	if e.line != nil {
		e.line = e.line[:0]
		return
	}
	g := &e.header
	if len(g.Symbols)+len(g.Edges) > 0 {
		e.stop(lex.Fault("unsupported_member", wire.ErrShape, "", "the header of a stream has symbols or edges", "write them by Symbol and Edge"))
	}
	e.stop(g.checkHeader())
	e.line = append(lex.AppendTextField(g.appendHeader(make([]byte, 0, 256)), "pack_root", g.PackRoot), '\n')
}

// Symbol writes a symbol, with a group header where its distance is not that of
// the symbol before. It is an error for symbols that were written before, after
// edges, and for what a node line cannot carry.
func (e *StreamEncoder) Symbol(s *Symbol) error {
	e.begin()
	if s == nil {
		return e.stop(lex.MissingArgument("symbol"))
	}
	switch err := e.stop(s.check()); {
	case err != nil:
		return err
	case e.edges > 0:
		return e.stop(lex.Fault("symbol_after_edges", wire.ErrShape, "", "a symbol after the first edge", "write all symbols first"))
	case len(e.store.symbols) == maxGraphItems:
		return e.stop(lex.Fault(wire.CodeTooManyValues, wire.ErrLimit, "", "the graph is too large", ""))
	case !e.store.add(s):
		return e.stop(duplicateSymbol(s))
	}
	if s.Distance != e.distance {
		e.distance = s.Distance
		e.line = appendGroup(e.line, s.Distance)
	}
	e.line = appendNode(e.line, len(e.store.symbols)-1, s)
	e.count()
	return e.write(e.line)
}

// count counts a symbol in the current group.
func (e *StreamEncoder) count() {
	at, ok := e.byGroup[e.distance]
	if !ok {
		at = len(e.groups)
		e.byGroup[e.distance] = at
		e.groups = append(e.groups, groupCount{distance: e.distance})
	}
	e.groups[at].symbols++
}

// Edge writes an edge between symbols that were written before.
func (e *StreamEncoder) Edge(edge *Edge) error {
	e.begin()
	if edge == nil {
		return e.stop(lex.MissingArgument("edge"))
	}
	e.stop(edge.check())
	source, target, err := e.store.index.ends(e.store.symbols, edge)
	if e.stop(err) != nil {
		return e.err
	}
	if e.edges == 0 {
		e.line = append(e.line, "## edges [?]\n"...)
	}
	e.edges++
	e.line = appendEdge(e.line, target, source, edge.Type, edge.status())
	return e.write(e.line)
}

// Close writes the trailer (section 8.4). It does not close the writer.
func (e *StreamEncoder) Close() error {
	if e.closed && e.err == nil {
		return nil
	}
	e.begin()
	e.closed = true
	if e.codec.NoTrailer {
		return e.write(e.line)
	}
	e.line = lex.AppendCountField(append(e.line, "##! summary"...), "symbols", len(e.store.symbols))
	e.line = append(lex.AppendCountField(e.line, "edges", e.edges), " counts="...)
	for _, g := range e.groups {
		if e.codec.LabeledCounts {
			e.line = append(lex.AppendGroupName(e.line, g.distance), ':')
		}
		e.line = append(strconv.AppendInt(e.line, int64(g.symbols), 10), ',')
	}
	if e.codec.LabeledCounts {
		e.line = append(e.line, "edges:"...)
	}
	e.line = append(strconv.AppendInt(e.line, int64(e.edges), 10), '\n')
	return e.write(e.line)
}

// A StreamItem is the header, a graph without symbols and edges, or a symbol or an edge;
// the others are nil. What it points to is valid until the loop goes on.
type StreamItem struct {
	Header *Graph
	Symbol *Symbol
	Edge   *Edge
}

// Items reads a document of the graph profile, streamed or not, piece by piece, the header
// first, and refuses what [Decode] refuses. Of each symbol it keeps what the wire says,
// because edges refer to it; edges are not kept. An error is the last pair. A document
// that may be cut is treated as the codec's Strict and Warn say. Limits.InputBytes does
// not apply.
//
// The kinds of an edge's ends are set where the symbols read so far make them
// necessary.
func (c GraphCodec) Items(r io.Reader) iter.Seq2[StreamItem, error] {
	return func(yield func(StreamItem, error) bool) {
		limits := c.Limits.Resolved()
		s := &streamDecoder{in: newChunks(r, limits.LineBytes), limits: limits}
		s.d.Ending = s.in.ending(c.ending())
		item, err := s.header()
		for err != io.EOF && yield(item, s.in.moved(err)) && err == nil {
			item, err = s.next()
		}
	}
}

// A streamDecoder reads items.
type streamDecoder struct {
	in     chunks
	d      graphDecoder
	limits wire.Limits
	read   bool // the current line of d was read
	item   Edge
}

func (s *streamDecoder) header() (StreamItem, error) {
	if _, err := s.in.more(); err != nil {
		return StreamItem{}, err
	}
	d := &s.d
	d.MaxBytes = s.limits.LineBytes
	s.in.load(&d.Lines)
	h, err := d.Header()
	d.Stop(err)
	if h.Is("delta") && h.Profile == lex.ProfileGraph {
		d.Refuse(0, isDelta)
	}
	mustBeGraph(&d.Lines, &h, s.limits)
	d.begin(&h, s.limits)
	if d.Err != nil {
		return StreamItem{}, d.Err
	}
	g := d.graph
	g.Symbols, g.Edges = nil, nil
	return StreamItem{Header: &g}, nil
}

func (s *streamDecoder) next() (StreamItem, error) {
	d := &s.d
	for {
		if s.read {
			d.Advance()
		}
		if d.Err == nil {
			d.Stop(s.in.fill(&d.Lines))
		}
		if d.Done && d.Err == nil {
			d.finish(s.in.Cut())
			d.Stop(io.EOF)
		}
		symbols := d.ids.n
		if !d.Done {
			d.readLine()
		}
		if d.Err != nil {
			return StreamItem{}, d.Err
		}
		s.read = true
		switch {
		case d.ids.n > symbols:
			return StreamItem{Symbol: &d.graph.Symbols[symbols]}, nil
		case len(d.graph.Edges) > 0:
			s.item = d.graph.Edges[0]
			if d.index.others != nil {
				d.nameKindsOf(&s.item, d.ends[0])
			}
			d.graph.Edges, d.ends = d.graph.Edges[:0], d.ends[:0]
			return StreamItem{Edge: &s.item}, nil
		}
	}
}
