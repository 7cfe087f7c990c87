// Package bcp has the verbs of context packs that do not make one of files: those of bcp.
// What they say about a pack is in package inspect below it. It imports cli, not other verbs.
package bcp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/wirekit/wirekit/bcp"
	"github.com/wirekit/wirekit/bcp/render"
	"github.com/wirekit/wirekit/bcp/store"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/bcp/inspect"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/cli"
	"github.com/wirekit/wirekit/pack"
	"github.com/wirekit/wirekit/wire"
)

// New returns the verbs of BCP.
func New(c *cli.Console) *cobra.Command {
	return cli.NewGroup("bcp", newEncode(c), newDecode(c), newInspect(c), newStats(c),
		withPayload(c, cli.Command("bcp-validate"), inspect.Validate), newStore(c), newUnpack(c))
}

// reading are the flags of the verbs that read a payload.
type reading struct {
	store  string
	decode bcp.DecodeOptions
	limits limitFlags
}

// limitFlags are the limits of packs by the names of their fields, as messages
// give them.
type limitFlags map[string]int

func (l *limitFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringToIntVar((*map[string]int)(l), "limits", nil,
		"limit by its name in messages, such as InflatedBytes=1000000000; -1 for none; may be repeated")
}

// limits returns the limits of packs, and that of the text.
func (l limitFlags) limits() (limits bcp.Limits, outputBytes int, err error) {
	fields := map[string]*int{
		"blockbytes": &limits.BlockBytes, "payloadbytes": &limits.PayloadBytes, "inflatedbytes": &limits.InflatedBytes, "keptbytes": &limits.KeptBytes,
		"blocks": &limits.Blocks, "treedepth": &limits.TreeDepth, "outputbytes": &outputBytes,
	}
	for name, n := range l {
		field, ok := fields[strings.ToLower(name)]
		if !ok {
			return limits, 0, cli.Usagef("--limits %s: there are BlockBytes, PayloadBytes, InflatedBytes, KeptBytes, Blocks, TreeDepth and OutputBytes", name)
		}
		*field = n
	}
	return limits, outputBytes, nil
}

func (r *reading) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&r.store, "store", "", "folder with the content of references")
	cmd.Flags().BoolVar(&r.decode.Strict, "strict", false, "accept the canonical form only")
	cmd.Flags().BoolVar(&r.decode.Lenient, "lenient", false, "accept text that is not UTF-8 and unknown enumeration values")
	r.limits.add(cmd)
}

// read reads the payload of a file, and says how to decode it.
func (r *reading) read(c *cli.Console, file string) (src []byte, o bcp.DecodeOptions, err error) {
	if o = r.decode; o.Strict && o.Lenient {
		return nil, o, cli.Usagef("--strict and --lenient exclude each other")
	}
	if r.store != "" {
		o.Store = store.Dir{Path: r.store}
	}
	if o.Limits, _, err = r.limits.limits(); err != nil {
		return nil, o, err
	}
	src, err = c.Read(file)
	return src, o, err
}

func readPayload(c *cli.Console, file string, r reading) (*bcp.Payload, error) {
	src, o, err := r.read(c, file)
	if err != nil {
		return nil, err
	}
	payload, err := o.Decode(context.Background(), src)
	return payload, noPack(err)
}

// noPack adds to the error of a document that is not a pack how to make one.
func noPack(err error) error {
	if cli.Code(err) == bcp.CodeInvalidMagic {
		return fmt.Errorf("%w; \"wirekit pack\" makes packs of files, and \"wirekit bcp encode\" of a manifest", err)
	}
	return err
}

