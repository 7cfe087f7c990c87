package blob

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/bcp"
	"github.com/wirekit/wirekit/bcp/internal/storetest"
	"github.com/wirekit/wirekit/bcp/store"
	"github.com/wirekit/wirekit/wire"
	"gocloud.dev/blob"
	"gocloud.dev/blob/fileblob"
	"gocloud.dev/blob/memblob"
	"gocloud.dev/blob/s3blob"
	"gocloud.dev/gcerrors"
)

// quick tries again without losing time.
var quick = Retry{Wait: time.Millisecond, MaxWait: 2 * time.Millisecond}

// server is S3 in process, which a test can make fail.
type server struct {
	requests atomic.Int64
	puts     atomic.Int64
	// fails says whether the n-th request fails, counted from 1, and how.
	fails atomic.Pointer[func(n int64, w http.ResponseWriter, r *http.Request) bool]
}

// startS3 serves a bucket and returns it opened, without retries of the client's own.
func startS3(t *testing.T) (*server, *blob.Bucket) {
	t.Helper()
	backend := s3mem.New()
	require.NoError(t, backend.CreateBucket("contents"))
	inner := gofakes3.New(backend).Server()
	s := &server{}
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n := s.requests.Add(1)
		if r.Method == http.MethodPut {
			s.puts.Add(1)
		}
		if fails := s.fails.Load(); fails != nil && (*fails)(n, w, r) {
			return
		}
		inner.ServeHTTP(w, r)
	}))
	t.Cleanup(front.Close)
	client := s3.New(s3.Options{
		BaseEndpoint: aws.String(front.URL), Region: "eu-central-1", UsePathStyle: true,
		Credentials: credentials.NewStaticCredentialsProvider("name", "word", ""),
		Retryer:     aws.NopRetryer{},
	})
	bucket, err := s3blob.OpenBucketV2(t.Context(), client, "contents", nil)
	require.NoError(t, err)
	t.Cleanup(func() { bucket.Close() })
	return s, bucket
}

func (s *server) failing(fails func(n int64, w http.ResponseWriter, r *http.Request) bool) {
	s.fails.Store(&fails)
}

// buckets are those of every driver.
func buckets(t *testing.T) map[string]*blob.Bucket {
	_, inS3 := startS3(t)
	inFiles, err := fileblob.OpenBucket(t.TempDir(), nil)
	require.NoError(t, err)
	t.Cleanup(func() { inFiles.Close() })
	inMemory := memblob.OpenBucket(nil)
	t.Cleanup(func() { inMemory.Close() })
	return map[string]*blob.Bucket{"s3": inS3, "file": inFiles, "memory": inMemory}
}

// eachBucket runs a test in a bucket of every driver.
func eachBucket(t *testing.T, test func(*testing.T, *blob.Bucket)) {
	for name, bucket := range buckets(t) {
		t.Run(name, func(t *testing.T) { test(t, bucket) })
	}
}

func contents(n int) [][]byte {
	all := make([][]byte, n)
	for i := range all {
		all[i] = []byte(strings.Repeat(fmt.Sprintf("content %d\n", i), 1+i*37%400))
	}
	return all
}

func TestStore(t *testing.T) {
	eachBucket(t, func(t *testing.T, bucket *blob.Bucket) {
		s := &Store{Bucket: bucket, Prefix: "packs/", Retry: quick}
		storetest.Run(t, s)
		there, err := bucket.Exists(t.Context(), "packs/f4/7d9fe8512023499e6e476eac730b605a21ef84b5ecda4ec9836030439d3344")
		require.NoError(t, err)
		require.True(t, there)

		// Other objects are no content.
		require.NoError(t, bucket.WriteAll(t.Context(), "packs/notes", []byte("x"), nil))
		require.NoError(t, bucket.WriteAll(t.Context(), "packs/ab/notes", []byte("x"), nil))
		all := map[bcp.Hash]bool{}
		for h, err := range s.All(t.Context()) {
			require.NoError(t, err)
			all[h] = true
		}
		require.Equal(t, map[bcp.Hash]bool{bcp.HashOf([]byte(storetest.Body)): true, bcp.HashOf(nil): true}, all)
	})
}

