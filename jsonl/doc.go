// Package jsonl reads and writes JSON Lines (jsonlines.org): a list of values, each as
// compact JSON on a line of its own. Blank lines are skipped when reading, and byte order
// marks at the beginning of lines, which files that were put together have.
//
//	{"id":1,"name":"ada"}
//	{"id":2,"name":"bob"}
//
// A value keeps what it keeps in JSON, see [wire.JSON]. Streams are read and written a line
// at a time; [wire.Limits] bound one line each there.
package jsonl
