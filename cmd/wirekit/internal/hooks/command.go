package hooks

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Agents edit files by the bytes that they have read, so what shows files stays.
var (
	// Commands that show files or differences wherever they are in a line, reading from the
	// input of the shell, and calls in programs of one line.
	fileCommands = regexp.MustCompile(`\b(cat|head|tail|sed|awk|less|more|bat|batcat|nl|tac|type|Get-Content|gc|zcat|bzcat|xzcat|zstdcat|git\b.*\b(show|diff|cat-file|grep|blame))\b|<|\bfile:/|` +
		`\b(open|readFile|readFileSync|readTextFile|readTextFileSync|read_text|read_bytes|read_json|file_get_contents|readfile|slurp)\(|\b(File|IO)\.(read|open|foreach|readlines)\b|\bBun\.file\b`)

	// Programs that print the files among their arguments, or what they find in them.
	printers = strings.Fields(`jq yq xq tomlq gojq jaq gron dasel fx mlr cut strings pr fold sort uniq paste comm join column fmt expand unexpand rev shuf tee
		grep egrep fgrep zgrep rg ag ack od xxd hexdump base64 base32 dd iconv recode xmllint plutil prettier pygmentize highlight glow
		gzip gunzip zstd xz bzip2 unzip tar bsdtar 7z cp Select-String`)

	// Programs that run a text, which may print a file.
	interpreters = strings.Fields(`perl python python2 python3 pypy3 ruby node nodejs deno bun tsx php lua luajit Rscript julia osascript pwsh powershell gawk mawk`)

	// Programs that look into all files below the folder where they do not read from a pipe.
	searchers = strings.Fields(`rg ag ack`)

	recursive = regexp.MustCompile(`\b[efz]?grep\b[^|;&\n]*\s(-[a-zA-Z]*[rR]|--recursive|--dereference-recursive)`)
	appliers  = regexp.MustCompile(`(?:\b(?:xargs|parallel)|-exec|-execdir|-ok)\b([^|;&\n]*)`)

	// Names of files with data or text, and those that programs have settings in.
	dataFile  = regexp.MustCompile(`(?i)\.(json[5cl]?|jsonld|ndjson|geojson|topojson|ya?ml|toml|csv|tsv|xml|ipynb|har|lock|sarif|avsc)(\.(gz|zst|xz|bz2))?$`)
	knownFile = regexp.MustCompile(`(?i)\.(map|webmanifest|tfstate|tfvars|arb|plist|ini|conf|cfg|properties|env|code-workspace|txt|md|log|html?|svg)(\.(gz|zst|xz|bz2))?$|rc$`)
)

// Bounds of what is looked at of a command line. What has more counts as showing files.
const (
	mostCommand = 64 << 10 // bytes
	mostWords   = 200
	mostFolders = 4
	mostNested  = 3 // texts of commands in those of others
)

// showsFiles reports whether a command line of a shell in a folder shows files: by the
// programs in it, or because a word of it is that of a file with data.
func showsFiles(line, dir string) bool {
	if line == "" || len(line) > mostCommand || fileCommands.MatchString(line) || recursive.MatchString(line) {
		return true
	}
	for _, m := range appliers.FindAllStringSubmatch(line, -1) {
		if slices.ContainsFunc(strings.Fields(m[1]), func(w string) bool { return slices.Contains(printers, path.Base(w)) }) {
			return true
		}
	}
	if dir == "" {
		dir, _ = os.Getwd()
	}
	list := commands(line, false, mostNested)
	folders, n := []string{dir}, 0
	for _, c := range list {
		n += len(c.words)
		for _, w := range c.words[:min(len(c.words), mostWords)] {
			if name := inFolder(w, dir); len(folders) < mostFolders && isFolder(name) && name != dir {
				folders = append(folders, name)
			}
		}
	}
	return n > mostWords || slices.ContainsFunc(list, func(c command) bool { return c.showsFiles(folders) })
}

