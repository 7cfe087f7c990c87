// Package columns is what formats of tables of scalars share: the columns of rows that have
// different members, the text that is read, and the writing of rows and streams of them.
package columns

import (
	"sync"

	"github.com/wirekit/wirekit/wire"
)

// A Layout is the columns of a table whose rows differ, with the place of each row's
// members among them.
type Layout struct {
	Names []string

	columns map[string]int32 // the position of each name

	plans map[*wire.Keys]int32 // where in at the plan is of rows with these keys; -1 if it is to be made
	at    []int32              // for each column the position of its member, -1 for none
}

const (
	// maxPlans and maxPlanned bound what is remembered.
	maxPlans   = 256
	maxPlanned = 16 << 10
	// maxKeptColumns bounds what an idle layout has room for.
	maxKeptColumns = 256
)

// Get returns a Layout without columns.
func Get() *Layout { return layouts.Get().(*Layout) }

// layouts are idle, and hold nothing of a table.
var layouts = sync.Pool{New: func() any { return new(Layout) }}

// GiveBack ends the use of a Layout from Get.
func (l *Layout) GiveBack() {
	if len(l.Names) > maxKeptColumns {
		return
	}
	clear(l.Names)
	clear(l.columns)
	clear(l.plans)
	l.Names, l.at = l.Names[:0], l.at[:0]
	layouts.Put(l)
}

// Add adds the keys that are not columns yet.
func (l *Layout) Add(keys *wire.Keys) {
	if l.columns == nil {
		l.columns = make(map[string]int32, keys.Len())
	}
	for _, name := range keys.All() {
		if _, known := l.columns[name]; !known {
			l.columns[name] = int32(len(l.Names))
			l.Names = append(l.Names, name)
		}
	}
}

// IsNew reports whether the list is not known yet, as far as that is remembered.
func (l *Layout) IsNew(keys *wire.Keys) bool {
	if _, known := l.plans[keys]; known {
		return false
	}
	if len(l.plans) < maxPlans {
		l.note(keys, -1)
	}
	return true
}

func (l *Layout) note(keys *wire.Keys, first int32) {
	if l.plans == nil {
		l.plans = make(map[*wire.Keys]int32)
	}
	l.plans[keys] = first
}

// Plan returns for each column the position of the member that rows with these keys
// have for it, -1 for none. It is valid until the next call.
func (l *Layout) Plan(keys *wire.Keys) []int32 {
	n := int32(len(l.Names))
	first, known := l.plans[keys]
	if known && first >= 0 {
		return l.at[first : first+n]
	}
	first = int32(len(l.at))
	for range n {
		l.at = append(l.at, -1)
	}
	plan := l.at[first:]
	for i, name := range keys.All() {
		if column, ok := l.columns[name]; ok {
			plan[column] = int32(i)
		}
	}
	if len(l.at) <= maxPlanned && (known || len(l.plans) < maxPlans) {
		l.note(keys, first)
	} else {
		l.at = l.at[:first]
	}
	return plan
}
