package csv

import "github.com/wirekit/wirekit/wire"

// columns are the names of a table's columns.
type columns struct {
	names []string
	at    map[string]int32 // their positions, once they are asked for
}

// set makes the columns those of one list.
func (c *columns) set(keys *wire.Keys) {
	for _, name := range keys.All() {
		c.names = append(c.names, name)
	}
}

// addAll adds the keys that are no columns yet.
func (c *columns) addAll(keys *wire.Keys) {
	if c.at == nil {
		c.at = make(map[string]int32, keys.Len())
	}
	for _, name := range keys.All() {
		if _, known := c.at[name]; !known {
			c.at[name] = int32(len(c.names))
			c.names = append(c.names, name)
		}
	}
}

// index makes the positions known.
func (c *columns) index() {
	if len(c.at) == len(c.names) {
		return
	}
	c.at = make(map[string]int32, len(c.names))
	for i, name := range c.names {
		c.at[name] = int32(i)
	}
}

// maxKept bounds what idle encoders have room for, and plans at any time.
const (
	maxKeptColumns = 256
	maxPlans       = 256
	maxPlanned     = 16 << 10
)

func (c *columns) clear() {
	if len(c.names) > maxKeptColumns {
		*c = columns{}
		return
	}
	clear(c.names)
	clear(c.at)
	c.names = c.names[:0]
}

// plans tell where the members of rows belong, for each list of keys that they have.
type plans struct {
	first map[*wire.Keys]int32 // where in at a plan is; -1 if it is to be made
	at    []int32              // for each column the position of its member, -1 for none
}

// isNew reports whether the list is not known yet, as far as that is remembered.
func (p *plans) isNew(keys *wire.Keys) bool {
	if _, known := p.first[keys]; known {
		return false
	}
	if len(p.first) < maxPlans {
		p.note(keys, -1)
	}
	return true
}

func (p *plans) note(keys *wire.Keys, first int32) {
	if p.first == nil {
		p.first = make(map[*wire.Keys]int32)
	}
	p.first[keys] = first
}

// of returns the plan of rows that have these keys. It is valid until the next call.
func (p *plans) of(keys *wire.Keys, c *columns) []int32 {
	c.index()
	n := int32(len(c.names))
	first, known := p.first[keys]
	if known && first >= 0 {
		return p.at[first : first+n]
	}
	first = int32(len(p.at))
	for range n {
		p.at = append(p.at, -1)
	}
	plan := p.at[first:]
	for i, name := range keys.All() {
		if column, ok := c.at[name]; ok {
			plan[column] = int32(i)
		}
	}
	if len(p.at) <= maxPlanned && (known || len(p.first) < maxPlans) {
		p.note(keys, first)
	} else {
		p.at = p.at[:first]
	}
	return plan
}

func (p *plans) clear() {
	clear(p.first)
	if p.at = p.at[:0]; cap(p.at) > 2*maxPlanned {
		p.at = nil
	}
}
