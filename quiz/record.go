package quiz

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Version is that of the files.
const Version = 1

// Types of records.
const (
	TypeQuiz     = "quiz"     // the first line: Seed
	TypeDocument = "document" // Document in Arm, as Text
	TypeQuestion = "question" // Question about Document
	TypeAnswer   = "answer"   // of a model, see [Answer]
)

// A Record is one line of a quiz.
type Record struct {
	Type    string `json:"type"`
	Version int    `json:"version,omitempty"`
	Seed    uint64 `json:"seed,omitempty"`

	// Document names the document of a text or a question; in d1.cut1, before the point,
	// that of which it is a damaged copy. Source is the name of the file.
	Document string `json:"document,omitempty"`
	Source   string `json:"source,omitempty"`
	Arm      string `json:"arm,omitempty"`
	Text     string `json:"text,omitempty"`

	ID       string `json:"id,omitempty"`
	Kind     Kind   `json:"kind,omitempty"`
	Question string `json:"question,omitempty"`
	// Right is the right answer.
	Right *string `json:"right,omitempty"`
	// Tool is the name of the tool that a model has to call with the answer as the
	// argument value.
	Tool string `json:"tool,omitempty"`
}

// An Answer is one answer of a model to one question about the document in one arm.
type Answer struct {
	Type   string `json:"type"`
	ID     string `json:"id"` // of the question
	Arm    string `json:"arm"`
	Model  string `json:"model"`
	Repeat int    `json:"repeat"`
	Text   string `json:"text"`
	// Call is the argument with which the tool was called, and Called whether it was.
	Call   string `json:"call,omitempty"`
	Called bool   `json:"called,omitempty"`
	// Tokens that the provider has billed, and how often it was asked.
	Input     int `json:"input_tokens"`
	Cached    int `json:"cached_tokens"`
	Output    int `json:"output_tokens"`
	Reasoning int `json:"reasoning_tokens"`
	Tries     int `json:"tries"`
}

// maxLine bounds a line of a quiz.
const maxLine = 64 << 20

// Read calls f with each line of a quiz or of answers: its number, its type and its text,
// which is valid until f returns.
func Read(r io.Reader, f func(n int, typ string, line []byte) error) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	for n := 1; lines.Scan(); n++ {
		line := bytes.TrimSpace(lines.Bytes())
		if len(line) == 0 {
			continue
		}
		var head struct{ Type string }
		if err := json.Unmarshal(line, &head); err != nil {
			return fmt.Errorf("quiz: line %d: %w", n, err)
		}
		if err := f(n, head.Type, line); err != nil {
			return fmt.Errorf("quiz: line %d: %w", n, err)
		}
	}
	return lines.Err()
}

// A Quiz is a file of documents and questions in memory.
type Quiz struct {
	Documents []Record
	Questions []Record
}

// Load reads a quiz.
func Load(r io.Reader) (*Quiz, error) {
	q := new(Quiz)
	began := false
	err := Read(r, func(n int, typ string, line []byte) error {
		var rec Record
		if err := json.Unmarshal(line, &rec); err != nil {
			return err
		}
		switch {
		case typ == TypeQuiz && rec.Version == Version:
			began = true
		case typ == TypeQuiz:
			return fmt.Errorf("a quiz of version %d; this program reads %d", rec.Version, Version)
		case !began:
			return errors.New("no quiz: it begins with a record of type quiz")
		case typ == TypeDocument:
			q.Documents = append(q.Documents, rec)
		case typ == TypeQuestion && rec.Right == nil:
			return fmt.Errorf("question %q has no right answer", rec.ID)
		case typ == TypeQuestion:
			q.Questions = append(q.Questions, rec)
		}
		return nil
	})
	if err == nil && len(q.Questions) == 0 {
		err = errors.New("quiz: no questions")
	}
	return q, err
}

// LoadAnswers reads answers, and passes over records of other types.
func LoadAnswers(r io.Reader) ([]Answer, error) {
	var all []Answer
	err := Read(r, func(n int, typ string, line []byte) error {
		var a Answer
		if typ != TypeAnswer {
			return nil
		}
		if err := json.Unmarshal(line, &a); err != nil {
			return err
		}
		all = append(all, a)
		return nil
	})
	return all, err
}