// TestFolder: a folder of package store is a bucket's content, and the other way
// round.
func TestFolder(t *testing.T) {
	dir := store.Dir{Path: t.TempDir()}
	h, err := dir.Put(context.Background(), []byte("from the folder"))
	require.NoError(t, err)
	bucket, err := fileblob.OpenBucket(dir.Path, &fileblob.Options{Metadata: fileblob.MetadataDontWrite})
	require.NoError(t, err)
	defer bucket.Close()
	s := &Store{Bucket: bucket}
	got, err := s.Get(context.Background(), h)
	require.NoError(t, err)
	require.Equal(t, "from the folder", string(got))
	h, err = s.Put(context.Background(), []byte("from the bucket"))
	require.NoError(t, err)
	got, err = dir.Get(context.Background(), h)
	require.NoError(t, err)
	require.Equal(t, "from the bucket", string(got))
}

// TestDamage: damaged objects are found, never returned, and written again.
func TestDamage(t *testing.T) {
	eachBucket(t, func(t *testing.T, bucket *blob.Bucket) {
		s := &Store{Bucket: bucket, Retry: quick}
		body := []byte("the content as it was written")
		h, err := s.Put(context.Background(), body)
		require.NoError(t, err)
		for _, bad := range []string{"", "the content", "the content as it was Written", string(body) + " "} {
			require.NoError(t, bucket.WriteAll(t.Context(), s.key(h), []byte(bad), nil))
			got, err := s.Get(context.Background(), h)
			require.ErrorIs(t, err, wire.ErrChecksum)
			require.Nil(t, got)
			_, err = s.Put(context.Background(), body)
			require.NoError(t, err)
			got, err = s.Get(context.Background(), h)
			require.NoError(t, err)
			require.Equal(t, body, got)
		}
	})
}

// TestRenamed: what lies under another content's hash is not returned.
func TestRenamed(t *testing.T) {
	bucket := memblob.OpenBucket(nil)
	defer bucket.Close()
	s := &Store{Bucket: bucket}
	a, err := s.Put(context.Background(), []byte("a"))
	require.NoError(t, err)
	b := bcp.HashOf([]byte("b"))
	require.NoError(t, bucket.Copy(t.Context(), s.key(b), s.key(a), nil))
	_, err = s.Get(context.Background(), b)
	require.ErrorIs(t, err, wire.ErrChecksum)
}

// TestConcurrent: many writers of the same contents, and readers among them who see
// the whole content or none. Run with the race detector.
func TestConcurrent(t *testing.T) {
	eachBucket(t, func(t *testing.T, bucket *blob.Bucket) {
		all := contents(12)
		var group sync.WaitGroup
		for g := range 6 {
			s := &Store{Bucket: bucket, Retry: quick} // as another process has one
			group.Go(func() {
				for i := range all {
					body := all[(i+g)%len(all)]
					if h, err := s.Put(context.Background(), body); err != nil || h != bcp.HashOf(body) {
						t.Errorf("put: %v", err)
					}
				}
			})
			group.Go(func() {
				for range 3 {
					for _, body := range all {
						got, err := s.Get(context.Background(), bcp.HashOf(body))
						if errors.Is(err, bcp.ErrNotFound) {
							continue
						}
						if err != nil || !bytes.Equal(got, body) {
							t.Errorf("get: %v", err)
						}
					}
				}
			})
		}
		group.Wait()
		s := &Store{Bucket: bucket, Retry: quick}
		for _, body := range all {
			got, err := s.Get(context.Background(), bcp.HashOf(body))
			require.NoError(t, err)
			require.Equal(t, body, got)
		}
		n := 0
		for _, err := range s.All(t.Context()) {
			require.NoError(t, err)
			n++
		}
		require.Equal(t, len(all), n)
	})
}

