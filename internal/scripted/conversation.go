package scripted

import (
	"bufio"
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
	var before []byte
	for _, r := range conversation {
		shared := 0
		for shared < min(len(before), len(r.Body)) && before[shared] == r.Body[shared] {
			shared++
		}
		for shared > 0 && shared < len(r.Body) && r.Body[shared]&0xC0 == 0x80 {
			shared-- // not in the middle of a character
		}
		line, err := json.Marshal(turnLine{r.Path, shared, string(r.Body[shared:])})
		if err != nil {
			return err
		}
		if _, err := w.Write(append(line, '\n')); err != nil {
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
	packed, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	var list []Request
	var before []byte
	in := bufio.NewReader(r)
	for {
		text, err := in.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return list, nil
		}
		if err != nil {
			return nil, err
		}
		var line turnLine
		if err := json.Unmarshal(text, &line); err != nil {
			return nil, err
		}
		before = append(before[:line.Shared:line.Shared], line.Rest...)
		list = append(list, Request{line.Path, before})
	}
}
