package main

// A sample is a text that a program prints. The command is run by the shell in the
// working folder, with REPO, MOD and GOROOT as folders of source code.
type sample struct{ kind, name, command string }

// Kinds of texts that are not in the totals: files, which no program made up.
const (
	sourceCode = "source code"
	prose      = "prose"
)

// setup makes what some of the commands work on: modules with a field renamed, so
// that compilers complain, and programs that fail.
const setup = `
broken() { # MODULE NAME FILES EXPRESSION
	cp -r "$MOD"/$1 "$2" && chmod -R u+w "$2" && (cd "$2" && sed -i "$4" $3)
}
broken github.com/spf13/cobra@* cobra command.go 's/^\tName string/&&/; s/commands \[\]\*Command/kommands []*Command/; s/parent \*Command/elder *Command/'
broken github.com/spf13/pflag@* pflag flag.go 's/^\tName  /\tTitle /; s/^\tformal /\tusual /'
cp -r "$MOD"/github.com/spf13/pflag@* sound && chmod -R u+w sound
cp -r "$MOD"/github.com/spf13/cobra@* soundcobra && chmod -R u+w soundcobra
mkdir ts && (cd ts && npm init -y && npm install --save-dev typescript@5.4 eslint@8 express@4 mocha@10 @types/node@20 && npx tsc --init)
cp "$GOROOT"/misc/wasm/*.js ts/ 2>/dev/null || cp "$GOROOT"/lib/wasm/*.js ts/
cp ts/node_modules/express/lib/*.js ts/node_modules/mocha/lib/*.js ts/
mkdir java && printf 'class Main { static int f(int n) { return n == 0 ? Integer.parseInt("x") : f(n - 1); }\n public static void main(String[] a) throws Exception { for (int i = 1; i < 9; i++) try { f(4 * i); } catch (Exception e) { new RuntimeException("step " + i, e).printStackTrace(); } java.util.List.of(1).iterator().forEachRemaining(x -> { throw new IllegalStateException("last"); }); } }\n' >java/Main.java
mkdir c && cp "$GOROOT"/src/runtime/cgo/*.c "$GOROOT"/src/runtime/cgo/*.h c/
cargo new rusty && printf 'mod lib2;\nfn main() { let m: HashMap<String, u32> = HashMap::new(); for (k, v) in m { println!("{}", k + v); }\n let s: i32 = "a"; let t = String::from("b"); let u = t; println!("{}", t); missing(s); unknown::call(u); lib2::f(1, 2); }\n' >rusty/src/main.rs && printf 'pub fn f(a: &str) -> u8 { a.len() }\npub struct P { x: i32 }\nimpl P { fn g(&self) -> String { self.y } fn h(self) { let q = self; self.x; } }\n' >rusty/src/lib2.rs
`