func newEncode(c *cli.Console) *cobra.Command {
	var out, folder, magic string
	var anywhere, compressBlocks, compressPayload, dedup, lenient bool
	var limits limitFlags
	cmd := cli.NewCommand("bcp-encode", cli.One("manifest"), func(_ *cobra.Command, args []string) error {
		bounds, _, err := limits.limits()
		if err != nil {
			return err
		}
		payload, o, err := readManifest(c, args[0], anywhere, bounds)
		if err != nil {
			return err
		}
		o.Limits = bounds
		switch m := strings.ToUpper(magic); m {
		case "":
		case "LCP", "BCP":
			payload.Header.Magic = m
		default:
			return cli.Usagef("--magic is lcp or bcp, not %s", magic)
		}
		o.CompressBlocks = o.CompressBlocks || compressBlocks
		o.CompressPayload = o.CompressPayload || compressPayload
		o.Dedup = o.Dedup || dedup
		o.Lenient = o.Lenient || lenient
		if folder != "" {
			if !o.Dedup && !refers(payload) {
				return cli.Usagef("--store keeps the content of references: add --dedup, or \"reference\" to blocks of the manifest")
			}
			o.Store = store.Dir{Path: folder}
		}
		pack, err := o.AppendEncode(context.Background(), nil, payload)
		if err != nil {
			return err
		}
		if err := c.Write(out, pack); err != nil {
			return err
		}
		if out != "" && out != "-" {
			return c.Write("", fmt.Appendf(nil, "Wrote %d bytes to %s\n", len(pack), out))
		}
		return nil
	})
	cmd.Flags().StringVarP(&out, "out", "o", "", "file to write (default: standard output)")
	cmd.Flags().BoolVar(&compressBlocks, "compress-blocks", false, "compress every block for which it pays")
	cmd.Flags().BoolVar(&compressPayload, "compress-payload", false, "compress the payload as a whole if it gets smaller")
	cmd.Flags().BoolVar(&dedup, "dedup", false, "write equal blocks once")
	cmd.Flags().StringVar(&folder, "store", "", "folder that receives the content of blocks")
	cmd.Flags().StringVar(&magic, "magic", "", "magic of the header: lcp (default) or bcp")
	cmd.Flags().BoolVar(&anywhere, "anywhere", false, "allow content files outside the manifest's folder")
	cmd.Flags().BoolVar(&lenient, "lenient", false, "write text that is not UTF-8 and unknown enumeration values, too")
	limits.add(cmd)
	return cmd
}

// refers reports whether a payload asks for references.
func refers(p *bcp.Payload) bool {
	return slices.ContainsFunc(p.Blocks, func(b bcp.Block) bool { return b.Flags&bcp.FlagIsReference != 0 })
}

func newDecode(c *cli.Console) *cobra.Command {
	var r reading
	var d rendering
	var out string
	var asJSON bool
	cmd := cli.NewCommand("bcp-decode", cli.AtMost(1), func(cmd *cobra.Command, args []string) error {
		payload, err := readPayload(c, cli.Argument(args), r)
		if err != nil {
			return err
		}
		if asJSON {
			useless := []string{"render", "budget", "verbosity", "include", "tokenizer", "plain", "policy", "compact", "line-numbers", "out"}
			if i := slices.IndexFunc(useless, cmd.Flags().Changed); i >= 0 {
				return cli.Usagef("--%s has no effect on what --json prints", useless[i])
			}
			return c.Print(wire.JSON{Indent: "  "}, payload.Value(), nil)
		}
		o, err := d.options(cmd, r)
		if err != nil {
			return err
		}
		text, err := o.Text(payload)
		if err != nil {
			return err
		}
		if out == "" || out == "-" {
			if !strings.HasSuffix(text, "\n") {
				text += "\n"
			}
			if cli.IsDevice(c.Out) {
				text = cli.WithoutControls(text)
			}
		}
		return c.Write(out, []byte(text))
	})
	r.add(cmd)
	d.add(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the blocks as a manifest")
	cmd.Flags().StringVarP(&out, "out", "o", "", "file to write (default: standard output)")
	return cmd
}

// rendering is what the flags say of how a pack is rendered.
type rendering struct {
	mode, verbosity, policy string
	tokenizer               cli.Tokenizer
	budget                  cli.Amount
	include                 []string
	plain, compact, numbers bool
}

func (d *rendering) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&d.mode, "render", "xml", "xml, markdown or minimal")
	f.Var(&d.budget, "budget", "tokens to stay within (default: no limit)")
	f.StringVar(&d.policy, "policy", "fit", "how a budget is spent: fit, steady or reference")
	f.StringVar(&d.verbosity, "verbosity", "adaptive", "adaptive, full or summary")
	f.StringSliceVar(&d.include, "include", nil, "types of block to show, such as code,conversation (default: all)")
	d.tokenizer.Add(f, "token counter: ")
	f.BoolVar(&d.plain, "plain", false, "the reference implementation's text and budget policy")
	f.BoolVar(&d.compact, "compact", false, "file trees with a line for each folder, one line for all code that is not shown")
	f.BoolVar(&d.numbers, "line-numbers", false, "number the lines of code")
}