// TestConditional: content that is there is not written again, and the writer who
// comes second in a race leaves the first one's object alone.
func TestConditional(t *testing.T) {
	front, bucket := startS3(t)
	s := &Store{Bucket: bucket, Retry: quick}
	body := []byte("once")
	for range 3 {
		_, err := s.Put(context.Background(), body)
		require.NoError(t, err)
	}
	require.EqualValues(t, 1, front.puts.Load())
	require.NoError(t, s.create(t.Context(), bcp.HashOf(body), body))
	require.EqualValues(t, 2, front.puts.Load())
	err := s.write(t.Context(), bcp.HashOf(body), body, true)
	require.Equal(t, gcerrors.FailedPrecondition, gcerrors.Code(err))

	// A damaged object that appeared in between is replaced.
	other := []byte("twice")
	require.NoError(t, bucket.WriteAll(t.Context(), s.key(bcp.HashOf(other)), []byte("twic"), nil))
	require.NoError(t, s.create(t.Context(), bcp.HashOf(other), other))
	got, err := s.Get(context.Background(), bcp.HashOf(other))
	require.NoError(t, err)
	require.Equal(t, other, got)
}

// TestEveryThirdFails: requests that fail before anything is done, answers that are
// lost after a write that was done, and bodies that are cut off or changed.
func TestEveryThirdFails(t *testing.T) {
	internal := func(w http.ResponseWriter) { http.Error(w, "no", http.StatusInternalServerError) }
	cut := func(w http.ResponseWriter) {
		w.Header().Set("Content-Length", "1000")
		_, _ = io.WriteString(w, "half of")
		panic(http.ErrAbortHandler)
	}
	for name, fail := range map[string]func(http.ResponseWriter, *http.Request){
		"refused": func(w http.ResponseWriter, _ *http.Request) { internal(w) },
		"dropped": func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		"cut off": func(w http.ResponseWriter, _ *http.Request) { cut(w) },
		"slow down": func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, "<Error><Code>SlowDown</Code></Error>", http.StatusServiceUnavailable)
		},
	} {
		t.Run(name, func(t *testing.T) {
			front, bucket := startS3(t)
			front.failing(func(n int64, w http.ResponseWriter, r *http.Request) bool {
				if n%3 == 0 {
					fail(w, r)
				}
				return n%3 == 0
			})
			// Which worker meets a failure is chance: with six attempts one in some
			// hundred requests would meet nothing else.
			s := &Store{Bucket: bucket, Retry: Retry{Attempts: 40, Wait: quick.Wait, MaxWait: quick.MaxWait}}
			all := contents(20)
			var group sync.WaitGroup
			for range 3 {
				group.Go(func() {
					for _, body := range all {
						h, err := s.Put(context.Background(), body)
						if err != nil {
							t.Errorf("put: %v", err)
							continue
						}
						if has, err := s.Has(context.Background(), h); err != nil || !has {
							t.Errorf("has: %v", err)
						}
						if got, err := s.Get(context.Background(), h); err != nil || !bytes.Equal(got, body) {
							t.Errorf("get: %v", err)
						}
					}
				})
			}
			group.Wait()
			n := 0
			for _, err := range s.All(t.Context()) {
				require.NoError(t, err)
				n++
			}
			require.Equal(t, len(all), n)
			require.Greater(t, front.requests.Load(), int64(60))
		})
	}
}

