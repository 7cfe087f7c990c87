package main

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/wire"
)

// inputOptions are the flags of the verbs that read a document in any format.
type inputOptions struct {
	from string
	at   pointer
}

func (o *inputOptions) add(cmd *cobra.Command) {
	addFrom(cmd, &o.from)
	o.at.add(cmd)
}

// A document is an input that has been read.
type document struct {
	src   []byte
	codec wire.Codec // that of its format
	value wire.Value // all of it, or the part that --at names
}

// load reads the document that a FILE argument names.
func (o inputOptions) load(c *console, file string) (document, error) {
	if err := o.at.check(); err != nil {
		return document{}, err
	}
	src, err := c.read(file)
	if err != nil {
		return document{}, err
	}
	codec, v, err := c.decode(file, src, o.from)
	if err != nil {
		return document{}, about(file, err)
	}
	v, err = o.at.in(v)
	return document{src, codec, v}, about(file, err)
}

// decode reads a document in the format from; without one in that of the file's
// extension, and without such an extension in the one detected. It notes what a
// codec accepts but warns of, such as a stream without its trailer.
func (c *console) decode(file string, src []byte, from string) (wire.Codec, wire.Value, error) {
	named := from == ""
	var codec wire.Codec
	var err error
	if named {
		codec = extended(file, src)
		named = codec != nil
	}
	if codec == nil {
		if codec, err = source(src, from); err != nil {
			return nil, wire.Value{}, err
		}
	}
	codec = roomy(codec, len(src))
	v, err := c.warned(codec).Decode(src)
	if err != nil && named {
		err = misnamed(err, codec, src)
	}
	return codec, v, err
}

// extended returns the codec of a file's extension, nil if there is none. Where
// another codec's extension ends with that one, as .graph.gcf ends with .gcf,
// the file's first bytes may claim it for the other.
func extended(file string, src []byte) wire.Codec {
	found, err := wirekit.LookupFile(file)
	if err != nil {
		return nil
	}
	for _, other := range wirekit.Codecs() {
		if sniffer, ok := other.(wire.Sniffer); ok && extends(other, found) && sniffer.Sniff(src) {
			return other
		}
	}
	return found
}

// extends reports whether an extension of c is a longer form of one of d's.
func extends(c, d wire.Codec) bool {
	for _, long := range c.Info().Extensions {
		for _, short := range d.Info().Extensions {
			if len(long) > len(short) && strings.HasSuffix(long, short) {
				return true
			}
		}
	}
	return false
}

var errEmpty = errors.New("the input is empty")

// misnamed adds to the error of the codec that a file's extension names which
// other format the bytes are in, if they are.
func misnamed(err error, codec wire.Codec, src []byte) error {
	if len(bytes.TrimSpace(src)) == 0 {
		return errEmpty
	}
	other, unknown := wirekit.Detect(src)
	if unknown != nil || other.Info().Name == codec.Info().Name {
		return err
	}
	if _, refused := roomy(other, len(src)).Decode(src); refused != nil {
		return err
	}
	name := other.Info().FullName()
	return fmt.Errorf("%w; the extension says %s, the content reads as %s: if it is that, say --from %s",
		err, codec.Info().FullName(), name, name)
}

// source returns the codec of the format from, or of the one detected.
func source(src []byte, from string) (wire.Codec, error) {
	if from != "" {
		return lookup(from)
	}
	if c, err := wirekit.Detect(src); err == nil {
		return c, nil
	}
	switch text := bytes.TrimSpace(src); {
	case len(text) == 0:
		return nil, errEmpty
	case bytes.IndexByte([]byte(`{["`), text[0]) >= 0:
		return lookup("json") // malformed: JSON's error says where
	}
	return nil, fmt.Errorf("the input is in none of the formats %s; name one with --from", strings.Join(wirekit.Names(), ", "))
}