// options returns what render is asked for.
func (d *rendering) options(cmd *cobra.Command, r reading) (o render.Options, err error) {
	o = render.Options{Plain: d.plain, Compact: d.compact, LineNumbers: d.numbers, Counter: d.tokenizer.Counter}
	if _, o.OutputBytes, err = r.limits.limits(); err != nil {
		return o, err
	}
	err = cmp.Or(o.Policy.UnmarshalText([]byte(d.policy)), o.Mode.UnmarshalText([]byte(d.mode)), o.Verbosity.UnmarshalText([]byte(d.verbosity)))
	for i, name := range d.include {
		o.Include = append(o.Include, 0)
		err = cmp.Or(err, o.Include[i].UnmarshalText([]byte(name)))
	}
	if err != nil {
		return o, cli.Usage(err)
	}
	if d.plain && !cmd.Flags().Changed("policy") {
		o.Policy = render.PolicyReference
	}
	if cmd.Flags().Changed("budget") {
		o.Budget = (*int)(&d.budget)
	}
	return o, nil
}

// withPayload makes cmd a verb that prints a report about a payload, which may come with an
// error about it.
func withPayload[R cli.Report](c *cli.Console, cmd *cobra.Command, about func(file string, src []byte, o bcp.DecodeOptions) (R, error)) *cobra.Command {
	var input reading
	var asJSON bool
	input.add(cmd)
	cli.AddJSON(cmd, &asJSON)
	cmd.Args = cli.AtMost(1)
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		src, o, err := input.read(c, cli.Argument(args))
		if err != nil {
			return err
		}
		var none R
		r, err := about(cli.Title(cli.Argument(args)), src, o)
		err = noPack(err)
		if r == none {
			return err
		}
		return errors.Join(c.Show(asJSON, r), err)
	}
	return cmd
}

func newInspect(c *cli.Console) *cobra.Command {
	var o inspect.Options
	var block int
	cmd := cli.Command("bcp-inspect")
	cmd.Flags().BoolVar(&o.ShowBody, "show-body", false, "show the beginning of each content")
	cmd.Flags().BoolVar(&o.ShowHex, "show-hex", false, "dump each body in hexadecimal")
	cmd.Flags().IntVar(&block, "block", 0, "show the block with this index only")
	return withPayload(c, cmd, func(_ string, src []byte, decode bcp.DecodeOptions) (*inspect.Report, error) {
		if cmd.Flags().Changed("block") {
			o.Block = &block
		}
		o.Decode = decode
		return o.Inspect(src)
	})
}

func newStats(c *cli.Console) *cobra.Command {
	var counter cli.Tokenizer
	cmd := cli.Command("bcp-stats")
	counter.Add(cmd.Flags(), "token counter: ")
	return withPayload(c, cmd, func(file string, src []byte, decode bcp.DecodeOptions) (*inspect.Stats, error) {
		return inspect.Count(file, src, decode, render.Options{Counter: counter.Counter})
	})
}

func newStore(c *cli.Console) *cobra.Command {
	var clean time.Duration
	var asJSON bool
	cmd := cli.NewCommand("bcp-store", cli.One("folder"), func(cmd *cobra.Command, args []string) error {
		dir := store.Dir{Path: args[0]}
		info, err := os.Stat(dir.Path)
		switch {
		case err != nil:
		case !info.IsDir():
			err = fmt.Errorf("%s is not a folder", dir.Path)
		case cmd.Flags().Changed("clean"):
			err = dir.Clean(clean)
		}
		if err != nil {
			return err
		}
		list, damaged := contents(dir)
		return cli.PrintEach(c, asJSON, list, damaged)
	})
	cli.AddJSON(cmd, &asJSON)
	cmd.Flags().DurationVar(&clean, "clean", 0, "remove what crashed writers left, if older than this")
	return cmd
}

