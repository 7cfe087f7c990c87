//go:build !linux && !darwin

package faulty

func special(func(error), func(what string) string) {}