// TestAnswerLost: a write that was done and whose answer was lost is tried again and
// finds its own object.
func TestAnswerLost(t *testing.T) {
	backend := s3mem.New()
	require.NoError(t, backend.CreateBucket("contents"))
	inner := gofakes3.New(backend).Server()
	var lost atomic.Int64
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPut && lost.Add(1) == 1 {
			inner.ServeHTTP(httptest.NewRecorder(), r)
			panic(http.ErrAbortHandler)
		}
		inner.ServeHTTP(w, r)
	}))
	defer front.Close()
	client := s3.New(s3.Options{BaseEndpoint: aws.String(front.URL), Region: "eu-central-1", UsePathStyle: true,
		Credentials: credentials.NewStaticCredentialsProvider("name", "word", ""), Retryer: aws.NopRetryer{}})
	bucket, err := s3blob.OpenBucketV2(t.Context(), client, "contents", nil)
	require.NoError(t, err)
	defer bucket.Close()
	s := &Store{Bucket: bucket, Retry: quick}
	h, err := s.Put(context.Background(), []byte("written, but not acknowledged"))
	require.NoError(t, err)
	require.EqualValues(t, 2, lost.Load())
	got, err := s.Get(context.Background(), h)
	require.NoError(t, err)
	require.Equal(t, "written, but not acknowledged", string(got))
}

// TestNotVisible: an object that another writer has made and that readers do not see
// at once is waited for.
func TestNotVisible(t *testing.T) {
	front, bucket := startS3(t)
	s := &Store{Bucket: bucket, Retry: quick}
	body := []byte("made by another writer")
	_, err := s.Put(context.Background(), body)
	require.NoError(t, err)
	var reads atomic.Int64
	unseen := int64(4)
	front.failing(func(_ int64, w http.ResponseWriter, r *http.Request) bool {
		if r.Method == http.MethodPut || reads.Add(1) > unseen {
			return false
		}
		http.Error(w, "<Error><Code>NoSuchKey</Code></Error>", http.StatusNotFound)
		return true
	})
	_, err = s.Put(context.Background(), body)
	require.NoError(t, err)
	require.EqualValues(t, 2, front.puts.Load())
	reads.Store(0)
	unseen = 1000
	_, err = s.Put(context.Background(), body)
	require.ErrorContains(t, err, "cannot be read")
	require.NotErrorIs(t, err, bcp.ErrNotFound)
	require.EqualValues(t, 1+6, reads.Load())
}

// TestTimeout: an attempt that hangs is given up and made again.
func TestTimeout(t *testing.T) {
	front, bucket := startS3(t)
	h, err := (&Store{Bucket: bucket}).Put(context.Background(), []byte("x"))
	require.NoError(t, err)
	var hung atomic.Int64
	front.failing(func(_ int64, w http.ResponseWriter, r *http.Request) bool {
		if hung.Add(1) > 1 {
			return false
		}
		<-r.Context().Done()
		return true
	})
	s := &Store{Bucket: bucket, Retry: Retry{Attempts: 1000, Wait: quick.Wait, MaxWait: quick.MaxWait, Timeout: 100 * time.Millisecond}}
	got, err := s.Get(context.Background(), h)
	require.NoError(t, err)
	require.Equal(t, "x", string(got))
	require.GreaterOrEqual(t, hung.Load(), int64(2))
}

// TestGivesUp: a bucket that always fails is an error after the attempts, one that
// refuses at once.
func TestGivesUp(t *testing.T) {
	front, bucket := startS3(t)
	s := &Store{Bucket: bucket, Retry: quick}
	h := bcp.HashOf([]byte("x"))
	status := http.StatusInternalServerError
	front.failing(func(_ int64, w http.ResponseWriter, _ *http.Request) bool {
		w.WriteHeader(status)
		return true
	})
	_, err := s.Get(context.Background(), h)
	var e *wire.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, "io", e.Code)
	require.NotErrorIs(t, err, bcp.ErrNotFound)
	require.EqualValues(t, 6, front.requests.Load())

	status = http.StatusForbidden
	_, err = s.Get(context.Background(), h)
	require.Error(t, err)
	require.EqualValues(t, 7, front.requests.Load())
	_, err = s.Put(context.Background(), []byte("x"))
	require.Error(t, err)
	for _, err := range s.All(t.Context()) {
		require.Error(t, err)
	}
}

