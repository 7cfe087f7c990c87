package gcx

import (
	"math/bits"
	"strings"

	"github.com/wirekit/wirekit/internal/base/scan"
)

// A column's letter in types= says how its cells are read. Two things vary:
// what a filled cell is, and what an empty one is.
//
//	letter  a filled cell is                 an empty cell is
//	a       inferred                         ""
//	m       inferred or any JSON literal     a missing member
//	n       inferred or any JSON literal     null
//	s       the string                       ""
//	M       the string                       a missing member
//	N       the string                       null
//
// An inferred cell is a number, true, false, an array or an object if it reads
// as one in JSON, and else the string it is. In the columns m and n a cell may
// also be null or a string in quotation marks, which say what no plain cell
// can: they carry every value.
//
// The last letter holds for all further columns, and a header without types=
// means a. So homogeneous columns of numbers, booleans, arrays and objects, and
// strings that look like none of them, need no type at all.
const (
	letters   = "amnsMN"
	anyLetter = letterSet(1<<len(letters) - 1)
)

// A letterSet is a set of letters: those under which a cell can be written
// without quotation marks, of a column those that hold for all its cells.
type letterSet uint8

// The bit of a letter is its index in letters.
const (
	letterA letterSet = 1 << iota
	letterM
	letterN
	letterS
	letterMM
	letterNN
)

const (
	numberLetters  = letterA | letterM | letterN
	nullLetters    = letterN | letterNN
	missingLetters = letterM | letterMM
	emptyLetters   = letterA | letterS             // of ""
	literalLetters = letterS | letterMM | letterNN // of a string that looks like a number
	quotedLetters  = literalLetters | letterA      // of a string that looks like null or a quoted one
)

// firstByte says which strings of that first byte need a closer look.
var firstByte = func() (t [256]bool) {
	for _, c := range []byte(`0123456789-[{"tfn`) {
		t[c] = true
	}
	return t
}()

// stringLetters returns the letters under which s can be written as it is. The
// answer for a string with a CR is none: the document strips that from cells.
func stringLetters(s string) letterSet {
	if s == "" {
		return emptyLetters
	}
	if strings.IndexByte(s, '\r') >= 0 {
		return 0
	}
	return readableLetters(s)
}

// readableLetters is stringLetters for a string that is not empty and has no CR.
func readableLetters(s string) letterSet {
	if !firstByte[s[0]] {
		return anyLetter
	}
	switch s[0] {
	case '[', '{':
		return literalLetters
	case '"':
		return quotedLetters
	case 't', 'f':
		if s == "true" || s == "false" {
			return literalLetters
		}
	case 'n':
		if s == "null" {
			return quotedLetters
		}
	default:
		if scan.Number(s) == len(s) {
			return literalLetters
		}
	}
	return anyLetter
}

// inferred reports whether columns that each allow a set of letters need no types=.
func inferred(columns []letterSet) bool {
	all := letterA
	for _, set := range columns {
		all &= set
	}
	return all != 0
}

// appendTypes appends the text of types= for columns that need it. It looks for a
// short one: few changes of letter, and none at the end.
func appendTypes(dst []byte, columns []letterSet) []byte {
	for i := 0; i < len(columns); {
		// The run of columns that share a letter.
		common, end := columns[i], i+1
		for end < len(columns) && common&columns[end] != 0 {
			common &= columns[end]
			end++
		}
		letter := common.letter()
		if end == len(columns) {
			return append(dst, letter)
		}
		for ; i < end; i++ {
			dst = append(dst, letter)
		}
	}
	return dst
}

// letter returns the first letter of a set.
func (l letterSet) letter() byte {
	if l == 0 {
		return 'm'
	}
	return letters[bits.TrailingZeros8(uint8(l))]
}

// letterOf returns the set of one letter.
func letterOf(letter byte) letterSet { return 1 << strings.IndexByte(letters, letter) }

// verbatim reports whether the filled cells of a column are strings.
func verbatim(letter byte) bool { return letter == 's' || letter == 'M' || letter == 'N' }

// keepsEmpty reports whether an empty cell of a column is an empty string.
func keepsEmpty(letter byte) bool { return letter == 's' || letter == 'a' }

// optional reports whether an empty cell of a column is a member that is missing.
func optional(letter byte) bool { return letter == 'm' || letter == 'M' }

// columnType returns the letter of column i under types.
func columnType(types string, i int) byte {
	if types == "" {
		return 'a'
	}
	return types[min(i, len(types)-1)]
}

// afterLetters returns types= from the first character on that is not a letter.
func afterLetters(types string) string { return strings.TrimLeft(types, letters) }