func isFolder(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// A command is one of a line, as its words are after quotes are taken away, with those of
// texts in them.
type command struct {
	words []string
	piped bool // it reads what the command before it prints
}

func (c command) showsFiles(folders []string) bool {
	printer, interpreter := false, false
	for i, w := range c.words {
		name := path.Base(w)
		if printer = printer || slices.Contains(printers, name); i < 3 && slices.Contains(searchers, name) && !c.piped {
			return true
		}
		interpreter = interpreter || slices.Contains(interpreters, name)
	}
	return slices.ContainsFunc(c.words, func(w string) bool {
		if strings.Contains(w, "://") {
			return false
		}
		if (printer || interpreter) && dataFile.MatchString(w) && w[0] != '@' && (w[0] != '.' || strings.HasPrefix(strings.TrimPrefix(w, "."), "./")) {
			return true
		}
		for _, name := range namesIn(w) {
			looked := printer && !slices.Contains(printers, path.Base(w)) || dataFile.MatchString(name) || knownFile.MatchString(name) || strings.ContainsAny(name, "*?[")
			if looked && isThere(name, folders, printer) {
				return true
			}
		}
		return false
	})
}

// namesIn returns what may be the name of a file in a word: the word, what is after the
// letter of a flag, after an equals sign and after a colon.
func namesIn(word string) []string {
	names := []string{word}
	if len(word) > 2 && word[0] == '-' && word[1] != '-' {
		names = append(names, word[2:])
	}
	for _, mark := range []string{"=", ":"} {
		if i := strings.LastIndex(word, mark); i >= 0 {
			names = append(names, word[i+1:])
		}
	}
	return names
}

var (
	alternatives = regexp.MustCompile(`\{[^{}]*\}`)
	patterns     = regexp.MustCompile(`[*?[][^/]*`) // in one part of a name each
)

// isThere reports whether a file is in one of some folders: one with data, or any.
func isThere(name string, folders []string, any bool) bool {
	if name = alternatives.ReplaceAllString(name, "*"); name == "" || strings.HasPrefix(name, `\\`) {
		return false
	}
	metas := len(patterns.FindAllString(name, -1))
	for _, dir := range folders {
		found := []string{inFolder(name, dir)}
		if metas > 2 {
			return true // looking would take as long as the command
		} else if metas > 0 {
			found, _ = filepath.Glob(found[0])
		}
		for _, file := range found {
			if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() && (any || dataFile.MatchString(file) || knownFile.MatchString(file)) {
				return true
			}
		}
	}
	return false
}

// inFolder returns a name with variables in it as a shell in a folder has it.
func inFolder(name, dir string) string {
	if rest, ok := strings.CutPrefix(name, "~/"); ok {
		name = "$HOME/" + rest
	}
	name = os.Expand(name, func(v string) string {
		if v == "PWD" {
			return dir
		}
		return os.Getenv(v)
	})
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(dir, name)
}

// commands takes a line apart. Words that may be texts of other commands or programs are
// taken apart too; their parts are words of the command around them and of their own.
func commands(line string, piped bool, nested int) []command {
	list := []command{{piped: piped}}
	var inner []command
	var word strings.Builder
	var quote byte
	some := false // a word has begun
	end := func() {
		if !some {
			return
		}
		c, w := &list[len(list)-1], word.String()
		if c.words = append(c.words, w); nested > 0 && strings.ContainsAny(w, " \t\n'\"`(),;|[]{}") {
			inner = append(inner, commands(w, c.piped, nested-1)...)
			c.words = append(c.words, strings.FieldsFunc(w, func(r rune) bool { return strings.ContainsRune(" \t\n'\"`(),;|[]{}", r) })...)
		}
		word.Reset()
		some = false
	}
	for i := 0; i < len(line); i++ {
		switch ch := line[i]; {
		case ch == quote:
			quote = 0
		case ch == '\\' && quote != '\'' && i+1 < len(line):
			if i++; line[i] != '\n' {
				word.WriteByte(line[i])
				some = true
			}
		case quote == 0 && (ch == '\'' || ch == '"'):
			quote, some = ch, true
		case quote != 0:
			word.WriteByte(ch)
		case strings.IndexByte(" \t\r<>", ch) >= 0:
			end()
		case strings.IndexByte("\n;&|()`", ch) >= 0:
			end()
			pipe := ch == '|' && (i == 0 || line[i-1] != '|') && (i+1 == len(line) || line[i+1] != '|')
			list = append(list, command{piped: pipe})
		default:
			word.WriteByte(ch)
			some = true
		}
	}
	end()
	return append(list, inner...)
}
