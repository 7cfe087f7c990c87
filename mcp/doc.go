// Package mcp rewrites the results of tools on their way to a model, as the
// Model Context Protocol carries them, so that they cost fewer tokens. It reads
// and writes raw JSON: what it does not change stays byte for byte, with every
// digit and in its order. It needs no SDK.
//
//	r := &mcp.Rewriter{}
//	result, event := r.RewriteResult(mcp.Call{Tool: "list_issues"}, result)
//
// # What is rewritten
//
// A result of tools/call has blocks of content and may have the same data once
// more as structuredContent. Many clients show their model only the latter, as
// JSON, and others only the former. So [ModeReplace] puts the smallest text of the
// data into one text block, takes structuredContent away and, in the results of
// tools/list, outputSchema, which promises it: clients throw away a result that
// breaks its schema. [ModeText] changes text blocks only.
//
// The text is the one that [wirekit.Chooser] finds: decoded again and compared with
// the data, to the order of members and the spelling of numbers. A rewritten block
// says in _meta, under [MetaKey], which format it is in; models are not shown that.
//
// # What is left alone
//
// Results that say isError or ask for input, that are not JSON, that are small
// or would save little, that have images, sounds, resources or links to some beside
// structuredContent which would be replaced,
// text that is not an object or an array, objects with a key twice, blocks for
// the user alone. Whenever there is a doubt the result is what it was. The
// [Event] says why.
//
// # Who has a say
//
// The user by the fields of a [Rewriter]: modes for all, for tools and for
// clients by their names. A client by what it says of the formats that it takes,
// for all its calls ([Client]) or for one ([Call]). A server by [MetaKey] in the
// _meta of a result or of a block, which keeps it as it is.
//
// It follows revision 2026-07-28 of the protocol and reads those from
// 2024-11-05 on. A call knows nothing of other calls.
//
// # What a program calls
//
//   - A server or a client that has the result at hand: [Rewriter.RewriteResult] and
//     [Rewriter.RewriteTools].
//   - A proxy that sees all messages: [Session], one for each connection.
//   - What users write: [Mode.UnmarshalText], [ParseRule].
package mcp
