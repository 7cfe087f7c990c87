//go:build race

package wirekit_test

const raceEnabled = true
