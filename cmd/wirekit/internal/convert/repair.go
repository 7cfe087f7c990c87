package convert

import (
	"bytes"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/cli"
	"github.com/wirekit/wirekit/partial"
	"github.com/wirekit/wirekit/wire"
)

// exitUnsure is the exit code of repair for what it is not sure of.
const exitUnsure = 3

// NewRepair returns the verb repair.
func NewRepair(c *cli.Console) *cobra.Command {
	var o repairOptions
	cmd := cli.NewCommand("repair", cli.AtMost(1), func(_ *cobra.Command, args []string) error { return o.run(c, cli.Argument(args)) })
	cmd.Flags().BoolVar(&o.sure, "sure", false, "refuse repairs that have another reading")
	cmd.Flags().BoolVar(&o.json, "json", false, "list the repairs as JSON on standard error")
	o.out.Add(cmd)
	return cmd
}

type repairOptions struct {
	sure, json bool
	out        cli.JSONOutput
}

// A repairLine is a repair with its place.
type repairLine struct {
	Line   int `json:"line"`
	Column int `json:"column"`
	partial.Repair
}

func (o repairOptions) run(c *cli.Console, file string) error {
	src, err := c.Read(file)
	if err != nil {
		return err
	}
	v, repairs, err := partial.Parse(src, partial.Options{Level: partial.Lenient, Limits: cli.LimitsFor(len(src))})
	list, sure := o.lines(src, repairs), true
	if cut := (*wire.Error)(nil); errors.Is(err, partial.ErrCut) && errors.As(err, &cut) && v.Kind() >= wire.KindArray {
		list = append(list, repairLine{cut.Line, cut.Column, partial.Repair{Offset: cut.Offset, Took: cutOff}})
	} else if err != nil {
		return cli.About(file, err)
	}
	for _, r := range list {
		sure = sure && r.Sure
	}
	if err := o.list(c, list); err != nil {
		return err
	}
	if !sure && o.sure {
		return cli.ExitStatus(exitUnsure)
	}
	if err := c.Print(o.out.Codec(), v, src); err != nil || sure {
		return err
	}
	return cli.ExitStatus(exitUnsure)
}

// cutOff is what a text that ends too early was taken for.
const cutOff = "what is complete of a text that is cut off"

// lines returns the repairs with their places.
func (o repairOptions) lines(src []byte, repairs []partial.Repair) (list []repairLine) {
	for _, r := range repairs {
		start := bytes.LastIndexByte(src[:r.Offset], '\n') + 1
		list = append(list, repairLine{1 + bytes.Count(src[:start], []byte{'\n'}), 1 + utf8.RuneCount(src[start:r.Offset]), r})
	}
	return list
}

// list writes the repairs to standard error.
func (o repairOptions) list(c *cli.Console, list []repairLine) error {
	if o.json {
		text, err := cli.Indented(list)
		if err == nil && len(list) > 0 {
			_, err = c.Err.Write(text)
		}
		return err
	}
	for _, r := range list {
		text := r.Repair.String()
		if r.Took == cutOff {
			text = "cut: took " + cutOff + " (not sure)"
		}
		if _, err := fmt.Fprintf(c.Err, "line %d, column %d: %s\n", r.Line, r.Column, text); err != nil {
			return err
		}
	}
	return nil
}
