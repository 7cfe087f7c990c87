package convert

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/cli"
	"github.com/wirekit/wirekit/partial"
	"github.com/wirekit/wirekit/wire"
)

// exitUnsure is the exit code of repair for what it is not sure of.
const exitUnsure = 3

// A repairLine is a repair with its place.
type repairLine struct {
	Line   int `json:"line"`
	Column int `json:"column"`
	partial.Repair
}

// NewRepair returns the verb repair.
func NewRepair(c *cli.Console) *cobra.Command {
	var onlySure, quoted, asJSON bool
	var out cli.JSONOutput
	cmd := cli.NewCommand("repair", cli.AtMost(1), func(_ *cobra.Command, args []string) error {
		file := cli.Argument(args)
		src, err := c.Read(file)
		if err != nil {
			return err
		}
		p := partial.NewParser(partial.Options{Level: partial.Lenient, Quoted: quoted, Limits: cli.LimitsFor(len(src))})
		_, _ = p.Write(src) // Close has the error
		err = p.Close()
		v, _ := p.Value()
		repairs, sure := p.Repairs(), true
		if errors.Is(err, partial.ErrCut) && v.Kind() >= wire.KindArray {
			repairs, err = append(repairs, p.Missing()), nil
		}
		if err != nil {
			return cli.About(file, err)
		}
		var list []repairLine
		var text []byte
		for _, r := range repairs {
			at := wire.ErrorAt(src, r.Offset, wire.Error{})
			list = append(list, repairLine{at.Line, at.Column, r})
			text = fmt.Appendf(text, "line %d, column %d: %v\n", at.Line, at.Column, r)
			sure = sure && r.Sure
		}
		if asJSON && len(list) > 0 {
			if text, err = cli.Indented(list); err != nil {
				return err
			}
		}
		if _, err := c.Err.Write(text); err != nil {
			return err
		}
		if sure || !onlySure {
			if err := c.Print(out.Codec(), v, src); err != nil || sure {
				return err
			}
		}
		return cli.ExitStatus(exitUnsure)
	})
	cmd.Flags().BoolVar(&onlySure, "sure", false, "refuse repairs that have another reading")
	cmd.Flags().BoolVar(&quoted, "quoted", false, "read a text that is one string as the JSON in it")
	cmd.Flags().BoolVar(&asJSON, "json", false, "list the repairs as JSON on standard error")
	out.Add(cmd)
	return cmd
}
