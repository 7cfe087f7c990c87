// Package quiz has the verbs of quizzes for models. It imports cli, not other verbs.
package quiz

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"github.com/spf13/cobra"
	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/cli"
	"github.com/wirekit/wirekit/quiz"
)

// New returns the verbs of quizzes.
func New(c *cli.Console) *cobra.Command {
	return cli.NewGroup("quiz", newMake(c), newRun(c), newScore(c))
}

func newMake(c *cli.Console) *cobra.Command {
	var o makeOptions
	cmd := cli.NewCommand("quiz-make", nil, func(_ *cobra.Command, args []string) error { return o.run(c, args) })
	flags := cmd.Flags()
	flags.Uint64Var(&o.Seed, "seed", 1, "of what is asked")
	flags.IntVar(&o.Questions, "questions", quiz.DefaultQuestions, "about each document")
	flags.StringSliceVar(&o.kinds, "kinds", nil, "of questions; all unless named")
	flags.StringSliceVar(&o.Arms, "arms", nil, "formats, with +fold and +hint; all unless named, and json always")
	flags.BoolVar(&o.text, "text", false, "the documents are texts")
	flags.Float64Var(&o.power, "power", 0, "report how many questions it takes to see a difference of so many points")
	flags.StringVarP(&o.out, "out", "o", "", "write to this file")
	o.input.Add(cmd)
	return cmd
}

type makeOptions struct {
	quiz.Options
	input cli.InputOptions
	kinds []string
	text  bool
	power float64
	out   string
}

func (o makeOptions) run(c *cli.Console, files []string) error {
	if o.power != 0 {
		return o.sizes(c)
	}
	if len(files) == 0 {
		return cli.Usagef("name the documents to ask about")
	}
	for _, k := range o.kinds {
		o.Kinds = append(o.Kinds, quiz.Kind(k))
	}
	for _, arm := range o.Arms {
		if _, err := wirekit.Lookup(strings.TrimSuffix(arm, "+hint")); err != nil && !o.text {
			return cli.Usage(err)
		}
	}
	var documents []quiz.Document
	for _, file := range files {
		d := quiz.Document{Name: cli.Title(file)}
		var doc cli.Document
		var err error
		if o.text {
			doc.Src, err = c.Read(file)
			d.Text = append([]byte{}, doc.Src...)
		} else {
			doc, err = o.input.Load(c, file)
			d.Value = doc.Value
		}
		if err != nil {
			return err
		}
		documents = append(documents, d)
	}
	var made bytes.Buffer
	if err := o.Make(&made, documents...); err != nil {
		return err
	}
	return c.Write(o.out, made.Bytes())
}

// sizes reports what it takes to see a difference.
func (o makeOptions) sizes(c *cli.Console) error {
	n, err := quiz.Power(o.power)
	if err != nil {
		return cli.Usage(err)
	}
	all := quiz.Clustered(n, o.Questions)
	return c.Write(o.out, fmt.Appendf(nil, `To see a difference of %g points in 80 of 100 cases, with an error of 5 %%, between one
format and JSON, where %g %% of the questions are answered rightly in one of them only:
  %d questions, each about a document of its own
  %d questions, %d about each of %d documents, whose answers are alike by %g
More formats at once take more, because each is a chance to err.
`, o.power, 100*quiz.Discordant, n, all, o.Questions, (all+o.Questions-1)/max(1, o.Questions), quiz.Within))
}

func newScore(c *cli.Console) *cobra.Command {
	var asJSON, markdown bool
	var seed uint64
	cmd := cli.NewCommand("quiz-score", nil, func(_ *cobra.Command, args []string) error {
		if len(args) < 2 {
			return cli.Usagef("name the quiz and the answers")
		}
		report, err := scored(c, args, seed)
		if err != nil {
			return err
		}
		if asJSON {
			return c.WriteJSON(report)
		}
		if markdown {
			return report.WriteMarkdown(c.Out)
		}
		return report.WriteTable(c.Out)
	})
	cli.AddJSON(cmd, &asJSON)
	cmd.Flags().BoolVar(&markdown, "markdown", false, "print a table in Markdown")
	cmd.Flags().Uint64Var(&seed, "seed", 1, "of the bootstrap")
	return cmd
}

func scored(c *cli.Console, files []string, seed uint64) (quiz.Report, error) {
	src, err := c.Read(files[0])
	if err != nil {
		return quiz.Report{}, err
	}
	q, err := quiz.Load(bytes.NewReader(src))
	if err != nil {
		return quiz.Report{}, cli.About(files[0], err)
	}
	var answers []quiz.Answer
	for _, file := range files[1:] {
		src, err := c.Read(file)
		if err != nil {
			return quiz.Report{}, err
		}
		some, err := quiz.LoadAnswers(bytes.NewReader(src))
		if err != nil {
			return quiz.Report{}, cli.About(file, err)
		}
		answers = append(answers, some...)
	}
	return quiz.Score(q, answers, quiz.Scoring{Seed: seed})
}

// runner is the program that asks models. It is a module of its own, because it
// imports an SDK.
const (
	runner  = "wirekit-quiz-run"
	install = "git clone https://github.com/wirekit/wirekit && go -C wirekit/quiz/run install ./" + runner
)

func newRun(c *cli.Console) *cobra.Command {
	cmd := cli.NewCommand("quiz-run", nil, func(cmd *cobra.Command, args []string) error {
		if len(args) == 1 && (args[0] == "--help" || args[0] == "-h") {
			return cmd.Help()
		}
		path, err := exec.LookPath(runner)
		if err != nil {
			return fmt.Errorf("%s is not on the path; install it with: %s", runner, install)
		}
		program := exec.CommandContext(cmd.Context(), path, args...)
		program.Stdin, program.Stdout, program.Stderr, program.Env = c.In, c.Out, c.Err, os.Environ()
		var status *exec.ExitError
		if err = program.Run(); errors.As(err, &status) {
			return cli.ExitStatus(status.ExitCode())
		}
		return err
	})
	cmd.DisableFlagParsing = true
	return cmd
}

// Kinds are the values of --kinds.
func Kinds() (names []string) {
	for _, kind := range quiz.Kinds() {
		names = append(names, string(kind))
	}
	return names
}
