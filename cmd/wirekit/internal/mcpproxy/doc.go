// Package mcpproxy is a proxy between a client and a server of the Model Context
// Protocol and lets a [mcp.Rewriter] see the results of tools. Either side is
// standard input and output, one JSON message a line, or Streamable HTTP, with
// JSON and event streams:
//
//	              server is a command   server is reached over HTTP
//	client: lines       Command                 Remote
//	client: HTTP        Spawner                 Handler
//
// Requests reach the server as the client wrote them, byte for byte where the
// transport lets them, and so do the answers that are not rewritten. What the
// proxy does not understand it forwards. It keeps no data, and sends none anywhere
// else.
package mcpproxy
