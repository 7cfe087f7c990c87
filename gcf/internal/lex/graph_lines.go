package lex

import (
	"slices"
	"strconv"
	"strings"
)

// What a group header can have instead of a count.
const (
	countNone     = -1
	CountDeferred = -2 // [?]
)

// GroupHeader reads the current line as a group header: where its name is, and
// its count.
func (l *Lines) GroupHeader() (name, stop, declared int) {
	i := l.Start + len("##")
	name = l.SkipBlanks(i, l.End)
	if name == i {
		l.RefuseSyntax(l.Start, "invalid_group_header", `a group header is "## " and a name`)
	}
	stop = wordEnd(l.Doc, name, l.End)
	if n := strings.IndexByte(l.Doc[name:stop], '['); n >= 0 {
		stop = name + n
	}
	at := l.SkipBlanks(stop, l.End)
	if at == l.End {
		return name, stop, countNone
	}
	if l.Doc[at] != '[' {
		l.RefuseSyntax(at, "invalid_group_header", "characters after the group's name")
	}
	declared, next := l.bracketCount(at)
	if l.SkipBlanks(next, l.End) != l.End {
		l.RefuseSyntax(next, "invalid_group_header", "characters after the group's count")
	}
	return name, stop, declared
}

// bracketCount reads [N] or [?] at i, and returns the count and the position
// after the bracket.
func (l *Lines) bracketCount(i int) (n, next int) {
	n, next = CountDeferred, i+1
	if next < l.End && l.Doc[next] == '?' {
		next++
	} else {
		n, next = l.Count(next, l.End)
	}
	if next == i+1 || next == l.End || l.Doc[next] != ']' {
		l.RefuseSyntax(next, "invalid_count", "a count is 0, a number without leading zeros, or ?")
	}
	return n, min(next+1, l.End)
}

// Word returns the word at i, which spaces before end delimit, and where the
// next one begins; end if there is none.
func (l *Lines) Word(i, end int) (stop, next int) {
	stop = Delimiter(l.Doc[:end], i, ' ')
	for next = stop; next < end && l.Doc[next] == ' '; next++ {
	}
	return stop, next
}

// MaxWords is one more than any line has.
const MaxWords = 7

// Words returns where the words of the current line begin and end, and how many
// there are; maxWords are counted, no more.
func (l *Lines) Words(at *[MaxWords][2]int) int {
	n := 0
	for i := l.Start; i < l.End && n < MaxWords; n++ {
		at[n][0] = i
		at[n][1], i = l.Word(i, l.End)
	}
	return n
}

// SymbolID reads an id with its @ as text[i:end].
func (l *Lines) SymbolID(i, end int) int {
	n, ok := l.IdDigits(i+1, end)
	if !ok || l.Doc[i] != '@' {
		l.RefuseSyntax(i, "invalid_symbol_id", "an id is @ and a number")
	}
	return n
}

// IdDigits reads text[i:end] as digits; ids may have leading zeros.
func (l *Lines) IdDigits(i, end int) (int, bool) {
	if i >= end || end-i > maxIDDigits {
		return 0, false
	}
	n := 0
	for _, c := range []byte(l.Doc[i:end]) {
		if c-'0' > 9 {
			return 0, false
		}
		n = n*10 + int(c-'0')
	}
	return n, true
}

// The names of groups by the distance of their symbols (section 6a); those that are farther
// have it after the prefix.
var groups = [...]string{"targets", "related", "extended"}

const farGroup = "distance_"

// AppendGroupName appends the name of the group of a distance.
func AppendGroupName(dst []byte, distance int) []byte {
	if distance < len(groups) {
		return append(dst, groups[distance]...)
	}
	return strconv.AppendInt(append(dst, farGroup...), int64(distance), 10)
}

// GroupDistance returns the distance of the symbols in the group whose name is
// text[i:end], and whether there is such a group.
func (l *Lines) GroupDistance(i, end int) (int, bool) {
	name := l.Doc[i:end]
	if distance := slices.Index(groups[:], name); distance >= 0 {
		return distance, true
	}
	if !strings.HasPrefix(name, farGroup) {
		return 0, false
	}
	n, next := l.Count(i+len(farGroup), end)
	return n, next == end && next > i+len(farGroup)
}
