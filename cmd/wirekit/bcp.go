package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/wirekit/wirekit/bcp"
	"github.com/wirekit/wirekit/bcp/inspect"
	"github.com/wirekit/wirekit/bcp/render"
	"github.com/wirekit/wirekit/bcp/store"
	"github.com/wirekit/wirekit/tokens"
	"github.com/wirekit/wirekit/wire"
)

// newBCP returns the verbs of BCP/LCP context packs.
func newBCP(c *console) *cobra.Command {
	group := &cobra.Command{
		Use:   "bcp",
		Short: "BCP/LCP: write, read, render and check context packs",
		Args:  noVerb,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	group.AddCommand(newBCPEncode(c), newBCPDecode(c), newBCPInspect(c), newBCPStats(c), newBCPValidate(c))
	return group
}

// reading are the flags of the verbs that read a payload.
type reading struct {
	store   string
	strict  bool
	lenient bool
}

func (r *reading) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&r.store, "store", "", "folder with the content of references")
	cmd.Flags().BoolVar(&r.strict, "strict", false, "accept the canonical form only")
	cmd.Flags().BoolVar(&r.lenient, "lenient", false, "accept text that is not UTF-8 and unknown enumeration values")
}

func (r *reading) options() (bcp.DecodeOptions, error) {
	var o bcp.DecodeOptions
	switch {
	case r.strict && r.lenient:
		return o, usageError{errors.New("--strict and --lenient exclude each other")}
	case r.strict:
		o.Mode = bcp.ModeStrict
	case r.lenient:
		o.Mode = bcp.ModeLenient
	}
	if r.store != "" {
		o.Store = store.Dir{Path: r.store}
	}
	return o, nil
}

func newBCPEncode(c *console) *cobra.Command {
	var out, folder, magic string
	var anywhere, compressBlocks, compressPayload, dedup bool
	cmd := &cobra.Command{
		Use:   "encode MANIFEST -o OUT",
		Short: "Write a context pack from a manifest of JSON text",
		Long: `Write a context pack from a manifest: a JSON object with an array "blocks".
Content may be in files beside the manifest ("content_file"); files elsewhere
are refused unless --anywhere allows them.

With --dedup, equal blocks are written once. With --store as well, the content
of all blocks goes to that folder, from which decode --store reads it again.`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usageError{fmt.Errorf("encode takes one manifest; see \"%s --help\"", cmd.CommandPath())}
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			payload, o, err := c.manifest(args[0], anywhere)
			if err != nil {
				return err
			}
			switch strings.ToLower(magic) {
			case "":
			case "lcp":
				payload.Header.Magic = bcp.LCP
			case "bcp":
				payload.Header.Magic = bcp.BCP
			default:
				return usageError{fmt.Errorf("--magic is lcp or bcp, not %s", magic)}
			}
			o.CompressBlocks = o.CompressBlocks || compressBlocks
			o.CompressPayload = o.CompressPayload || compressPayload
			o.Dedup = o.Dedup || dedup
			if folder != "" {
				o.Store = store.Dir{Path: folder}
			}
			pack, err := o.AppendEncode(nil, payload)
			if err != nil {
				return err
			}
			if err := c.write(out, pack); err != nil {
				return err
			}
			if out != "" && out != "-" {
				return c.write("", fmt.Appendf(nil, "Wrote %d bytes to %s\n", len(pack), out))
			}
			return nil
		},
	}
	cmd.Flags().StringVarP(&out, "out", "o", "", "file to write (default: standard output)")
	cmd.Flags().BoolVar(&compressBlocks, "compress-blocks", false, "compress every block for which it pays")
	cmd.Flags().BoolVar(&compressPayload, "compress-payload", false, "compress the payload as a whole if it gets smaller")
	cmd.Flags().BoolVar(&dedup, "dedup", false, "write equal blocks once")
	cmd.Flags().StringVar(&folder, "store", "", "folder that receives the content of blocks")
	cmd.Flags().StringVar(&magic, "magic", "", "magic of the header: lcp (default) or bcp")
	cmd.Flags().BoolVar(&anywhere, "anywhere", false, "allow content files outside the manifest's folder")
	return cmd
}

// manifest reads a manifest from a file or, without content files, from
// standard input.
func (c *console) manifest(name string, anywhere bool) (*bcp.Payload, bcp.EncodeOptions, error) {
	if name != "-" {
		return bcp.ReadManifest(name, anywhere)
	}
	v, err := readJSON(c, name)
	if err != nil {
		return nil, bcp.EncodeOptions{}, err
	}
	return bcp.FromManifest(v, bcp.ManifestOptions{})
}

