// Prints what modules export, as the TypeScript compiler has it: their paths are a JSON array
// on standard input. For each: the names that are exported by statements of its own, and the
// methods of its exported classes that are not private.
import { readFileSync } from "node:fs";
import ts from "typescript";

const paths = JSON.parse(readFileSync(0, "utf8"));
const program = ts.createProgram(paths, { noLib: true, types: [], allowJs: true, target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext });
const checker = program.getTypeChecker();

const hidden = (m) =>
  (ts.getCombinedModifierFlags(m) & ts.ModifierFlags.Private) !== 0 || !m.name || !ts.isIdentifier(m.name) || m.name.text.startsWith("_");

const out = {};
for (const path of paths) {
  const file = program.getSourceFile(path);
  const module = checker.getSymbolAtLocation(file);
  const found = { names: [], methods: [] };
  for (const symbol of module ? checker.getExportsOfModule(module) : []) {
    const own = (symbol.declarations ?? []).filter((d) => d.getSourceFile() === file);
    if (own.length > 0) found.names.push(symbol.name);
    for (const d of own.filter(ts.isClassDeclaration)) {
      for (const m of d.members.filter((m) => ts.isMethodDeclaration(m) || ts.isAccessor(m))) {
        if (!hidden(m)) found.methods.push(m.name.text);
      }
    }
  }
  out[path] = found;
}
console.log(JSON.stringify(out));
