package proxy

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/wirekit/wirekit/internal/base/scan"
	"github.com/wirekit/wirekit/internal/base/splice"
	"github.com/wirekit/wirekit/internal/proxy/rewrite"
	"github.com/wirekit/wirekit/internal/proxy/serving"
	"github.com/wirekit/wirekit/llm"
	"github.com/wirekit/wirekit/mcp"
	"github.com/wirekit/wirekit/tokens"
	"github.com/wirekit/wirekit/wire"
)

// compress answers what LiteLLM, Kong and Portkey ask a server beside them: messages of
// Chat Completions or of Anthropic, for the same with fewer tokens. Their number, order,
// roles and ids stay. Nothing is ever left out, so there is nothing to fetch again:
// ccr_hashes is empty.
func (h *Handler) compress(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		fail(w, http.StatusMethodNotAllowed, "invalid_request_error", "compress is called with POST")
		return
	}
	most := cmp.Or(h.Rewriter.MaxBytes, rewrite.DefaultMaxRequest)
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, int64(most)))
	var tooLong *http.MaxBytesError
	switch {
	case errors.As(err, &tooLong):
		fail(w, http.StatusRequestEntityTooLarge, "request_too_large", fmt.Sprintf("the request is longer than %d bytes", most))
		return
	case err != nil:
		fail(w, http.StatusBadRequest, "invalid_request_error", "the request cannot be read")
		return
	}
	before, err := h.countTexts(body)
	if err != nil {
		fail(w, http.StatusBadRequest, "invalid_request_error", err.Error())
		return
	}
	out, report := body, llm.Report{}
	if bypass, _ := strconv.ParseBool(r.Header.Get("X-Headroom-Bypass")); !bypass {
		out, report = h.Rewriter.RewriteRequest(body, llm.ShapeChat)
	}
	serving.Reply(w, http.StatusOK, answer(out, report, before))
}

// answer returns the answer for a body that was rewritten.
func answer(out []byte, report llm.Report, before int) []byte {
	messages, _ := splice.Find(out, splice.Whole(out), "messages")
	saved, applied := report.TokensIn-report.TokensOut, []string{}
	for _, b := range report.Blocks {
		name := string(scan.AppendQuote(nil, "wirekit:"+b.Format))
		if b.Reason == mcp.ReasonConverted && !slices.Contains(applied, name) {
			applied = append(applied, name)
		}
	}
	ratio := 1.0
	if before > 0 {
		ratio = float64(before-saved) / float64(before)
	}
	text := append([]byte(`{"messages":`), messages.Of(out)...)
	return fmt.Appendf(text, `,"tokens_before":%d,"tokens_after":%d,"tokens_saved":%d,"compression_ratio":%.4f,"transforms_applied":[%s],"ccr_hashes":[]}`,
		before, before-saved, saved, ratio, strings.Join(applied, ","))
}

// countTexts returns the tokens of all texts in messages, or why the body is not a request.
func (h *Handler) countTexts(body []byte) (total int, err error) {
	counter := cmp.Or(h.Rewriter.Counter, tokens.Default())
	err = wire.View(rewrite.Strict, body, func(v wire.Value) error {
		list, _ := v.Get("messages")
		if list.Kind() != wire.KindArray {
			return errors.New("messages is not an array, and only messages is read: no input of Responses, no contents of Gemini")
		}
		for m := range list.Elements() {
			if m.Kind() != wire.KindObject {
				return errors.New("a message is not an object")
			}
			content, _ := m.Get("content")
			n, err := counter.Count(appendTexts(nil, content))
			if err != nil {
				return err
			}
			total += n
		}
		return nil
	})
	return total, err
}

// appendTexts appends the texts of a message's content: a string, or blocks that have a text or
// a content of their own.
func appendTexts(dst []byte, content wire.Value) []byte {
	switch content.Kind() {
	case wire.KindString:
		dst = append(dst, content.Text()...)
	case wire.KindArray:
		for b := range content.Elements() {
			for _, name := range [...]string{"text", "content"} {
				inner, _ := b.Get(name) // null if it has none
				dst = appendTexts(dst, inner)
			}
		}
	}
	return dst
}
