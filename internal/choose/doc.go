// Package choose finds the text of a value that takes the fewest tokens and loses nothing.
//
// The search is short. JSON is written first; then each format in its best configuration;
// then the other configurations of the best format. Texts of a few kilobytes are counted
// whole. Of longer ones as many pieces are counted as give an estimate, and those that
// come near the smallest are counted whole, smallest first, until the smallest of all is
// one that was. That one is decoded again and compared with the value; if it has lost
// something, it is out, and the next takes its place.
package choose
