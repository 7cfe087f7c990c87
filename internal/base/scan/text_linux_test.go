package scan_test

import (
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTextStaysInside looks at texts that begin or end where memory does.
func TestTextStaysInside(t *testing.T) {
	page := syscall.Getpagesize()
	memory, err := syscall.Mmap(-1, 0, 3*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	require.NoError(t, err)
	defer func() { require.NoError(t, syscall.Munmap(memory)) }()
	for i := range memory {
		memory[i] = 'x'
	}
	require.NoError(t, syscall.Mprotect(memory[:page], syscall.PROT_NONE))
	require.NoError(t, syscall.Mprotect(memory[2*page:], syscall.PROT_NONE))
	inside := memory[page : 2*page]
	for n := range 130 {
		for _, i := range []int{0, n / 2, n} {
			checkText(t, inside, 0, n, i/2, i)
			checkText(t, inside, page-n, page, i/2, i)
			if n > 0 {
				inside[page-1] = '"'
				checkText(t, inside, page-n, page, i/2, i)
				inside[page-1] = 'x'
			}
		}
	}
}