// A kept is what "bcp store" reports about a piece of content.
type kept struct {
	Hash  string `json:"hash"`
	Bytes int    `json:"bytes"`
}

func (k kept) String() string { return fmt.Sprintf("%s %d\n", k.Hash, k.Bytes) }

// contents returns what the folder keeps, by hash, and the errors of what it
// does not keep whole.
func contents(dir store.Dir) (list []kept, damaged error) {
	list = []kept{}
	for h, err := range dir.All() {
		if err != nil {
			return list, err
		}
		body, err := dir.Get(context.Background(), h)
		if err != nil {
			damaged = errors.Join(damaged, err)
			continue
		}
		list = append(list, kept{h.String(), len(body)})
	}
	slices.SortFunc(list, func(a, b kept) int { return strings.Compare(a.Hash, b.Hash) })
	return list, damaged
}

// readManifest reads a manifest from a file or, without content files, from
// standard input. Content files are looked for in the manifest's folder.
func readManifest(c *cli.Console, name string, anywhere bool, limits bcp.Limits) (*bcp.Payload, bcp.EncodeOptions, error) {
	doc, err := cli.Selection{}.Read(c, name, wire.JSON{})
	if err != nil {
		if e := cli.Fault(err); e != nil && e.Hint == "" {
			e.Hint = "a manifest is a JSON object with an array of blocks"
		}
		return nil, bcp.EncodeOptions{}, err
	}
	if name == "-" {
		return bcp.FromManifest(doc.Value, nil, limits)
	}
	dir, stat, open := filepath.Dir(name), os.Stat, os.Open
	if !anywhere {
		root, err := os.OpenRoot(dir)
		if err != nil {
			return nil, bcp.EncodeOptions{}, err
		}
		defer root.Close()
		stat, open = root.Stat, root.Open
	}
	return bcp.FromManifest(doc.Value, contentFiles(func(name string) (fs.File, error) {
		if anywhere && !filepath.IsAbs(name) {
			name = filepath.Join(dir, name)
		}
		info, err := stat(name)
		if err == nil && !info.Mode().IsRegular() { // a pipe or a device might wait for ever
			err = &fs.PathError{Op: "open", Path: name, Err: errors.New("not a regular file")}
		}
		if err == nil {
			var f *os.File
			if f, err = open(name); err == nil {
				return f, nil
			}
		}
		if anywhere || errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		return nil, &wire.Error{Format: "bcp", Code: "content_file", Kind: err, Message: err.Error(),
			Hint: "content files lie in the manifest's folder, unless files anywhere are allowed (--anywhere)"}
	}), limits)
}

// contentFiles are the files that a manifest may name, by paths of the system.
type contentFiles func(name string) (fs.File, error)

func (open contentFiles) Open(name string) (fs.File, error) { return open(name) }

func newUnpack(c *cli.Console) *cobra.Command {
	var r reading
	var o pack.UnpackOptions
	var folder string
	cmd := cli.NewCommand("bcp-unpack", cli.AtMost(1), func(_ *cobra.Command, args []string) error {
		payload, err := readPayload(c, cli.Argument(args), r)
		if err != nil {
			return err
		}
		if err := os.MkdirAll(folder, 0o777); err != nil {
			return err
		}
		root, err := os.OpenRoot(folder)
		if err != nil {
			return err
		}
		defer root.Close()
		done, err := o.Unpack(payload, root)
		if done != nil {
			for _, name := range done.Masked {
				c.Note("secrets in %s were masked when it was packed", cli.OneLine(name))
			}
			c.Note("wrote %d files", len(done.Files))
		}
		return err
	})
	r.add(cmd)
	cmd.Flags().StringVarP(&folder, "out-dir", "C", ".", "folder to write to")
	cmd.Flags().BoolVar(&o.Force, "force", false, "replace files that exist")
	return cmd
}
