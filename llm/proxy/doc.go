// Package proxy forwards requests of clients to the API of a model, and rewrites the
// results of tools in requests as package llm does. It also answers POST /v1/compress,
// the call that gateways such as LiteLLM, Kong and Portkey make to a server beside them.
package proxy
