// The package as npm installs it, used from Node. $PACKAGE is the folder with it, unpacked.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";

const { PACKAGE, ORBITSCOPE } = process.env;
const own = await import(pathToFileURL(join(PACKAGE, "index.js")).href);
const { OrbitscopeError, check, format, graph, link, parse, search, symmetry } = own;

const MODEL = `param n = 3 in 1..20
process p[n] { var x: bool = false action flip: true -> x := not x }
invariant fine: true
ltl settles: forall q in p: F G q.x
`;
const LARGE = `process p[40] { var x: 0..1000000 = 0 action up: x < 1000000 -> x := x + 1 }
invariant low: forall q in p: q.x < 1000000
`;

test("the README's example runs", async () => {
  const readme = readFileSync(join(PACKAGE, "README.md"), "utf8");
  const [, example] = /```js\n([\s\S]*?)```/.exec(readme);
  const file = join(PACKAGE, "example.mjs");
  writeFileSync(file, example);
  const { stdout } = await promisify(execFile)(process.execPath, [file]);
  const lines = stdout.split("\n");
  assert.equal(lines[0], "[ 'one_at_a_time', 'served' ]");
  assert.deepEqual(lines.filter((line) => /^(one_at|served|holds|true)/.test(line)), ["one_at_a_time holds", "served violated", "holds", "true"]);
  assert.match(stdout, /again and again: client\[\d\] enter/);
});

test("everything that the types declare is there", () => {
  const types = readFileSync(join(PACKAGE, "index.d.ts"), "utf8");
  const named = [...types.matchAll(/^export (?:function|class) (\w+)/gm)].map(([, name]) => name);
  assert.deepEqual([...new Set(named)].sort(), Object.keys(own).sort());
});

test("models are described, checked, drawn and linked", async () => {
  const told = await parse(MODEL, { set: { n: 5 } });
  assert.deepEqual(told.parameters, [{ name: "n", value: 5, least: 1, most: 20 }]);
  assert.equal(told.processes, 5);
  const [fine, settles] = await check(MODEL);
  assert.deepEqual([fine.verdict, settles.verdict], ["holds", "violated"]);
  assert.equal(settles.run.prefix[0].process, null);
  assert.equal(typeof settles.run.cycle[0].state.p[0].x, "boolean");
  assert.equal(settles.ledger.length, 3);
  const quotient = await graph(MODEL);
  assert.deepEqual([quotient.nodes.length, quotient.complete], [4, true]);
  assert.equal((await graph(MODEL, { of: "states" })).nodes.length, 8);
  assert.match(await graph(MODEL, { format: "dot" }), /^digraph/);
  assert.match(await graph(MODEL, { of: "product", property: "settles", format: "svg" }), /<svg/);
  assert.equal((await symmetry(MODEL, { set: { n: 20 } })).order, "2432902008176640000");
  assert.equal(await format("invariant  x:true"), "invariant x: true\n");
});

test("links are those of the command line", { skip: !ORBITSCOPE && "no program" }, async () => {
  const file = join(PACKAGE, "model.orb");
  writeFileSync(file, MODEL);
  const { stdout } = await promisify(execFile)(ORBITSCOPE, ["link", file, "-p", "settles", "--set", "n=4"]);
  assert.equal(await link(MODEL, { property: "settles", set: { n: 4 } }), stdout.trim().split("#")[1]);
});

test("the search tells its steps, and its answer comes last", async () => {
  const steps = search(MODEL, { property: "settles" });
  const kinds = new Set();
  let next = await steps.next();
  for (; !next.done; next = await steps.next()) kinds.add(next.value.kind);
  assert.ok(kinds.has("root") && kinds.has("tree") && kinds.has("yes"), [...kinds].join());
  assert.equal(next.value.verdict, "violated");
});

test("whoever stops reading stops the search", async () => {
  const large = LARGE.replace("invariant low: forall", "ltl low: G forall");
  let count = 0;
  for await (const event of search(large, { property: "low" })) {
    assert.ok(event.kind);
    if ((count += 1) === 2_500) break;
  }
  const control = new AbortController();
  await assert.rejects(async () => {
    for await (const _ of search(large, { property: "low", signal: control.signal })) control.abort();
  }, { name: "AbortError" });
});

test("a check tells how far it is, and can be stopped", async () => {
  const control = new AbortController();
  let nodes = 0;
  const onProgress = (progress) => {
    nodes = progress.nodes;
    if (nodes > 100) control.abort(new Error("enough"));
  };
  await assert.rejects(check(LARGE, { onProgress, signal: control.signal }), { message: "enough" });
  assert.ok(nodes > 100);
  await assert.rejects(check(LARGE, { signal: AbortSignal.abort() }), { name: "AbortError" });
  const [low] = await check(LARGE, { states: 1_000 });
  assert.equal(low.verdict, "unknown");
});

test("what is wrong is an error with its kind and its places", async () => {
  const wrong = async (promise) => promise.then(() => assert.fail("no error"), (error) => error);
  const model = await wrong(parse("param n =\nprocess"));
  assert.ok(model instanceof OrbitscopeError);
  assert.deepEqual([model.kind, model.problems[0].line, model.problems[0].column], ["model", 1, 10]);
  const kinds = [
    [() => check(MODEL, { property: "setles" }), "model", /did you mean `settles`/],
    [() => check(MODEL, { engine: "explict" }), "usage", /did you mean `explicit`/],
    [() => check(MODEL, { propety: "fine" }), "usage", /there is no option `propety`/],
    [() => check(MODEL, { set: { n: 99 } }), "model", /must be in 1\.\.20/],
    [() => check(`${MODEL}\nmu always: nu Z. [] Z\n`, { engine: "symbolic", property: "always" }), "refusal", /symbolic engine/],
    [() => graph(MODEL, { of: "product" }), "usage", /needs a property/],
    [() => parse(7), undefined, /./],
    [() => search(MODEL).next(), "usage", /needs a property/],
    [() => search(MODEL, { property: "settles", prune: "full" }).next(), "usage", /there is no option `prune`/],
  ];
  for (const [ask, kind, words] of kinds) {
    const error = await wrong(ask());
    assert.equal(error.kind, kind, error.message);
    assert.match(error.message, words);
  }
});

test("the element can be imported where there is no page", async () => {
  const { OrbitScope } = await import(pathToFileURL(join(PACKAGE, "element.js")).href);
  assert.equal(typeof OrbitScope, "function");
});
