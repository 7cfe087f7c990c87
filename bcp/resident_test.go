package bcp

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/wirekit/wirekit/internal/testkit/resident"
	"github.com/wirekit/wirekit/wire"
)

// hostile are payloads of at most a megabyte that stand for as much memory as
// they can.
func hostile() map[string]func() []byte {
	block := func(t BlockType, flags BlockFlags, bodies ...[]byte) []byte {
		src := Header{}.append(nil)
		for _, body := range bodies {
			src = BlockFrame{Type: t, Flags: flags, Body: body}.append(src)
		}
		return appendEnd(src)
	}
	repeated := func(n int, b []byte) [][]byte {
		list := make([][]byte, n)
		for i := range list {
			list[i] = b
		}
		return list
	}
	payload := func(plain []byte) []byte {
		return append(Header{Flags: HeaderCompressed}.append(nil), deflate(plain)...)
	}
	json := func(text string) []byte {
		return appendBytes(appendNumber(nil, 1, 1), 3, text)
	}
	tree := func(n int) []byte { return bodyOf(&Block{Body: &FileTree{Entries: make([]FileEntry, n)}}) }
	rows := make([]string, 25_000)
	for i := range rows {
		rows[i] = fmt.Sprintf(`{"k%d":1}`, i)
	}
	return map[string]func() []byte{
		"zeros in a block":    func() []byte { return block(0x42, FlagCompressed, zeros(defaultBlockBytes)) },
		"zeros in two blocks": func() []byte { return block(0x42, FlagCompressed, zeros(8<<20), zeros(8<<20)) },
		"zeros without size":  func() []byte { return block(0x42, FlagCompressed, unsizedBomb(16<<20)) },
		"too many zeros":      func() []byte { return block(0x42, FlagCompressed, zeros(4<<30>>8)) },
		"zeros to the limit": func() []byte {
			return payload(block(0x42, 0, repeated(2, make([]byte, 8<<20))...)[HeaderSize:])
		},
		"a megabyte and zeros": func() []byte {
			src := Header{}.append(nil)
			src = BlockFrame{Type: 0x42, Body: make([]byte, 900_000)}.append(src)
			for range 2 {
				src = BlockFrame{Type: 0x42, Flags: FlagCompressed, Body: zeros(defaultBlockBytes)}.append(src)
			}
			return appendEnd(src)
		},
		"empty blocks": func() []byte {
			return appendEnd(append(Header{}.append(nil), bytes.Repeat([]byte{0x42, 0, 0}, 340_000)...))
		},
		"empty blocks compressed": func() []byte { return payload(appendEnd(bytes.Repeat([]byte{0x42, 0, 0}, 70_000))) },
		"references": func() []byte {
			src := BlockFrame{Type: 0x42, Body: make([]byte, 100_000)}.append(Header{}.append(nil))
			h := HashOf(make([]byte, 100_000))
			for range 170 {
				src = BlockFrame{Type: 0x42, Flags: FlagIsReference, Body: h[:]}.append(src)
			}
			return appendEnd(src)
		},
		"entries":            func() []byte { return block(BlockFileTree, 0, tree(90_000)) },
		"entries compressed": func() []byte { return block(BlockFileTree, FlagCompressed, deflate(tree(60_000))) },
		"entries beyond":     func() []byte { return block(BlockFileTree, FlagCompressed, deflate(tree(1_200_000))) },
		"values":             func() []byte { return block(BlockStructuredData, 0, json("["+strings.Repeat("1,", 490_000)+"1]")) },
		"values compressed": func() []byte {
			return block(BlockStructuredData, FlagCompressed, deflate(json("["+strings.Repeat("1,", 260_000)+"1]")))
		},
		"arrays compressed": func() []byte {
			return block(BlockStructuredData, FlagCompressed, deflate(json("["+strings.Repeat("[],", 260_000)+"1]")))
		},
		"values beyond": func() []byte {
			return block(BlockStructuredData, FlagCompressed, deflate(json("["+strings.Repeat("1,", 7_000_000)+"1]")))
		},
		"a string compressed": func() []byte {
			return block(BlockStructuredData, FlagCompressed, deflate(json(`"`+strings.Repeat("a", 16_000_000)+`"`)))
		},
		"escapes compressed": func() []byte {
			return block(BlockStructuredData, FlagCompressed, deflate(json(`"`+strings.Repeat(`\n`, 8_000_000)+`"`)))
		},
		"shapes compressed": func() []byte {
			return block(BlockStructuredData, FlagCompressed, deflate(json("["+strings.Join(rows, ",")+"]")))
		},
		"a path compressed": func() []byte {
			return block(BlockCode, FlagCompressed, deflate(bodyOf(&Block{Body: code("go", strings.Repeat("a", 8<<20), "")})))
		},
		"a summary compressed": func() []byte {
			return block(0x42, FlagCompressed|FlagHasSummary, deflate(appendBytes(nil, 0, strings.Repeat("a", 8<<20))[2:]))
		},
	}
}

// unsizedBomb is n zeros in a frame of repeated bytes without a content size.
func unsizedBomb(n int) []byte {
	b := []byte{0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x58}
	for at := 0; at < n; at += zstdMaxBlock {
		head := zstdMaxBlock<<3 | 1<<1
		if at+zstdMaxBlock >= n {
			head |= 1
		}
		b = append(b, byte(head), byte(head>>8), byte(head>>16), 0)
	}
	return b
}

func TestResidentMemory(t *testing.T) {
	for name, input := range hostile() {
		t.Run(name, func(t *testing.T) {
			resident.Check(t,
				resident.Case{Name: "Decode", Input: input, Call: func(src []byte) {
					p, _ := Decode(src)
					sink = p
				}},
				resident.Case{Name: "Decoder", Input: input, Call: func(src []byte) {
					sink, _ = decodeStream(DecodeOptions{}.NewDecoder(context.Background(), bytes.NewReader(src)))
				}},
				resident.Case{Name: "Codec", Input: input, Call: func(src []byte) {
					v, _ := Codec{}.Decode(src)
					sink = v
				}},
				resident.Case{Name: "Records", Input: input, Call: func(src []byte) {
					for v := range (Codec{}).Records(bytes.NewReader(src)) {
						sink = v
					}
				}},
			)
		})
	}
}

var sink any

func TestResidentEncoding(t *testing.T) {
	values := func() []byte { return []byte("[" + strings.Repeat(`{"a":1},`, 120_000) + "1]") }
	for name, c := range map[string]Codec{"plain": {}, "zstd": {Compress: true}} {
		resident.Check(t, resident.Case{Name: name, Input: values, Call: func(src []byte) {
			v, _ := wire.ParseJSON(src)
			sink, _ = c.AppendEncode(nil, v)
		}})
	}
}
