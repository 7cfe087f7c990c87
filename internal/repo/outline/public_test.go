package outline

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPublic(t *testing.T) {
	for _, c := range []struct{ name, ext, src, want string }{
		{"a module", ".ts", "export { f, g as h }\nfunction f() {}\nfunction other() {}\nclass Hidden { m() {} }\nexport class Seen { #p() {} private q() {} open(): void {} }\nexport type T = { a: string }\n",
			"export { f, g as h }\nfunction f()\nexport class Seen\n open(): void\nexport type T\n"},
		{"members with type parameters", ".ts", "export class A<\n  T = { a: string },\n> extends B<\n  T[]\n> {\n  make<S = string>(s: S): { [k: string]: S } { return {} }\n  pick<M extends util.Exactly<{ [k in keyof T]?: true }, M>>(mask: M): A<\n    { x: T }\n  > { return this }\n  get enum() { return 1 }\n  catch(f: () => void) { if (f) { f() } }\n}\nexport function f() {}\n",
			"export class A< T = { a: string }, > extends B< T[] >\n make<S = string>(s: S)\n pick<M extends util.Exactly<{ [k in keyof T]?: true }, M>>(mask: M): A< { x: T } >\n get enum()\n catch(f: () => void)\nexport function f()\n"},
		{"only re-exports", ".ts", "export { Hono } from './hono'\nexport type { A,\n B } from './a'\nimport type { C } from './c'\n", "export { Hono } from './hono'\nexport type { A, B } from './a'\n"},
		{"imports alone", ".ts", "import type { A } from './a'\nimport { b } from './b'\n", ""},
		{"CommonJS", ".js", "function f() {}\nfunction g() {}\nmodule.exports = { f, x: 1 }\n", "function f()\nmodule.exports = { f, x: 1 }\n"},
		{"a script", ".js", "function f() {}\nfunction g() {}\n", "function f()\nfunction g()\n"},
		{"__all__", ".py", "__all__ = ['A', \"f\"] \n__all__ += ('g',)\nclass A:\n    def __init__(self): pass\n    def m(self): pass\n    def _p(self): pass\ndef f(): pass\ndef g(): pass\ndef h(): pass\n",
			"class A\n def __init__(self)\n def m(self)\ndef f()\ndef g()\n"},
		{"re-exports", ".py", "from .app import Flask as Flask\nfrom . import json as json, sys\nfrom os import path\nfrom .signals import *\n\ndef _g():\n    from .a import b as b\n", "from .app import Flask as Flask\nfrom . import json as json, sys\nfrom .signals import *\n"},
		{"re-exports of __all__", ".py", "from .a import (\n    B,  # one\n    c,\n)\nfrom .d import e\n__all__ = ['B']\n", "from .a import (B, c,)\n"},
		{"underscores", ".py", "class _A:\n    def m(self): pass\n@decorated(x=1)\n@other\ndef f(): pass\ndef _g(): pass\n", "def f()\n"},
		{"a file of C", ".c", "static int f(void) { return 1; }\nint g(void) { return f(); }\n", "int g(void)\n"},
		{"statics alone", ".c", "static int f(void) { return 1; }\n", "static int f(void)\n"},
		{"statics of a header", ".h", "static inline int f(void) { return 1; }\nint g(void);\n", "static inline int f(void)\nint g(void)\n"},
		{"types with names after them", ".h", "typedef struct { int a; } a_t;\ntypedef enum {A, B} kind;\ntypedef union u { int b; } u;\ntypedef struct node { struct node *next; } *list;\nenum { X, Y };\nstruct o { union { int c; }; };\n",
			"typedef struct a_t\ntypedef enum kind\ntypedef union u\ntypedef struct node\ntypedef struct node *list\nstruct o\n"},
		{"labels of C++", ".hpp", "class A {\n int before();\npublic:\n A() : a(1), b{2} {}\n int seen();\n private:\n MY_TPL\n friend class X;\n int hidden();\n class Inner { public: int never(); };\n protected:\n int kept();\n};\nstruct S { int open(); private: int shut(); public: int again(); };\nclass Q { Q_OBJECT\n public slots:\n void on();\n private slots:\n void off();\n signals:\n void sent();\n MY_PRIVATE_PART:\n int part();\n};\n",
			"class A\n A()\n int seen()\n int kept()\nstruct S\n int open()\n int again()\nclass Q\n void on()\n void sent()\n"},
		{"macros alone on their lines", ".hpp", "NS_BEGIN\nnamespace n\n{\nNS_BEGIN\n\nclass EXPORT_X big {\npublic:\n DEPRECATED_FOR(3.1, \"x\")\n int f();\n NODISCARD\n bool operator==(const big& o) const { return true; }\n explicit operator bool() const;\n int operator()(int a);\n};\n}\nNS_END\n",
			"namespace n\n class EXPORT_X big\n  int f()\n  bool operator==(const big& o) const\n  explicit operator bool() const\n  int operator()(int a)\n"},
		{"functions on condition", ".php", "<?php\nif (! function_exists('collect')) {\n /** Collects. */\n function collect($a = []) { if ($a) { return 1; } }\n} else {\n function other() {}\n}\nfunction d() { return new class { function no() {} }; }\n",
			"function collect($a = [])\nfunction other()\nfunction d()\n"},
		{"functions on condition", ".js", "if (typeof x === 'undefined') {\n function f() {}\n exports.g = function (a) {}\n}\nmodule.exports = function named () { if (a) { function no() {} } }\nfunction f() {}\n",
			"exports.g = function (a)\nmodule.exports = function named ()\n"},
		{"constructors and receivers", ".kt", "expect open class A\n// for us\ninternal constructor(data: Int) : B<A> {\n fun <T : Any> one(a: T): T?\n fun two(): Int\n}\ninternal fun f(): Int = 1\n\nactual open class E actual constructor(\n m: String?,\n) : X(m)\nsuspend fun Scope<Path>.walk(a: Int) { }\nfun <K> Map<K, List<K>>.each() = 1\nfun interface Go { fun go() }\n",
			"expect open class A internal constructor(data: Int) : B<A>\n fun <T : Any> one(a: T): T?\n fun two(): Int\ninternal fun f(): Int = 1\nactual open class E actual constructor(m: String?,) : X(m)\nsuspend fun Scope<Path>.walk(a: Int)\nfun <K> Map<K, List<K>>.each() = 1\nfun interface Go\n fun go()\n"},
		{"constant functions and long strings", ".rs", "const A: &'static str = \"\n { don't \\\" (\n\";\nimpl B {\n pub const fn name(&self) -> &str { self.name }\n pub const unsafe fn raw() {}\n}\nconst N: u8 = 1;\n",
			"const A: &'static str\nimpl B\n pub const fn name(&self) -> &str\n pub const unsafe fn raw()\nconst N: u8\n"},
		{"extensions", ".swift", "extension A {\n private func no() {}\n}\nextension A: B {}\nextension C {\n public func f() {}\n}\nextension D {}\n",
			"extension A: B\nextension C\n public func f()\n"},
		{"properties", ".swift", "open class A: B {\n public static let `default` = A()\n public private(set) var state: S = .idle\n public internal(set) weak var d: D?\n var inner = 1\n private var hidden = 2\n public lazy var q: Q = { Q() }()\n public var operator: String { var no = 1 }\n}\npublic let version = \"5\"\n",
			"open class A: B\n public static let `default`\n public var state: S\n public weak var d: D?\n public lazy var q: Q\n public var operator: String\npublic let version\n"},
		{"what protocols want", ".swift", "public protocol P: AnyObject {\n associatedtype O: Sendable\n var url: URL { get throws }\n static var all: [Self] { get }\n init(_ x: Int)\n subscript(i: Int) -> O { get set }\n}\npublic extension C {\n var n: Int { 1 }\n private var no: Int { 1 }\n}\nenum E { case macro, operator(Int) }\n",
			"public protocol P: AnyObject\n associatedtype O: Sendable\n var url: URL\n static var all: [Self]\n init(_ x: Int)\n subscript(i: Int) -> O\npublic extension C\n var n: Int\nenum E\n"},
		{"operators and macros", ".swift", "infix operator ~>: AdditionPrecedence\npublic func ~> (a: Int, b: Int) -> Int { 1 }\nstruct S { static func == (a: S, b: S) -> Bool { true } }\n@freestanding(expression)\npublic macro name<T>(_ v: T) -> String = #external(m: 1)\n",
			"infix operator ~>: AdditionPrecedence\npublic func ~> (a: Int, b: Int) -> Int\nstruct S\n static func == (a: S, b: S) -> Bool\npublic macro name<T>(_ v: T) -> String = #external(m: 1)\n"},
		{"members of a class itself", ".swift", "public class A: B {\n public class func make() -> A { A() }\n open class var shared: A { x }\n class var hidden: Int { 1 }\n class override func over() {}\n public class Inner { func f() {} }\n}\n",
			"public class A: B\n public class func make() -> A\n open class var shared: A\n class override func over()\n public class Inner\n  func f()\n"},
		{"members", ".java", "public class A {\n  private int n() { return 1; }\n  public int m() { return 1; }\n  private static class B { int x() { return 1; } }\n}\n", "public class A\n public int m()\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			heads := Heads(c.ext, []byte(c.src))
			require.Equal(t, c.want, listed(Public(c.ext, []byte(c.src), heads)))
			for _, h := range heads {
				require.NotContains(t, []string{"interface", "Scope", "Map", "fn", "exports"}, h.Name)
			}
		})
	}
}

