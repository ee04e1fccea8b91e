// The grammars, as the editor reads them: what kind each word of a text is.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { before, test } from "node:test";

const require = createRequire(import.meta.url);
const { createOnigScanner, createOnigString, loadWASM } = require("vscode-oniguruma");
const { INITIAL, Registry, parseRawGrammar } = require("vscode-textmate");
const place = (name) => new URL(name, import.meta.url);
const grammars = {};

before(async () => {
  await loadWASM(readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm")));
  const file = (name) => place(`../syntaxes/${name}.tmLanguage.json`);
  const registry = new Registry({
    onigLib: Promise.resolve({ createOnigScanner, createOnigString }),
    loadGrammar: async (scope) => {
      const url = file(scope.replace("source.", ""));
      return parseRawGrammar(readFileSync(url, "utf8"), url.pathname);
    },
  });
  for (const name of ["orb", "murphi"]) grammars[name] = await registry.loadGrammar(`source.${name}`);
});

/** The words of a text, each with the innermost name of its kind; what has none is left out. */
function words(name, text) {
  let stack = INITIAL;
  return text.split("\n").flatMap((line) => {
    const { tokens, ruleStack } = grammars[name].tokenizeLine(line, stack);
    stack = ruleStack;
    const kind = ({ scopes }) => scopes.at(-1).replace(`.${name}`, "");
    const kinds = tokens.filter((token) => token.scopes.length > 1);
    return kinds.map((token) => [line.slice(token.startIndex, token.endIndex).trim(), kind(token)]);
  });
}

const kinds = (name, text) => Object.fromEntries(words(name, text));

test("declarations, operators and comments of a model", () => {
  const found = kinds("orb", 'process client[n] { var st: {R} = R action ask(c in q): st == R -> st := R // why\n}\nltl served: forall c in client: G (c.st == R => F c.st == R)');
  assert.equal(found.process, "storage.type");
  assert.equal(found.client, "entity.name.type");
  assert.equal(found.ask, "entity.name.function");
  assert.equal(found.served, "entity.name.section");
  assert.equal(found["// why"], "comment.line.double-slash");
  assert.equal(found.G, "keyword.operator.temporal");
  assert.equal(found.F, "keyword.operator.temporal");
  assert.equal(found[":="], "keyword.operator");
  assert.equal(found.R, undefined, "a literal is no operator");
});

test("every reserved word is coloured, as the language lists them", () => {
  const reference = readFileSync(place("../../../docs/language.md"), "utf8");
  const quoted = reference.split("Reserved words cannot be names:")[1].split("\n\n")[1];
  const reserved = [...quoted.matchAll(/`(\w+)`/g)].map(([, word]) => word);
  assert.ok(reserved.length > 20);
  for (const word of reserved) assert.ok(kinds("orb", ` ${word} `)[word], word);
});

test("comments of the built-in models are comments, and nothing else is", () => {
  const folder = place("../../../core/models/");
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".orb"))) {
    const text = readFileSync(new URL(file, folder), "utf8");
    const found = words("orb", text).filter(([, kind]) => kind.startsWith("comment")).map(([word]) => word);
    const wanted = text.split("\n").flatMap((line) => line.match(/\/\/.*$/) ?? []).map((word) => word.trim());
    assert.deepEqual(found, wanted, file);
  }
});

test("Murphi's words are coloured in any case", () => {
  const found = kinds("murphi", 'Type pid: ScalarSet(3);\nruleset p: pid do Rule "enter" st = 1 ==> Begin st := 2; EndRule; -- why\nend;');
  assert.equal(found.Type, "storage.type");
  assert.equal(found.ScalarSet, "support.type");
  assert.equal(found.Rule, "keyword.other.section");
  assert.equal(found["==>"], "keyword.operator");
  assert.equal(found.EndRule, "keyword.control");
  assert.equal(found["-- why"], "comment.line.double-dash");
});
