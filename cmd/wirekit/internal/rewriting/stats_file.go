package rewriting

import "os"

// mostStatsLine is the longest line of statistics that is written or read, in bytes.
const mostStatsLine = 16 << 20

// A statsFile is one that other processes may append to as well.
type statsFile struct {
	*os.File
	reading *os.File // the same, nil if it cannot be read
}

func openStats(name string) (*statsFile, error) {
	file, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	f := &statsFile{File: file}
	if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
		f.reading, _ = os.Open(name)
	}
	return f, nil
}

// add appends a line, in one write. If a full disk has cut the last one, it begins a line of
// its own.
func (f *statsFile) add(line []byte) error {
	if f.isCut() {
		line = append([]byte{'\n'}, line...)
	}
	_, err := f.Write(append(line, '\n'))
	return err
}

// isCut reports whether the file ends within a line, as far as that can be seen.
func (f *statsFile) isCut() bool {
	info, err := f.reading.Stat() // an error of a nil file too
	if err != nil || info.Size() == 0 {
		return false
	}
	var last [1]byte
	_, err = f.reading.ReadAt(last[:], info.Size()-1)
	return err == nil && last[0] != '\n'
}

func (f *statsFile) close() error {
	_ = f.reading.Close() // an error of a nil file too
	return f.Close()
}
