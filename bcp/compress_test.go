package bcp

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/internal/testkit/trials"
	"github.com/wirekit/wirekit/wire"
)

// The contents that the frames in testdata/zstd were made of.
var zstdContents = map[string][]byte{
	"zeros": make([]byte, 200_000),
	"rows":  rowsText(5000),
	"log":   logText(6000),
}

func rowsText(n int) []byte {
	var b bytes.Buffer
	for i := range n {
		fmt.Fprintf(&b, "{\"id\":%d,\"name\":\"item %d\",\"price\":%d.%02d,\"ok\":%t}\n", i, i*7919%1000, i*31%500, i%100, i%3 > 0)
	}
	return b.Bytes()
}

func logText(n int) []byte {
	var b bytes.Buffer
	for i := range n {
		fmt.Fprintf(&b, "2026-01-%02dT%02d:%02d:%02dZ level=%s msg=\"request %d served in %d ms\"\n",
			i/4000%28+1, i/3600%24, i/60%60, i%60, []string{"info", "warn", "error"}[i*i%3], i, i*i%977)
	}
	return b.Bytes()
}

// compressed returns a payload of one block with a body of zstd data.
func compressed(stored []byte) []byte {
	return appendEnd(BlockFrame{Type: 0x42, Flags: FlagCompressed, Body: stored}.append(Header{Magic: magicBCP}.append(nil)))
}

// wholly returns a payload of one block with the content, compressed as a
// whole by f.
func wholly(content []byte, f func([]byte) []byte) []byte {
	plain := appendEnd(BlockFrame{Type: 0x42, Body: content}.append(nil))
	return append(Header{Magic: magicBCP, Flags: HeaderCompressed}.append(nil), f(plain)...)
}

func requireContent(t *testing.T, want, src []byte) {
	t.Helper()
	p, err := decodeBoth(t, DecodeOptions{}, src)
	require.NoError(t, err)
	require.True(t, bytes.Equal(want, p.Blocks[0].Body.(*UnknownBody).Data))
}

// Frames of the zstd program, as streams without a content size and as files
// with one; see testdata/zstd/README.md.
func TestZstdProgramFrames(t *testing.T) {
	files, err := filepath.Glob("testdata/zstd/*.zst")
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(files), 10)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			content, _, _ := strings.Cut(filepath.Base(file), ".")
			stored, err := os.ReadFile(file)
			require.NoError(t, err)
			requireContent(t, zstdContents[content], compressed(stored))
			twice := append(bytes.Clone(stored), stored...)
			requireContent(t, bytes.Repeat(zstdContents[content], 2), compressed(twice))

			size := len(zstdContents[content])
			_, err = inflate(stored, size)
			require.NoError(t, err)
			_, err = inflate(stored, size-1)
			require.ErrorIs(t, err, errBomb)
			_, err = inflate(twice, 2*size-1)
			require.ErrorIs(t, err, errBomb)
			for _, cut := range []int{1, 5, len(stored) / 2, len(stored) - 1} {
				_, err = inflate(stored[:cut], size)
				require.Error(t, err)
				require.NotErrorIs(t, err, errBomb)
			}
			damaged := bytes.Clone(stored)
			damaged[len(damaged)-1] ^= 0xFF
			damaged[len(damaged)/2] ^= 0xFF
			if out, err := inflate(damaged, size); err == nil {
				require.NotEqual(t, zstdContents[content], out)
			}
		})
	}
}

