// Command wirekit converts, compares and checks documents in the wire formats
// made for language models. "wirekit help" lists what it does.
//
// It exits with 0 when it did what was asked, 1 when the input is malformed or
// cannot be carried by the format asked for (the message says where and why,
// and nothing is written), and 2 when it was called wrongly.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
	"github.com/wirekit/wirekit/wire"
)

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// Exit codes.
const (
	exitOK    = 0
	exitInput = 1
	exitUsage = 2
)

// run executes one command line and returns the exit code.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	root := newRoot(&console{in: stdin, out: stdout, err: stderr})
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(context.Background())
	if err == nil {
		return exitOK
	}
	report(stderr, err)
	var usage usageError
	if errors.As(err, &usage) || errors.Is(err, wire.ErrUnknownFormat) {
		return exitUsage
	}
	return exitInput
}

// usageError is a wrong call, as opposed to wrong input.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func newRoot(c *console) *cobra.Command {
	root := &cobra.Command{
		Use:   "wirekit",
		Short: "Convert, compare and check wire formats made for language models",
		Long: `wirekit sends structured data to language models in fewer tokens than JSON.

It converts documents between JSON and six compact formats, measures each
format's bytes and tokens on your own data, and proves by decoding again
whether anything was lost. FILE is a path; "-" or nothing means standard input.`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Version:       version(),
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usageError{fmt.Errorf("unknown command %q; see \"wirekit help\"", args[0])}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usageError{fmt.Errorf("%w; see \"%s --help\"", err, cmd.CommandPath())}
	})
	root.SetVersionTemplate("wirekit {{.Version}}\n")
	root.AddCommand(
		newConvert(c), newCompare(c), newFormats(c), newCheck(c), newInspect(c), newUnfold(c), newVersion(c),
		newGCF(c), newGCX(c), newGlyph(c), newGoon(c), newTOON(c), newBCP(c),
	)
	return root
}

// atMost returns a check for the number of arguments that is a usage error.
func atMost(n int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) > n {
			return usageError{fmt.Errorf("%s takes at most %d arguments, got %d; see \"%s --help\"", cmd.Name(), n, len(args), cmd.CommandPath())}
		}
		return nil
	}
}

// report prints an error, with the source line where it has one.
func report(w io.Writer, err error) {
	fmt.Fprintf(w, "wirekit: %v\n", err)
	var e *wire.Error
	if errors.As(err, &e) {
		if excerpt := e.Excerpt(); excerpt != "" {
			fmt.Fprintln(w, coloured(w, excerpt))
		}
	}
}
