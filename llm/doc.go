// Package llm makes requests to the APIs of models smaller: the results of tools that
// a conversation carries, again on every turn, become the text that costs the fewest
// tokens. It reads and writes raw JSON and needs no SDK.
//
//	client := openai.NewClient(option.WithHTTPClient(&http.Client{Transport: &llm.Transport{}}))
//
// # The promise
//
//   - Every block is smaller or has its bytes. A rewritten block decodes to the same
//     members in the same order with the same digits, and has at least
//     a tenth fewer tokens.
//   - Everything outside the rewritten strings keeps its bytes: the order of keys, white
//     space, the spelling of numbers, members that are not known.
//   - A block becomes what it is and the options say: not what time it is, how busy the
//     machine is, where in the conversation it is, or what comes after it. So the request
//     of a turn begins with the request of the turn before, and the provider's prompt
//     cache goes on working.
//
// # What is rewritten
//
// The texts that tools returned, if they are JSON objects or arrays:
//
//	Chat Completions   messages[] of role "tool" or "function": content, or its parts of type "text"
//	Responses          input[] of type function_call_output, custom_tool_call_output, mcp_call: output, or its parts of type "input_text"
//	Messages           messages[].content[] of type tool_result: content, or its blocks of type "text"
//	generateContent    contents[].parts[].functionResponse.response, an object, only with [Rewriter.Objects]
//
// Nothing else is, unless a field of the [Rewriter] asks for it: no system text, no text
// of the assistant or the user, no thinking, no calls, no images or files. Results that
// are errors, and those of calls that code made, stay: code reads them.
//
// A body that is not JSON, has a key twice or half a surrogate, is cut or is too long,
// stays as it came.
//
// # Profiles
//
// What blocks become is named by a profile, [Profile], which reports have. A release
// that writes another text for any block has another profile, and every conversation that
// is under way then pays for its cache once more.
//
// # What a program calls
//
//   - A client of an SDK: [Transport].
//   - A server that forwards requests: the Handler of package llm/proxy.
//   - Anything else that has a body: [Rewriter.RewriteRequest] and [Detect].
//
// Rules for tools, modes and reasons are those of package mcp.
package llm