func newBCPDecode(c *console) *cobra.Command {
	var r reading
	var mode, verbosity, out, tokenizer string
	var budget int
	var include []string
	var plain, asJSON bool
	cmd := &cobra.Command{
		Use:   "decode [FILE|-]",
		Short: "Render a context pack as the text that a model reads",
		Long: `Render a context pack as the text that a model reads, as XML, Markdown or with a
minimum of markup. With --budget it never takes more tokens than that, markup
included: blocks are shown by priority, in full, by their summary, or by a
placeholder.

--plain gives the text of the reference implementation byte for byte, with its
way of spending a budget and without protection against content that looks like
markup. --json prints the blocks as a manifest instead, which encode reads.`,
		Args: atMost(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			payload, err := c.payload(argument(args), r)
			if err != nil {
				return err
			}
			if asJSON {
				return c.emit(wire.JSON{Indent: "  "}, payload.Value())
			}
			o := render.Options{Include: nil, Plain: plain}
			if plain {
				o.Policy = render.Reference
			}
			if o.Mode, err = render.ParseMode(mode); err != nil {
				return usageError{err}
			}
			if o.Verbosity, err = render.ParseVerbosity(verbosity); err != nil {
				return usageError{err}
			}
			if o.Counter, err = tokens.Lookup(tokenizer); err != nil {
				return usageError{err}
			}
			for _, name := range include {
				typ, err := bcp.ParseBlockType(name)
				if err != nil {
					return usageError{err}
				}
				o.Include = append(o.Include, typ)
			}
			if cmd.Flags().Changed("budget") {
				if budget < 0 {
					return usageError{errors.New("--budget cannot be negative")}
				}
				o.Budget = &budget
			}
			text, err := o.Text(payload)
			if err != nil {
				return err
			}
			if (out == "" || out == "-") && !strings.HasSuffix(text, "\n") {
				text += "\n"
			}
			return c.write(out, []byte(text))
		},
	}
	r.add(cmd)
	cmd.Flags().StringVar(&mode, "mode", "xml", "xml, markdown or minimal")
	cmd.Flags().IntVar(&budget, "budget", 0, "tokens to stay within (default: no limit)")
	cmd.Flags().StringVar(&verbosity, "verbosity", "adaptive", "adaptive, full or summary")
	cmd.Flags().StringSliceVar(&include, "include", nil, "types of block to show, such as code,conversation (default: all)")
	cmd.Flags().StringVar(&tokenizer, "tokenizer", tokens.Default().Name(), "token counter: "+strings.Join(tokens.Names(), ", "))
	cmd.Flags().BoolVar(&plain, "plain", false, "the reference implementation's text and budget policy")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the blocks as a manifest")
	cmd.Flags().StringVarP(&out, "out", "o", "", "file to write (default: standard output)")
	return cmd
}

func (c *console) payload(file string, r reading) (*bcp.Payload, error) {
	o, err := r.options()
	if err != nil {
		return nil, err
	}
	src, err := c.read(file)
	if err != nil {
		return nil, err
	}
	return o.Decode(src)
}

// withPayload adds a verb that prints something about a payload.
func withPayload(c *console, cmd *cobra.Command, print func(w io.Writer, file string, src []byte, o bcp.DecodeOptions) error) *cobra.Command {
	var r reading
	r.add(cmd)
	cmd.Args = atMost(1)
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		o, err := r.options()
		if err != nil {
			return err
		}
		file := argument(args)
		src, err := c.read(file)
		if err != nil {
			return err
		}
		var out strings.Builder
		err = print(&out, file, src, o)
		if writing := c.write("", []byte(out.String())); writing != nil {
			return writing
		}
		return err
	}
	return cmd
}

func newBCPInspect(c *console) *cobra.Command {
	var o inspect.Options
	var block int
	cmd := &cobra.Command{Use: "inspect [FILE|-]", Short: "List a context pack's blocks"}
	cmd.Flags().BoolVar(&o.ShowBody, "show-body", false, "show the beginning of each content")
	cmd.Flags().BoolVar(&o.ShowHex, "show-hex", false, "dump each body in hexadecimal")
	cmd.Flags().IntVar(&block, "block", 0, "show the block with this index only")
	return withPayload(c, cmd, func(w io.Writer, _ string, src []byte, decode bcp.DecodeOptions) error {
		if cmd.Flags().Changed("block") {
			o.Block = &block
		}
		o.Decode = decode
		return o.Write(w, src)
	})
}

func newBCPStats(c *console) *cobra.Command {
	var tokenizer string
	cmd := &cobra.Command{Use: "stats [FILE|-]", Short: "Count a context pack's blocks, bytes and tokens"}
	cmd.Flags().StringVar(&tokenizer, "tokenizer", tokens.Default().Name(), "token counter: "+strings.Join(tokens.Names(), ", "))
	return withPayload(c, cmd, func(w io.Writer, file string, src []byte, decode bcp.DecodeOptions) error {
		counter, err := tokens.Lookup(tokenizer)
		if err != nil {
			return usageError{err}
		}
		stats, err := inspect.StatsOptions{Counter: counter, CounterName: counter.Name(), Decode: decode}.Stats(src)
		if err != nil {
			return err
		}
		return stats.Write(w, title(file))
	})
}

func newBCPValidate(c *console) *cobra.Command {
	cmd := &cobra.Command{Use: "validate [FILE|-]", Short: "Check that a context pack is sound"}
	return withPayload(c, cmd, func(w io.Writer, _ string, src []byte, decode bcp.DecodeOptions) error {
		return inspect.Validate(w, src, decode)
	})
}
