package quiz

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/fold"
	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/choose/measure"
	"github.com/wirekit/wirekit/lines"
	"github.com/wirekit/wirekit/tokens"
	"github.com/wirekit/wirekit/wire"
)

// A Document is what questions are asked about: a Value or, if Text is set, a text.
type Document struct {
	Name  string
	Value wire.Value
	Text  []byte
}

// Options are those of a quiz.
type Options struct {
	Seed uint64
	// Questions about each document; 0 means [DefaultQuestions].
	Questions int
	// Kinds of questions, which get equal numbers; nil means all.
	Kinds []Kind
	// Arms are the formats, by name: "json:pretty", "gcf+fold", and with the suffix
	// +hint with a sentence that explains the format; of texts "lines" and "lines:plain".
	// Each must carry every document without loss. Nil means all that do, see [Arms].
	// Compact JSON, or the text itself, is always one.
	Arms []string
}

// DefaultQuestions is how many questions are asked about a document.
const DefaultQuestions = 20

// Base is the arm that all others are compared with, BaseText that of texts.
const (
	Base     = "json"
	BaseText = "text"
)

// ErrNothing is the error of a document without anything to ask about.
var ErrNothing = errors.New("quiz: nothing to ask about")

// hints explain formats in a sentence.
var hints = map[string]string{
	"json":  "The data is JSON.",
	"jsonl": "The data is JSON Lines: one JSON value in each line.",
	"md":    "The data is Markdown: a cell that is empty is a member that the row does not have.",
	"csv":   "The data is CSV: an empty cell is a member that the row does not have, \"\" the empty text.",
	"yaml":  "The data is YAML.",
	"gcf":   "The data is in GCF: a section ## name [n]{columns} has n rows, with | between the cells; ~ is an absent member, - is null.",
	"gcx":   "The data is in GCX1: a header names the fields, and each line after it is a row with tabs between the cells.",
	"glyph": "The data is in GLYPH: {key=value} is an object, @tab begins a table whose rows have bars around their cells, and _ is null.",
	"toon":  "The data is in TOON: name[n]{columns}: has n rows below it, with commas between the cells.",
	"tron":  "The data is in TRON: class A: x,y names members, and A(1,2) then is the object {\"x\":1,\"y\":2}; all else is JSON.",
	"lines": "The head of the text explains its marks.",
}

// foldHint explains the references of a format's texts that are folded.
func foldHint(format string) string {
	sigil := "$"
	if format == "glyph" {
		sigil = "_"
	}
	return " What repeats is said once: a name that begins with " + sigil + " stands for the value that the legend has for it."
}

// Arms returns the names of all arms for values: compact and pretty JSON, and every text
// format of package wirekit that declares no loss beyond JSON's, folded too where it can
// be, each with a hint and without.
func Arms() []string {
	names := []string{Base, "json:pretty", "md:kv"}
	for _, c := range wirekit.Registry().Codecs() {
		info := c.Info()
		if !info.Binary && info.Loss&^measure.BeyondJSON == 0 && info.Name != Base {
			names = append(names, info.Name)
		}
	}
	for _, name := range slices.Delete(slices.Clone(names), 1, 2) { // json:pretty folds as json does
		names = append(names, name+"+fold")
	}
	for _, name := range names {
		names = append(names, name+hintSuffix)
	}
	return names
}

const hintSuffix = "+hint"

// Make writes a quiz. A document that has nothing to ask about is an error that wraps
// [ErrNothing], and one that an arm of Options.Arms does not carry an error that names both,
// and what is lost where.
func (o Options) Make(w io.Writer, documents ...Document) error {
	o.Questions = cmp.Or(o.Questions, DefaultQuestions)
	if o.Questions < 0 {
		return fmt.Errorf("quiz: %d questions", o.Questions)
	}
	if o.Kinds == nil {
		o.Kinds = Kinds()
	}
	for _, k := range o.Kinds {
		if !slices.Contains(Kinds(), k) {
			return fmt.Errorf("quiz: unknown kind of question %q; known are %s", k, strings.ReplaceAll(strings.Trim(fmt.Sprint(Kinds()), "[]"), " ", ", "))
		}
	}
	out := bufio.NewWriter(w)
	m := maker{o: o, lines: json.NewEncoder(out)}
	m.lines.SetEscapeHTML(false)
	if err := m.lines.Encode(Record{Type: TypeQuiz, Version: Version, Seed: o.Seed}); err != nil {
		return err
	}
	for i, d := range documents {
		m.id = "d" + strconv.Itoa(i+1)
		if err := m.document(d, uint64(i)); err != nil {
			return fmt.Errorf("%s: %w", d.Name, err)
		}
	}
	return out.Flush()
}

type maker struct {
	o     Options
	lines *json.Encoder
	id    string
	cuts  int
}

