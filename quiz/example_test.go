package quiz_test

import (
	"bytes"
	"fmt"

	"github.com/wirekit/wirekit/quiz"
	"github.com/wirekit/wirekit/wire"
)

// A quiz is JSON Lines: a program asks its model each question of each arm, and writes an
// answer for it.
func Example() {
	v, _ := wire.ParseJSON([]byte(`[{"id":1,"name":"Ada"},{"id":2,"name":"Bo"}]`))
	var lines bytes.Buffer
	err := quiz.Options{Seed: 1, Questions: 1, Kinds: []quiz.Kind{quiz.Count}, Arms: []string{"gcx"}}.Make(&lines, quiz.Document{Name: "people", Value: v})
	if err != nil {
		fmt.Println(err)
		return
	}
	q, err := quiz.Load(&lines)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, question := range q.Questions {
		fmt.Println(question.Question, *question.Right)
		for _, d := range q.Documents {
			fmt.Println(d.Arm, quiz.Grade(question, quiz.Answer{Text: "`1`."}))
		}
	}
	// Output:
	// In the list, how many elements have "id" = 1? 1
	// json true
	// gcx true
}