// Python's own parser finds the same public classes and functions.
func TestPublicAsPython(t *testing.T) {
	const program = `import ast, json, os, sys
out = {}
lib = os.path.dirname(os.__file__)
for name in ["argparse.py", "asyncio/events.py", "asyncio/tasks.py", "collections/__init__.py", "dataclasses.py", "email/message.py", "enum.py", "functools.py",
    "http/client.py", "inspect.py", "json/decoder.py", "logging/__init__.py", "pathlib.py", "subprocess.py", "typing.py", "unittest/case.py", "urllib/parse.py"]:
    path = os.path.join(lib, name)
    if not os.path.exists(path): continue
    listed = None
    names = []
    todo = list(ast.parse(open(path, encoding="utf-8").read()).body)
    while todo:
        node = todo.pop(0)
        for part in ("body", "orelse", "handlers", "finalbody"):
            if isinstance(node, (ast.If, ast.Try, ast.ExceptHandler, ast.With)): todo += getattr(node, part, [])
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)): names.append(node.name)
        if isinstance(node, (ast.Assign, ast.AugAssign)) and isinstance(node.value, (ast.List, ast.Tuple)):
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            if getattr(target, "id", "") == "__all__": listed = (listed or []) + [e.value for e in node.value.elts if isinstance(e, ast.Constant)]
    out[path] = [n for n in names if (n in listed if listed else not n.startswith("_"))]
json.dump(out, sys.stdout)`
	text, err := exec.Command("python3", "-c", program).Output()
	if err != nil {
		t.Skip("runs where python3 is installed")
	}
	var want map[string][]string
	require.NoError(t, json.Unmarshal(text, &want))
	for path, names := range want {
		src, err := os.ReadFile(path)
		require.NoError(t, err)
		var got []string
		for _, h := range Public(".py", src, Heads(".py", src)) {
			if h.Depth == 0 && h.Exports == nil {
				got = append(got, h.Name)
			}
		}
		slices.Sort(got)
		slices.Sort(names)
		require.Equal(t, slices.Compact(names), slices.Compact(got), path)
	}
}

