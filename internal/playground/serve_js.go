package playground

import "syscall/js"

// Serve gives the page the function wirekit(head, body), which calls [Engine.Do]: head
// is a string, body a Uint8Array or undefined, and so is the answer a Uint8Array. It
// does not return.
func Serve(e *Engine) {
	js.Global().Set("wirekit", js.FuncOf(func(_ js.Value, args []js.Value) any {
		var body []byte
		if len(args) > 1 && !args[1].IsUndefined() {
			body = make([]byte, args[1].Length())
			js.CopyBytesToGo(body, args[1])
		}
		out := e.Do([]byte(args[0].String()), body)
		answer := js.Global().Get("Uint8Array").New(len(out))
		js.CopyBytesToJS(answer, out)
		return answer
	}))
	select {}
}
