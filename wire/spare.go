package wire

// A room is where Values and their texts are.
type room struct {
	slots []Value
	stack []Value
	text  []byte
	chunk []byte
	want  int // slots that are to be there the next time
}

// rooms are those of large documents.
var rooms spare[room]

// leastSpare is the length of a text from which on a large room is asked for, and
// mostSpare how many times as long as that its text may be.
const (
	leastSpare = 64 << 10
	mostSpare  = 8
)

// enlarge goes on in a large room, if there is one, for a text of that size.
func (b *Builder) enlarge(size int) {
	m := b.mem
	if !sparing || size < leastSpare || m.owned || m.large != nil || poison || b.high+len(b.slab)+len(b.stack)+len(b.text) > 0 {
		return
	}
	large := rooms.take()
	if large == nil {
		return
	}
	if cap(large.text) > mostSpare*size {
		rooms.leave(large)
		return
	}
	m.aside, m.large, m.room = m.room, large, *large
	*large = room{}
	if m.want > cap(m.slots) {
		m.slots = make([]Value, 0, m.want)
	}
	b.takeRoom()
}

// leaveLarge ends the time of a room that is too large to keep; spilled slots were
// taken beside it.
func (m *Memory) leaveLarge(spilled int) {
	large := m.large
	if large == nil {
		large = new(room)
	}
	*large = m.room
	large.want = cap(m.slots) + spilled + spilled/16
	m.room, m.aside, m.large = m.aside, room{}, nil
	rooms.leave(large)
}
