package rewriting

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/wirekit/wirekit/cmd/wirekit/internal/cli"
	"github.com/wirekit/wirekit/llm"
	"github.com/wirekit/wirekit/wire"
)

// maxCalibration is how long a file of pairs grows: some 20,000 of them.
const maxCalibration = 1 << 20

// NewCalibration returns one that notes pairs in a file, nil without a name. The file is open as
// long as the command runs.
func NewCalibration(c *cli.Console, name string) (*llm.Calibration, error) {
	if name == "" {
		return nil, nil
	}
	file, err := openStats(name)
	if err != nil {
		return nil, cli.Usagef("--calibrate: %w", err)
	}
	var mu sync.Mutex
	return &llm.Calibration{Observe: func(p llm.Pair) {
		mu.Lock()
		defer mu.Unlock()
		line, err := wire.Marshal(wire.JSON{}, p)
		if info, bad := file.Stat(); bad == nil && info.Size() < maxCalibration && err == nil {
			err = file.add(line)
		}
		if err != nil {
			c.Note("--calibrate: %v", err)
		}
	}}, nil
}

// A billed is what was saved with a model, in tokens of its provider.
type billed struct {
	Model   string    `json:"model"`
	Pairs   int       `json:"pairs"`
	Unknown int       `json:"answers_without_usage"`
	Saved   int       `json:"tokens_saved"`     // as counted here
	Factor  []float64 `json:"factor,omitempty"` // the lowest and the highest
}

// readBilled reads a file of pairs.
func readBilled(c *cli.Console, name string, all savings) (list []billed, err error) {
	if name == "" {
		return nil, nil
	}
	in, err := c.Open(name)
	if err != nil {
		return nil, fmt.Errorf("--calibrated: %w", err)
	}
	defer in.Close()
	factors := make(map[string]*llm.Factor)
	var noted notedLines
	err = noted.read(in, func(line []byte) error {
		var p llm.Pair
		if err := wire.Unmarshal(wire.JSON{}, line, &p); err != nil || p.Model == "" {
			return errors.New("not a pair of requests that the proxy has noted")
		}
		if factors[p.Model] == nil {
			factors[p.Model] = new(llm.Factor)
		}
		factors[p.Model].Add(p)
		return nil
	})
	if err == nil {
		err = noted.check(c, name)
	}
	if err != nil {
		return nil, fmt.Errorf("--calibrated: %w", err)
	}
	for _, model := range slices.Sorted(maps.Keys(factors)) {
		f := factors[model]
		b := billed{Model: model, Pairs: f.Pairs, Unknown: f.Unknown}
		for _, s := range all {
			if s.Server == model {
				b.Saved += s.TokensBefore - s.TokensAfter
			}
		}
		if low, high, ok := f.Interval(); ok {
			b.Factor = []float64{low, high}
		}
		list = append(list, b)
	}
	return list, nil
}

// billedText has a line for each model.
func billedText(list []billed) string {
	var out strings.Builder
	for _, b := range list {
		fmt.Fprintf(&out, "%s: from %s of requests (%s had no usage), ", cli.OneLine(b.Model), cli.Plural(b.Pairs, "pair"), cli.Plural(b.Unknown, "answer"))
		if b.Factor == nil {
			out.WriteString("nothing can be said of the provider's tokens yet\n")
			continue
		}
		low, high, saved := b.Factor[0], b.Factor[1], float64(b.Saved)
		fmt.Fprintf(&out, "%.2f to %.2f of the provider's tokens for each: %d saved are %.0f to %.0f\n", low, high, b.Saved, saved*low, saved*high)
	}
	return cli.Printable(out.String())
}
