package pack

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// worths packs files of a folder and returns what each is worth.
func worths(t *testing.T, files map[string]string) map[string]int {
	t.Helper()
	var list []string
	for name, content := range files {
		list = append(list, name, content+strings.Repeat("\n", 200))
	}
	_, report := packed(t, Options{}, text(list...))
	worth := make(map[string]int)
	for _, f := range report.Files {
		worth[f.Path] = f.Worth
	}
	return worth
}

// A dialect is how a language declares a type with methods, and how others use it.
type dialect struct {
	ext, typ, method, use string // %s is a name
	keywords              string
}

var dialects = []dialect{
	{".php", "<?php\nclass %s {\n%s}\n", "  public function %s() { return 1; }\n", "<?php\nclass U%d extends %s {\n function go($file) { return [%s]; }\n}\n", "class file line array list"},
	{".kt", "class %s {\n%s}\n", "  fun %s() { }\n", "class U%d(val s: %s) {\n val x = \"%s\"\n}\n", "class value object String List"},
	{".swift", "public class %s {\n%s}\n", "  public func %s() { }\n", "class U%d: %s {\n var x: [%s] = []\n}\n", "class protocol Data Result self"},
	{".java", "public class %s {\n%s}\n", "  public void %s() { }\n", "class U%d extends %s {\n Object x = %s;\n}\n", "value String List Iterator Optional"},
	{".cs", "public class %s {\n%s}\n", "  public void %s() { }\n", "class U%d : %s {\n object x = %s;\n}\n", "value String Task List Dictionary"},
	{".c", "struct %s { int a; };\n%s", "int %s(int a) { return a; }\n", "int u%d(struct %s *m) { return (%s); }\n", "fopen fclose malloc memcpy printf"},
	{".cpp", "class %s {\npublic:\n%s};\n", "  int %s(int a) { return a; }\n", "class U%d : public %s {\n int x = %s;\n};\n", "string vector memcpy begin sizeof"},
	{".rs", "pub struct %s {}\n%s", "pub fn %s() {}\n", "fn u%d(m: %s) { let x = %s; }\n", "String Option match clone write"},
	{".rb", "class %s\n%send\n", "  def %s\n  end\n", "class U%d < %s\n  X = [%s]\nend\n", "class module String Hash require"},
	{".py", "class %s:\n%s", "    def %s(self): pass\n", "class U%d(%s):\n    x = [%s]\n", "print property range dict super"},
	{".ts", "export class %s {\n%s}\n", "  %s() { return 1 }\n", "import { X } from './m'\nexport class U%d extends %s { x = [%s] }\n", "type Promise Map process console"},
	{".dart", "class %s {\n%s}\n", "  int %s() { return 1; }\n", "class U%d extends %s {\n var x = [%s];\n}\n", "class String Future List Stream"},
	{".scala", "class %s {\n%s}\n", "  def %s() = 1\n", "class U%d extends %s {\n val x = (%s)\n}\n", "object String List Iterator type"},
	{".ex", "defmodule %s do\n%send\n", "  def %s do\n  end\n", "defmodule U%d do\n  use %s\n  [%s]\nend\n", "module Enum Map String Task"},
	{".pl", "package %s;\n%s", "sub %s { }\n", "sub u%d { my $m = %s->new; return (%s); }\n", "print open join keys sort"},
	{".sh", "%s() {\n}\n%s", "%s() {\n}\n", "u%d() {\n  %s(1)\n %s\n}\n", "echo printf read test source"},
	{".lua", "function %s()\nend\n%s", "function %s()\nend\n", "function u%d()\n  return %s() + {%s}\nend\n", "print string table require return"},
}

// TestEverydayNames: a file whose functions are called like keywords and what is in the
// language's library, all of which others mention, is not part of the core; what they use is.
func TestEverydayNames(t *testing.T) {
	for _, d := range dialects {
		t.Run(d.ext, func(t *testing.T) {
			methods := ""
			for word := range strings.FieldsSeq(d.keywords) {
				methods += fmt.Sprintf(d.method, word)
			}
			files := map[string]string{
				"src/Model" + d.ext: fmt.Sprintf(d.typ, "Model", fmt.Sprintf(d.method, "saveRow")),
				"src/Frame" + d.ext: fmt.Sprintf(d.typ, "Frame", methods),
			}
			for i := range 40 {
				files[fmt.Sprintf("src/U%d%s", i, d.ext)] = fmt.Sprintf(d.use, i, "Model", strings.ReplaceAll(d.keywords, " ", ", "))
			}
			worth := worths(t, files)
			require.Equal(t, mostWorth, worth["src/Model"+d.ext])
			require.Less(t, worth["src/Frame"+d.ext], mostWorth/2)
		})
	}
}

// TestPlatforms: what is declared once for each of many platforms, or in many parts, is worth
// as much as what is declared once.
func TestPlatforms(t *testing.T) {
	for _, d := range dialects {
		for _, places := range [][]string{
			{"common", "jvm", "js", "native", "wasm", "linux", "mac"},
			{"", "_linux", "_darwin", "_windows", "_bsd", "_plan9", "_wasm"},
		} {
			t.Run(d.ext+places[1], func(t *testing.T) {
				files := map[string]string{"src/Other" + d.ext: fmt.Sprintf(d.typ, "Other", fmt.Sprintf(d.method, "rest"))}
				var names []string
				for _, place := range places {
					name := "src/" + place + "/Stream" + d.ext
					if place == "" || place[0] == '_' {
						name = "src/Stream" + place + d.ext
					}
					names = append(names, name)
					files[name] = fmt.Sprintf(d.typ, "Stream", fmt.Sprintf(d.method, "readAll"))
				}
				for i := range 30 {
					used := "Stream"
					if i < 3 {
						used = "Other"
					}
					files[fmt.Sprintf("src/common/U%d%s", i, d.ext)] = fmt.Sprintf(d.use, i, used, "1")
				}
				worth := worths(t, files)
				require.Equal(t, mostWorth, worth[names[0]])
				require.Less(t, worth["src/Other"+d.ext], mostWorth)
			})
		}
	}
}

// TestGuides: files that a text for readers names by their paths are the core, in whatever
// form it names them; one that names few is not a guide.
func TestGuides(t *testing.T) {
	for name, guide := range map[string]string{
		"docs/dev/guide.md":   "- `src/za.py`: one\n- **src/sub/b.py**, and src/zc.py.\n",
		"CONTRIBUTING.md":     "See [a](src/za.py), [b](https://example.org/x/blob/main/src/sub/b.py) and (src/zc.py).\n",
		"docs/internals.rst":  "``src/za.py``\nsrc/sub/b.py: what\n\"src/zc.py\"\n",
		"src/ARCHITECTURE.md": "| sub/b.py | `src/za.py` |\n\nsrc/zc.py\n",
	} {
		files := map[string]string{name: guide}
		for i := range 60 {
			files[fmt.Sprintf("src/x%d.py", i)] = fmt.Sprintf("from . import x%d\ndef f%d(): pass\n", i/2, i)
		}
		for _, p := range []string{"src/za.py", "src/sub/b.py", "src/zc.py"} {
			files[p] = "def thing(): pass\n"
		}
		worth := worths(t, files)
		for _, p := range []string{"src/za.py", "src/sub/b.py", "src/zc.py"} {
			require.GreaterOrEqual(t, worth[p], mostWorth/2, "%s: %s", name, p)
		}
		files[name] = "See src/zc.py.\n"
		require.Less(t, worths(t, files)["src/zc.py"], mostWorth/2)
	}
}
