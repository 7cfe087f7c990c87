//go:build js && wasm

// Command full is the playground's second program: all formats and context packs.
// It is built with the tag novocabulary.
package main

import (
	"github.com/wirekit/wirekit/internal/playground"
	"github.com/wirekit/wirekit/internal/playground/packview"
)

func main() { playground.Serve(packview.Engine()) }
