// Package audit reads the transcripts that agents leave on a machine and counts what the
// results of tools took, and what rewriting them exactly would have saved.
//
// Known are the transcripts of Claude Code, Codex, Gemini CLI and OpenCode, and JSON Lines
// of messages or whole requests in the shapes of package llm. A transcript is looked
// through for what these have in common: calls with an id and a name, results with the
// id, and answers of the model, each of which was a request that carried all results
// before it. Whatever else is in a line is passed over.
//
// Each distinct text is counted, and rewritten by the rules of packages mcp and llm. Where
// there is much, folding and package lines are measured on a sample. A text is in the sample
// or not by its hash alone, so the same transcripts give the same report on every machine.
//
// What is asked for beside that follows from the same walk: check.go has what messages use
// of results that are rewritten, bill.go what requests cost, and runs.go the lines that an
// earlier result has.
//
// Memory is bounded by the longest line, by the sample, and by some hundred bytes for each
// result of a session; checks keep the results of a conversation until it ends.
package audit
