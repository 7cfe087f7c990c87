// Package negotiate lets an HTTP server speak every format that it has a codec
// for: it writes a response in the format that the request's Accept header asks
// for, and reads a request's body by its Content-Type. JSON is always among them,
// and the default.
//
//	formats, err := negotiate.New(gcf.Codec{}, glyph.Codec{})
//	…
//	func orders(w http.ResponseWriter, r *http.Request) {
//		if err := formats.Write(w, r, http.StatusOK, list); err != nil {
//			log.Print(err)
//		}
//	}
//
// # Accept
//
// The header is read as RFC 9110, section 12.5.1, says. Of the media ranges that
// a codec's media type is in, the most specific one has the say: one with
// parameters (profile=graph) before one without, that before text/*, and that
// before */*. Its weight q is the codec's. The codec with the highest weight is
// chosen; among equals the one that the more specific range asks for, then the
// one that has no parameters beyond those asked for, then the first in the order
// of [New]. A codec with the weight 0 is not acceptable. The parameter charset does
// not count, since all text is UTF-8. Elements of the header that are malformed
// are passed over; a request without any that is in order accepts everything.
//
// A codec's media type is in its Info: text/toon, text/csv, application/yaml,
// application/cbor, and, of formats that have none registered,
// application/vnd.gcf+text, text/x-gcx and text/vnd.glyph. The command
// "wirekit formats --json" lists all of them.
//
// A value that a codec cannot carry, such as a nested one in CSV, goes out in the
// next acceptable format. If there is none, the response is 406 Not Acceptable and
// lists the media types that there are; if JSON cannot carry it either, it is 500.
// [Negotiator.Write] sends these responses itself, so that its error need only be
// logged. Each response has Vary: Accept, so that caches tell them apart.
//
// An ETag is the caller's. A strong one names bytes, so each format needs its own:
// add the name of the first of [Negotiator.AcceptCodecs], by its Info, to the tag of the
// data. As the format can be another one where the first does not carry the value, a
// handler for such values sends a weak tag, W/"…", or none.
//
// # Bodies
//
// A body without Content-Type is read as JSON, as is one of a media type that ends
// with +json. One in a format that there is no codec for, with a charset other than
// utf-8 and us-ascii, or with a Content-Encoding, is an error with the status 415.
// One longer than MaxBody, 16 MiB unless it is set, is 413; one that is malformed,
// breaks off or does not fit the Go value is 400. [Status] returns it.
//
// # What a program calls
//
//   - [New], then [Negotiator.Read] and [Negotiator.Write]; [Status] of the
//     error of Read.
//   - To write a body otherwise: [Negotiator.AcceptCodecs], by preference.
package negotiate
