package main

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/cli"
	"github.com/wirekit/wirekit/internal/codec/describe"
	"github.com/wirekit/wirekit/internal/testkit/payload"
	"github.com/wirekit/wirekit/internal/testkit/trials"
	"github.com/wirekit/wirekit/wire"
)

// TestConvertUnnamed: what convert writes it reads again without --from.
func TestConvertUnnamed(t *testing.T) {
	trials.OneGoroutine(t)
	convert := func(in []byte, args ...string) (out []byte, failed string, code int) {
		var stdout, stderr bytes.Buffer
		code = run(append([]string{"convert"}, args...), &cli.Console{In: bytes.NewReader(in), Out: &stdout, Err: &stderr})
		return stdout.Bytes(), stderr.String(), code
	}
	inputs := []string{`{"jsonrpc":"2.0","id":1,"result":{}}`, `["t","f"]`, `[1,"a",null]`, `[{"id":1},{"id":2}]`, `{"status":"ok","data":{"items":["a","b"]}}`}
	for i, p := range payload.All() {
		if i%12 == 0 || i%6 == 0 && !testing.Short() {
			inputs = append(inputs, string(p.JSON))
		}
	}
	names := []string{"auto"}
	for _, c := range describe.All(wirekit.Registry()) {
		if info := c.Info(); !info.Binary && info.Name != "csv" && info.Name != "goon" && info.Name != "gcf-graph" {
			names = append(names, info.FullName())
		}
	}
	for _, name := range names {
		var loss wire.Loss
		if c, err := wirekit.Lookup(name); err == nil {
			loss = c.Info().Loss
		}
		for _, in := range inputs {
			text, _, code := convert([]byte(in), "-f", "json", "-t", name)
			if code != cli.ExitOK {
				continue // lists only, as JSON Lines
			}
			back, failed, code := convert(text, "-t", "json")
			if code != cli.ExitOK && name == "auto" {
				require.Contains(t, failed, "--from") // a table of CSV
				continue
			}
			require.Equal(t, cli.ExitOK, code, "%s: %s\n%.200s", name, failed, text)
			want, err := wire.ParseJSON([]byte(in))
			require.NoError(t, err)
			got, err := wire.ParseJSON(back)
			require.NoError(t, err)
			difference, at := wire.Difference(want, got)
			require.Zero(t, difference&^(loss|wire.LossOrder|wire.LossNumberText), "%s: %v at %q\n%.200s", name, difference, at, text)
		}
	}
}
