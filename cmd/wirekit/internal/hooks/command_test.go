package hooks_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wirekit/wirekit/cmd/wirekit/internal/hooks"
	"github.com/wirekit/wirekit/internal/testkit/growth"
)

// asked returns whether the output of a command in a folder is looked at, by both agents.
func asked(t *testing.T, dir, command string) bool {
	t.Helper()
	quoted := func(s string) string {
		text, err := json.Marshal(s)
		require.NoError(t, err)
		return string(text)
	}
	input := `{"command":` + quoted(command) + `,"workdir":` + quoted(dir) + `}`
	claude := strings.Replace(event("Bash", input, `{"stdout":"[1]","stderr":"","interrupted":false}`), `"cwd":"/"`, `"cwd":`+quoted(dir), 1)
	found := len(hooks.Claude([]byte(claude), shorter)) > 0
	other := len(hooks.OpenCode([]byte(`{"tool":"bash","args":`+input+`,"output":"[1]"}`), shorter)) > 0
	require.Equal(t, found, other, command)
	return found
}

// shown are commands that print a file which is there.
var shown = []string{
	"cat p.json", "head -n 3 p.json", "tail p.json", "sed -n 1,9p p.json", "awk 1 p.json", "less p.json", "more p.json", "bat p.json", "nl p.json", "tac p.json",
	"Get-Content p.json", "git show HEAD:p.json", "git diff p.json", "git cat-file -p HEAD:p.json", "echo $(<p.json)", "tee <p.json", "zcat p.json.gz",
	"jq . p.json", "jq '.' ./p.json", "jq -r .a sub/deep.yaml", "jq . *.json", "jq . p.jso?", "jq . {p,q}.json", "jq . $PWD/p.json", "jq . .settingsrc", "jq . noext",
	"yq . sub/deep.yaml", "yq eval 'explode(.)' sub/deep.yaml", "gron p.json", "mlr --ijson --ojson cat p.json",
	"perl -ne print p.json", "perl -pe '' p.json", "ruby -pe '' p.json", "ruby -e 'puts File.read(\"x\")'", "php -r 'echo file_get_contents(\"x\");'",
	"cut -c1- p.json", "strings p.json", "pr -t p.json", "fold -w 200 p.json", "sort p.json", "uniq p.json", "paste p.json", "column p.json", "expand p.json", "fmt p.json",
	"rev p.json | rev", "grep '' p.json", "grep -r '' .", "egrep . p.json", "rg ''", "rg '' p.json", "sudo rg x", "dd if=p.json", "dd if=p.json status=none | tee /dev/stderr",
	"curl file:///etc/p.json", "curl -s 'file:///x y'", "wget -qO- file:///x", "node -p \"require('fs').readFileSync('x').toString()\"",
	"node -p 'require(\"./p.json\")'", "node -e \"console.log(require('fs').readFileSync('p.json','utf8'))\"", "node -e 'fs.promises.readFile(f)'",
	"python3 -c \"print(open('p.json').read())\"", "python3 -c 'import pathlib; print(pathlib.Path(f).read_text())'", "python3 -m json.tool p.json", "python -m json.tool --indent 2 p.json",
	"base64 -d p.json", "xxd p.json", "iconv -f utf8 p.json", "tr a b <p.json", "unzip -p a.zip p.json", "tar -xOf a.tar p.json", "gzip -dc p.json.gz", "busybox cat p.json",
	"sh -c 'jq . p.json'", "bash -lc \"jq . 'p.json'\"", "bash -c \"sh -c 'jq . \\\"p.json\\\"'\"", "F=p.json; jq . $F", "F=p.json tool", "env A=1 jq . p.json", "A=1 B=2 /usr/bin/jq . p.json",
	"sudo -u x jq . p.json", "ls *.json | xargs cat", "find . -name '*.json' -exec cat {} +", "find . -type f | xargs -n1 jq .", "find x -exec jq . {} \\;", "cd sub && jq . deep.yaml", "cd sub && dump deep.yaml",
	"(cd sub; dump deep.yaml)", "time jq . p.json", "jq . p.json | jq .", "true; jq . p.json", "true && jq . p.json || true", "jq . 'my file.json'", "jq . my\\ file.json", "jq . \"my file.json\"", "jq . p'.js'on",
	"dump p.json", "dump --file=p.json", "dump -fp.json", "dump --input p.json --verbose", "dump sub/deep.yaml", "dump ./sub/../p.json", "dump .settingsrc", "dump 'my file.json'",
	"npx prettier p.json", "docker run -v x:y img p.json", "jq . absent.json", "yq . absent.yml", "sort absent.csv", "python3 -m json.tool absent.json", "`echo jq` . p.json",
	"while read -r f; do jq . \"$f\"; done <list", "for f in *.json; do jq . $f; done", "xargs jq . -- p.json", "jq --slurpfile a p.json -n '$a'", "jq . \\\n  p.json", "jq .\tp.json", "jq . p.json&",
}

