package cli

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/wirekit/wirekit/tokens"
)

// An Amount is a number of tokens, bytes or records, the value of a flag: 8000, 8k, 1.5M
// in powers of 1000, 64Ki and 1Mi in powers of 1024.
type Amount int

var units = []struct {
	name string
	size float64
}{{"Ki", 1 << 10}, {"Mi", 1 << 20}, {"Gi", 1 << 30}, {"k", 1e3}, {"K", 1e3}, {"M", 1e6}, {"G", 1e9}, {"", 1}}

// Set implements pflag.Value.
func (a *Amount) Set(text string) error {
	number := strings.TrimSuffix(strings.TrimSpace(text), "B")
	size := 1.0
	for _, u := range units {
		if rest, ok := strings.CutSuffix(number, u.name); ok {
			number, size = rest, u.size
			break
		}
	}
	x, err := strconv.ParseFloat(number, 64)
	if x *= size; err != nil || !(x >= 0 && x <= math.MaxInt32<<10) || x != math.Trunc(x) || x > math.MaxInt {
		return errors.New("it is not an amount")
	}
	*a = Amount(x)
	return nil
}

func (a *Amount) String() string { return strconv.Itoa(int(*a)) }

// Type implements pflag.Value.
func (a *Amount) Type() string { return "amount" }

// A Percentage is a part of a whole below all of it, the value of a flag: 5%, 5 and 0.05 are the
// same.
type Percentage float64

// Set implements pflag.Value.
func (s *Percentage) Set(text string) error {
	number, percent := strings.CutSuffix(strings.TrimSpace(text), "%")
	x, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if percent || x >= 1 {
		x /= 100
	}
	if err != nil || !(x >= 0 && x < 1) {
		return errors.New("it is not a part of a whole")
	}
	*s = Percentage(x)
	return nil
}

func (s *Percentage) String() string { return strconv.FormatFloat(100*float64(*s), 'g', 4, 64) + "%" }

// Type implements pflag.Value.
func (s *Percentage) Type() string { return "percent" }

// A Price is one of a million tokens, the value of a flag.
type Price float64

// Set implements pflag.Value.
func (p *Price) Set(text string) error {
	x, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || !(x > 0 && x <= math.MaxInt32) {
		return errors.New("it is not a price")
	}
	*p = Price(x)
	return nil
}

func (p *Price) String() string { return strconv.FormatFloat(float64(*p), 'g', -1, 64) }

// Type implements pflag.Value.
func (p *Price) Type() string { return "price" }

// AddPrice adds the flags for what tokens cost and take.
func AddPrice(cmd *cobra.Command, p *Price, window *Amount) {
	cmd.Flags().Var(p, "price", "price of a million input tokens: print what tokens cost (default: none)")
	cmd.Flags().Var(window, "window", "tokens of a context window: print what part of it tokens take (default: none)")
}

// Significant writes a number with so many significant digits at most, without an exponent.
func Significant(x float64, digits int) string {
	short, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', digits, 64), 64)
	return strconv.FormatFloat(short, 'f', -1, 64)
}

// A Tokenizer is the token counter that a flag names.
type Tokenizer struct{ tokens.Counter }

// Add adds the flag.
func (t *Tokenizer) Add(flags *pflag.FlagSet, about string) {
	t.Counter = tokens.Default()
	flags.Var(t, "tokenizer", about+strings.Join(tokens.Names(), ", ")+", the one of a model such as gpt-5, or a model's tokenizer.json")
}

// Set implements pflag.Value.
func (t *Tokenizer) Set(name string) (err error) {
	var misspelt error
	if t.Counter, misspelt = tokens.Lookup(name); misspelt == nil {
		return nil
	}
	if t.Counter, err = tokens.ForModel(name); err == nil {
		return nil
	}
	if info, missing := os.Stat(name); strings.HasSuffix(name, ".json") || missing == nil && info.Mode().IsRegular() {
		file, err := os.Open(name)
		if err != nil {
			return err
		}
		defer file.Close()
		v, err := tokens.LoadTokenizerJSON(name, file)
		if err != nil {
			return err
		}
		t.Counter = v
		return nil
	}
	if didYouMean(name, tokens.Names()) != "" {
		return misspelt
	}
	return err
}

func (t *Tokenizer) String() string {
	if t.Counter == nil {
		return "" // of a value that pflag makes to compare with
	}
	return t.Name()
}

// Type implements pflag.Value.
func (t *Tokenizer) Type() string { return "name" }

// Wants are what flags take, by the types of their values.
var Wants = map[string]string{
	"amount":      "a number such as 8000, 8k or 1Mi",
	"price":       "a price of a million tokens such as 2.5",
	"percent":     "a part such as 5%, 5 or 0.05, below all",
	"int":         "a whole number",
	"uint64":      "a whole number",
	"float64":     "a number",
	"bool":        "true or false",
	"duration":    "a time such as 90s or 24h",
	"stringToInt": "NAME=NUMBER",
}

// FlagError is a usage error about a flag: what it takes, or which one was meant.
func FlagError(cmd *cobra.Command, err error) error {
	help := fmt.Sprintf("; see \"%s --help\"", cmd.CommandPath())
	var bad *pflag.InvalidValueError
	var unknown *pflag.NotExistError
	switch {
	case errors.As(err, &bad):
		if _, notNumber := strconv.ParseFloat(bad.GetValue(), 64); strings.HasPrefix(bad.GetValue(), "-") && notNumber != nil {
			help = "; the flag needs a value of its own" + help
		}
		takes := Wants[bad.GetFlag().Value.Type()]
		if takes == "" {
			return Usagef("--%s: %s%s", bad.GetFlag().Name, plain(bad.Unwrap()), help)
		}
		return Usagef("--%s takes %s, not %q%s", bad.GetFlag().Name, takes, bad.GetValue(), help)
	case errors.As(err, &unknown) && len(unknown.GetSpecifiedName()) > 1:
		var known []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, "--"+f.Name) })
		name := "--" + unknown.GetSpecifiedName()
		return Usagef("unknown flag %s%s", name, cmp.Or(didYouMean(name, known), help))
	}
	return Usagef("%w%s", err, help)
}

// didYouMean is a question for the one or two of the known words that are most like a wrong
// one, or "".
func didYouMean(word string, known []string) string {
	var near []string
	letters := len(strings.TrimLeft(word, "-"))
	least := max(1, (letters+1)/3) // as many may be wrong
	for _, k := range known {
		d := distance(strings.ToLower(word), strings.ToLower(k))
		if letters < 2 || d > least && !(letters > 2 && strings.HasPrefix(k, word)) && !(len(k) > 4 && strings.HasPrefix(word, k)) {
			continue
		}
		if d < least {
			near, least = nil, d
		}
		near = append(near, strconv.Quote(k))
	}
	if len(near) == 0 || len(near) > 3 {
		return ""
	}
	return "; did you mean " + strings.Join(near, " or ") + "?"
}

// distance is how many letters have to be put in, taken out or replaced to make b of a, or
// swapped with the next.
func distance(a, b string) int {
	before, last, row := []int(nil), []int(nil), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before, last, row = last, row, make([]int, len(b)+1)
		row[0] = i + 1
		for j := range len(b) {
			same := 1
			if a[i] == b[j] {
				same = 0
			}
			row[j+1] = min(last[j]+same, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
	}
	return row[len(b)]
}
