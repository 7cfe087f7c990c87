package audit

import "github.com/wirekit/wirekit/internal/rewrite"

// most is how many rules are measured for a tool, and least the part of its JSON that one
// must save to be named.
const (
	most  = 3
	least = 0.05
)

// rules measures what it would save to leave out the members of a tool's results that take
// the most room, on the sample or what there is of one.
func (a *Auditor) rules(tool string, c *cell) (rules []Rule) {
	m := make(rewrite.Members)
	for _, t := range c.sample.texts {
		if v, ok := rewrite.Container(string(t.data)); ok {
			m.Add(v)
		}
	}
	for _, pattern := range m.Largest(most) {
		plan := a.plan
		plan.Omit = []string{pattern}
		before, after := 0, 0
		for _, t := range c.sample.texts {
			n := t.format
			if out, _, err := plan.Text(string(t.data)); err == nil {
				n = min(n, out.Tokens)
			}
			before, after = before+t.format, after+n
		}
		if saved := part(before-after, before); saved >= least {
			n := int(saved * float64(c.row.Tokens-c.row.Saved.Formats))
			rules = append(rules, Rule{Tool: tool, Rule: "omit:" + pattern, Tokens: n, Part: saved})
		}
	}
	return rules
}
