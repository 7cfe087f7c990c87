package blob_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/wirekit/wirekit/bcp"
	"github.com/wirekit/wirekit/bcp/store"
	"github.com/wirekit/wirekit/bcp/store/blob"
	"gocloud.dev/blob/memblob"
)

func Example() {
	ctx := context.Background()
	// Elsewhere: blob.OpenBucket(ctx, "s3://contents?region=eu-central-1").
	bucket := memblob.OpenBucket(nil)
	defer bucket.Close()
	cache, err := os.MkdirTemp("", "contents")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(cache)

	s := &blob.Store{Bucket: bucket, Prefix: "packs/", Cache: store.Dir{Path: cache}}
	hash, err := s.Put(ctx, []byte("Be brief."))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(hash.String()[:8])

	// A payload whose blocks are references is read with the bucket's content.
	var b bcp.Builder
	pack, err := b.Add(&bcp.Document{Title: "Rules", Content: []byte("Be brief."), FormatHint: "plain"}).Reference().Build()
	if err != nil {
		log.Fatal(err)
	}
	data, err := bcp.EncodeOptions{Store: s}.AppendEncode(ctx, nil, pack)
	if err != nil {
		log.Fatal(err)
	}
	back, err := bcp.DecodeOptions{Store: s}.Decode(ctx, data)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(back.Blocks[0].Body.(*bcp.Document).Content))
	// Output:
	// 9249e1b9
	// Be brief.
}
