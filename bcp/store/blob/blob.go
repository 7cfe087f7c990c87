// Package blob keeps the content that BCP references name in a bucket: S3, Google
// Cloud Storage, Azure, a folder or memory, by the drivers of gocloud.dev/blob. A
// program imports the driver of its bucket and opens it; this package links none.
//
// Content lies under its hash as in the folder of package store: ab/cdef…, with 62
// digits after the first two, after a prefix if there is one. An object is written
// once, under the condition that none is there, and everything that is read is
// hashed: what does not have the hash it lies under is an error, never content.
// The bucket is one in which an object can be read as soon as it is written, as in
// those of the clouds; in another, Get may not find at once what Put has written.
//
// # What a program calls
//
//   - Content: [Store.Get], [Store.Put], [Store.Has], [Store.All]. A Store is the
//     [bcp.Store] of options.
//
// A module of its own, because of what gocloud.dev imports.
package blob

import (
	"context"
	"crypto/md5"
	"errors"
	"fmt"
	"iter"
	"strings"

	"github.com/wirekit/wirekit/bcp"
	"github.com/wirekit/wirekit/bcp/internal/kept"
	"github.com/wirekit/wirekit/wire"
	"gocloud.dev/blob"
	"gocloud.dev/gcerrors"
)

// Store is a [bcp.Store] in a bucket. It is safe for concurrent use, also by any
// number of processes, and its fields are not changed once it is in use.
type Store struct {
	// Bucket is not closed by the Store.
	Bucket *blob.Bucket
	// Prefix is in front of every key, as it is: "contents/".
	Prefix string
	// Cache is asked before the bucket, and keeps what was read from it: a
	// [store.Dir] or a [bcp.NewMemoryStore]. What it returns is hashed too, and damaged
	// content in it is fetched and put again. Nil means none.
	Cache bcp.Store
	// OnCacheError is told of errors of the Cache other than that content is not
	// there. They make the Store slower and nothing else. It may be called by several
	// goroutines at once. Nil ignores them.
	OnCacheError func(error)
	// Retry says how often and how fast what failed is tried again.
	Retry Retry
}

var _ bcp.Store = (*Store)(nil)

// key returns the object's key.
func (s *Store) key(h bcp.Hash) string { return s.Prefix + kept.Name(h) }

// Get returns the content with that hash: the Cache's, or the bucket's, which
// the Cache then keeps. An object with another hash is read once more, since the way
// may have damaged it; then the error wraps [wire.ErrChecksum].
func (s *Store) Get(ctx context.Context, h bcp.Hash) ([]byte, error) {
	if body, ok := s.cached(ctx, h); ok {
		return body, nil
	}
	body, err := s.fetch(ctx, h)
	if err != nil {
		return nil, err
	}
	s.keep(ctx, body)
	return body, nil
}

// Has reports whether the Cache or the bucket has an object under the hash.
func (s *Store) Has(ctx context.Context, h bcp.Hash) (bool, error) {
	if _, ok := s.cached(ctx, h); ok {
		return true, nil
	}
	var has bool
	err := s.Retry.do(ctx, func(ctx context.Context) (err error) {
		has, err = s.Bucket.Exists(ctx, s.key(h))
		return err
	})
	return has, kept.Failure(err)
}

// Put puts content that is not there. Content that is there is read, whatever
// the Cache has: a sound object is left alone, a damaged one written again.
func (s *Store) Put(ctx context.Context, body []byte) (bcp.Hash, error) {
	h := bcp.HashOf(body)
	if err := kept.Fits(int64(len(body))); err != nil {
		return h, err
	}
	_, err := s.fetch(ctx, h)
	switch {
	case errors.Is(err, bcp.ErrNotFound):
		err = s.create(ctx, h, body)
	case damaged(err):
		err = s.write(ctx, h, body, false)
	}
	if err != nil {
		return h, err
	}
	s.keep(ctx, body)
	return h, nil
}

// create writes an object that was not there. If another writer was faster, or an
// attempt of ours was that reported a failure, what is there is read.
func (s *Store) create(ctx context.Context, h bcp.Hash, body []byte) error {
	err := s.write(ctx, h, body, true)
	if gcerrors.Code(err) != gcerrors.FailedPrecondition {
		return err
	}
	if err := s.await(ctx, h); err != nil {
		return kept.Failure(err)
	}
	if _, err = s.fetch(ctx, h); damaged(err) {
		return s.write(ctx, h, body, false)
	}
	return err
}

