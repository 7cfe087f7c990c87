package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/wirekit/wirekit/wire"
)

// pointer is a JSON pointer (RFC 6901), the value of --at. The empty one leads
// to the whole document.
type pointer string

// add adds the flag.
func (p *pointer) add(cmd *cobra.Command) {
	cmd.Flags().StringVar((*string)(p), "at", "", "part of the document to take, a JSON pointer such as /rows/0/items (default: all)")
}

// check finds what is not a pointer before anything is read.
func (p pointer) check() error {
	var e *wire.Error
	if _, err := wire.Null().At(string(p)); errors.As(err, &e) && e.Code == "invalid_pointer" {
		return usageError{p.failed(err)}
	}
	return nil
}

// in returns the part of v that the pointer leads to.
func (p pointer) in(v wire.Value) (wire.Value, error) {
	v, err := v.At(string(p))
	return v, p.failed(err)
}

// failed returns an error of the pointer's for the user who wrote it.
func (p pointer) failed(err error) error {
	var e *wire.Error
	if errors.As(err, &e) {
		return fmt.Errorf("--at %s: %s", p, e.Message)
	}
	return err
}
