package scan_test

import (
	"bytes"
	"testing"
	"unsafe"

	"github.com/wirekit/wirekit/internal/base/scan"
)

// texts are the forms of TextEnd and moveText: that of this machine and the portable.
var texts = []struct {
	name string
	end  func(b []byte, i int) (int, uint64)
	move func(dst []byte, s string, i int) (int, uint64)
}{
	{"own", scan.TextEnd, scan.MoveText},
	{"portable", scan.PortableTextEnd, scan.PortableMoveText},
}

// stringEnd is StringEnd of the same memory.
func stringEnd(b []byte, i int) int {
	return scan.StringEnd(unsafe.String(unsafe.SliceData(b), len(b)), i)
}

// plainEnd is TextEnd, byte by byte.
func plainEnd(b []byte, i int) int {
	for i < len(b) && b[i] != '"' && b[i] != '\\' && b[i] >= 0x20 {
		i++
	}
	return i
}

// checkText compares all forms with loops over bytes, for b within memory that holds
// bytes before and after.
func checkText(t *testing.T, memory []byte, from, to, w, i int) {
	t.Helper()
	b := memory[from:to:to]
	end := plainEnd(b, i)
	moved := bytes.Clone(memory)
	copy(moved[from+w:], b[i:end])
	before := bytes.Clone(memory)
	if at := stringEnd(b, i); at != end {
		t.Fatalf("StringEnd(%q, %d) is %d, not %d", b, i, at, end)
	}
	for _, form := range texts {
		at, beyond := form.end(b, i)
		if at != end {
			t.Fatalf("%s: the text of %q at %d ends at %d, not %d", form.name, b, i, at, end)
		}
		checkBeyond(t, b, i, end, beyond)
		at, beyond = form.move(b[w:], unsafe.String(unsafe.SliceData(b), len(b)), i)
		if at != end || !bytes.Equal(memory, moved) {
			t.Fatalf("%s: moveText(%q, %d, %d) returned %d, not %d, and left %q", form.name, before[from:to], w, i, at, end, b)
		}
		copy(memory, before)
		checkBeyond(t, b, i, end, beyond)
	}
}

func checkBeyond(t *testing.T, b []byte, i, end int, beyond uint64) {
	t.Helper()
	ascii := func(b []byte) bool { return bytes.IndexFunc(b, func(r rune) bool { return r >= 0x80 }) < 0 }
	if !ascii(b[i:end]) && beyond&scan.Highs == 0 || beyond != 0 && ascii(b[max(0, i-32):min(len(b), end+32)]) {
		t.Fatalf("beyond is %x for %q from %d to %d", beyond, b, i, end)
	}
}

// TestText puts what ends a text, and what only looks like it, at every place of
// texts of every length and alignment.
func TestText(t *testing.T) {
	const most = 200
	memory := make([]byte, most+64)
	fill := func(c byte) {
		for i := range memory {
			memory[i] = c
		}
	}
	others := []byte("\"\\\x00\x1f\x1b \x21\x23\x5b\x5d\x7f\x80\xa2\xdc\xff\x02\x22\x5e\xde")
	for n := range most + 1 {
		for align := range 32 {
			fill('"')
			for i := range n {
				memory[align+i] = "ab\xc3\xa9"[i&3]
			}
			checkText(t, memory, align, align+n, 0, 0)
			checkText(t, memory, align, align+n, n/3, n/2)
		}
		fill('x')
		for at := range n {
			memory[7+at] = others[(n+at)%len(others)]
			checkText(t, memory, 7, 7+n, 0, 0)
			checkText(t, memory, 7, 7+n, at/2, at)
			memory[7+at] = 'x'
		}
	}
}

// TestTextOfEveryByte knows every byte at every place of a step.
func TestTextOfEveryByte(t *testing.T) {
	for c := range 256 {
		for at := range 70 {
			memory := bytes.Repeat([]byte("z"), 80)
			memory[at] = byte(c)
			for _, n := range []int{80, at + 1, 79} {
				checkText(t, memory, 0, max(n, 4), 1, 3)
			}
		}
	}
}

// TestMovesOfEveryDistance moves texts by less and by more than a step.
func TestMovesOfEveryDistance(t *testing.T) {
	for distance := range 40 {
		for n := range 100 {
			memory := []byte("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_")
			memory = append(bytes.Repeat(memory, 3)[:distance+n], `"the rest, which stays as it is, whatever its length"`...)
			checkText(t, memory, 0, len(memory), 0, distance)
		}
	}
}

func FuzzText(f *testing.F) {
	f.Add([]byte("a long text without anything that a string cannot hold as it is\"and more"), uint16(3), uint16(9), uint8(2), uint8(5))
	f.Add([]byte("漢字 and \\ in between, \x00 and the rest of it behind"), uint16(0), uint16(0), uint8(0), uint8(0))
	f.Fuzz(func(t *testing.T, memory []byte, w, i uint16, before, behind uint8) {
		from := min(int(before), len(memory))
		to := max(from, len(memory)-int(behind))
		at := min(int(i), to-from)
		checkText(t, memory, from, to, min(int(w), at), at)
	})
}