// document writes one document in all arms, and the questions about it.
func (m *maker) document(d Document, n uint64) error {
	r := rand.New(rand.NewPCG(m.o.Seed, n))
	arms, err := m.texts(d)
	if err != nil {
		return err
	}
	ask := textAsker(string(d.Text))
	if d.Text == nil {
		s := new(survey)
		s.visit(d.Value, "")
		ask = s.ask
	}
	rows, _ := longest(d.Value, "")
	seen := map[string]bool{}
	var questions []Record
	kinds := slices.Clone(m.o.Kinds)
	m.cuts = 0
	for k := 0; len(questions) < m.o.Questions && len(kinds) > 0; k++ {
		kind, ok := kinds[k%len(kinds)], false
		rec := Record{Type: TypeQuestion, Document: m.id, ID: m.id + ".q" + strconv.Itoa(len(questions)+1), Kind: kind}
		if kind != Whole {
			var q asked
			for tries := 0; tries == 0 || ok && seen[q.question] && tries <= 20; tries++ {
				q, ok = ask(kind, r)
			}
			ok = ok && !seen[q.question]
			seen[q.question] = true
			rec.Question, rec.Right, rec.Tool = q.question, &q.right, q.tool
		} else if ok = (rows.Len() >= 2 || d.Text != nil) && m.cuts < maxCuts; ok {
			rec.Question = "Is the data whole, or has it been cut or had a part taken out? Answer with one word: whole or cut."
			if rec.Document, rec.Right, err = m.whole(d, arms, r); err != nil {
				return err
			}
		}
		if !ok {
			kinds, k = slices.Delete(kinds, k%len(kinds), k%len(kinds)+1), -1
			continue
		}
		questions = append(questions, rec)
	}
	if len(questions) == 0 {
		return ErrNothing
	}
	if err := m.write(m.id, d.Name, arms); err != nil {
		return err
	}
	for _, q := range questions {
		if err := m.lines.Encode(q); err != nil {
			return err
		}
	}
	return nil
}

// An arm is a document in one form.
type arm struct {
	name  string
	hint  string
	codec wire.Codec // nil for texts
	text  string
}

// texts returns the document in each arm that is named, or if none is in each that carries
// it without loss.
func (m *maker) texts(d Document) ([]arm, error) {
	if d.Text != nil {
		return m.namedTexts(textArms(d.Text))
	}
	names := m.o.Arms
	if names == nil {
		names = Arms()
	}
	var arms []arm
	written := map[string]form{}
	for i, name := range append([]string{Base}, names...) {
		if i > 0 && name == Base {
			continue
		}
		a, err := m.arm(name, d.Value, written)
		if err == nil {
			arms = append(arms, a)
		} else if i == 0 || m.o.Arms != nil {
			return nil, fmt.Errorf("quiz: the arm %s: %w", name, err)
		}
	}
	return arms, nil
}

// A form is a document in a format, or why that does not carry it.
type form struct {
	text string
	err  error
}

// arm returns v in the arm of that name. written is v in the formats that it has been
// written in.
func (m *maker) arm(name string, v wire.Value, written map[string]form) (arm, error) {
	format, explained := strings.CutSuffix(name, hintSuffix)
	plain, folds := strings.CutSuffix(format, "+fold")
	base, _, _ := strings.Cut(plain, ":")
	codec, err := wirekit.Lookup(format)
	if err != nil {
		return arm{}, err
	}
	if f, ok := codec.(fold.Codec); ok {
		f.Options.Counter = tokens.Default()
		codec = f
	}
	w, known := written[format]
	if !known {
		w.text, w.err = carried(codec, v)
		written[format] = w
	}
	a := arm{name: name, codec: codec, text: w.text}
	switch {
	case w.err != nil:
		return a, w.err
	case folds && m.o.Arms == nil && w == written[plain]:
		return a, errors.New("there is nothing to fold")
	case explained && hints[base] == "":
		return a, errors.New("there is no sentence that explains the format")
	case explained:
		a.hint = hints[base]
	}
	if explained && folds {
		a.hint += foldHint(base)
	}
	return a, nil
}

// carried returns the text of v in a format, which must lose nothing.
func carried(c wire.Codec, v wire.Value) (string, error) {
	text, err := c.AppendEncode(nil, v)
	if err != nil {
		return "", err
	}
	err = wire.View(c, text, func(back wire.Value) error {
		loss, path := wire.Internal.DifferenceBeyond(measure.BeyondJSON&^wire.LossNumberText, v, back)
		if loss != 0 {
			return fmt.Errorf("it does not keep %s, at %q", loss, path)
		}
		return nil
	})
	return string(text), err
}

// namedTexts returns those of the arms of a text that are named, which is all if none is.
func (m *maker) namedTexts(all []arm) ([]arm, error) {
	if m.o.Arms == nil {
		return all, nil
	}
	arms := all[:1:1]
	for _, name := range m.o.Arms {
		i := slices.IndexFunc(all, func(a arm) bool { return a.name == name })
		if i < 0 {
			return nil, fmt.Errorf("quiz: the arm %s: of a text there are text and, where that is written shorter, lines and lines:plain, both also with %s", name, hintSuffix)
		}
		if i > 0 {
			arms = append(arms, all[i])
		}
	}
	return arms, nil
}

