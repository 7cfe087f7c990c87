// Package repo is the folder of what a packer of repositories reads: commits and trees of
// git, and the heads of declarations in programs of many languages.
package repo
