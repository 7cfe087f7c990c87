// Package quiz asks whether models read a format: the same questions about the same
// documents in every format, each with one right answer, and what the answers show.
//
//	err := quiz.Options{Seed: 1}.Make(os.Stdout, documents...)   // questions
//	report, err := quiz.Score(questions, answers, quiz.Scoring{}) // what was answered
//
// Between the two somebody asks models; this package opens no connections. Its files are
// JSON Lines of a [Record], which any program can read and write.
//
// # What a program calls
//
//   - [Options.Make] writes documents, each once per arm, and questions about them.
//   - [Grade] judges one answer, [Score] all of them, paired with those about compact JSON.
//   - [Power] returns how many questions it takes to see a difference.
package quiz
