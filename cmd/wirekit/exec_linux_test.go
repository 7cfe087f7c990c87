package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/mcpproxy"
	"github.com/wirekit/wirekit/internal/testkit/resident"
	"golang.org/x/sys/unix"
)

// execCommand returns wirekit exec with flags, running a script of the shell.
func execCommand(t *testing.T, script string, flags ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(self, append(append([]string{"exec"}, flags...), "--", "sh", "-c", script)...)
	cmd.Args[0] = "wirekit"
	return cmd
}

// limit ends a command that hangs, long after any that does not.
func limit(t *testing.T, cmd *exec.Cmd) {
	timer := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
	t.Cleanup(func() { timer.Stop() })
}

// TestExecTransparent: what is not JSON has its bytes, its order and its exit code.
func TestExecTransparent(t *testing.T) {
	rows := `'[` + strings.Repeat(`{"id":1,"name":"some row"},`, 60) + `{"id":1,"name":"some row"}]'`
	scripts := map[string]string{
		"nothing":            ``,
		"no line end":        `printf abc`,
		"binary":             `i=0; while [ $i -lt 300 ]; do printf '\000\001\377\376\n\r{['; i=$((i+1)); done`,
		"streams in turns":   `for i in 1 2 3 4 5 6 7 8 9; do echo out $i; echo err $i >&2; done`,
		"JSON and a warning": `echo warning >&2; echo ` + rows + `; echo more >&2`,
		"JSON and text":      `echo ` + rows + `; echo done`,
		"text and JSON":      `echo start; echo ` + rows,
		"two documents":      `echo ` + rows + `; echo ` + rows,
		"log":                `echo '[INFO] [1] {x}'; echo '[2026-11-22 10:00:00] y'`,
		"cut":                `printf '[{"a":1},{"b":"'`,
		"bad UTF-8":          `printf '["\377` + strings.Repeat("a b c ", 200) + `"]'`,
		"scalar":             `echo '"text"'`,
		"small":              `echo '{"a": 1}'`,
		"spaces":             `printf ' \n\n '`,
		"exit code":          `echo x; exit 42`,
		"signal":             `echo x; kill -KILL $$`,
		"missing program":    `exec nosuchprogram`,
	}
	for name, script := range scripts {
		if resident.RaceEnabled && !strings.Contains(script, ">&2") {
			continue // has one stream only, and races are between two
		}
		t.Run(name, func(t *testing.T) {
			want, code := together(t, exec.Command("sh", "-c", script))
			have, haveCode := together(t, execCommand(t, script))
			require.Equal(t, want, have)
			require.Equal(t, code, haveCode)
			for _, both := range []*exec.Cmd{exec.Command("sh", "-c", script), execCommand(t, script)} {
				var out, err bytes.Buffer
				both.Stdout, both.Stderr = &out, &err
				_ = both.Run()
				if both.Args[0] != "wirekit" {
					want = out.String() + "|" + err.String()
				} else if name != "JSON and a warning" { // standard output alone is JSON
					require.Equal(t, want, out.String()+"|"+err.String())
				}
			}
		})
	}
}

// together runs a command with one file for both streams, and returns what is in it and
// the exit code that a shell has.
func together(t *testing.T, cmd *exec.Cmd) (string, int) {
	file, err := os.Create(filepath.Join(t.TempDir(), "out"))
	require.NoError(t, err)
	defer file.Close()
	cmd.Stdout, cmd.Stderr = file, file
	_ = cmd.Run()
	text, err := os.ReadFile(file.Name())
	require.NoError(t, err)
	return string(text), mcpproxy.ExitCode(cmd.ProcessState)
}

// TestExecStreams: what is not to be rewritten does not wait for the command's end.
func TestExecStreams(t *testing.T) {
	long := `{"text":"` + strings.Repeat("abc ", 100) + `"}`
	for name, c := range map[string][2]string{ // what is printed, and what must arrive
		"text":             {"[INFO] begun", "[INFO] begun"},
		"no JSON any more": {"[1,2,x", "[1,2,x"},
		"short JSON Line":  {`{"a":1}`, `{"a":1}`},
		"long JSON Lines":  {long + "\n" + long, long},
	} {
		t.Run(name, func(t *testing.T) {
			cmd := execCommand(t, "echo '"+c[0]+"'; read answer; echo end")
			in, err := cmd.StdinPipe()
			require.NoError(t, err)
			out, err := cmd.StdoutPipe()
			require.NoError(t, err)
			require.NoError(t, cmd.Start())
			limit(t, cmd)
			line, err := bufio.NewReader(out).ReadString('\n')
			require.NoError(t, err)
			require.Equal(t, c[1]+"\n", line)
			require.NoError(t, in.Close())
			_, _ = io.Copy(io.Discard, out)
			require.NoError(t, cmd.Wait())
		})
	}
}

