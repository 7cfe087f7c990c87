package main

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/wirekit/wirekit/glyph"
	"github.com/wirekit/wirekit/wire"
)

func newPatch(c *console) *cobra.Command {
	var o patchOptions
	cmd := newCommand("patch", pair("BASE", "PATCH"), func(_ *cobra.Command, args []string) error { return o.run(c, args[0], args[1]) })
	o.input.add(cmd)
	o.outputOptions.add(cmd, "format of the output (default: that of BASE)")
	return cmd
}

type patchOptions struct {
	input inputOptions
	outputOptions
}

func (o patchOptions) run(c *console, base, file string) error {
	doc, err := o.input.load(c, base)
	if err != nil {
		return about(base, err)
	}
	text, err := c.read(file)
	if err != nil {
		return err
	}
	apply, err := parsePatch(text)
	if err != nil {
		return about(file, err)
	}
	v, err := apply(doc.value)
	if err != nil {
		return fmt.Errorf("%s does not apply to %s: %w", title(file), title(base), err)
	}
	return o.outputOptions.encode(c, base, doc.codec, v, len(doc.src)+len(text))
}

// parsePatch reads a patch in one of the forms that diff prints: a list is a JSON Patch, an
// object a JSON Merge Patch, and anything else is GLYPH's.
func parsePatch(text []byte) (func(wire.Value) (wire.Value, error), error) {
	trimmed := bytes.TrimSpace(text)
	if len(trimmed) == 0 {
		return nil, errors.New("the patch is empty")
	}
	if first := trimmed[0]; first != '[' && first != '{' {
		patch, err := glyph.ParsePatch(string(text), nil)
		if err != nil && !bytes.HasPrefix(trimmed, []byte("@patch")) {
			return nil, fmt.Errorf("%w; a patch is what \"wirekit diff\" writes, a JSON Patch or a merge patch", err)
		} else if err != nil {
			return nil, err
		}
		return patch.Apply, nil
	}
	patch, err := roomy(wire.JSON{RejectDuplicates: true}, len(text)).Decode(text)
	if err != nil {
		return nil, err
	}
	return func(v wire.Value) (wire.Value, error) {
		if patch.Kind() == wire.KindArray {
			return applyJSONPatch(v, patch)
		}
		return applyMergePatch(v, patch), nil
	}, nil
}
