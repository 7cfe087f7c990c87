package store_test

import (
	"context"
	"fmt"
	"os"

	"github.com/wirekit/wirekit/bcp"
	"github.com/wirekit/wirekit/bcp/store"
)

// A pack names its content by hashes; who has the folder reads it.
func ExampleDir() {
	dir, err := os.MkdirTemp("", "store")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	kept := store.Dir{Path: dir}

	var b bcp.Builder
	p, err := b.Add(&bcp.Document{Title: "Rules", Content: []byte("Be brief."), FormatHint: "plain"}).Reference().Build()
	if err != nil {
		fmt.Println(err)
		return
	}
	pack, err := bcp.EncodeOptions{Store: kept}.AppendEncode(context.Background(), nil, p)
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err = bcp.DecodeOptions{Store: kept}.Decode(context.Background(), pack)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(pack), string(p.Blocks[0].Body.(*bcp.Document).Content))
	// Output:
	// 47 Be brief.
}
