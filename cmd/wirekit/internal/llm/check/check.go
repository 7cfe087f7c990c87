package check

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/cli"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/rewriting"
	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/base/splice"
	"github.com/wirekit/wirekit/internal/proxy/rewrite"
	"github.com/wirekit/wirekit/wire"
)

// New returns the verb check of llm.
func New(c *cli.Console) *cobra.Command {
	var asJSON bool
	var address, at string
	var headers []string
	o := Options{Wait: 5 * time.Second}
	cmd := cli.NewCommand("llm-check", cli.AtMost(0), func(*cobra.Command, []string) (err error) {
		if o.Header, err = rewriting.Headers(headers); err != nil {
			return err
		}
		proxy, err := rewriting.ParseAddress("--proxy", at)
		if err != nil {
			return err
		}
		l, _, _, err := rewriting.Listen(address, "none is needed") // who calls gets made-up answers
		if err != nil {
			return err
		}
		o.Proxy = proxy.String()
		found, err := Run(l, o)
		if err != nil {
			return err
		}
		if err := c.Show(asJSON, found); err != nil {
			return err
		}
		if slices.ContainsFunc(found, func(f Finding) bool { return len(f.Faults) > 0 }) {
			return cli.ExitStatus(cli.ExitInput)
		}
		return nil
	})
	cmd.Flags().StringVar(&address, "listen", "127.0.0.1:8788", "be the API on this address, which is the proxy's upstream")
	cmd.Flags().StringVar(&at, "proxy", "", "where the proxy is, such as http://127.0.0.1:8787")
	cmd.Flags().StringVar(&o.Model, "model", "gpt-5", "the model in requests, as the proxy knows it")
	cmd.Flags().StringArrayVar(&headers, "header", nil, "a header of requests; ${NAME} is taken from the environment")
	cli.AddJSON(cmd, &asJSON)
	return cmd
}

// Options say what is checked.
type Options struct {
	Proxy  string        // its address, to which the paths of APIs are added
	Model  string        // in requests
	Header http.Header   // of requests, beside what is sent anyway
	Wait   time.Duration // for an event to arrive
}

// A Finding is what a check of an API has found.
type Finding struct {
	API   string `json:"api"`
	Check string `json:"check"`
	// Skipped is why nothing was checked: the proxy does not have the API.
	Skipped string   `json:"skipped,omitempty"`
	Faults  []string `json:"faults"`
}

// Findings are those of all checks of all APIs.
type Findings []Finding

// String is what people read.
func (all Findings) String() string {
	var w cli.Table
	for _, f := range all {
		switch {
		case f.Skipped != "":
			w.Row(f.API, f.Check, "skipped: "+f.Skipped)
		case len(f.Faults) == 0:
			w.Row(f.API, f.Check, "holds")
		}
		for _, fault := range f.Faults {
			w.Row(f.API, f.Check, fault)
		}
	}
	return cli.Printable(w.String())
}

// Run serves the API on l and calls the proxy, whose API that must be.
func Run(l net.Listener, o Options) (found Findings, err error) {
	c := &checker{o: o}
	server := http.Server{Handler: c, ReadHeaderTimeout: time.Minute}
	go func() { _ = server.Serve(l) }() // it always ends with an error
	defer server.Close()
	for _, c.shape = range shapes {
		for _, check := range checks {
			c.Finding = Finding{API: c.shape.name, Check: check.name, Faults: []string{}}
			check.run(c)
			if c.err != nil {
				return nil, fmt.Errorf("%s, %s: %w", c.shape.name, check.name, c.err)
			}
			found = append(found, c.Finding)
			if c.Skipped != "" {
				break
			}
		}
	}
	if !slices.ContainsFunc(found, func(f Finding) bool { return f.Skipped == "" }) {
		return nil, fmt.Errorf("nothing arrives at the API, whose address must be the proxy's upstream: %s", c.Skipped)
	}
	return found, nil
}

// checks are made in this order; the first finds out whether the proxy has an API.
var checks = []struct {
	name string
	run  func(c *checker)
}{
	{"prefix", (*checker).prefix}, {"members", (*checker).members}, {"answers", (*checker).answers},
	{"retry", (*checker).retry}, {"stream", (*checker).stream}, {"cut stream", (*checker).cut},
}