// errUnseen is about an object that can be neither made nor read.
var errUnseen = errors.New("the bucket has the object and it cannot be read")

// await waits until an object that is there can be seen.
func (s *Store) await(ctx context.Context, h bcp.Hash) error {
	return s.Retry.do(ctx, func(ctx context.Context) error {
		has, err := s.Bucket.Exists(ctx, s.key(h))
		if err == nil && !has {
			return errUnseen
		}
		return err
	})
}

// write puts an object, whole or not at all.
func (s *Store) write(ctx context.Context, h bcp.Hash, body []byte, onlyNew bool) error {
	sum := md5.Sum(body) // which the driver compares with what arrived
	options := blob.WriterOptions{ContentType: "application/octet-stream", ContentMD5: sum[:], IfNotExist: onlyNew}
	return kept.Failure(s.Retry.do(ctx, func(ctx context.Context) error { return s.Bucket.WriteAll(ctx, s.key(h), body, &options) }))
}

// fetch reads the bucket's object and compares its hash.
func (s *Store) fetch(ctx context.Context, h bcp.Hash) (body []byte, err error) {
	for range 2 {
		err = s.Retry.do(ctx, func(ctx context.Context) (err error) {
			body, err = s.read(ctx, h)
			return err
		})
		switch {
		case gcerrors.Code(err) == gcerrors.NotFound:
			return nil, fmt.Errorf("%w: %s", bcp.ErrNotFound, h)
		case err != nil:
			return nil, kept.Failure(err)
		}
		if err = kept.Verify(h, body); err == nil {
			return body, nil
		}
	}
	return nil, err
}

// read reads an object as it is.
func (s *Store) read(ctx context.Context, h bcp.Hash) ([]byte, error) {
	r, err := s.Bucket.NewReader(ctx, s.key(h), nil)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	if err := kept.Fits(r.Size()); err != nil {
		return nil, err
	}
	return kept.Read(r)
}

// damaged reports whether an object is there that is not the content.
func damaged(err error) bool {
	return errors.Is(err, wire.ErrChecksum) || errors.Is(err, wire.ErrLimit)
}

// cached returns what the Cache has, if it is sound.
func (s *Store) cached(ctx context.Context, h bcp.Hash) ([]byte, bool) {
	if s.Cache == nil {
		return nil, false
	}
	body, err := s.Cache.Get(ctx, h)
	if err == nil {
		err = kept.Verify(h, body)
	}
	if err == nil {
		return body, true
	}
	if !errors.Is(err, bcp.ErrNotFound) {
		s.failed(err)
	}
	return nil, false
}

// keep puts content that is in the bucket into the Cache.
func (s *Store) keep(ctx context.Context, body []byte) {
	if s.Cache == nil {
		return
	}
	if _, err := s.Cache.Put(ctx, body); err != nil {
		s.failed(err)
	}
}

func (s *Store) failed(err error) {
	if s.OnCacheError != nil {
		s.OnCacheError(err)
	}
}

// listed is how many keys a request lists.
const listed = 1000

// All iterates over the hashes in the bucket with the prefix, in their order, until
// the end or the first error, which is the last pair. Other objects there are passed
// over. Whether the content is sound only Get reports.
func (s *Store) All(ctx context.Context) iter.Seq2[bcp.Hash, error] {
	return func(yield func(bcp.Hash, error) bool) {
		for token := blob.FirstPageToken; token != nil; {
			var page []*blob.ListObject
			var next []byte
			err := s.Retry.do(ctx, func(ctx context.Context) (err error) {
				page, next, err = s.Bucket.ListPage(ctx, token, listed, &blob.ListOptions{Prefix: s.Prefix})
				return err
			})
			if err != nil {
				yield(bcp.Hash{}, kept.Failure(err))
				return
			}
			for _, object := range page {
				if h, ok := s.hash(object.Key); ok && !yield(h, nil) {
					return
				}
			}
			token = next
		}
	}
}

// hash returns the hash that a key represents.
func (s *Store) hash(key string) (bcp.Hash, bool) {
	folder, name, ok := strings.Cut(strings.TrimPrefix(key, s.Prefix), "/")
	if !ok || len(folder) != 2 {
		return bcp.Hash{}, false
	}
	h, err := bcp.ParseHash(folder + name)
	return h, err == nil
}
