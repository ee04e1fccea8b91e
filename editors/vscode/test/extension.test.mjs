// The package as a person installs it: unpacked, its entry loaded with a stand-in for the editor, its commands called.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { inflateRawSync } from "node:zlib";
import { editor } from "./editor.mjs";

const require = createRequire(import.meta.url);
const { VSIX, ORBITSCOPE, SITE } = process.env;
let folder;
let unpacked;

/** The files of a zip archive, by their names. */
function unzip(bytes) {
  const files = new Map();
  let at = bytes.length - 22;
  while (bytes.readUInt32LE(at) !== 0x06054b50) at -= 1;
  const count = bytes.readUInt16LE(at + 10);
  at = bytes.readUInt32LE(at + 16);
  for (let k = 0; k < count; k += 1) {
    assert.equal(bytes.readUInt32LE(at), 0x02014b50);
    const [method, size] = [bytes.readUInt16LE(at + 10), bytes.readUInt32LE(at + 20)];
    const [name, extra, comment] = [28, 30, 32].map((offset) => bytes.readUInt16LE(at + offset));
    const local = bytes.readUInt32LE(at + 42);
    const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    const data = bytes.subarray(start, start + size);
    files.set(bytes.toString("utf8", at + 46, at + 46 + name), method === 0 ? data : inflateRawSync(data));
    at += 46 + name + extra + comment;
  }
  return files;
}

before(() => {
  folder = mkdtempSync(join(tmpdir(), "orbitscope-vsix-"));
  unpacked = unzip(readFileSync(VSIX));
  writeFileSync(join(folder, "extension.js"), unpacked.get("extension/dist/extension.js"));
});

after(() => folder && rmSync(folder, { recursive: true }));

test("the package has what its manifest names, and nothing else", () => {
  const own = JSON.parse(unpacked.get("extension/package.json"));
  const named = [own.main, own.icon, ...own.contributes.grammars.map((grammar) => grammar.path)];
  named.push(...own.contributes.languages.map((language) => language.configuration));
  for (const name of named) assert.ok(unpacked.has(`extension/${name.replace("./", "")}`), name);
  const rest = [...unpacked.keys()].filter((name) => !named.some((known) => name.endsWith(known.replace("./", ""))));
  assert.deepEqual(rest.sort(), [
    "[Content_Types].xml",
    "extension.vsixmanifest",
    "extension/LICENSE-APACHE",
    "extension/LICENSE-MIT",
    "extension/THIRD-PARTY.txt",
    "extension/package.json",
    "extension/readme.md",
  ]);
  for (const file of named.filter((name) => name.endsWith(".json"))) JSON.parse(unpacked.get(`extension/${file.replace("./", "")}`));
});

test("every command of the manifest is there when the extension is active, and the server answers", async () => {
  const vscode = editor({ path: ORBITSCOPE, site: SITE ?? "" });
  const extension = vscode.load(join(folder, "extension.js"), require);
  const context = { subscriptions: [] };
  await extension.activate(context);
  const manifest = JSON.parse(unpacked.get("extension/package.json"));
  for (const { command } of manifest.contributes.commands) assert.ok(vscode.commands.has(command), command);
  // The language server said what it can do: its own commands are the editor's now.
  for (const command of ["orbitscope.check", "orbitscope.checkAll", "orbitscope.showRun"]) assert.ok(vscode.commands.has(command), command);
  assert.deepEqual(vscode.errors, []);
  await extension.deactivate();
  context.subscriptions.forEach((item) => item.dispose());
});

test("a program that is not there is said", async () => {
  const vscode = editor({ path: join(folder, "nowhere"), site: "" });
  const extension = vscode.load(join(folder, "extension.js"), require);
  await extension.activate({ subscriptions: [] });
  assert.match(vscode.errors.join("\n"), /language server did not start|couldn't create connection/i);
  await extension.deactivate();
});

test("a run is shown in the page, in a frame of its own server", { skip: !SITE && "no built page" }, async () => {
  const { Pages } = require("../src/pages.js");
  const vscode = editor({});
  const pages = new Pages(vscode.api, () => ({ path: ORBITSCOPE, site: SITE }));
  await pages.showRun({ property: "two_at_work", words: "violated", run: "…", link: "1.abc" });
  assert.deepEqual(vscode.errors, []);
  const [panel] = vscode.panels;
  const [, url] = /src="(http:\/\/127\.0\.0\.1:\d+\/#1\.abc)"/.exec(panel.webview.html);
  const answer = await fetch(url);
  assert.equal(answer.status, 200);
  assert.match(answer.headers.get("content-security-policy"), /frame-ancestors 'self' vscode-webview:/);
  // The next run comes into the same panel; closing it ends the server.
  await pages.showRun({ property: "live", words: "violated", run: "…", link: "1.def" });
  assert.equal(vscode.panels.length, 1);
  const { child } = pages.open.get("");
  panel.dispose();
  await new Promise((ended) => child.on("close", ended));
  await assert.rejects(fetch(url));
});

test("without a page the run is shown as text, and the reason is said", async () => {
  const { Pages } = require("../src/pages.js");
  const vscode = editor({});
  const pages = new Pages(vscode.api, () => ({ path: ORBITSCOPE, site: folder }));
  await pages.showRun({ property: "two_at_work", words: "violated", run: "   0  x=1", link: "1.abc" });
  assert.match(vscode.errors.join(), /has no built page/);
  assert.deepEqual(vscode.texts, ["two_at_work: violated\n   0  x=1"]);
  pages.dispose();
});