// A checker makes a check, as the client and as the API. After an error its requests have
// no answers.
type checker struct {
	Finding
	o     Options
	shape shape
	err   error
	seen  cli.Count // bytes of the answer that the client has

	mu     sync.Mutex // while the API answers
	last   exchange
	answer http.HandlerFunc
}

// An exchange is what came of a request on both sides.
type exchange struct {
	// The request as it came to the API the last time, and how often it did.
	sent    http.Header
	request []byte
	times   int

	// The answer as it came to the client.
	status int
	header http.Header
	body   []byte
	err    error // before the body's end
}

func (c *checker) fault(format string, args ...any) {
	c.Faults = append(c.Faults, fmt.Sprintf(format, args...))
}

// ServeHTTP is the API's side.
func (c *checker) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil || r.Method != http.MethodPost { // what a proxy asks of its own accord
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last = exchange{sent: r.Header, request: body, times: c.last.times + 1}
	c.answer(w, r)
}

// attempts is the header in which SDKs count attempts.
const attempts = "X-Stainless-Retry-Count"

// client follows no redirects and asks for nothing of its own.
var client = http.Client{
	Transport:     &http.Transport{DisableCompression: true, DisableKeepAlives: true},
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// send sends the request of a turn, which the API answers so.
func (c *checker) send(turn int, stream bool, attempt string, answer http.HandlerFunc) exchange {
	c.mu.Lock()
	c.last, c.answer = exchange{}, answer
	c.mu.Unlock()
	c.seen.Store(0)
	path, body := c.shape.request(c.o.Model, turn, stream)
	within, cancel := context.WithTimeout(context.Background(), c.o.Wait+time.Minute)
	defer cancel()
	req, err := http.NewRequestWithContext(within, http.MethodPost, strings.TrimSuffix(c.o.Proxy, "/")+path, bytes.NewReader(body))
	resp := new(http.Response)
	if err == nil {
		maps.Copy(req.Header, c.o.Header)
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set(attempts, attempt)
		resp, err = client.Do(req)
	}
	if err != nil {
		c.err = cmp.Or(c.err, err)
		return exchange{}
	}
	defer resp.Body.Close()
	answered, bad := io.ReadAll(io.TeeReader(resp.Body, &c.seen))
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last.status, c.last.header, c.last.body, c.last.err = resp.StatusCode, resp.Header, answered, bad
	return c.last
}

// prefix checks that a turn begins with the one before.
func (c *checker) prefix() {
	var before []byte
	for turn := range turns + 1 {
		x := c.send(turn, false, "0", reply(http.StatusOK, c.shape.answer))
		if turn == 0 && x.times == 0 {
			c.Skipped = fmt.Sprintf("the proxy answers %d itself: %.100q", x.status, x.body)
			return
		}
		list := rewrite.Messages(x.request)
		if list == nil {
			c.fault("turn %d arrives without messages: %s", turn, excerpt(x.request))
			return
		}
		if at, where := difference(before, x.request[:min(len(before), len(x.request))]); where != "" {
			place := "outside the messages"
			if message := slices.IndexFunc(list, func(s splice.Span) bool { return at < s.End }); at >= list[0].Start && message >= 0 {
				place = fmt.Sprintf("in message %d", message)
			}
			c.fault("turn %d does not begin with turn %d, %s: %s", turn, turn-1, place, where)
		}
		before = x.request[:list[len(list)-1].End]
	}
}

// members checks that the members of objects arrive in their order.
func (c *checker) members() {
	x := c.send(turns, false, "0", reply(http.StatusOK, c.shape.answer))
	_, body := c.shape.request(c.o.Model, turns, false)
	was, err := wire.JSON{}.Decode(body)
	is, bad := wire.JSON{}.Decode(x.request)
	if err := cmp.Or(err, bad); err != nil {
		c.fault("a request does not arrive as JSON: %v", err)
		return
	}
	if loss, at := wire.Internal.DifferenceBeyond(^wire.LossOrder, was, is); loss != 0 {
		c.fault("members arrive in another order: %s", cmp.Or(at, "those of the request"))
	}
}

// headers are those of answers that clients act on.
var headers = map[string]string{"Content-Type": "application/json", "Retry-After": "0", "X-Should-Retry": "false", "X-Request-Id": "req_1"}

// reply returns what answers with a status and a body.
func reply(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for name, value := range headers {
			w.Header().Set(name, value)
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body) // the client sees what lacks
	}
}