// TestExecSignals: a signal reaches the command, whose answer is the exit code.
func TestExecSignals(t *testing.T) {
	for s, word := range map[syscall.Signal]string{syscall.SIGTERM: "TERM", syscall.SIGUSR1: "USR1", syscall.SIGHUP: "HUP", syscall.SIGINT: "INT"} {
		if signal.Ignored(s) {
			continue // under nohup, say: no shell can handle it then
		}
		for _, handled := range []bool{true, false} {
			script := "echo ready; while :; do sleep 0.01; done"
			want := 128 + int(s)
			if handled {
				script, want = "trap 'echo caught; exit 3' "+word+"; "+script, 3
			}
			cmd := execCommand(t, script)
			cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // without a terminal
			out, err := cmd.StdoutPipe()
			require.NoError(t, err)
			require.NoError(t, cmd.Start())
			limit(t, cmd)
			lines := bufio.NewReader(out)
			_, err = lines.ReadString('\n')
			require.NoError(t, err)
			require.NoError(t, cmd.Process.Signal(s))
			rest, err := io.ReadAll(lines)
			require.NoError(t, err)
			require.Equal(t, handled, string(rest) == "caught\n")
			_ = cmd.Wait()
			require.Equal(t, want, cmd.ProcessState.ExitCode(), word)
		}
	}
}

// TestExecIgnoredSignal: what nohup has ignored stays ignored.
func TestExecIgnoredSignal(t *testing.T) {
	self, err := os.Executable()
	require.NoError(t, err)
	link := filepath.Join(t.TempDir(), "wirekit")
	require.NoError(t, os.Symlink(self, link))
	out, err := exec.Command("sh", "-c", `trap '' HUP INT; "$0" exec -- sh -c 'kill -HUP $$; kill -INT $$; echo alive'`, link).Output()
	require.NoError(t, err)
	require.Equal(t, "alive\n", string(out))
}

// TestExecClosedPipe: a command whose reader has gone ends as it does without exec.
func TestExecClosedPipe(t *testing.T) {
	for _, script := range []string{"yes", "echo '['; yes 1,", "yes '{}'"} {
		cmd := execCommand(t, script)
		out, err := cmd.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		limit(t, cmd)
		_, err = out.Read(make([]byte, 1))
		require.NoError(t, err)
		require.NoError(t, out.Close())
		_ = cmd.Wait()
		require.Equal(t, 128+int(syscall.SIGPIPE), mcpproxy.ExitCode(cmd.ProcessState))
	}
}

// TestExecMemory: a gigabyte passes in constant memory, also after as much of it as is
// held has looked like JSON.
func TestExecMemory(t *testing.T) {
	if inOwnProcess(t) {
		return
	}
	size := 1 << 30
	if testing.Short() || resident.RaceEnabled {
		size = 1 << 26
	}
	for script, most := range map[string]int64{
		"head -c %d /dev/zero":                 96 << 20,
		"echo '['; yes ' 12345,' | head -c %d": 128 << 20,
	} {
		cmd := execCommand(t, fmt.Sprintf(script, size))
		out, err := cmd.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		n, err := io.Copy(io.Discard, out)
		require.NoError(t, err)
		require.GreaterOrEqual(t, n, int64(size))
		require.NoError(t, cmd.Wait())
		took := int64(cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss) << 10 // an int32 on some platforms
		t.Logf("%.0f MiB", float64(took)/(1<<20))
		if !resident.RaceEnabled {
			require.Less(t, took, most)
		}
	}
}

// terminal returns both ends of a new terminal.
func terminal(t *testing.T) (master, slave *os.File) {
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip("runs where /dev/ptmx gives terminals: ", err)
	}
	t.Cleanup(func() { master.Close() })
	require.NoError(t, unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0))
	n, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	require.NoError(t, err)
	slave, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|syscall.O_NOCTTY, 0)
	require.NoError(t, err)
	return master, slave
}

// TestExecTerminal: on a terminal the command has the terminal, and with --pipe a pipe.
// What the user types to interrupt it reaches it once.
func TestExecTerminal(t *testing.T) {
	rows := `[` + strings.Repeat(`{"id":1,"name":"some row"},`, 60) + `{"id":1,"name":"some row"}]`
	run := func(script, typed string, flags ...string) string {
		master, slave := terminal(t)
		cmd := execCommand(t, script, flags...)
		cmd.Stdin, cmd.Stdout, cmd.Stderr = slave, slave, slave
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
		require.NoError(t, cmd.Start())
		limit(t, cmd)
		require.NoError(t, slave.Close())
		var out strings.Builder
		for buf := make([]byte, 4096); ; {
			n, err := master.Read(buf)
			out.Write(buf[:n])
			if typed != "" && strings.Contains(out.String(), "ready") {
				_, err := io.WriteString(master, typed[:1])
				require.NoError(t, err)
				typed = typed[1:]
			} else if typed != "" && strings.Contains(out.String(), "^C") {
				_, err := io.WriteString(master, typed)
				require.NoError(t, err)
				typed = ""
			}
			if err != nil { // the last process has closed the other end
				break
			}
		}
		require.NoError(t, cmd.Wait())
		return out.String()
	}
	require.Equal(t, "\x1b[31mred\x1b[0m 111", run(`printf '\033[31mred\033[0m '; for n in 0 1 2; do test -t $n && printf 1; done; true`, ""))
	require.Equal(t, rows+"\r\n", run("echo '"+rows+"'", ""))
	require.Contains(t, run("test -t 1 || echo pipe", "", "--pipe"), "pipe")
	require.NotContains(t, run("echo '"+rows+"'", "", "--pipe"), `"name"`)
	for _, flags := range [][]string{nil, {"--pipe"}} {
		require.Contains(t, run(`trap 'n=${n}x' INT; echo ready; read a; read b; echo "got $n."`, "\x03go\n\n", flags...), "got x.")
	}
}
