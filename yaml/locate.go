package yaml

import (
	"strconv"

	"go.yaml.in/yaml/v4"
)

// locate finds a value by its path for the error of package wire, which has only that.
func (c Codec) locate(src []byte, path []string, key bool) int {
	d := c.decoder(src)
	before := 0
	if c.MultiDocument && len(path) > 0 {
		before, _ = strconv.Atoi(path[0])
		path = path[1:]
	}
	for p, err := range d.pieces() {
		switch {
		case err != nil:
			return -1
		case !p.exists():
			continue
		case before > 0:
			before--
			continue
		}
		root, err := d.load(p)
		if err != nil {
			return -1
		}
		n := child(root, path, key)
		return d.offset(n.Line, n.Column)
	}
	return -1
}

// child returns the node at a path, or its key; as far as the path goes in the text.
func child(n *yaml.Node, path []string, key bool) *yaml.Node {
	switch n.Kind {
	case yaml.DocumentNode:
		return child(n.Content[0], path, key)
	case yaml.AliasNode:
		return child(n.Alias, path, key)
	}
	if len(path) == 0 {
		return n
	}
	if i, err := strconv.Atoi(path[0]); n.Kind == yaml.SequenceNode && err == nil && i < len(n.Content) {
		return child(n.Content[i], path[1:], key)
	}
	for i := 0; n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
		name := n.Content[i]
		if name.Kind == yaml.AliasNode {
			name = name.Alias
		}
		switch {
		case name.Value != path[0]:
		case key && len(path) == 1:
			return n.Content[i]
		default:
			return child(n.Content[i+1], path[1:], key)
		}
	}
	return n // a merged member, or what a method of the target made of the value
}
