package wire

// A Memory is one that the documents of a test share, and no others.
type Memory struct{ memory }

// View is the function [View] in this memory.
func (m *Memory) View(c Codec, src []byte, f func(Value) error) error {
	return internalsOf(c).(viewer).View(c, &m.memory, src, f)
}

// ReadJSONGo is the direct path of JSON.
func ReadJSONGo(src []byte, v any) bool { return new(JSON).unmarshalGo(src, v) }
