// Package run asks models the questions of a quiz, at any endpoint that speaks Chat
// Completions, with the official OpenAI SDK. The program is wirekit-quiz-run.
package run

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"sync"
	"time"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/shared"
	"github.com/wirekit/wirekit/quiz"
	"github.com/wirekit/wirekit/tokens"
)

// Instruction is what every request begins with.
const Instruction = "You are given data, and then a question about it. Answer with the value only, without any other word. Copy values exactly as they are in the data. If you are asked to call a tool, call it."

// Options are those of a run.
type Options struct {
	BaseURL     string // of the endpoint; empty means the SDK's
	Key         string
	Model       string
	Repeats     int           // how often each question is asked; at least 1
	Concurrency int           // requests at a time; at least 1
	Retries     int           // after a failure
	Interval    time.Duration // at least, from one request to the next
	Stream      bool          // for endpoints that answer in streams only
	Seed        uint64        // of the order of documents and arms
}

// A Request is one question about a document in one arm.
type Request struct {
	Arm, Text string
	Question  quiz.Record
	Repeat    int
}

// Plan returns what is left to ask when these answers are there. Questions about a
// document in one arm follow each other, so that the provider can cache it; the order of
// documents and arms is by chance.
func (o Options) Plan(q *quiz.Quiz, answers []quiz.Answer) []Request {
	done := map[quiz.Answer]bool{} // by what names them alone
	for _, a := range answers {
		done[quiz.Answer{ID: a.ID, Arm: a.Arm, Model: a.Model, Repeat: a.Repeat}] = true
	}
	about := map[string][]quiz.Record{}
	for _, question := range q.Questions {
		about[question.Document] = append(about[question.Document], question)
	}
	r := rand.New(rand.NewPCG(o.Seed, 0))
	var plan []Request
	for repeat := range max(1, o.Repeats) {
		for _, at := range r.Perm(len(q.Documents)) {
			d := q.Documents[at]
			for _, question := range about[d.Document] {
				if !done[quiz.Answer{ID: question.ID, Arm: d.Arm, Model: o.Model, Repeat: repeat}] {
					plan = append(plan, Request{Arm: d.Arm, Text: d.Text, Question: question, Repeat: repeat})
				}
			}
		}
	}
	return plan
}

// Tokens estimates the tokens of input that a plan takes, as o200k_base counts them,
// without what the provider caches.
func Tokens(plan []Request) (int, error) {
	counter := tokens.Default()
	known := map[string]int{}
	total := 0
	for _, request := range plan {
		for _, text := range []string{Instruction, request.Text, request.Question.Question} {
			n, ok := known[text]
			if !ok {
				var err error
				if n, err = counter.Count([]byte(text)); err != nil {
					return 0, err
				}
				known[text] = n
			}
			total += n
		}
	}
	return total, nil
}

// Run asks what is planned and appends an answer a line to out, each with one call of
// Write as soon as it is there. The first error ends it; requests that are under way are
// waited for, and their answers kept.
func (o Options) Run(ctx context.Context, plan []Request, out io.Writer) error {
	settings := []option.RequestOption{option.WithMaxRetries(o.Retries), option.WithAPIKey(o.Key)}
	if o.BaseURL != "" {
		settings = append(settings, option.WithBaseURL(o.BaseURL))
	}
	client := openai.NewClient(settings...)
	running, fail := context.WithCancelCause(context.WithoutCancel(ctx))
	defer fail(nil)
	var mu sync.Mutex // of out
	var wg sync.WaitGroup
	slots := make(chan struct{}, max(1, o.Concurrency))
	for _, request := range plan {
		slots <- struct{}{}
		if err := ctx.Err(); err != nil {
			fail(err)
		}
		if running.Err() != nil {
			break
		}
		wg.Go(func() {
			defer func() { <-slots }()
			answer, err := o.ask(context.WithoutCancel(ctx), client, request)
			if err != nil {
				fail(fmt.Errorf("%s in %s: %w", request.Question.ID, request.Arm, err))
				return
			}
			mu.Lock()
			defer mu.Unlock()
			if err := json.NewEncoder(out).Encode(answer); err != nil {
				fail(err)
			}
		})
		if o.Interval > 0 {
			select {
			case <-time.After(o.Interval):
			case <-ctx.Done():
			}
		}
	}
	wg.Wait()
	return context.Cause(running)
}

