// Package lines says once what a text that a tool prints repeats: logs, output of
// tests, errors of compilers, listings, matches of a search. The result is a text
// again, in fewer tokens for a model that reads it, and [Decode] gives back the
// original, byte for byte.
//
// Three things are said once:
//
//   - What consecutive lines begin with, as a heading above them. Search tools print
//     the names of files so.
//   - Lines and blocks of lines that come again.
//   - Words and phrases that come again, in a legend.
//
// Nothing is left out, and there is no knowledge of tools in it.
//
// # What a program calls
//
//   - [Encode] with [Options], whose [Report] says what was done or why nothing was.
//   - [Decode], or [DecodeWithin] with limits, for what Encode has encoded; [Sniff]
//     tells that from other texts.
//   - [Normalize] takes out what only a terminal needs, and counts it: a loss, and
//     for callers that ask for it only ([Normalization], [Removed]).
//   - The tokens are those of a [Counter], such as the counters of package tokens.
//
// # The form
//
//	text    = head LF *( entry LF ) body
//	head    = "lines v1" [ "; $1 to $9 stand for the texts below" ]
//	          [ "; >text begins the lines under it" ]
//	          [ "; &1 repeats block 1, &*2 the line above twice" ]
//	entry   = "$" number "=" phrase
//	body    = item *( LF item ) [ LF ]
//	item    = *( octet / "$" number [ ";" ] )           a line
//	        / ">" prefix                                what the lines under it begin with
//	        / "&" number ", " number " lines:"          a block begins here
//	        / "&" number [ "*" number ] / "&*" number   lines again
//
// A text without a legend, without headings or without repeats has no such part in
// its head. The marks $ > & are what the head shows: others where a text would be
// mistaken for them, so that nothing is ever escaped. docs/lines.md has the rules.
//
// A text has one layer: what a line, an entry or a block means is not read
// again, and Encode leaves a text that begins like a head alone.
//
// # What holds
//
// The result depends on the text and the options only: not on time, load, or what was
// encoded before. Time and memory are linear in the text, and texts above 256 KB are
// left alone unless [Options] say otherwise. A text is encoded only where its tokens
// become fewer, counted over the whole result, and where decoding it was tried.
//
// Whether a model reads the result as well as the text has not been measured here.
// Headings are a form that models know from other tools, which is why Options.NoLegend
// exists.
package lines
