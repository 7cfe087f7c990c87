// Package tools is the folder of programs and tests that serve the repository and not its
// users: tables for the pages, releases, the fuzzing of everything, checks of the
// repository itself.
package tools
