package main

import (
	"fmt"
	"io"
	"strings"
	"sync/atomic"

	"github.com/spf13/cobra"
	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/wire"
)

func newConvert(c *console) *cobra.Command {
	var o convertOptions
	cmd := &cobra.Command{
		Use:   "convert [-f FROM] -t TO [-o OUT] [FILE|-]",
		Short: "Convert a document from one format to another",
		Long: `Convert a document from one format to another.

The input's format is detected unless --from names it. Nothing is written if
the input is malformed or the output format cannot carry the value.

--stream converts record by record in constant memory: the input is JSON Lines
or any other format with rows, the output one that is written row by row. What
was written to standard output before an error stays there; a file given with
--out appears only when everything is done.`,
		Example: `  wirekit convert -t gcf orders.json
  wirekit convert -f gcf -t json --pretty orders.gcf
  curl -s https://api.example.com/items | wirekit convert -t glyph
  wirekit convert --stream -t gcf -o log.gcf log.jsonl`,
		Args: atMost(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if o.to == "" {
				return usageError{fmt.Errorf("convert needs --to FORMAT, one of %s", strings.Join(wirekit.Names(), ", "))}
			}
			if o.stream {
				return o.convertStream(c, argument(args))
			}
			return o.convert(c, argument(args))
		},
	}
	addFrom(cmd, &o.from)
	cmd.Flags().StringVarP(&o.to, "to", "t", "", "format of the output")
	cmd.Flags().StringVarP(&o.out, "out", "o", "", "file to write (default: standard output)")
	cmd.Flags().BoolVar(&o.pretty, "pretty", false, "indent JSON output")
	cmd.Flags().BoolVar(&o.stream, "stream", false, "convert record by record in constant memory")
	completeFormats(cmd, "to")
	return cmd
}

type convertOptions struct {
	from, to, out  string
	pretty, stream bool
}

// target returns the codec of the output for an input of size bytes.
func (o convertOptions) target(size int) (wire.Codec, error) {
	to, err := codec(o.to, size)
	if err != nil {
		return nil, err
	}
	if o.pretty {
		j, ok := to.(wire.JSON)
		if !ok {
			return nil, usageError{fmt.Errorf("--pretty goes with --to json, not with --to %s", o.to)}
		}
		j.Indent = "  "
		return j, nil
	}
	return to, nil
}

func (o convertOptions) convert(c *console, file string) error {
	defer c.progress("converting "+title(file), noCount)()
	if _, err := o.target(0); err != nil {
		return err // before a long input is read
	}
	src, err := c.read(file)
	if err != nil {
		return err
	}
	_, v, err := decode(src, o.from)
	if err != nil {
		return err
	}
	return o.encode(c, v, len(src))
}

// encode writes v, which was read from size bytes.
func (o convertOptions) encode(c *console, v wire.Value, size int) error {
	to, err := o.target(size)
	if err != nil {
		return err
	}
	out, err := to.AppendEncode(nil, v)
	if err != nil {
		return err
	}
	if info := to.Info(); !info.Binary && len(out) > 0 && out[len(out)-1] != '\n' {
		out = append(out, '\n')
	}
	return c.write(o.out, out)
}

func (o convertOptions) convertStream(c *console, file string) error {
	from := o.from
	if from == "" {
		from = "jsonl"
	}
	source, err := streamer(from)
	if err != nil {
		return err
	}
	target, err := streamer(o.to)
	if err != nil {
		return err
	}
	if o.pretty {
		return usageError{fmt.Errorf("--pretty does not go with --stream")}
	}
	in, err := c.open(file)
	if err != nil {
		return err
	}
	defer in.Close()
	var records atomic.Int64
	defer c.progress("converting "+title(file), func() string { return fmt.Sprintf("%d records", records.Load()) })()
	return c.writeWith(o.out, func(w io.Writer) error {
		return pump(source, target, in, w, &records)
	})
}

// pump copies records. The first one's keys are the output's columns.
func pump(source, target wire.Streamer, in io.Reader, out io.Writer, count *atomic.Int64) error {
	var w wire.RecordWriter
	for record, err := range source.Records(in) {
		if err == nil && w == nil {
			var keys *wire.Keys
			if record.Kind() == wire.KindObject {
				keys = record.Keys()
			}
			w, err = target.NewRecordWriter(out, keys)
		}
		if err == nil {
			err = w.Write(record)
		}
		if err != nil {
			return fmt.Errorf("record %d: %w", count.Load()+1, err)
		}
		count.Add(1)
	}
	if w == nil { // no record at all
		var err error
		if w, err = target.NewRecordWriter(out, nil); err != nil {
			return err
		}
	}
	return w.Close()
}

// streamer returns the codec called name if it is written and read row by row.
func streamer(name string) (wire.Streamer, error) {
	c, err := wirekit.Lookup(name)
	if err != nil {
		return nil, err
	}
	if s, ok := c.(wire.Streamer); ok {
		return s, nil
	}
	var names []string
	for _, c := range wirekit.Codecs() {
		if _, ok := c.(wire.Streamer); ok {
			names = append(names, c.Info().Name)
		}
	}
	return nil, usageError{fmt.Errorf("--stream needs a format with rows: %s, not %s", strings.Join(names, ", "), name)}
}
