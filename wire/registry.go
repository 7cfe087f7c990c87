package wire

import (
	"maps"
	"mime"
	"slices"
	"strings"
)

// A Registry is an immutable set of codecs by name, safe for concurrent use.
// With each codec it holds the codec's variants.
type Registry struct {
	codecs     []Codec // in their default configuration
	byName     map[string]Codec
	mediaTypes []mediaType
	extensions map[string]Codec // in lower case
	wrappers   map[string]Codec // by their suffixes
}

type mediaType struct {
	base   string
	params map[string]string
	codec  Codec
}

// NewRegistry returns a registry of the codecs, in that order, and of their
// variants. A wrapper among them, fold.Codec, applies to all others. A codec is found by its
// format's name, whatever its configuration, and the variants by their full names.
// It is an error if two codecs have one name, or if two claim one media type or one
// extension.
func NewRegistry(codecs ...Codec) (*Registry, error) {
	r := &Registry{byName: make(map[string]Codec, len(codecs)), wrappers: make(map[string]Codec), extensions: make(map[string]Codec)}
	for _, c := range codecs {
		if describe(c).Wrap != nil {
			suffix := c.Info().Suffix
			if _, ok := r.wrappers[suffix]; ok || !strings.HasPrefix(suffix, "+") {
				return nil, registryError("a wrapper has the suffix %q", suffix)
			}
			r.wrappers[suffix] = c
			continue
		}
		r.codecs = append(r.codecs, c)
		own := c.Info()
		if err := r.add(c, own.Name, true); err != nil {
			return nil, err
		}
		for _, variant := range describe(c).Variants {
			info := variant.Info()
			if info.Name != own.Name || info.Variant == "" || info.Variant == customVariant {
				return nil, registryError("a variant of %q is named %q", own.Name, info.FullName())
			}
			// What it has in common with the default leads to the default.
			if err := r.add(variant, info.FullName(), info.MediaType != own.MediaType); err != nil {
				return nil, err
			}
		}
	}
	return r, nil
}

// Extend returns a registry of the codecs of r and more of them, in that order. The
// wrappers of r apply to them too. It is an error for what [NewRegistry] has one for.
func (r *Registry) Extend(codecs ...Codec) (*Registry, error) {
	all := append(slices.Clone(r.codecs), codecs...)
	for _, suffix := range slices.Sorted(maps.Keys(r.wrappers)) {
		all = append(all, r.wrappers[suffix])
	}
	return NewRegistry(all...)
}

// add takes c under the name, and if distinct under its media type and
// extensions.
func (r *Registry) add(c Codec, name string, distinct bool) error {
	info := c.Info()
	if _, ok := r.byName[name]; ok {
		return registryError("two codecs are named %q", name)
	}
	r.byName[name] = c
	if !distinct {
		return nil
	}
	if info.MediaType != "" {
		base, params, err := mime.ParseMediaType(info.MediaType)
		if err != nil {
			return registryError("the media type of %q: %v", name, err)
		}
		if other, ok := r.mediaType(base, params, true); ok {
			return registryError("%q and %q have the media type %q", other.Info().FullName(), name, info.MediaType)
		}
		r.mediaTypes = append(r.mediaTypes, mediaType{base, params, c})
	}
	for _, suffix := range info.Extensions {
		lower := strings.ToLower(suffix)
		if other, ok := r.extensions[lower]; ok {
			return registryError("%q and %q have the extension %q", other.Info().FullName(), name, suffix)
		}
		r.extensions[lower] = c
	}
	return nil
}

// Codecs returns the codecs in the registry's order.
func (r *Registry) Codecs() []Codec { return slices.Clone(r.codecs) }

func namesOf(codecs []Codec, name func(Info) string) []string {
	names := make([]string, len(codecs))
	for i, c := range codecs {
		names[i] = name(c.Info())
	}
	return names
}

// Lookup returns the codec of that name: "glyph", "glyph:canonical" for a variant,
// or either with the suffix of a wrapper. The error for a name that is not there
// wraps [ErrUnknownFormat] and lists the names that are.
func (r *Registry) Lookup(name string) (Codec, error) {
	if c, ok := r.byName[name]; ok {
		return c, nil
	}
	if i := strings.LastIndexByte(name, '+'); i >= 0 {
		if w, ok := r.wrappers[name[i:]]; ok {
			inner, err := r.Lookup(name[:i])
			if err != nil {
				return nil, err
			}
			return describe(w).Wrap(w, inner), nil
		}
	}
	format, variant, ok := strings.Cut(name, ":")
	c, found := r.byName[format]
	if !ok || !found {
		return nil, unknownFormat("unknown format %.40q; known are %s", name, strings.Join(namesOf(r.codecs, func(i Info) string { return i.Name }), ", "))
	}
	known := describe(c).Variants
	if known == nil {
		return nil, unknownFormat("unknown format %.40q; %s has no variants", name, format)
	}
	return nil, unknownFormat("unknown format %.40q: no variant %.40q; known are %s",
		name, variant, strings.Join(namesOf(known, Info.FullName), ", "))
}

// LookupMediaType returns the codec of a media type, as a Content-Type header
// has it. Parameters that no codec knows, such as charset, do not count. The
// error wraps [ErrUnknownFormat].
func (r *Registry) LookupMediaType(text string) (Codec, error) {
	base, params, err := mime.ParseMediaType(text)
	if err != nil {
		return nil, unknownFormat("the media type %.80q: %v", text, err)
	}
	if c, ok := r.mediaType(base, params, false); ok {
		return c, nil
	}
	return nil, unknownFormat("no codec has the media type %.80q", text)
}

// mediaType finds the codec that has the most of the parameters and none that
// is not there; if exact, the one that has all of them.
func (r *Registry) mediaType(base string, params map[string]string, exact bool) (Codec, bool) {
	var best Codec
	most := -1
	for _, m := range r.mediaTypes {
		fits := m.base == base && len(m.params) > most && (!exact || len(m.params) == len(params))
		for name, value := range m.params {
			fits = fits && strings.EqualFold(params[name], value)
		}
		if fits {
			best, most = m.codec, len(m.params)
		}
	}
	return best, best != nil
}

// LookupFile returns the codec for a file of that name, by the longest
// extension that fits; capitals do not count. The error wraps
// [ErrUnknownFormat].
func (r *Registry) LookupFile(name string) (Codec, error) {
	longest := ""
	for suffix := range r.extensions {
		if len(suffix) > len(longest) && len(name) >= len(suffix) && strings.EqualFold(name[len(name)-len(suffix):], suffix) {
			longest = suffix
		}
	}
	if longest == "" {
		return nil, unknownFormat("no codec has the extension of %.80q", name)
	}
	return r.extensions[longest], nil
}

// Detect returns the first codec, in the registry's order, whose Sniff knows
// src. The error wraps [ErrUnknownFormat].
func (r *Registry) Detect(src []byte) (Codec, error) {
	for _, c := range r.codecs {
		if s, ok := c.(interface{ Sniff(src []byte) bool }); ok && s.Sniff(src) {
			return c, nil
		}
	}
	return nil, unknownFormat("the input looks like none of %s", strings.Join(namesOf(r.codecs, func(i Info) string { return i.Name }), ", "))
}

func unknownFormat(format string, args ...any) error {
	return goError("unknown_format", ErrUnknownFormat, format, args...)
}

// registryError is the error for codecs that one registry cannot have.
func registryError(format string, args ...any) error {
	return goError("invalid_registry", ErrDuplicateKey, format, args...)
}