const javaSource = `package p;

import java.util.*;

/** A shop. */
public abstract class Shop<T extends Comparable<T>> implements Comparable<Shop<T>> {
    public static final int LIMIT = 3;
    private final Map<String, List<T>> items = new HashMap<>();
    public Shop(int size) { }
    private Shop() { }
    protected Shop(String... names) { this(); }
    @Override public int compareTo(Shop<T> other) { return 0; }
    public <K, V extends Collection<K>> Map<K, V> index(List<? extends K> keys, V value) throws IllegalStateException { return null; }
    protected abstract T best();
    private void hidden(String text) { if (text.isEmpty()) { hidden("x"); } }
    public static Shop<String> of(char c) { char brace = '{'; return null; }
    public interface Visitor { void visit(String name); default int depth() { return 1; } }
    public enum Level { LOW { int weight() { return 1; } }, HIGH { int weight() { return 2; } }; abstract int weight(); public static Level parse(String s) { return LOW; } }
    public record Pair(String left, int right) {
        public Pair { }
        public String both() { return left + right; } }
    private static class Secret { public void never() { } }
}
`

// javap finds the same public and protected methods.
func TestPublicAsJavap(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "Shop.java"), []byte(javaSource), 0o644))
	if _, err := exec.LookPath("javac"); err != nil {
		t.Skip("runs where a JDK is installed")
	}
	out, err := exec.Command("javac", "-d", dir, filepath.Join(dir, "Shop.java")).CombinedOutput()
	require.NoError(t, err, "%s", out)
	var names []string
	for _, h := range Public(".java", []byte(javaSource), Heads(".java", []byte(javaSource))) {
		names = append(names, h.Name)
	}
	require.NotContains(t, names, "hidden")
	require.NotContains(t, names, "never")
	found := 0
	for _, class := range []string{"Shop", "Shop$Visitor", "Shop$Level", "Shop$Pair"} {
		out, err := exec.Command("javap", "-protected", "-cp", dir, "p."+class).Output()
		require.NoError(t, err)
		for line := range strings.Lines(string(out)) {
			before, _, ok := strings.Cut(line, "(")
			name := before[strings.LastIndexAny(before, " .$")+1:]
			if !ok || slices.Contains([]string{"values", "valueOf", "toString", "hashCode", "equals", "left", "right", "compareTo"}, name) {
				continue // what the compiler makes; and compareTo has two
			}
			require.Contains(t, names, name, line)
			found++
		}
	}
	require.GreaterOrEqual(t, found, 10)
}
