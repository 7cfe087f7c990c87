package bcp_test

import (
	"bytes"
	"context"
	"fmt"
	"log"

	"github.com/wirekit/wirekit/bcp"
	"github.com/wirekit/wirekit/bcp/render"
	"github.com/wirekit/wirekit/wire"
)

// A pack of two blocks, written, read and rendered.
func Example() {
	var b bcp.Builder
	b.Add(&bcp.Code{Lang: "go", Path: "main.go", Content: []byte("package main\n\nfunc main() {}")}).
		Summary("An empty program.").Priority(bcp.PriorityHigh)
	b.Add(&bcp.Conversation{Role: "user", Content: []byte("Make it print a line.")})
	pack, err := b.Build()
	if err != nil {
		log.Fatal(err)
	}
	data, err := bcp.EncodeOptions{CompressBlocks: true}.AppendEncode(context.Background(), nil, pack)
	if err != nil {
		log.Fatal(err)
	}
	back, err := bcp.Decode(data)
	if err != nil {
		log.Fatal(err)
	}
	text, err := render.Options{Mode: render.ModeMinimal}.Text(back)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d bytes\n%s\n", len(data), text)
	// Output:
	// 120 bytes
	// --- main.go [go] ---
	// package main
	//
	// func main() {}
	//
	// [user] Make it print a line.
}

// Any value as one block of JSON.
func ExampleCodec() {
	v, err := wire.ParseJSON([]byte(`{"a":1}`))
	if err != nil {
		log.Fatal(err)
	}
	data, err := bcp.Codec{}.AppendEncode(nil, v)
	if err != nil {
		log.Fatal(err)
	}
	back, err := bcp.Codec{}.Decode(data)
	fmt.Printf("% x\n%v %v\n", data, back, err)
	// Output:
	// 4c 43 50 00 01 00 00 00 06 00 0d 01 00 01 03 01 07 7b 22 61 22 3a 31 7d ff 01 00 00
	// {"a":1} <nil>
}

// A stream of blocks, one at a time.
func ExampleDecoder() {
	var stream bytes.Buffer
	enc := bcp.EncodeOptions{}.NewEncoder(context.Background(), &stream, bcp.Header{Magic: "BCP"})
	for _, line := range []string{"first", "second"} {
		if err := enc.Write(bcp.Block{Body: &bcp.ToolResult{ToolName: "tail", Content: []byte(line)}}); err != nil {
			log.Fatal(err)
		}
	}
	if err := enc.Close(); err != nil {
		log.Fatal(err)
	}
	for b, err := range (bcp.DecodeOptions{}).NewDecoder(context.Background(), &stream).Blocks() {
		if err != nil {
			log.Fatal(err)
		}
		if r, ok := b.Body.(*bcp.ToolResult); ok {
			fmt.Printf("%s: %s\n", r.ToolName, r.Content)
		}
	}
	// Output:
	// tail: first
	// tail: second
}

// References to content that a store holds.
func ExampleNewMemoryStore() {
	store := bcp.NewMemoryStore()
	var b bcp.Builder
	pack, err := b.Add(&bcp.Document{Title: "Rules", Content: []byte("Be brief."), FormatHint: "plain"}).Reference().Build()
	if err != nil {
		log.Fatal(err)
	}
	data, err := bcp.EncodeOptions{Store: store}.AppendEncode(context.Background(), nil, pack)
	if err != nil {
		log.Fatal(err)
	}
	_, err = bcp.Decode(data)
	fmt.Println(err != nil)
	back, err := bcp.DecodeOptions{Store: store}.Decode(context.Background(), data)
	fmt.Println(back.Blocks[0].Body.(*bcp.Document).Title, err)
	// Output:
	// true
	// Rules <nil>
}

// A manifest in the words of the reference's command line.
func ExampleFromManifest() {
	manifest, err := wire.ParseJSON([]byte(`{"blocks": [
		{"type": "code", "lang": "go", "path": "a.go", "content": "package a", "priority": "low"},
		{"type": "tool_result", "name": "ls", "content": "a.go"}
	]}`))
	if err != nil {
		log.Fatal(err)
	}
	pack, options, err := bcp.FromManifest(manifest, nil, bcp.Limits{})
	if err != nil {
		log.Fatal(err)
	}
	data, err := options.AppendEncode(context.Background(), nil, pack)
	fmt.Println(len(data), err, pack.Priorities())
	// Output:
	// 68 <nil> [low normal normal]
}

// The primitives of the document.
func ExampleReadFrame() {
	buf := make([]byte, bcp.HeaderSize)
	if err := bcp.NewHeader(0).WriteTo(buf); err != nil {
		log.Fatal(err)
	}
	pack := bytes.NewBuffer(buf)
	for _, frame := range []bcp.BlockFrame{{Type: bcp.BlockCode, Body: []byte("…")}, {Type: bcp.BlockEnd}} {
		if _, err := frame.WriteTo(pack); err != nil {
			log.Fatal(err)
		}
	}

	buf = pack.Bytes()
	header, err := bcp.ReadHeader(buf)
	fmt.Println(header.Magic, header.VersionMajor, err)
	for rest := buf[bcp.HeaderSize:]; ; {
		frame, n, err := bcp.ReadFrame(rest)
		if err != nil || frame.Type == bcp.BlockEnd {
			break
		}
		fmt.Println(frame.Type, len(frame.Body))
		rest = rest[n:]
	}
	// Output:
	// LCP 1 <nil>
	// CODE 3
}

// A field that this package does not know is an id, a wire type, and a number or
// a length with bytes. It travels in Extra.
func ExampleEncodeVarint() {
	var extra []byte
	for _, n := range []uint64{99, 0, 300} { // wire type 0 is a number
		var buf [10]byte
		extra = append(extra, buf[:bcp.EncodeVarint(n, buf[:])]...)
	}
	note := &bcp.Extension{Namespace: "example.org", TypeName: "note"}
	pack, err := bcp.Encode(&bcp.Payload{Blocks: []bcp.Block{{Body: note, Extra: extra}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := bcp.Decode(pack)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%x\n", p.Blocks[0].Extra)
	// Output:
	// 6300ac02
}
