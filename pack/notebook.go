package pack

import (
	"cmp"
	"encoding/json"
	"path"
	"regexp"
	"strings"
)

// A notebook is one of Jupyter, as far as its text goes: cells of nbformat 4, and those that
// nbformat 3 has in worksheets.
type notebook struct {
	Cells      []cell
	Worksheets []struct{ Cells []cell }
	Metadata   struct {
		Language struct {
			Suffix string `json:"file_extension"`
		} `json:"language_info"`
	}
}

type cell struct {
	Type          string `json:"cell_type"`
	Level         int    // of a heading
	Source, Input lines
}

// lines are a text as notebooks have it: a string, or a list of its lines.
type lines string

func (l *lines) UnmarshalJSON(data []byte) error {
	var list []string
	if data[0] == '"' {
		return json.Unmarshal(data, (*string)(l))
	}
	err := json.Unmarshal(data, &list)
	*l = lines(strings.Join(list, ""))
	return err
}

func isNotebook(name string) bool { return strings.EqualFold(path.Ext(name), ".ipynb") }

// cellsOf returns the cells of a notebook without their outputs, as scripts have them: after a
// line # %% the code, after # %% [markdown] the text in comments; and the suffix of files in
// its language. What is not a notebook stays as it is, with no suffix.
func cellsOf(text []byte) (suffix string, script []byte) {
	var n notebook
	if json.Unmarshal(text, &n) != nil || n.Cells == nil && n.Worksheets == nil {
		return "", text
	}
	for _, w := range n.Worksheets {
		n.Cells = append(n.Cells, w.Cells...)
	}
	suffix = cmp.Or(strings.ToLower(n.Metadata.Language.Suffix), ".py")
	mark := "# "
	if is("slashed", suffix) {
		mark = "// "
	}
	var out strings.Builder
	for _, c := range n.Cells {
		source := strings.TrimRight(string(c.Source+c.Input), "\n")
		switch {
		case source == "":
		case c.Type == "code":
			out.WriteString(mark + "%%\n" + source + "\n\n")
		default:
			title := strings.TrimLeft(strings.Repeat("#", min(max(c.Level, 0), 6))+" ", " ")
			out.WriteString(mark + "%% [markdown]\n" + mark + strings.ReplaceAll(title+source, "\n", "\n"+mark) + "\n\n")
		}
	}
	return suffix, []byte(out.String())
}

var cellHeading = regexp.MustCompile(`(?m)^(?:#|//) (#{1,6} .*)$`)

// cellHeadings are the headings in the cells of Markdown, a line each.
func cellHeadings(text []byte) string {
	var out strings.Builder
	for _, found := range cellHeading.FindAllSubmatch(text, -1) {
		out.WriteString(shorten(string(found[1])) + "\n")
	}
	return out.String()
}
