// Package base is the folder of what works on bytes and numbers and knows nothing of
// values, formats or Go types: scanners, decimal numbers, lines of streams, JSON text that
// is changed in places, lists that are compared, work that is spread over goroutines.
//
// Its packages import the standard library and each other only.
package base
