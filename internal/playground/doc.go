// Package playground is the program of the playground's page: it answers
// requests in JSON, so that a page, a worker or Node can call it with nothing but
// bytes.
//
// A request is a JSON object, its head, and a body of bytes; so is the answer.
// Which one it is is in the head's member op:
//
//	formats                       what there is: the formats, the vocabularies that are loaded
//	vocabulary name               the body is a vocabulary in binary form, to count with
//	open       from?              the body is a document, which the later requests are about
//	card       format counter?    the document in a format, measured; the body is the text
//	convert    from? to           the body is a document, the answer's body the same in another format
//	compare    from? counter all? the body is a document, the answer its measure in every format
//	count      counter            the body is a text
//	pieces     counter most?      the body is a text, the answer's body the ends of its tokens
//
// Ends and positions are in UTF-16 code units, as JavaScript counts, and ends are
// 32 bits each, little endian. An answer that is an error has a member error with
// message, and where they are known format, code, hint, line, column, offset,
// at (the offset in UTF-16 code units), path and excerpt.
//
// The programs that a page loads are in the folders core and full. Core has the
// text formats and is small, so that a page is soon of use; full has all formats and
// package packview.
package playground
