package glyph

import (
	"github.com/wirekit/wirekit/internal/base/enum"
	"github.com/wirekit/wirekit/wire"
)

// A Profile says which text a value gets.
type Profile uint8

// The profiles. All texts are read alike.
const (
	// ProfileLossless keeps what the value model holds: members in their order, numbers
	// as they are spelled, the offset of times, and absent members apart from
	// null ones. A list of objects is a table where that is shorter.
	ProfileLossless Profile = iota
	// ProfileCanonical is the document's canonical form: one text per value of a reader
	// that has doubles only. Members are sorted, numbers are doubles, times are
	// in UTC, and a key that a table's row lacks is null.
	ProfileCanonical
	// ProfileExact is ProfileCanonical without its losses of content: numbers keep all their
	// digits, in one spelling each, and a key that a row lacks stays absent.
	// Equal values have one text, different values have different ones.
	ProfileExact
	// ProfileUpstream is ProfileCanonical as the reference implementation writes it since June
	// 2026: bare words of ASCII letters, digits and "_" only, more reserved
	// words, exponents from 1e+06 on for numbers that are not whole, and counts
	// in the headers of tables.
	ProfileUpstream
)

var profiles = enum.New[Profile]("glyph.Profile", "lossless", "canonical", "exact", "upstream")

// String returns the profile's name: "lossless", "canonical", "exact", "upstream".
func (p Profile) String() string { return profiles.String(p) }

// MarshalText returns the profile's name.
func (p Profile) MarshalText() ([]byte, error) { return profiles.Marshal(p) }

// UnmarshalText sets the profile of that name.
func (p *Profile) UnmarshalText(name []byte) error { return profiles.Unmarshal(p, name) }

// sorted reports whether members are in canonical order.
func (p Profile) sorted() bool { return p != ProfileLossless }

// rounds reports whether the text is made for readers that have doubles only and no absent
// cells: numbers are their nearest float64, and a key that a row lacks is written as null. In
// other profiles such a key is an empty cell, which this package reads as an absent key and
// the reference implementations read as null.
func (p Profile) rounds() bool { return p == ProfileCanonical || p == ProfileUpstream }

// loss is what a text of the profile may not give back.
func (c Codec) loss() wire.Loss {
	loss := wire.LossTag
	if c.Profile.sorted() {
		loss |= wire.LossOrder | wire.LossNumberText | wire.LossTime
	}
	if c.Reorder {
		loss |= wire.LossOrder
	}
	if c.Profile.rounds() {
		loss |= wire.LossPrecision
		if !c.NoMissing { // with NoTabular in streams
			loss |= wire.LossMissing
		}
	}
	return loss
}
