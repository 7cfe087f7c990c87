package quiz

import (
	"bytes"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/wire"
)

// FuzzQuiz makes a quiz about a document twice, which gives the same, and answers it
// rightly; anything else is read as a quiz and as answers.
func FuzzQuiz(f *testing.F) {
	for _, src := range []string{
		`[{"id":1,"a":"x|y","b":1.10,"c":null},{"id":2,"a":"","b":20.05},{"id":3,"a":"x","b":-3.50,"c":"d"}]`,
		`{"orders":[{"id":"A1","customer":7},{"id":"A2","customer":8}],"customers":[{"no":7,"name":"Ada"},{"no":8,"name":"Bo"}]}`,
		`{"a":{"b":[1,2,3]},"c":"/long/path/of/a/file.txt","d":12345678901234567890}`,
		`[1,[2],{}]`, `"x"`, "a\nb c\nd e\n",
		"{\"type\":\"quiz\",\"version\":1}\n{\"type\":\"question\",\"id\":\"q\",\"document\":\"d\",\"right\":\"x\"}\n{\"type\":\"answer\",\"id\":\"q\",\"arm\":\"json\"}\n",
	} {
		f.Add([]byte(src), uint64(1))
	}
	f.Fuzz(func(t *testing.T, src []byte, seed uint64) {
		if len(src) > 4<<10 {
			return
		}
		d, o := Document{Name: "d", Text: src}, Options{Seed: seed, Questions: 6}
		if v, err := wire.ParseJSON(src); err == nil {
			d, o.Arms = Document{Name: "d", Value: v}, []string{"json+fold"}
		}
		var made, again bytes.Buffer
		if err := o.Make(&made, d); err != nil {
			if d.Text == nil {
				require.True(t, errors.Is(err, ErrNothing), "%v", err)
			}
		} else {
			require.NoError(t, o.Make(&again, d))
			require.Equal(t, made.String(), again.String())
			src = made.Bytes()
		}
		q, err := Load(bytes.NewReader(src))
		if err != nil {
			return
		}
		answers, _ := LoadAnswers(bytes.NewReader(src))
		for _, rec := range q.Questions {
			a := Answer{Type: TypeAnswer, ID: rec.ID, Arm: Base, Model: "m", Text: *rec.Right, Call: *rec.Right, Called: true}
			require.True(t, Grade(rec, a), "%+v", rec)
			answers = append(answers, a)
		}
		report, err := Score(q, answers, Scoring{Resamples: 20})
		require.NoError(t, err)
		require.NotEmpty(t, report.Results)
	})
}
