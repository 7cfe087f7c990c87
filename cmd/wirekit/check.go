package main

import (
	"fmt"

	"github.com/spf13/cobra"
	"github.com/wirekit/wirekit/wire"
)

func newCheck(c *console) *cobra.Command {
	var from string
	cmd := &cobra.Command{
		Use:   "check [-f FROM] [FILE…|-]",
		Short: "Check that documents are well-formed, and canonical in their format",
		Long: `Check that documents are well-formed in their format, which is detected unless
--from names it. Each is also encoded again: a document is canonical if that
gives the same bytes.`,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				args = []string{"-"}
			}
			for _, file := range args {
				line, err := checkOne(c, file, from)
				if err != nil {
					return fmt.Errorf("%s: %w", title(file), err)
				}
				if err := c.write("", []byte(line+"\n")); err != nil {
					return err
				}
			}
			return nil
		},
	}
	addFrom(cmd, &from)
	return cmd
}

func checkOne(c *console, file, from string) (string, error) {
	src, err := c.read(file)
	if err != nil {
		return "", err
	}
	defer c.progress("checking "+title(file), noCount)()
	codec, v, err := decode(src, from)
	if err != nil {
		return "", err
	}
	form := "canonical"
	if out, err := codec.AppendEncode(nil, v); err != nil || string(out) != string(src) && string(out)+"\n" != string(src) {
		form = "well-formed, not canonical"
	}
	return fmt.Sprintf("%s: %s, %s, %s", title(file), codec.Info().Name, form, size(v)), nil
}

// size says how much a value holds, in a few words.
func size(v wire.Value) string {
	var s shape
	s.add(v, 0)
	return fmt.Sprintf("%d values, depth %d", s.values, s.depth)
}
