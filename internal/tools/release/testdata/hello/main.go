// Command hello prints the version that a release has.
package main

var released string

func main() { println(released) }
