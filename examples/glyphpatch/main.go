// Glyphpatch changes a document that both sides hold by sending a patch. The
// patch names the fingerprint of the state it is meant for, so that it cannot
// be applied to another.
package main

import (
	"fmt"
	"log"

	"github.com/wirekit/wirekit/glyph"
)

func main() {
	state, err := glyph.FromJSONLoose([]byte(`{"score":4,"events":["Kick-off"],"teams":["ARS","LIV"]}`))
	if err != nil {
		log.Fatal(err)
	}
	patch := glyph.NewPatchBuilder("m:123").
		WithBaseValue(state).
		Set("score", glyph.Int(5)).
		Append("events", glyph.Str("Goal!"))
	text, err := patch.AppendText(nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s\n", text)

	received, err := glyph.ParsePatch(string(text), nil)
	if err != nil {
		log.Fatal(err)
	}
	next, err := received.Apply(state)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(glyph.CanonicalizeLoose(next))

	// The same patch does not fit the new state.
	if _, err := received.Apply(next); err != nil {
		fmt.Println("refused:", err)
	}
}
