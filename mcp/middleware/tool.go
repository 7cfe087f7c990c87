package middleware

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/wirekit/wirekit/mcp"
	"github.com/wirekit/wirekit/wire"
)

// AddTool adds a typed tool as the SDK's AddTool does, with results that are
// made of the handler's Go value by [wire.FromGo]: members in the order of the
// fields, numbers with all their digits. They are rewritten as r says; its mode
// is [mcp.ModeReplace] where r names none.
//
// A tool whose results are replaced declares no output schema. In other modes it
// has the one of t, or that of Out; the value is checked against it, but the
// schema's defaults are not filled in, and a result is never replaced for one
// client while others rely on the schema. A client that asks for JSON gets
// structuredContent and the same as text, with every digit.
//
// AddTool does not change t. It panics where the SDK's does, and if
// [mcp.Rewriter.Validate] refuses r. A middleware of [New] on the same server leaves
// what is rewritten here alone.
func AddTool[In, Out any](s *sdk.Server, t *sdk.Tool, h sdk.ToolHandlerFor[In, Out], r *mcp.Rewriter) {
	r = checked(r)
	declared := *t
	e := exact{rewriter: r, declares: r.RuleFor(mcp.Call{Tool: t.Name}).Mode != mcp.ModeReplace}
	if !e.declares {
		declared.OutputSchema = nil
	} else if err := e.declare(&declared, reflect.TypeFor[Out]()); err != nil {
		panic(fmt.Errorf("AddTool: tool %q: output schema: %w", t.Name, err))
	}
	sdk.AddTool(s, &declared, func(ctx context.Context, req *sdk.CallToolRequest, in In) (*sdk.CallToolResult, any, error) {
		result, out, err := h(ctx, req, in)
		if err != nil || result != nil && (result.NeedsInput() || result.InputRequests != nil) {
			return result, nil, err
		}
		result, err = e.result(callOf(req), result, reflect.ValueOf(&out).Elem())
		return result, nil, err
	})
}

// exact makes results of Go values.
type exact struct {
	rewriter *mcp.Rewriter
	declares bool // the tool has an output schema, if there is one
	schema   *jsonschema.Resolved
}

// numbers are schemas of types that JSON has as numbers, whatever they are in Go.
var numbers = map[reflect.Type]*jsonschema.Schema{reflect.TypeFor[json.Number](): {Type: "number"}}

// declare gives a tool the output schema that it has, or that of its type.
func (e *exact) declare(t *sdk.Tool, out reflect.Type) (err error) {
	if out.Kind() == reflect.Pointer {
		out = out.Elem()
	}
	if t.OutputSchema == nil {
		if out == reflect.TypeFor[any]() {
			return nil
		}
		if t.OutputSchema, err = jsonschema.ForType(out, &jsonschema.ForOptions{TypeSchemas: numbers}); err != nil {
			return err
		}
	}
	raw, err := json.Marshal(t.OutputSchema)
	var schema jsonschema.Schema
	if err = cmp.Or(err, json.Unmarshal(raw, &schema)); err != nil {
		return err
	}
	e.schema, err = schema.Resolve(nil)
	return err
}

// result returns a result with a value as structuredContent and as text, as
// the SDK would make it, and rewritten.
func (e *exact) result(call mcp.Call, result *sdk.CallToolResult, out reflect.Value) (*sdk.CallToolResult, error) {
	var changed sdk.CallToolResult
	if result != nil {
		changed = *result
	}
	if out.Kind() == reflect.Interface && out.IsNil() {
		return &changed, nil
	}
	if out.Kind() == reflect.Pointer && out.IsNil() {
		out = reflect.Zero(out.Type().Elem()) // as the SDK has it: not null
	}
	data, err := wire.Marshal(wire.JSON{}, out.Interface())
	if err != nil {
		return nil, internalError("the value of a tool's result is not JSON", err)
	}
	if err := e.check(data); err != nil {
		return nil, internalError("a tool's result breaks its output schema", err)
	}
	changed.StructuredContent = json.RawMessage(data)
	if changed.Content == nil {
		changed.Content = []sdk.Content{&sdk.TextContent{Text: string(data)}}
	} else if e.declares && data[0] != '{' { // for clients of before 2026-07-28, which expect an object
		changed.Content = append(slices.Clip(changed.Content), &sdk.TextContent{Text: string(data)})
	}
	r := e.rewriter
	if e.declares && r.RuleFor(call).Mode == mcp.ModeReplace {
		general := *r
		general.Clients = nil // what was declared holds for all
		r = &general
	}
	return rewritten(r, call, &changed), nil
}

// check compares a value with the output schema. What is checked is a copy.
func (e *exact) check(data []byte) error {
	if e.schema == nil {
		return nil
	}
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		return err
	}
	return e.schema.Validate(v)
}

func internalError(what string, err error) error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: fmt.Sprintf("%s: %v", what, err)}
}