func TestContext(t *testing.T) {
	front, bucket := startS3(t)
	s := &Store{Bucket: bucket, Retry: Retry{Attempts: 100, Wait: time.Hour}}
	ctx, cancel := context.WithCancel(t.Context())
	front.failing(func(n int64, w http.ResponseWriter, _ *http.Request) bool {
		w.WriteHeader(http.StatusInternalServerError)
		cancel()
		return true
	})
	_, err := s.Get(ctx, bcp.HashOf(nil))
	require.ErrorIs(t, err, context.Canceled)
	_, err = s.Put(ctx, []byte("x"))
	require.ErrorIs(t, err, context.Canceled)
	_, err = s.Has(ctx, bcp.HashOf(nil))
	require.ErrorIs(t, err, context.Canceled)

	// A hanging bucket ends with the deadline.
	front.failing(func(_ int64, _ http.ResponseWriter, r *http.Request) bool {
		<-r.Context().Done()
		return true
	})
	ctx, cancel = context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err = s.Get(ctx, bcp.HashOf(nil))
	require.ErrorIs(t, err, context.DeadlineExceeded)
}

func TestCache(t *testing.T) {
	front, bucket := startS3(t)
	dir := store.Dir{Path: t.TempDir()}
	var told []error
	s := &Store{Bucket: bucket, Retry: quick, Cache: dir, OnCacheError: func(err error) { told = append(told, err) }}
	body := []byte("content that is read often")
	h, err := s.Put(context.Background(), body)
	require.NoError(t, err)

	read := func() int64 {
		t.Helper()
		before := front.requests.Load()
		got, err := s.Get(context.Background(), h)
		require.NoError(t, err)
		require.Equal(t, body, got)
		return front.requests.Load() - before
	}
	require.Zero(t, read(), "what was put is in the cache")
	name := h.String()
	require.NoError(t, os.Remove(filepath.Join(dir.Path, name[:2], name[2:])))
	require.EqualValues(t, 1, read())
	require.Zero(t, read())
	require.Empty(t, told)

	// Damage in the cache is found and mended.
	require.NoError(t, os.WriteFile(filepath.Join(dir.Path, name[:2], name[2:]), []byte("other"), 0o600))
	require.EqualValues(t, 1, read())
	require.Len(t, told, 1)
	require.ErrorIs(t, told[0], wire.ErrChecksum)
	require.Zero(t, read())

	// A cache that cannot be used, or lies, makes it slower and nothing else.
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	s = &Store{Bucket: bucket, Retry: quick, Cache: store.Dir{Path: file}}
	require.EqualValues(t, 1, read())
	s.Cache = liar{}
	require.EqualValues(t, 1, read())
	_, err = s.Get(context.Background(), bcp.HashOf([]byte("not there")))
	require.ErrorIs(t, err, bcp.ErrNotFound)
}

// liar is a cache that returns other content than it was asked for.
type liar struct{}

func (liar) Get(context.Context, bcp.Hash) ([]byte, error) { return []byte("lie"), nil }
func (liar) Put(_ context.Context, body []byte) (bcp.Hash, error) {
	return bcp.HashOf(body), errors.New("full")
}
func (liar) Has(context.Context, bcp.Hash) (bool, error) { return true, nil }

// TestPayload writes a payload whose references name content in a bucket, and reads
// it with another store on the same bucket.
func TestPayload(t *testing.T) {
	bucket := memblob.OpenBucket(nil)
	defer bucket.Close()
	block := bcp.Block{Body: &bcp.Code{Lang: "rust", Path: "main.rs", Content: []byte("fn main() {}")}, Flags: bcp.FlagIsReference}
	writer := &Store{Bucket: bucket, Cache: bcp.NewMemoryStore()}
	text, err := bcp.EncodeOptions{Store: writer}.AppendEncode(context.Background(), nil, &bcp.Payload{Header: bcp.Header{Magic: "BCP"}, Blocks: []bcp.Block{block}})
	require.NoError(t, err)
	require.NotContains(t, string(text), "fn main")

	reader := (&Store{Bucket: bucket})
	p, err := bcp.DecodeOptions{Store: reader}.Decode(context.Background(), text)
	require.NoError(t, err)
	require.Equal(t, block, p.Blocks[0])
}