// unshown are commands that print something else.
var unshown = []string{
	"curl -s https://example.com/x", "curl -s https://example.com/p.json", "curl -s localhost:8080/p.json | jq .", "curl -s https://example.com/a.json | jq '.items[] | {a: .b}'", "curl x | jq -r .a.json",
	"curl x | jq --arg a 1 '.items'", "curl -H 'Accept: application/vnd.github+json' https://x/y | jq .", "curl -d @p.json https://x", "curl x | python3 -m json.tool", "curl x | sort | uniq -c",
	"gh api repos/a/b/pulls", "gh pr list --json number,title", "kubectl get pods -o json", "kubectl get pods -o json | jq '.items[].metadata'", "aws ec2 describe-instances --output json", "docker inspect x", "npm ls --json",
	"./list.py", "python3 list.py", "node list.js --json", "perl list.pl", "make list", "list absent.json", "list sub", "list --format json", "ls | jq -R .", "curl x | grep a", "curl x | cut -d, -f1 | paste -s",
	"python3 -c 'import urllib.request as u; print(u.urlopen(\"https://x/y.json\").read())'", "psql -c 'select json_agg(t) from t'", "for i in 1 2; do curl x/$i | jq .; done", "curl x | jq -r .id | xargs -I% curl y/% | jq .",
	"terraform show -json", "echo '[1]'", "curl x | tr a b", "curl 'https://x/?file=p.json'", "curl x | jq '.[\"a b\"]'",
}

// TestCommands: what a command prints of files stays.
func TestCommands(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the paths are those of Unix")
	}
	dir := t.TempDir()
	for _, name := range []string{"p.json", "q.json", "sub/deep.yaml", "my file.json", ".settingsrc", "noext", "list.py", "list.js", "list.pl", "p.json.gz"} {
		require.NoError(t, os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o777))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("[1]"), 0o666))
	}
	for _, command := range shown {
		require.False(t, asked(t, dir, command), command)
		for _, around := range []string{"set -e; %", "% | less -F", "% 2>/dev/null", "cd . && %", "( % )", "echo a\n%"} {
			around = strings.ReplaceAll(around, "%", command)
			require.False(t, asked(t, dir, around), around)
		}
		if !strings.Contains(command, "'") {
			require.False(t, asked(t, dir, "sh -c '"+command+"'"), command)
		}
	}
	for _, command := range unshown {
		require.True(t, asked(t, dir, command), command)
	}
	require.False(t, asked(t, filepath.Dir(dir), "dump "+filepath.Join(dir, "p.json")), "an absolute path")
	require.False(t, asked(t, filepath.Join(dir, "sub"), "dump ../p.json"))
	require.True(t, asked(t, filepath.Join(dir, "absent"), "dump p.json"))
	t.Chdir(dir)
	require.False(t, asked(t, "", "dump $PWD/p.json"), "an event without a folder")
}

func TestCommandsAreLinear(t *testing.T) {
	for _, part := range []string{"a ", "'a", "\"", "\\", "( ", "a.json ", "* ", "'\"", "a,b;", "$x", "{a,", "xargs "} {
		growth.Linear(t, 250, func(n int) func() {
			text, err := json.Marshal(strings.Repeat(part, n))
			require.NoError(t, err)
			e := []byte(event("Bash", `{"command":`+string(text)+`}`, `{"stdout":"[1]"}`))
			return func() { hooks.Claude(e, shorter) }
		})
	}
}

// TestFileTools: names of MCP tools by whole words.
func TestFileTools(t *testing.T) {
	for _, name := range []string{
		"read", "read_file", "read_text_file", "readFile", "ReadFile", "read-file", "fs.read", "fs/read", "read file", "view", "view_range", "edit_file", "multiEdit", "get_file_contents", "get_contents", "getContents",
		"open", "open_document", "git_show", "show", "cat", "load", "load_page", "search_code", "searchCode", "get_document_content", "files", "list_files", "FILE", "HTTPFile", "readURL", "file2",
		"notebook_edit", "fileReader_read",
	} {
		e := event("mcp__srv__"+name, `{}`, `"[1]"`)
		require.Empty(t, hooks.Claude([]byte(e), shorter), name)
		require.Empty(t, hooks.OpenCode([]byte(`{"tool":"srv_`+name+`","args":{},"output":[{"type":"text","text":"[1]"}]}`), shorter), name)
	}
	for _, name := range []string{
		"list_reviews", "profile", "get_profile", "thread_list", "spreadsheet_rows", "create_credit", "preview", "readme_list", "list", "search", "profiles", "threads", "overview", "credits", "opened_issues", "showcase",
		"category", "concat", "payload", "download_list", "reader_list", "listReviews", "getProfile", "interview", "reopen_count", "catalog", "loader", "search_issues", "codes", "barcode_lookup", "searchcode",
	} {
		e := event("mcp__srv__"+name, `{}`, `"[1]"`)
		require.NotEmpty(t, hooks.Claude([]byte(e), shorter), name)
		require.NotEmpty(t, hooks.OpenCode([]byte(`{"tool":"srv_`+name+`","args":{},"output":[{"type":"text","text":"[1]"}]}`), shorter), name)
	}
}
