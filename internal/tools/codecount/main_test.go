package main

import (
	"os"
	"regexp"
	"strconv"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

func TestCount(t *testing.T) {
	folders, err := count(fstest.MapFS{
		"a/a.go":        {Data: []byte("// Package a.\npackage a\n\nimport \"unsafe\" // and why\n\n/* a\nb */\nvar x = `\nunsafe.Pointer\n\nb`\n\nfunc f(p unsafe.Pointer) *int { return (*int)(unsafe.Add(p, 1)) }\n")},
		"a/a_test.go":   {Data: []byte("package a\n")},
		"a/b/b.go":      {Data: []byte("package b\n")},
		"testdata/c.go": {Data: []byte("package c\n")},
		".git/d.go":     {Data: []byte("package d\n")},
	})
	require.NoError(t, err)
	require.Equal(t, map[string]counts{"a": {6, 2}, "a/b": {1, 0}}, folders)
}

// TestAddresses: no folder has more places that use raw addresses than the page says.
func TestAddresses(t *testing.T) {
	page, err := os.ReadFile("../../../docs/architecture.md")
	require.NoError(t, err)
	folders, err := count(os.DirFS("../../.."))
	require.NoError(t, err)
	bounds := make(map[string]int)
	for _, row := range regexp.MustCompile(`(?m)^\| ([a-z/]+) \| (\d+) \|$`).FindAllStringSubmatch(string(page), -1) {
		bounds[row[1]], err = strconv.Atoi(row[2])
		require.NoError(t, err)
	}
	require.NotEmpty(t, bounds)
	for dir, n := range folders {
		require.LessOrEqual(t, n.addresses, bounds[dir], dir)
	}
}
