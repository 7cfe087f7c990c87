package wire

import (
	"fmt"
	"slices"
	"strings"
)

// A Registry is an immutable set of codecs by name, safe for concurrent use.
type Registry struct {
	codecs []Codec
	byName map[string]Codec
}

// NewRegistry returns a registry of the codecs, in that order. Two codecs of
// one name are an error.
func NewRegistry(codecs ...Codec) (*Registry, error) {
	r := &Registry{codecs: slices.Clone(codecs), byName: make(map[string]Codec, len(codecs))}
	for _, c := range codecs {
		name := c.Info().Name
		if _, ok := r.byName[name]; ok {
			return nil, fmt.Errorf("wire: two codecs are named %q", name)
		}
		r.byName[name] = c
	}
	return r, nil
}

// Codecs returns the codecs in the registry's order.
func (r *Registry) Codecs() []Codec { return slices.Clone(r.codecs) }

// Names returns the codecs' names in the registry's order.
func (r *Registry) Names() []string {
	names := make([]string, len(r.codecs))
	for i, c := range r.codecs {
		names[i] = c.Info().Name
	}
	return names
}

// Lookup returns the codec of that name. The error for a name that is not
// there wraps [ErrUnknownFormat] and lists the names that are.
func (r *Registry) Lookup(name string) (Codec, error) {
	if c, ok := r.byName[name]; ok {
		return c, nil
	}
	return nil, fmt.Errorf("wire: %w %.40q; known are %s", ErrUnknownFormat, name, strings.Join(r.Names(), ", "))
}

// Detect returns the first codec, in the registry's order, whose Sniff knows
// src. The error wraps [ErrUnknownFormat].
func (r *Registry) Detect(src []byte) (Codec, error) {
	for _, c := range r.codecs {
		if s, ok := c.(Sniffer); ok && s.Sniff(src) {
			return c, nil
		}
	}
	return nil, fmt.Errorf("wire: the input looks like none of %s: %w", strings.Join(r.Names(), ", "), ErrUnknownFormat)
}
