// Package partial reads JSON while a model writes it, and JSON that a model wrote with
// mistakes.
//
// A [Parser] takes a text in pieces and has, after each of them, the value so far:
//
//	p := partial.NewParser(partial.Options{Limits: wire.Untrusted()})
//	for piece := range pieces {
//		if _, err := p.WriteString(piece); err != nil {
//			return err
//		}
//		v, ok := p.Value()
//		…
//	}
//	err := p.Close() // wraps ErrCut if the text ends too early
//
// What has been shown changes only by growing: strings by what is appended to them, arrays
// and objects by elements and members, and nothing that is complete changes. A number is
// shown once what follows says that it has ended, for 12 may become 123, and a word once it
// is whole. The one exception is a key that an object has twice, whose last value counts; it
// is listed as a repair.
//
// What can be read in one way only is repaired as far as the [Level] allows, and every
// [Repair] is listed. What can be read in two ways is an error, and so is what seems to lack
// something: nothing is guessed, and nothing is left out in silence.
//
// A level changes what else is accepted, and never what a correct text means. At Strict a
// text has the value that [wire.JSON] gives it, or the same error at the same place.
package partial