// The same with the program itself, where it is installed.
func TestZstdProgram(t *testing.T) {
	if testing.Short() {
		t.Skip("runs without -short: it runs the zstd program")
	}
	if _, err := exec.LookPath("zstd"); err != nil {
		t.Skip("runs where the program zstd is installed; the frames in testdata are read everywhere")
	}
	run := func(content []byte, args ...string) []byte {
		cmd := exec.Command("zstd", append([]string{"-q", "-c"}, args...)...)
		cmd.Stdin = bytes.NewReader(content)
		out, err := cmd.Output()
		require.NoError(t, err)
		return out
	}
	contents := [][]byte{{}, []byte("x"), make([]byte, 65_536), make([]byte, 65_537), make([]byte, 131_073), rowsText(100), rowsText(20_000),
		logText(30_000), make([]byte, defaultBlockBytes), bytes.Repeat(logText(100), 300)}
	for i, content := range contents {
		for _, args := range [][]string{{"-1"}, {"-3", "--no-check"}, {"-9"}, {"-12"}, {"-3", "--long=27"}, {"-3", "--rsyncable"},
			{"-3", fmt.Sprintf("--stream-size=%d", len(content))}} {
			t.Run(fmt.Sprint(i, args), func(t *testing.T) {
				requireContent(t, content, compressed(run(content, args...)))
				if len(content) < defaultBlockBytes {
					requireContent(t, content, wholly(content, func(b []byte) []byte { return run(b, args[:len(args)-1]...) }))
				}
			})
		}
	}
	_, err := Decode(compressed(run(make([]byte, defaultBlockBytes+1), "-3")))
	requireCode(t, "decompression_bomb", err)
	_, err = Decode(compressed(run(bytes.Repeat(logText(1000), 600), "-3")))
	requireCode(t, "decompression_bomb", err)
}

// 200,000 zeros from a stream, as the reference writes them.
func TestZstdWithoutContentSize(t *testing.T) {
	src := unhex(t, `424350000100000042021728b52ffd00585400001000000100fbff39c002036a0800ff010000`)
	requireContent(t, make([]byte, 200_000), src)
}

// What inflates is bounded in proportion to the payload, by default.
func TestInflatedInProportion(t *testing.T) {
	trials.OneGoroutine(t)
	mebi := zeros(1 << 20)
	var b []byte
	for range 30 {
		b = BlockFrame{Type: 0x42, Flags: FlagCompressed, Body: mebi}.append(b)
	}
	src := appendEnd(append(Header{Magic: magicBCP}.append(nil), b...))
	_, err := decodeBoth(t, DecodeOptions{}, src)
	requireCode(t, "decompression_bomb", err)
	require.ErrorIs(t, err, wire.ErrLimit)
	require.Contains(t, err.Error(), "Limits.InflatedBytes")
	_, err = decodeBoth(t, DecodeOptions{Limits: Limits{InflatedBytes: 30 << 20}}, src)
	require.NoError(t, err)
	_, err = decodeBoth(t, DecodeOptions{Limits: Limits{InflatedBytes: -1}}, src)
	require.NoError(t, err)
	_, err = decodeBoth(t, DecodeOptions{Limits: Limits{InflatedBytes: -1, BlockBytes: 1<<20 - 1}}, src)
	require.Contains(t, err.Error(), "Limits.BlockBytes")

	// A payload of its own size in plain text makes room for them.
	roomy := Header{Magic: magicBCP}.append(nil)
	roomy = BlockFrame{Type: 0x42, Body: make([]byte, 15<<20/inflatedPerByte)}.append(roomy)
	_, err = decodeBoth(t, DecodeOptions{}, appendEnd(append(roomy, b...)))
	require.NoError(t, err)

	whole := wholly(make([]byte, defaultBlockBytes), deflate)
	_, err = decodeBoth(t, DecodeOptions{}, whole)
	require.NoError(t, err)
	// What is small in the payload and large in memory counts as it is.
	blocks := bytes.Repeat([]byte{0x42, 0, 0}, 100_000)
	whole = append(Header{Magic: magicBCP, Flags: HeaderCompressed}.append(nil), deflate(appendEnd(blocks))...)
	_, err = decodeBoth(t, DecodeOptions{}, whole)
	requireCode(t, "payload_too_large", err)
	entries := &FileTree{Entries: make([]FileEntry, 100_000)}
	body := bodyOf(&Block{Body: entries})
	tree := appendEnd(BlockFrame{Type: BlockFileTree, Flags: FlagCompressed, Body: deflate(body)}.append(Header{Magic: magicBCP}.append(nil)))
	_, err = decodeBoth(t, DecodeOptions{}, tree)
	requireCode(t, "payload_too_large", err)
	plain := appendEnd(BlockFrame{Type: BlockFileTree, Body: body}.append(Header{Magic: magicBCP}.append(nil)))
	_, err = decodeBoth(t, DecodeOptions{}, plain)
	require.NoError(t, err)
}
