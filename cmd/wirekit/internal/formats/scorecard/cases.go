package scorecard

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/wirekit/wirekit/wire"
)

// A Case is one result of a tool.
type Case struct {
	Name        string // of its file, without the extension
	Tool        string
	Description string
	Value       wire.Value
}

//go:embed cases/*.json
var builtin embed.FS

// Builtin returns the project's own cases: the results of the document's tools,
// small and large, some with members that are missing or null.
func Builtin() ([]Case, error) {
	files, _ := fs.Sub(builtin, "cases") // which is a path
	return Load(files)
}

// ErrNoCases is wrapped by the error for a folder without cases.
var ErrNoCases = errors.New("no cases")

// Load reads the cases of a folder, sorted by name: every file whose name ends
// in .json, .yaml or .yml. Folders below it are passed over.
//
// A YAML file is a map of tool, description and input, the input being JSON
// text. A JSON file is an object of the same, the input being any value; or any
// other JSON text, which then is the input of a tool named for the file.
func Load(files fs.FS) ([]Case, error) {
	entries, err := fs.ReadDir(files, ".")
	if err != nil {
		return nil, fmt.Errorf("scorecard: %w", err)
	}
	var cases []Case
	for _, entry := range entries {
		extension := path.Ext(entry.Name())
		read := readers[extension]
		if entry.IsDir() || read == nil {
			continue
		}
		text, err := fs.ReadFile(files, entry.Name())
		if err != nil {
			return nil, fmt.Errorf("scorecard: %w", err)
		}
		c := Case{Name: strings.TrimSuffix(entry.Name(), extension)}
		if err := read(&c, text); err != nil {
			return nil, fmt.Errorf("scorecard: %s: %w", entry.Name(), err)
		}
		cases = append(cases, c)
	}
	if cases == nil {
		return nil, fmt.Errorf("scorecard: %w: the folder has no file .json, .yaml or .yml", ErrNoCases)
	}
	slices.SortStableFunc(cases, func(a, b Case) int { return strings.Compare(a.Name, b.Name) })
	return cases, nil
}

var readers = map[string]func(*Case, []byte) error{
	".json": (*Case).readJSON, ".yaml": (*Case).readYAML, ".yml": (*Case).readYAML,
}

func (c *Case) readJSON(text []byte) error {
	v, err := wire.ParseJSON(text)
	if err != nil {
		return err
	}
	c.Tool, c.Value = c.Name, v
	input, ok := v.Get("input")
	if !ok {
		return nil
	}
	tool, isCase := v.Get("tool")
	for key := range v.Members() {
		isCase = isCase && (key == "tool" || key == "description" || key == "input")
	}
	if isCase && tool.Kind() == wire.KindString {
		description, _ := v.Get("description")
		c.Tool, c.Description, c.Value = tool.Text(), description.Text(), input
	}
	return nil
}

func (c *Case) readYAML(text []byte) error {
	var file struct {
		Tool        string `yaml:"tool"`
		Description string `yaml:"description"`
		Input       string `yaml:"input"`
	}
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	if err := d.Decode(&file); err != nil {
		return err
	}
	if file.Tool == "" {
		return errors.New("the case names no tool")
	}
	v, err := wire.ParseJSON([]byte(file.Input))
	if err != nil {
		return fmt.Errorf("input: %w", err)
	}
	c.Tool, c.Description, c.Value = file.Tool, file.Description, v
	return nil
}