// answers checks that an answer and errors arrive as they were sent.
func (c *checker) answers() {
	for _, status := range []int{200, 400, 401, 403, 404, 413, 422, 429, 500, 503, 529} {
		body := fail
		if status == http.StatusOK {
			body = c.shape.answer
		}
		x := c.send(1, false, "0", reply(status, body))
		for _, name := range slices.Sorted(maps.Keys(headers)) {
			if have := x.header.Get(name); have != headers[name] {
				c.fault("the header %s of an answer %d arrives as %q, not %q", name, status, have, headers[name])
			}
		}
		c.compare(x, status, body)
	}
}

// compare finds what of an answer did not arrive as it was sent.
func (c *checker) compare(x exchange, status int, body string) {
	if x.status != status {
		c.fault("an answer %d arrives as %d", status, x.status)
	}
	if _, where := difference([]byte(body), x.body); where != "" {
		c.fault("the body of an answer %d does not arrive as it was sent: %s", status, where)
	}
	if x.err != nil {
		c.fault("an answer %d ends early: %v", status, x.err)
	}
}

// retry checks that a second attempt of the client's arrives as the first one did, and that
// the proxy makes none of its own.
func (c *checker) retry() {
	first := c.send(2, false, "0", reply(http.StatusTooManyRequests, fail))
	second := c.send(2, false, "1", reply(http.StatusOK, c.shape.answer))
	if first.times > 1 {
		c.fault("the proxy makes %d attempts before the client knows of an error 429", first.times)
	}
	if _, where := difference(first.request, second.request); where != "" {
		c.fault("the second attempt arrives otherwise than the first: %s", where)
	}
	if have := second.sent.Get(attempts); have != "1" {
		c.fault("the header %s arrives as %q, not \"1\"", attempts, have)
	}
}

// stream checks that each event of a stream arrives before the next is sent.
func (c *checker) stream() {
	c.compare(c.send(1, true, "0", c.sendEvents), http.StatusOK, c.shape.stream)
}

// cut checks that a stream that is cut off does not arrive as a whole one.
func (c *checker) cut() {
	x := c.send(1, true, "0", func(w http.ResponseWriter, r *http.Request) {
		c.sendEvents(w, r)
		panic(http.ErrAbortHandler)
	})
	if c.Faults = c.Faults[:0]; x.err == nil { // stream says what is late
		c.fault("a stream that the API cuts off ends as if it were whole")
	}
}

// sendEvents sends the events of a stream, each when the client has those before it.
func (c *checker) sendEvents(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	sent, late := int64(0), false
	for event := range strings.SplitAfterSeq(c.shape.stream, "\n\n") {
		_, _ = io.WriteString(w, event) // the client sees what lacks
		_ = http.NewResponseController(w).Flush()
		sent += int64(len(event))
		for end := time.Now().Add(c.o.Wait); !late && c.seen.Load() < sent; time.Sleep(time.Millisecond) {
			if late = time.Now().After(end); late {
				c.fault("events are held back, or joined with later ones: %s had not arrived %v after it was sent", excerpt([]byte(event)), c.o.Wait)
			}
		}
	}
}

// difference returns where two texts differ first, and how; "" if they do not.
func difference(sent, got []byte) (at int, how string) {
	if bytes.Equal(sent, got) {
		return 0, ""
	}
	at = scan.CommonPrefix(sent, got)
	return at, fmt.Sprintf("byte %d, %s, is %s", at, excerpt(sent[at:]), excerpt(got[at:]))
}

func excerpt(text []byte) string {
	if len(text) == 0 {
		return "missing"
	}
	return fmt.Sprintf("%.30q", text)
}
