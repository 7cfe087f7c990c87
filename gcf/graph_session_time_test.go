package gcf

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestSessionExpires(t *testing.T) {
	at := time.Unix(1_000_000, 0)
	for _, c := range []struct {
		name    string
		session *Session
		steps   []time.Duration
		live    []bool // whether the payload belongs to the session
	}{
		{"idle", &Session{MaxIdle: time.Minute}, []time.Duration{0, time.Minute, time.Minute, 2 * time.Minute, time.Second}, []bool{true, true, true, false, true}},
		{"age", &Session{MaxAge: 2 * time.Minute}, []time.Duration{0, time.Minute, time.Minute, time.Minute, time.Second}, []bool{true, true, true, false, true}},
		{"defaults", &Session{}, []time.Duration{0, defaultSessionIdle, defaultSessionIdle + 1}, []bool{true, true, false}},
		{"no limits", &Session{MaxIdle: -1, MaxAge: -1}, []time.Duration{0, 10_000 * time.Hour}, []bool{true, true}},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.session.now = func() time.Time { return at }
			g := &Graph{Symbols: []Symbol{{QualifiedName: "a", Kind: "type", Provenance: "p"}}}
			for i, step := range c.steps {
				at = at.Add(step)
				doc, err := EncodeWithSession(g, c.session)
				require.NoError(t, err)
				require.Equal(t, c.live[i], strings.Contains(string(doc), "session=true"), "payload %d", i)
			}
		})
	}
}
