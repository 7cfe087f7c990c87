//go:build novocabulary

package tokens

// The program is built without vocabularies, because it gets them otherwise and
// counts with [Load].
var o200kData, cl100kData []byte
