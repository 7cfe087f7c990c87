package envelope_test

import (
	"errors"
	"fmt"

	"github.com/wirekit/wirekit/gcx/envelope"
	"github.com/wirekit/wirekit/wire"
)

func ExampleResolve() {
	definition := envelope.Definition{Name: "audit_agent_config", Scope: "fan-out"}
	workspace := envelope.Workspace{Repos: []string{"gortex"}}
	_, err := envelope.Resolve(definition, wire.Array(wire.String("zeta")), workspace)
	var answer *envelope.Error
	if errors.As(err, &answer) { // to be sent with AppendError
		fmt.Println(answer.Code, answer.Message)
	}
	// Output: unknown_repo no such repo: zeta
}
