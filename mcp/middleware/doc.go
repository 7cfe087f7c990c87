// Package middleware rewrites the results of the tools of a server that is
// built on the official Go SDK of the Model Context Protocol, so that they cost
// a model fewer tokens. What is rewritten, and when, is said in package
// [github.com/wirekit/wirekit/mcp]; all its options are those of a Rewriter.
//
// One line does it for every tool of a server:
//
//	server.AddReceivingMiddleware(middleware.New(&mcp.Rewriter{}))
//
// [New] changes text blocks only, unless another mode is named: programs that
// read structuredContent find what they found before. The SDK has sorted
// members and rounded integers above 2^53 by then. [AddTool] takes the Go value
// itself, so that 12345678901234567890, 1.10 and -0 arrive as they are; it
// replaces structuredContent unless another mode is named, for many clients
// show their model that alone.
//
// It is a module of its own: programs that use a format of wirekit do not get
// the SDK among their requirements.
package middleware
