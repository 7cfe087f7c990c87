package wire

import (
	"cmp"
	"context"
	"io"
	"iter"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/wirekit/wirekit/internal/base/lineio"
)

// A Transcoder copies the records of a stream to a stream in another format, on all
// processors: where both formats are of this module and their streams can be cut between
// records, several goroutines decode and encode a part of the stream each, and what they
// made is written in its order. Bytes, errors and their positions are those that one
// goroutine gives, which copies all other streams. A panic or [runtime.Goexit] on another
// goroutine, in a reader or Check, happens on the caller's in its turn.
//
// A few parts are held for each goroutine, of 128 KiB or one record each. Before
// the copy waits for the reader, it writes the records that it has: a stream whose
// records come one by one leaves as it comes.
type Transcoder struct {
	From, To Streamer
	// Workers is how many goroutines decode and encode: 0 for one a processor, up
	// to 8; 1 for the caller's alone.
	Workers int
	// Keys are the members that records have, for formats with a header; nil for
	// those of the first record.
	Keys *Keys
}

// maxWorkers is how many goroutines work at most unless more are asked for: one
// cuts and one writes for all of them.
const maxWorkers = 8

// Transcode copies the records of r to w, to the end of r or the first error, and returns
// how many were written whole. The records before an error are written, whole and without
// what the format has at its end, so that readers can see that the stream was cut off if
// the format lets them; TOON, which begins with the number of its records, is written as a
// document of those there are. An error about a record, or because of which it could not
// be written, names the record, which is the one after those.
//
// Once ctx is done nothing more is read, and its error is that of the reader; a call of
// r.Read that is going on is waited for.
//
// After an error a call of r.Read may still be going on, so that r must not be read
// again, but may be closed if that is safe meanwhile, as with files and connections.
func (c Transcoder) Transcode(ctx context.Context, w io.Writer, r io.Reader) (records int, err error) {
	var n atomic.Int64
	err = c.transcode(ctx, w, r, &n, nil)
	return int(n.Load()), err
}

// transcode is [internal.Transcode].
func (c Transcoder) transcode(ctx context.Context, w io.Writer, r io.Reader, copied *atomic.Int64, check func(record, header *Keys) error) error {
	cp := &copying{ctx: ctx, c: c, w: w, keys: c.Keys, serial: true, copied: copied, check: check}
	err := cp.records(flushingReader{r, cp})
	n := cp.count()
	switch {
	case err == nil:
		if err = cp.close(); err == nil || cp.out == nil || cp.out.Written() >= n {
			return err
		}
		n = cp.out.Written()
	case cp.out != nil:
		n, err = lineio.Stop(cp.out, n, err)
	}
	copied.Store(int64(n))
	return &lineio.RecordError{Record: n + 1, Err: err}
}

// copying is one copy. Its methods run on the caller's goroutine.
type copying struct {
	ctx    context.Context
	c      Transcoder
	copied *atomic.Int64
	check  func(record, header *Keys) error
	w      io.Writer
	keys   *Keys
	out    RecordWriter
	last   *Keys
	source lineio.Split[Value]
	serial bool // no other goroutine reads
}

// count returns the number of records copied so far.
func (cp *copying) count() int { return int(cp.copied.Load()) }

// A flushingReader has the records written that there are before it is read, and ends
// with the context.
type flushingReader struct {
	r  io.Reader
	cp *copying
}

// Read implements [io.Reader].
func (f flushingReader) Read(p []byte) (int, error) {
	if err := f.cp.ctx.Err(); err != nil {
		return 0, err
	}
	if f.cp.serial && f.cp.out != nil {
		if err := f.cp.out.Flush(); err != nil {
			return 0, err
		}
	}
	return f.r.Read(p)
}

// records copies the records of r. Its error is about the one that follows those
// copied.
func (cp *copying) records(r io.Reader) error {
	workers := cmp.Or(cp.c.Workers, min(runtime.GOMAXPROCS(0), maxWorkers))
	if workers > 1 {
		if parts := describe(cp.c.From).Parts; parts != nil {
			return cp.parts(parts.Split(cp.c.From, r), workers)
		}
	}
	return cp.copy(ViewRecords(cp.c.From, r))
}

