// Command wirekit-quiz-run asks a model the questions of a quiz that wirekit quiz make
// has written. It can be stopped and started again: what was answered is not asked twice.
package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"time"

	"github.com/wirekit/wirekit/quiz"
	"github.com/wirekit/wirekit/quiz/run"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := command(ctx, os.Args[1:], os.Stdin, os.Stderr)
	stop()
	if err != nil {
		// One line, whatever an endpoint has put into its error.
		fmt.Fprintln(os.Stderr, "wirekit-quiz-run:", strings.Join(strings.Fields(err.Error()), " "))
		os.Exit(1)
	}
}

func command(ctx context.Context, args []string, in io.Reader, messages io.Writer) error {
	flags := flag.NewFlagSet("wirekit-quiz-run", flag.ContinueOnError)
	flags.SetOutput(messages)
	var o run.Options
	flags.StringVar(&o.BaseURL, "url", "", "base URL of an endpoint that speaks Chat Completions; the SDK's unless given")
	flags.StringVar(&o.Model, "model", "", "the model")
	flags.IntVar(&o.Repeats, "repeats", 3, "how often each question is asked")
	flags.IntVar(&o.Concurrency, "concurrency", 4, "requests at a time")
	flags.IntVar(&o.Retries, "retries", 5, "after a failure")
	flags.DurationVar(&o.Interval, "interval", 0, "at least, from one request to the next")
	flags.BoolVar(&o.Stream, "stream", false, "ask for answers in streams, for endpoints that have no others")
	flags.Uint64Var(&o.Seed, "seed", 1, "of the order of documents and arms")
	variable := flags.String("key-env", "OPENAI_API_KEY", "the environment variable that has the key")
	name := flags.String("out", "answers.jsonl", "append answers to this file, and go on with what is in it")
	input := flags.Float64("price-input", 0, "of a million tokens of input")
	output := flags.Float64("price-output", 0, "of a million tokens of output")
	each := flags.Int("output-tokens", 50, "that an answer is taken to have, reasoning included")
	yes := flags.Bool("yes", false, "do not ask before it costs something")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() != 1 || o.Model == "" {
		return fmt.Errorf("usage: wirekit-quiz-run --model NAME [flags] QUIZ")
	}
	if o.Key = os.Getenv(*variable); o.Key == "" {
		return fmt.Errorf("the environment variable %s is not set; it has to have the key", *variable)
	}
	file, err := os.Open(flags.Arg(0))
	if err != nil {
		return err
	}
	q, err := quiz.Load(file)
	file.Close()
	if err != nil {
		return fmt.Errorf("%s: %w", flags.Arg(0), err)
	}
	answers, known, err := run.Open(*name)
	if err != nil {
		return err
	}
	defer answers.Close()
	plan := o.Plan(q, known)
	n, err := run.Tokens(plan)
	if err != nil {
		return err
	}
	cost := (float64(n)**input + float64(len(plan)**each)**output) / 1e6
	fmt.Fprintf(messages, "%d requests, %d answers are there; about %d tokens of input before caching and %d of output: %.2f at the prices given.\n",
		len(plan), len(known), n, len(plan)**each, cost)
	if len(plan) > 0 && !*yes {
		fmt.Fprint(messages, "Type yes to go on: ")
		if line, _ := bufio.NewReader(in).ReadString('\n'); strings.TrimSpace(line) != "yes" {
			return fmt.Errorf("nothing was asked")
		}
	}
	began := time.Now()
	if err := o.Run(ctx, plan, answers); err != nil {
		return fmt.Errorf("%w; start it again to go on", err)
	}
	fmt.Fprintf(messages, "done in %v; wirekit quiz score %s %s\n", time.Since(began).Round(time.Second), flags.Arg(0), *name)
	return answers.Close()
}
