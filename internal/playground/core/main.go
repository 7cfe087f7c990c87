//go:build js && wasm

// Command core is the playground's first program: the text formats, without those
// that take the most room. It is built with the tag novocabulary.
package main

import (
	"github.com/wirekit/wirekit/internal/playground"
	"github.com/wirekit/wirekit/internal/playground/corelist"
)

func main() { playground.Serve(corelist.Engine()) }
