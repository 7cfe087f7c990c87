// Package order finds an order of things of which some must precede others.
package order

// A Graph says which of some things, which are numbered from 0, must precede which. The
// zero Graph is of none.
type Graph struct {
	nodes []node
	edges []edge
	stack []int32
	done  []int32
}

type node struct {
	first  int32 // edge to a thing that follows, or -1
	before int32 // how many edges lead here from things that are not sorted yet
}

type edge struct{ to, next int32 }

// Reset makes the graph one of n things.
func (g *Graph) Reset(n int) {
	g.nodes, g.edges = g.nodes[:0], g.edges[:0]
	for range n {
		g.Add()
	}
}

// Add adds a thing.
func (g *Graph) Add() { g.nodes = append(g.nodes, node{first: -1}) }

// Size is the memory that the graph keeps, in its pieces.
func (g *Graph) Size() int { return cap(g.nodes) + cap(g.edges) + cap(g.stack) + cap(g.done) }

// Follow demands that b comes after a, if a is not negative.
func (g *Graph) Follow(a, b int32) {
	if a < 0 {
		return
	}
	g.edges = append(g.edges, edge{to: b, next: g.nodes[a].first})
	g.nodes[a].first = int32(len(g.edges) - 1)
	g.nodes[b].before++
}

// Sorted returns the things in order, by Kahn's algorithm; those that must precede
// themselves are left out. Things that are free come in the order of their numbers, each
// with what only waited for it: what was last demanded to follow it comes last.
func (g *Graph) Sorted() []int32 {
	g.stack, g.done = g.stack[:0], g.done[:0]
	for i := len(g.nodes) - 1; i >= 0; i-- {
		if g.nodes[i].before == 0 {
			g.stack = append(g.stack, int32(i))
		}
	}
	for len(g.stack) > 0 {
		at := g.stack[len(g.stack)-1]
		g.stack = g.stack[:len(g.stack)-1]
		g.done = append(g.done, at)
		for e := g.nodes[at].first; e >= 0; e = g.edges[e].next {
			to := g.edges[e].to
			if g.nodes[to].before--; g.nodes[to].before == 0 {
				g.stack = append(g.stack, to)
			}
		}
	}
	return g.done
}
