package scan

import "math/bits"

// This file has the portable form of what text_amd64.s has in SSE2.

// textEnd is [TextEnd].
func textEnd[T Bytes](b T, i int) (end int, beyond uint64) {
	// It is StringStops for four words.
	const low, quote, slash, ones = 2 * Ones, 0x21 * Ones, '\\' * Ones, Ones
	for i+32 <= len(b) {
		words := b[i : i+32]
		w, x, y, z := Load64(words, 0), Load64(words, 8), Load64(words, 16), Load64(words, 24)
		beyond |= w | x | y | z
		w = ((w ^ low - quote) | (w ^ slash - ones)) &^ w
		x = ((x ^ low - quote) | (x ^ slash - ones)) &^ x
		y = ((y ^ low - quote) | (y ^ slash - ones)) &^ y
		z = ((z ^ low - quote) | (z ^ slash - ones)) &^ z
		if (w|x|y|z)&Highs == 0 {
			i += 32
			continue
		}
		at := 24
		if y &= Highs; y != 0 {
			z, at = y, 16
		}
		if x &= Highs; x != 0 {
			z, at = x, 8
		}
		if w &= Highs; w != 0 {
			z, at = w, 0
		}
		return i + at + bits.TrailingZeros64(z&Highs)/8, beyond & Highs
	}
	for i < len(b) && b[i] != '"' && b[i] != '\\' && b[i] >= 0x20 {
		beyond |= uint64(b[i])
		i++
	}
	return i, beyond & Highs
}

// portableMoveText is moveText.
func portableMoveText(dst []byte, s string, i int) (end int, beyond uint64) {
	end, beyond = textEnd(s, i)
	copy(dst, s[i:end])
	return end, beyond
}