func (m *maker) write(id, source string, arms []arm) error {
	for _, a := range arms {
		text := a.text
		if a.hint != "" {
			text = a.hint + "\n\n" + text
		}
		if err := m.lines.Encode(Record{Type: TypeDocument, Document: id, Source: source, Arm: a.name, Text: text}); err != nil {
			return err
		}
	}
	return nil
}

// maxCuts is how many damaged copies of a document are written, each of which is the
// document once more in every arm.
const maxCuts = 2

// whole returns the document of a question of kind [Whole] and its answer: the document
// itself, one whose end is cut, and one with rows taken out, in turn.
func (m *maker) whole(d Document, arms []arm, r *rand.Rand) (id string, right *string, err error) {
	m.cuts++
	answer, damaged := "cut", cutEnd
	switch what := r.IntN(3); {
	case what == 0:
		answer = "whole"
		return m.id, &answer, nil
	case what == 2 && d.Text == nil:
		fewer := without(d.Value)
		damaged = func(a arm) string { return rowsOut(a, fewer) }
	}
	id = m.id + ".cut" + strconv.Itoa(m.cuts)
	copies := slices.Clone(arms)
	for i := range copies {
		copies[i].text = damaged(copies[i])
	}
	return id, &answer, m.write(id, d.Name, copies)
}

// cutEnd leaves the last fifth of a text out.
func cutEnd(a arm) string {
	return strings.ToValidUTF8(a.text[:len(a.text)*4/5], "")
}

// rowsOut takes the lines out of a text that it does not have without some rows: what a
// head declares stays. A text of one line is that without the rows, which cannot be seen.
func rowsOut(a arm, fewer wire.Value) string {
	text, err := a.codec.AppendEncode(nil, fewer)
	if err != nil {
		return cutEnd(a)
	}
	have := map[string]int{}
	rest := strings.Split(string(text), "\n")
	for _, line := range rest {
		have[line]++
	}
	all := strings.Split(a.text, "\n")
	out := len(all) - len(rest)
	if out <= 0 {
		return string(text)
	}
	for i := len(all) - 1; i >= 0 && out > 0; i-- {
		if have[all[i]] > 0 {
			have[all[i]]--
			continue
		}
		all = slices.Delete(all, i, i+1)
		out--
	}
	return strings.Join(all, "\n")
}

// longest returns the longest list in v, which is at path, and where it is.
func longest(v wire.Value, path string) (list wire.Value, at string) {
	if v.Kind() == wire.KindArray {
		list, at = v, path
	}
	if v.Kind() >= wire.KindArray {
		for i := range v.Len() {
			name := strconv.Itoa(i)
			if v.Kind() == wire.KindObject {
				name = scan.PointerEscapes.Replace(v.Keys().At(i))
			}
			if inner, where := longest(v.Index(i), path+"/"+name); inner.Len() > list.Len() {
				list, at = inner, where
			}
		}
	}
	return list, at
}

// without returns v without the middle tenth of its longest list, or one element.
func without(v wire.Value) wire.Value {
	list, at := longest(v, "")
	n, elements := list.Len(), slices.Collect(list.Elements())
	elements = slices.Delete(elements, n/2, n/2+max(1, n/10))
	shorter, err := v.Set(at, wire.Array(elements...))
	if err != nil {
		return v
	}
	return shorter
}

// textArms returns a text as it is and, where it becomes smaller, as package lines has it.
func textArms(text []byte) []arm {
	arms := []arm{{name: BaseText, text: string(text)}}
	for _, name := range []string{"lines", "lines:plain"} {
		out, report := lines.Encode(text, lines.Options{Counter: tokens.Default(), NoLegend: name == "lines:plain", MinSaving: -1})
		if report.Encoded {
			arms = append(arms, arm{name: name, text: string(out)}, arm{name: name + hintSuffix, hint: hints["lines"], text: string(out)})
		}
	}
	return arms
}

// textAsker returns what asks about a text.
func textAsker(text string) func(Kind, *rand.Rand) (asked, bool) {
	all := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	return func(kind Kind, r *rand.Rand) (asked, bool) {
		at := r.IntN(len(all))
		line := all[at]
		words := strings.Fields(line)
		_, shown := spelling(wire.String(line))
		if !shown || len(words) == 0 {
			return asked{}, false
		}
		word := words[r.IntN(len(words))]
		with := 0
		for _, l := range all {
			if strings.Contains(l, word) {
				with++
			}
		}
		q := asked{right: line}
		switch kind {
		case Position:
			q.question = fmt.Sprintf("What is line number %d of the text, counting from 1?", at+1)
		case Count:
			q.question, q.right = fmt.Sprintf("How many lines of the text have %s in them?", quoted(word)), strconv.Itoa(with)
		case Copy:
			q.question = fmt.Sprintf("Copy the only line of the text that has %s in it exactly, character by character.", quoted(word))
			return q, with == 1
		default:
			return q, false
		}
		return q, true
	}
}
