// Package proxy is the folder of what the doors to a model, mcp and llm, share: how a
// result becomes a shorter text, and how a proxy serves.
//
// It is above the root package, and imports neither door.
package proxy
