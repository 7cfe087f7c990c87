package middleware

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"slices"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/wirekit/wirekit/mcp"
	"github.com/wirekit/wirekit/wire"
)

// New returns a middleware that rewrites the results of tools/call, tools/list,
// initialize and server/discover as r says; its mode is [mcp.ModeText] where r
// names none. It is for [sdk.Server.AddReceivingMiddleware], and safe for
// concurrent use. Results and tools of the server are never changed: what
// differs is a copy.
//
// It panics if [mcp.Rewriter.Validate] refuses r.
func New(r *mcp.Rewriter) sdk.Middleware {
	r = checked(r)
	r.Mode = cmp.Or(r.Mode, mcp.ModeText)
	return func(next sdk.MethodHandler) sdk.MethodHandler {
		return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
			result, err := next(ctx, method, req)
			if err != nil {
				return result, err
			}
			switch result := result.(type) {
			case *sdk.CallToolResult:
				if call, ok := req.(*sdk.CallToolRequest); ok && result != nil {
					return rewritten(r, callOf(call), result), nil
				}
			case *sdk.ListToolsResult:
				if list, ok := req.(*sdk.ListToolsRequest); ok && result != nil {
					return withTools(r, listOf(list), result), nil
				}
			case *sdk.InitializeResult:
				if result != nil {
					changed := *result
					changed.Instructions = instructions(r, result.Instructions)
					return &changed, nil
				}
			case *sdk.DiscoverResult:
				if result != nil {
					changed := *result
					changed.Instructions = instructions(r, result.Instructions)
					return &changed, nil
				}
			}
			return result, nil
		}
	}
}

// checked returns a copy of a rewriter, and panics if it is wrong: that is a mistake of the program, as a
// tool without a schema is.
func checked(r *mcp.Rewriter) *mcp.Rewriter {
	var own mcp.Rewriter // which the program cannot change any more
	if r != nil {
		own = *r
	}
	if err := own.Validate(); err != nil {
		panic(err)
	}
	return &own
}

func callOf(req *sdk.CallToolRequest) mcp.Call {
	c := mcp.Call{Client: clientOf(req.ClientInfo(), req.ClientCapabilities())}
	if req.Params != nil {
		c.Tool = req.Params.Name
		c.Format, _ = req.Params.Meta[mcp.MetaKey].(string)
	}
	return c
}

func listOf(req *sdk.ListToolsRequest) mcp.Call {
	c := mcp.Call{Client: clientOf(req.ClientInfo(), req.ClientCapabilities())}
	if req.Params != nil {
		c.Format, _ = req.Params.Meta[mcp.MetaKey].(string)
	}
	return c
}

func clientOf(info *sdk.Implementation, capabilities *sdk.ClientCapabilities) (c mcp.Client) {
	if info != nil {
		c.Name = info.Name
	}
	if capabilities == nil {
		return c
	}
	for _, settings := range []map[string]any{capabilities.Extensions, capabilities.Experimental} {
		ours, _ := settings[mcp.MetaKey].(map[string]any)
		list, ok := ours["accept"].([]any)
		if !ok {
			continue
		}
		c.Accept = []string{}
		for _, format := range list {
			if name, ok := format.(string); ok {
				c.Accept = append(c.Accept, name)
			}
		}
		break
	}
	return c
}

// rewritten returns a result, or a copy with what the rewriter changes.
func rewritten(r *mcp.Rewriter, call mcp.Call, result *sdk.CallToolResult) *sdk.CallToolResult {
	if result.IsError || result.NeedsInput() {
		return result
	}
	raw, err := json.Marshal(result)
	if err != nil {
		return result // the SDK says what is wrong with it
	}
	out, event := r.RewriteResult(call, raw)
	if event.Reason != mcp.ReasonConverted || event.Mode == mcp.ModeDryRun {
		return result
	}
	v, err := wire.ParseJSON(out)
	if err != nil {
		return result
	}
	changed := *result
	if _, kept := v.Get("structuredContent"); !kept {
		changed.StructuredContent = nil
	}
	changed.Content = contents(v, result.Content)
	return &changed
}

// contents returns the blocks of a rewritten result: those that were there and,
// in the places that say their format, new texts. Where there are fewer than
// before, one stands for all.
func contents(v wire.Value, before []sdk.Content) []sdk.Content {
	list, _ := v.Get("content")
	after := make([]sdk.Content, list.Len())
	for i := range after {
		block := list.Index(i)
		text, _ := block.Get("text")
		meta, _ := block.Get("_meta")
		format, marked := meta.Get(mcp.MetaKey)
		made := &sdk.TextContent{Text: text.Text(), Meta: sdk.Meta{}}
		if list.Len() >= len(before) && i < len(before) {
			was, ok := before[i].(*sdk.TextContent)
			if !ok || !marked || was.Text == made.Text {
				after[i] = before[i]
				continue
			}
			made.Annotations = was.Annotations
			maps.Copy(made.Meta, was.Meta)
		}
		made.Meta[mcp.MetaKey] = format.Text()
		after[i] = made
	}
	return after
}

// withTools returns a list, or a copy with copies of the tools whose schemas the
// rewriter changes.
func withTools(r *mcp.Rewriter, call mcp.Call, list *sdk.ListToolsResult) *sdk.ListToolsResult {
	changed := *list
	changed.Tools = make([]*sdk.Tool, len(list.Tools))
	for i, tool := range list.Tools {
		changed.Tools[i] = withSchemas(r, call, tool)
	}
	if slices.Equal(changed.Tools, list.Tools) {
		return list
	}
	return &changed
}

// withSchemas returns a tool, or a copy of it with other schemas.
func withSchemas(r *mcp.Rewriter, call mcp.Call, tool *sdk.Tool) *sdk.Tool {
	raw, err := json.Marshal(tool)
	if tool == nil || err != nil {
		return tool
	}
	in := slices.Concat([]byte(`{"tools":[`), raw, []byte("]}"))
	out := r.RewriteTools(call, in)
	var list struct {
		Tools []struct{ InputSchema, OutputSchema json.RawMessage }
	}
	if bytes.Equal(in, out) || json.Unmarshal(out, &list) != nil {
		return tool
	}
	changed := *tool
	changed.InputSchema, changed.OutputSchema = list.Tools[0].InputSchema, nil
	if output := list.Tools[0].OutputSchema; output != nil {
		changed.OutputSchema = output
	}
	return &changed
}

// instructions returns a server's instructions with those of the rewriter.
func instructions(r *mcp.Rewriter, text string) string {
	if text == "" {
		return r.Instructions
	}
	raw, _ := json.Marshal(map[string]string{"protocolVersion": "", "instructions": text}) // strings always are JSON
	var result struct{ Instructions string }
	if json.Unmarshal(r.RewriteInitialize(raw), &result) != nil {
		return text
	}
	return result.Instructions
}
