// Package proxy stands between a client and a server of the Model Context
// Protocol and lets a [mcp.Rewriter] see the results of tools. A [Command] does
// so over standard input and output, with the server as a child process; a
// [Handler] over HTTP, with JSON and event streams.
//
// Requests reach the server as the client wrote them, byte for byte, and so do
// the answers that are not rewritten. What the proxy does not understand it
// forwards. It keeps no data, and sends none anywhere else.
package proxy