// ask asks one question.
func (o Options) ask(ctx context.Context, client openai.Client, r Request) (quiz.Answer, error) {
	tries := 0
	params := openai.ChatCompletionNewParams{
		Model:    o.Model,
		Messages: []openai.ChatCompletionMessageParamUnion{openai.SystemMessage(Instruction), openai.UserMessage(r.Text), openai.UserMessage(r.Question.Question)},
	}
	if name := r.Question.Tool; name != "" {
		params.Tools = []openai.ChatCompletionToolUnionParam{openai.ChatCompletionFunctionTool(shared.FunctionDefinitionParam{
			Name:       name,
			Parameters: shared.FunctionParameters{"type": "object", "properties": map[string]any{"value": map[string]any{"type": "string"}}, "required": []string{"value"}},
		})}
	}
	var broken brokenBody
	completion, err := o.complete(ctx, client, params, option.WithMiddleware(func(request *http.Request, next option.MiddlewareNext) (*http.Response, error) {
		tries++
		response, err := next(request)
		if err == nil {
			broken = brokenBody{ReadCloser: response.Body}
			response.Body = &broken
		}
		return response, err
	}))
	var refused *openai.Error
	var unreached *url.Error
	switch {
	case errors.As(err, &refused) || errors.As(err, &unreached):
		return quiz.Answer{}, err
	case broken.err != nil:
		return quiz.Answer{}, fmt.Errorf("the connection broke within the answer: %w", broken.err)
	case err != nil:
		return quiz.Answer{}, fmt.Errorf("what the endpoint has returned is not a chat completion: %w", err)
	case len(completion.Choices) == 0:
		return quiz.Answer{}, errors.New("the endpoint has returned no choices")
	}
	message, usage := completion.Choices[0].Message, completion.Usage
	a := quiz.Answer{
		Type: quiz.TypeAnswer, ID: r.Question.ID, Arm: r.Arm, Model: o.Model, Repeat: r.Repeat, Text: message.Content + message.Refusal,
		Input: int(usage.PromptTokens), Cached: int(usage.PromptTokensDetails.CachedTokens),
		Output: int(usage.CompletionTokens), Reasoning: int(usage.CompletionTokensDetails.ReasoningTokens), Tries: tries,
	}
	for _, call := range message.ToolCalls {
		var arguments struct{ Value json.RawMessage }
		if call.Function.Name == r.Question.Tool && json.Unmarshal([]byte(call.Function.Arguments), &arguments) == nil {
			a.Called, a.Call = true, string(arguments.Value)
			var text string
			if json.Unmarshal(arguments.Value, &text) == nil {
				a.Call = text
			}
			break
		}
	}
	return a, nil
}

// A brokenBody notes why it cannot be read to its end.
type brokenBody struct {
	io.ReadCloser
	err error
}

func (b *brokenBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil && err != io.EOF {
		b.err = err
	}
	return n, err
}

// complete returns the whole answer of the endpoint.
func (o Options) complete(ctx context.Context, client openai.Client, params openai.ChatCompletionNewParams, counted option.RequestOption) (*openai.ChatCompletion, error) {
	if !o.Stream {
		return client.Chat.Completions.New(ctx, params, counted)
	}
	params.StreamOptions.IncludeUsage = openai.Bool(true)
	stream := client.Chat.Completions.NewStreaming(ctx, params, counted)
	defer stream.Close()
	var all openai.ChatCompletionAccumulator
	for stream.Next() {
		if !all.AddChunk(stream.Current()) {
			return nil, errors.New("the parts of the stream are not those of one answer")
		}
	}
	if err := stream.Err(); err != nil {
		return nil, err
	}
	if len(all.Choices) > 0 && all.Choices[0].FinishReason == "" {
		return nil, errors.New("the stream ends within the answer")
	}
	return &all.ChatCompletion, nil
}

// Open opens a file of answers to go on with, or begins one. A last line that was not
// written to its end, because the program was killed, is cut off.
func Open(name string) (*os.File, []quiz.Answer, error) {
	file, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, nil, err
	}
	var answers []quiz.Answer
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("not a regular file, with whose answers a run could go on")
	}
	if err == nil {
		answers, err = resume(file)
	}
	if err != nil {
		file.Close()
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	return file, answers, nil
}

func resume(file *os.File) ([]quiz.Answer, error) {
	src, err := io.ReadAll(file)
	if err != nil {
		return nil, err
	}
	whole := bytes.LastIndexByte(src, '\n') + 1
	if err := file.Truncate(int64(whole)); err != nil {
		return nil, err
	}
	if _, err := file.Seek(int64(whole), io.SeekStart); err != nil {
		return nil, err
	}
	return quiz.LoadAnswers(bytes.NewReader(src[:whole]))
}