// copy copies records one by one.
func (cp *copying) copy(records iter.Seq2[Value, error]) error {
	for record, err := range records {
		if err == nil {
			err = cp.write(record)
		}
		if err != nil {
			return err
		}
		cp.copied.Add(1)
	}
	return nil
}

func (cp *copying) write(record Value) (err error) {
	object := record.Kind() == KindObject
	if cp.out == nil {
		if object && cp.keys == nil {
			cp.keys = record.Keys()
		}
		if cp.out, err = cp.c.To.NewRecordWriter(cp.w, cp.keys); err != nil {
			return err
		}
	}
	if object && cp.check != nil && record.Keys() != cp.last {
		cp.last = record.Keys()
		if err := cp.check(cp.last, cp.keys); err != nil {
			return err
		}
	}
	return cp.out.Write(record)
}

// close ends the output, also one without records.
func (cp *copying) close() (err error) {
	if cp.out == nil {
		if cp.out, err = cp.c.To.NewRecordWriter(cp.w, cp.keys); err != nil {
			return err
		}
	}
	return cp.out.Close()
}

// copySerially copies the records of a part.
func (cp *copying) copySerially(p lineio.Part) error {
	err := cp.copy(cp.source.Records(p, cp.count()))
	cp.done(p)
	return err
}

// done tells parts that want to know it that the records of a part are written.
func (cp *copying) done(p lineio.Part) {
	if d, ok := cp.source.(interface{ Done(lineio.Part) }); ok {
		d.Done(p)
	}
}

// parts copies the records of parts: in order until there is a writer, and then
// with the help of others.
func (cp *copying) parts(source lineio.Split[Value], workers int) error {
	cp.source = source
	var p lineio.Part
	for {
		var err error
		if p, err = source.Next(p.Text); err != nil {
			return err
		}
		if err := cp.copySerially(p); err != nil || p.Rest != nil {
			return err
		}
		if w, ok := cp.out.(forkingWriter); ok {
			return cp.copyParallel(w, workers)
		}
	}
}

// A job is a part on its way through the goroutines. Each has it by itself.
type job struct {
	part   lineio.Part
	err    error // of Next
	before int   // as far as can be told, how many records are before it; -1 if unknown
	serial bool  // left to the caller's goroutine
	ready  chan struct{}

	text     []byte
	ends     []int // in text, of the records
	numbered bool  // text depends on before
	ok       bool  // every record is in text
}

// maxPart is the length from which a part is left to the caller's goroutine, so
// that only one is held, and of the text that a part may become.
const maxPart = 1 << 20

// A workerPool is what the goroutines share.
type workerPool struct {
	cp      *copying
	w       forkingWriter
	free    chan *job     // to be filled
	todo    chan *job     // to be encoded
	ordered chan *job     // to be written, in order
	next    chan struct{} // a part that was left to the caller's goroutine is written
	stop    chan struct{}
	busy    sync.WaitGroup
	died    func() // ends the caller's goroutine as that was ended which read
	// drift is how many more records there were before the part written last than
	// could be told from the parts.
	drift atomic.Int64
}

// copyParallel copies the parts that are left.
func (cp *copying) copyParallel(w forkingWriter, workers int) error {
	n := 2*workers + 2
	p := &workerPool{cp: cp, w: w, free: make(chan *job, n), todo: make(chan *job, n), ordered: make(chan *job, n), next: make(chan struct{}, 1), stop: make(chan struct{})}
	for range n {
		p.free <- &job{ready: make(chan struct{}, 1)}
	}
	defer p.busy.Wait()
	defer close(p.stop)
	cp.serial = false
	go p.cut(cp.count())
	for range workers {
		p.busy.Add(1)
		go p.work(&worker{workerPool: p, fork: w.Fork()})
	}
	for {
		var j *job
		var more bool
		select {
		case j, more = <-p.ordered:
		default: // waits for the reader
			if err := w.Flush(); err != nil {
				return err
			}
			j, more = <-p.ordered
		}
		if !more {
			if p.died == nil {
				return nil
			}
			_ = w.Flush() // what was read before
			p.died()
		}
		if err := p.write(j); err != nil {
			return err
		}
		p.recycle(j)
	}
}

