// Package serving is what the proxies for the Model Context Protocol and for the APIs of
// models share as HTTP servers: who may call them, and how their metrics are written.
package serving

import (
	"fmt"
	"io"
	"log"
	"maps"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"
)

// Allowed checks Host and Origin, so that a page in a browser on this machine cannot
// reach the server: with local set the host must be this machine, and origins are refused
// unless known returns true.
func Allowed(r *http.Request, local bool, known func(origin string) bool) bool {
	return (!local || IsLoopback(r.Host)) &&
		!slices.ContainsFunc(r.Header.Values("Origin"), func(origin string) bool { return !known(origin) })
}

// IsLoopback reports whether a host, with or without a port, is this machine.
func IsLoopback(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	ip := net.ParseIP(host)
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

// Query returns the query of a request to an upstream address that may have one.
func Query(upstream, request string) string {
	if upstream == "" {
		return request
	}
	return strings.TrimSuffix(upstream+"&"+request, "&")
}

// Transport returns net/http's, which would ask for packed answers itself, for one host.
// An answer must begin within the time; 0 is for no bound.
func Transport(within time.Duration) http.RoundTripper {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.DisableCompression = true
	t.MaxIdleConnsPerHost = 64
	t.ResponseHeaderTimeout = within
	return t
}

// Silent is the log of handlers that have none.
var Silent = log.New(io.Discard, "", 0)

// MetricsType is the Content-Type of metrics: the text format of Prometheus, version 0.0.4.
const MetricsType = "text/plain; version=0.0.4; charset=utf-8"

// writeHead writes what precedes the samples of a metric in the text format of
// Prometheus, version 0.0.4.
func writeHead(w io.Writer, name, kind, help string) {
	fmt.Fprintf(w, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind)
}

// WriteCounter writes a metric without labels.
func WriteCounter(w io.Writer, name, help string, n uint64) {
	writeHead(w, name, "counter", help)
	fmt.Fprintf(w, "%s %d\n", name, n)
}

// Counts are those of a metric by its labels, as they are written.
type Counts map[string]uint64

// Add counts one more.
func (c *Counts) Add(labels string) {
	if *c == nil {
		*c = make(Counts)
	}
	(*c)[labels]++
}

// Write writes them as a metric.
func (c Counts) Write(w io.Writer, name, help string) {
	writeHead(w, name, "counter", help)
	for _, labels := range slices.Sorted(maps.Keys(c)) {
		fmt.Fprintf(w, "%s{%s} %d\n", name, labels, c[labels])
	}
}

// buckets are upper bounds of the times that are counted.
var buckets = [...]time.Duration{100 * time.Microsecond, time.Millisecond, 10 * time.Millisecond, 100 * time.Millisecond, time.Second}

// Times is a histogram of times. It is not safe for concurrent use.
type Times struct {
	within [len(buckets)]uint64
	sum    time.Duration
	count  uint64
}

// Observe counts a time.
func (t *Times) Observe(d time.Duration) {
	t.count++
	t.sum += d
	for i, most := range buckets {
		if d <= most {
			t.within[i]++
		}
	}
}

// Write writes the histogram as a metric.
func (t *Times) Write(w io.Writer, name, help string) {
	writeHead(w, name, "histogram", help)
	for i, most := range buckets {
		fmt.Fprintf(w, "%s_bucket{le=\"%g\"} %d\n", name, most.Seconds(), t.within[i])
	}
	fmt.Fprintf(w, "%s_bucket{le=\"+Inf\"} %d\n%s_sum %g\n%s_count %d\n", name, t.count, name, t.sum.Seconds(), name, t.count)
}

// A Body is one of which a part has been read.
type Body struct {
	io.Reader
	io.Closer
}

// Reply answers a request with JSON.
func Reply(w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(body)
}