// samples are the texts.
var samples = []sample{
	{"go test -v", "pflag", `cd sound && go test -v .`},
	{"go test -v", "cobra", `cd soundcobra && go test -v ./...`},
	{"go test -v", "std", `go test -v -short strconv path net/url html`},
	{"go test -json", "pflag", `cd sound && go test -json -run 'Int|Bool' .`},
	{"go test -json", "std", `go test -json -short text/tabwriter encoding/csv`},
	{"go build", "cobra", `cd cobra && go build -gcflags=-e .`},
	{"go build", "pflag", `cd pflag && go build -gcflags=-e .`},
	{"go list, mod", "graph", `cd $REPO && go mod graph`},
	{"go list, mod", "list", `cd $REPO && go list -f '{{.ImportPath}} {{.Dir}} {{.GoFiles}}' ./...`},
	{"go list, mod", "build -x", `cd soundcobra && GOFLAGS= go build -a -n . 2>&1`},
	{"go doc", "wire", `cd $REPO && go doc -all ./wire`},
	{"git log", "log", `cd $REPO && git log -n 300`},
	{"git log", "stat", `cd $REPO && git log --stat -n 60`},
	{"git log", "oneline", `cd $REPO && git log --oneline -n 400`},
	{"git blame", "wirekit.go", `cd $REPO && git blame wirekit.go`},
	{"git blame", "fold", `cd $REPO && git blame --date=short fold/unfold.go`},
	{"git grep", "errors", `cd $REPO && git grep -n 'wire.ErrorAt'`},
	{"git grep", "func", `cd $REPO && git grep -n '^func Test' -- gcf gcx toon`},
	{"git status, diff", "status", `cp -r $REPO/docs d && cd d && git init -q . && git add -A . && git mv -k results old; git rm -rq --cached testdata 2>/dev/null; git status`},
	{"git status, diff", "diff --stat", `cd $REPO && git diff --stat HEAD~60`},
	{"git status, diff", "numstat", `cd $REPO && git log --numstat --format='%h %an %ad %s' -n 80`},
	{"git diff", "diff", `cd $REPO && git diff HEAD~12 HEAD~6`},
	{"git diff", "show", `cd $REPO && git show HEAD~20 HEAD~40`},
	{"ls", "ls -lR", `ls -lR $REPO/internal $REPO/cmd`},
	{"ls", "ls -la bin", `ls -la /usr/bin`},
	{"ls", "ls -lR etc", `ls -lR /etc`},
	{"ls", "ls modules", `ls -R $MOD/golang.org/x`},
	{"find", "module", `find $MOD/github.com -name '*_test.go'`},
	{"find", "find -ls", `find /usr/share/doc -maxdepth 2 -ls`},
	{"find", "repo", `find $REPO -type f -not -path '*/.git/*'`},
	{"ps", "aux", `ps auxww`},
	{"ps", "ef", `ps -eLf`},
	{"df, mount", "both", `df -h; df -i; mount; cat /proc/mounts`},
	{"dpkg", "-l", `dpkg -l`},
	{"dpkg", "-L", `dpkg -L perl-modules-5.36 libpython3.11-stdlib`},
	{"package logs", "dpkg", `cat /var/log/dpkg.log`},
	{"apt", "policy", `apt-cache policy $(dpkg-query -f '${Package}\n' -W | head -60)`},
	{"apt", "show", `apt-cache show gcc make git`},
	{"apt", "install", `apt-get install --simulate build-essential default-jdk apache2 php`},
	{"package logs", "apt", `cat /var/log/apt/history.log`},
	{"npm", "ls", `cd ts && npm ls --all`},
	{"npm", "verbose", `cd ts && npm view --json typescript dist-tags 2>&1; npm outdated --all --long 2>&1; npm install --dry-run --verbose lodash react webpack 2>&1`},
	{"node stacks", "throw", `cd ts && for f in application express request response utils view mocha runner suite test runnable; do node -e 'process.on("uncaughtException", e => console.error(e)); require("./'$f'.js"); require("assert").deepStrictEqual(Object.keys(require("os")), [1])'; done`},
	{"strace", "ls", `strace -f ls -l /etc 2>&1`},
	{"strace", "git", `cd $REPO && strace git status 2>&1 >/dev/null`},
	{"strace", "threads", `strace -c -f go version 2>&1; strace -f -e trace=openat,stat,mmap python3 -c 'import json, http.client' 2>&1`},
	{"python tracebacks", "failures", `python3 -m unittest test.test_tokenize test.test_nothing test.test_missing 2>&1; python3 -X dev -c 'import json; json.loads("{")' 2>&1; for m in json ast csv http.client email.parser xml.etree.ElementTree decimal fractions; do python3 -c 'import '$m' as m; f = [getattr(m, n) for n in dir(m) if callable(getattr(m, n))]; [g(3.5j) for g in f]' 2>&1; done`},
	{"python unittest", "json", `python3 -m unittest -v test.test_json 2>&1`},
	{"python unittest", "datetime", `python3 -m unittest -v test.test_fractions test.test_textwrap test.test_shlex 2>&1`},
	{"pip", "list", `pip list -v; pip show -f pip`},
	{"tsc", "strict", `cd ts && npx tsc --noEmit --allowJs --checkJs --strict --pretty false *.js`},
	{"eslint", "rules", `cd ts && npx eslint --no-eslintrc --env node --parser-options ecmaverson:5 --rule '{"no-var":2,"semi":[2,"never"],"quotes":[2,"double"],"no-undef":2}' *.js`},
	{"npm test", "mocha", `cd ts && npx mocha --reporter spec node_modules/*/test/*.js 2>&1`},
	{"gcc", "cgo", `cd c && gcc -Wall -Wextra -c *.c`},
	{"gcc", "undeclared", `cd c && for f in *.c; do gcc -include math.h -Dvoid=int -Dconst= -c $f; done`},
	{"cargo", "check", `cd rusty && cargo check --offline 2>&1`},
	{"java", "stacks", `cd java && javac Main.java && java Main 2>&1; java -XshowSettings:all -version 2>&1`},
	{"grep -rn", "std", `grep -rn 'func (b \*Buffer)\|io.EOF' $GOROOT/src/bufio $GOROOT/src/bytes $GOROOT/src/io $GOROOT/src/archive`},
	{"grep -rn", "modules", `cd $MOD && grep -rn 'context.Background()' google.golang.org/grpc@*`},
	{"grep -rn", "etc", `grep -rn include /etc /usr/share/bash-completion 2>&1`},
	{"du", "modules", `du -a $MOD/github.com/spf13 $MOD/golang.org/x`},
	{"du", "repo", `du -h $REPO`},
	{"wc", "std", `cd $GOROOT/src && wc -l net/http/*.go runtime/*.go`},
	{"sha256sum", "repo", `cd $REPO && sha256sum gcf/*.go gcx/*.go toon/*.go docs/*.md`},
	{"stat", "repo", `cd $REPO && stat fold/*.go gcf/*.go`},
	{"lsof", "go", `lsof -p $$ ; lsof`},
	{"sysctl", "all", `sysctl -a 2>/dev/null`},
	{"dmesg", "kernel", `dmesg`},
	{"package logs", "alternatives", `cat /var/log/alternatives.log`},
	{"systemctl", "units", `systemctl list-unit-files --no-pager`},
	{"ss", "sockets", `ss -anp; ss -anx`},
	{"nm, objdump", "nm", `nm -D /usr/bin/git`},
	{"nm, objdump", "readelf", `readelf -SW /usr/bin/git; readelf -sW /bin/ls`},
	{"objdump", "disassembly", `objdump -d --no-show-raw-insn /bin/true`},
	{"ldd", "python modules", `for f in $(find / -xdev -name '*.so' -path '*lib-dynload*' 2>/dev/null | head -40); do ldd $f; done`},
	{"openssl", "certificates", `cat /etc/ssl/certs/ca-certificates.crt | csplit -sz -f crt- - '/BEGIN/' '{12}'; for f in crt-*; do openssl x509 -noout -text -in $f; done`},
	{"tar, unzip", "tar", `tar -C $GOROOT -cf - src/encoding src/html | tar -tvf -`},
	{"tar, unzip", "unzip", `unzip -l $(find / -xdev -name 'src.zip' -o -xdev -name '*.jar' 2>/dev/null | head -1); unzip -l $(find $MOD/cache/download/golang.org -name '*.zip' | head -1)`},
	{"sqlite3", "table", `sqlite3 -box t.db "create table f(a,b,c,d); insert into f select value, hex(value*7919 % 65536), date('2026-01-01', value || ' days'), case when value % 3 then 'open' else 'closed' end from generate_series(1,220); select * from f; explain select a.a from f a join f b on a.b = b.b where a.d = 'open'"`},
	{"ping, curl", "curl", `curl -sv http://127.0.0.1:9/ 2>&1; curl --help all`},
	{"make", "-n -d", `cd $REPO && make -n -d check 2>&1`},
	{"perl, lscpu", "both", `lscpu; perl -V; getent services`},
	{"pg_config, locale", "both", `pg_config; locale -k LC_TIME LC_MONETARY; getconf -a`},
	{"man", "tar", `man tar | col -b`},
	{"top, vmstat", "both", `top -b -n 2 | cat; cat /proc/meminfo /proc/vmstat`},
	{"/proc", "maps", `cat /proc/self/maps; cat /proc/interrupts /proc/slabinfo; head -c 9000 /proc/kallsyms`},
	{sourceCode, "Go", `cat $REPO/fold/unfold.go`},
	{sourceCode, "Go, standard library", `cat $GOROOT/src/bufio/bufio.go`},
	{sourceCode, "Go, table test", `cat $REPO/fold/fold_test.go`},
	{sourceCode, "JavaScript", `cat ts/application.js`},
	{sourceCode, "C", `cat /usr/include/stdio.h`},
	{sourceCode, "Python", `cat $(python3 -c 'import json.decoder as d; print(d.__file__)')`},
	{sourceCode, "cat -n", `cat -n $GOROOT/src/bufio/scan.go`},
	{prose, "Markdown", `cat $REPO/docs/choosing.md`},
	{prose, "reference", `cat $REPO/docs/architecture.md`},
	{prose, "licence", `cat $GOROOT/LICENSE /usr/share/common-licenses/GPL-3`},
}
