package serve

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// A property is what the schema of a tool has of one of its arguments.
type property struct {
	Type             string
	Enum             []string
	Minimum, Maximum float64
}

// propertiesOf returns the arguments of each tool.
var propertiesOf = func() map[string]map[string]property {
	var list []struct {
		Name        string
		InputSchema struct{ Properties map[string]property }
	}
	_ = json.Unmarshal([]byte(toolList), &list) // it is part of the program
	all := make(map[string]map[string]property, len(list))
	for _, t := range list {
		all[t.Name] = t.InputSchema.Properties
	}
	return all
}()

// fitted returns the arguments of a tool as its schema has them. Clients write a number as a
// double or as a string, a list of one string as the string, a list or an object as a string
// with JSON, and what they do not give as null.
func fitted(tool string, text json.RawMessage) ([]byte, error) {
	given := make(map[string]json.RawMessage)
	if inner, ok := stringOf(text); ok {
		text = []byte(inner)
	}
	if text = bytes.TrimSpace(text); len(text) > 0 && json.Unmarshal(text, &given) != nil {
		return nil, fmt.Errorf("the arguments of %s are an object", tool)
	}
	known := propertiesOf[tool]
	for _, name := range slices.Sorted(maps.Keys(given)) {
		p, ok := known[name]
		if !ok {
			return nil, fmt.Errorf("%s has no argument %.100q; its arguments are %s", tool, name, strings.Join(slices.Sorted(maps.Keys(known)), ", "))
		}
		value, fault := p.fit(name, given[name])
		if fault != "" {
			return nil, fmt.Errorf("%s is %s", name, fault)
		}
		delete(given, name)
		if value != nil {
			given[name], _ = json.Marshal(value)
		}
	}
	return json.Marshal(given)
}

// stringOf returns the text of a JSON string.
func stringOf(text json.RawMessage) (s string, ok bool) {
	return s, len(text) > 0 && text[0] == '"' && json.Unmarshal(text, &s) == nil
}

// fit returns the value that an argument has, nil for none; or what it would have to be.
func (p property) fit(name string, text json.RawMessage) (value any, fault string) {
	s, isString := stringOf(text)
	if isString && (p.Type == "array" || p.Type == "integer") {
		text = bytes.TrimSpace([]byte(s))
	}
	switch {
	case len(text) == 0 || string(text) == "null":
		return nil, ""
	case name == "document" && !isString:
		return string(text), ""
	case p.Type == "array":
		var elements []*string
		if json.Unmarshal(text, &elements) == nil && !slices.Contains(elements, nil) {
			return elements, ""
		} else if isString {
			return []string{s}, ""
		}
		return nil, "a list of strings"
	case p.Type == "integer":
		n, err := strconv.ParseFloat(string(text), 64) // 0 is none
		if err != nil || !json.Valid(text) || n != math.Trunc(n) || n != 0 && (n < p.Minimum || n > p.Maximum) {
			return nil, fmt.Sprintf("a whole number from %.0f to %.0f", p.Minimum, p.Maximum)
		}
		return int(n), ""
	case p.Enum != nil && !(isString && (s == "" || slices.Contains(p.Enum, s))):
		return nil, "one of " + strings.Join(p.Enum, ", ")
	case !isString:
		return nil, "a string"
	}
	return s, ""
}
