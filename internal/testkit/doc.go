// Package testkit is the folder of what tests of many packages share: documents and Go
// values at random, readers and writers that misbehave, time and memory that must grow no
// faster than the input.
//
// Tests, conformance and internal/tools import it; no program contains it otherwise.
package testkit
