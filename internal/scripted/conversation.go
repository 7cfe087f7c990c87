package scripted

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"os"
)

// A Request is one that a client has sent.
type Request struct {
	Path string
	Body []byte
}

// turnLine is how a file has a request: what it shares with the one before is a length.
type turnLine struct {
	Path   string `json:"path"`
	Shared int    `json:"shared"`
	Rest   string `json:"rest"`
}

// Save writes a recorded conversation.
func Save(file string, conversation []Request) error {
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return err
	}
	lines := json.NewEncoder(w)
	var before []byte
	for _, r := range conversation {
		shared := 0
		for shared < min(len(before), len(r.Body)) && before[shared] == r.Body[shared] {
			shared++
		}
		for shared > 0 && shared < len(r.Body) && r.Body[shared]&0xC0 == 0x80 {
			shared-- // not in the middle of a character
		}
		if err := lines.Encode(turnLine{r.Path, shared, string(r.Body[shared:])}); err != nil {
			return err
		}
		before = r.Body
	}
	if err := w.Close(); err != nil {
		return err
	}
	return os.WriteFile(file, packed.Bytes(), 0o644)
}

// Load reads a recorded conversation.
func Load(file string) ([]Request, error) {
	packed, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer packed.Close()
	r, err := gzip.NewReader(packed)
	if err != nil {
		return nil, err
	}
	var list []Request
	var before []byte
	for lines := json.NewDecoder(r); ; {
		var line turnLine
		if err := lines.Decode(&line); errors.Is(err, io.EOF) {
			return list, nil
		} else if err != nil {
			return nil, err
		}
		before = append(before[:line.Shared:line.Shared], line.Rest...)
		list = append(list, Request{line.Path, before})
	}
}
