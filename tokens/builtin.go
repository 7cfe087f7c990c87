//go:build !novocabulary

package tokens

import _ "embed"

//go:embed data/o200k_base.bin
var o200kData []byte

//go:embed data/cl100k_base.bin
var cl100kData []byte