// cut hands out parts to the last one. It ends when the caller does, or when the
// reader that it waits for has returned.
func (p *workerPool) cut(before int) {
	p.died = runtime.Goexit
	defer func() {
		if fault := recover(); fault != nil {
			p.died = func() { panic(fault) }
		}
		close(p.ordered)
	}()
	for last := false; !last; {
		var j *job
		select {
		case j = <-p.free:
		case <-p.stop:
			return
		}
		j.part, j.err = p.cp.source.Next(j.part.Text)
		j.before = before
		if j.part.Records < 0 || before < 0 {
			before = -1
		} else {
			before += j.part.Records
		}
		last = j.err != nil || j.part.Rest != nil
		serial := last || len(j.part.Text) > maxPart
		if j.serial = serial; !serial {
			p.todo <- j
		}
		p.ordered <- j
		if serial && !last {
			select {
			case <-p.next:
			case <-p.stop:
				return
			}
		}
	}
	p.died = nil
}

// work encodes parts.
func (p *workerPool) work(w *worker) {
	stopped := false
	defer func() {
		if stopped {
			p.busy.Done()
		} else {
			go p.work(w) // Goexit has ended the goroutine
		}
	}()
	for {
		select {
		case <-p.stop:
			stopped = true
			return
		case j := <-p.todo:
			w.encode(j)
		}
	}
}

type worker struct {
	*workerPool
	fork     lineio.Appender[Value]
	last     *Keys // of the last object
	numbered bool  // records here have needed their number
}

// encode makes the text of a part. Whatever does not work out, a bad record above
// all, is left to the caller's goroutine, which sees the same in its place.
func (w *worker) encode(j *job) {
	j.text, j.ends, j.ok = j.text[:0], j.ends[:0], false
	defer func() {
		_ = recover() // the caller's goroutine will panic as well
		j.ready <- struct{}{}
	}()
	if j.before >= 0 {
		j.before += int(w.drift.Load())
	}
	j.numbered = w.numbered
	for record, err := range w.cp.source.Records(j.part, 0) {
		if err != nil || !w.add(j, record) || len(j.text) > maxPart {
			return
		}
	}
	j.ok = true
}

// add appends a record.
func (w *worker) add(j *job, record Value) bool {
	if record.Kind() == KindObject && record.Keys() != w.last {
		if check := w.cp.check; check != nil && check(record.Keys(), w.cp.keys) != nil {
			return false
		}
		w.last = record.Keys()
	}
	for {
		before := -1
		if j.numbered && j.before >= 0 {
			before = j.before + len(j.ends)
		}
		var ok bool
		var err error
		j.text, ok, err = w.fork.AppendRecord(j.text, record, before)
		if err == nil && ok {
			j.ends = append(j.ends, len(j.text))
			return true
		}
		if err != nil || j.numbered {
			return false
		}
		j.numbered, w.numbered = true, true
	}
}

// write writes a part in its turn.
func (p *workerPool) write(j *job) error {
	if j.err != nil {
		return j.err
	}
	if !j.serial {
		<-j.ready
	}
	if j.part.Rest != nil {
		p.cp.serial = true
	}
	before := p.cp.count()
	serially := j.serial || !j.ok || j.numbered && j.before != before
	if !serially {
		err := p.w.Join(j.text, j.ends)
		if err != nil && err != lineio.ErrSparse {
			return err
		}
		serially = err != nil // Write returns the error of the record
	}
	if serially {
		if err := p.cp.copySerially(j.part); err != nil {
			return err
		}
	} else {
		p.cp.copied.Add(int64(len(j.ends)))
		p.cp.done(j.part)
	}
	p.drift.Add(int64(p.cp.count() - before - j.part.Records))
	return nil
}

// recycle gives a job back, without what is too large to be kept.
func (p *workerPool) recycle(j *job) {
	if cap(j.part.Text) > maxPart {
		j.part.Text = nil
	}
	if cap(j.text) > 2*maxPart {
		j.text = nil
	}
	if j.serial {
		p.next <- struct{}{}
	}
	p.free <- j
}
