// The package in pages: from a plain module script, from a bundle, and as an element in a page of another site.

import assert from "node:assert/strict";
import { copyFileSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { build } from "esbuild";
import { launch } from "../../e2e/browser.mjs";
import { serve } from "../../e2e/server.mjs";

const { PACKAGE } = process.env;
const MODEL = "param n = 3\nprocess p[n] { var x: bool = false action flip: true -> x := not x }\nltl settles: forall q in p: F G q.x\n";
let browser;
let folder;
let site;

before(async () => {
  browser = await launch();
  folder = mkdtempSync(join(tmpdir(), "orbitscope-npm-"));
  symlinkSync(PACKAGE, join(folder, "orbitscope"));
  site = await serve(folder);
});

after(async () => {
  await browser?.close();
  await site?.close();
  if (folder) rmSync(folder, { recursive: true });
});

/** Opens a page of the other site, and collects what should not happen. */
async function open(name, html) {
  writeFileSync(join(folder, name), `<!doctype html><html lang="en"><title>Course</title><link rel="icon" href="data:,">${html}`);
  const page = await browser.newPage();
  const complaints = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && complaints.push(message.text()));
  page.on("request", (request) => request.url().startsWith(site.url) || complaints.push(request.url()));
  await page.goto(`${site.url}${name}`);
  return { page, complaints };
}

const USE = `
const [answer] = await check(${JSON.stringify(MODEL)}, { set: { n: 4 } });
let steps = 0;
for await (const event of search(${JSON.stringify(MODEL)}, { property: "settles" })) steps += 1;
document.body.textContent = [answer.verdict, answer.ledger.length, steps > 3].join(" ");
`;

test("a plain module script", async () => {
  const { page, complaints } = await open("plain.html", `<script type="module">import { check, search } from "./orbitscope/index.js";${USE}</script>`);
  await page.waitForFunction(() => document.body.textContent === "violated 4 true");
  assert.deepEqual(complaints, []);
});

test("a bundle, with the engine beside it", async () => {
  writeFileSync(join(folder, "own.js"), `import { check, search } from "orbitscope";${USE}`);
  await build({
    entryPoints: [join(folder, "own.js")],
    outfile: join(folder, "bundle.js"),
    bundle: true,
    format: "esm",
    alias: { orbitscope: PACKAGE },
    logLevel: "silent",
  });
  copyFileSync(join(PACKAGE, "engine_bg.wasm"), join(folder, "engine_bg.wasm"));
  const { page, complaints } = await open("bundle.html", '<script type="module" src="bundle.js"></script>');
  await page.waitForFunction(() => document.body.textContent === "violated 4 true");
  assert.deepEqual(complaints, []);
});

test("the element shows a model with its player, and another one when it changes", async () => {
  const element = `<script type="module" src="orbitscope/element.js"></script>
    <h1>Lecture 7</h1>
    <orbit-scope property="settles" set="n=4"><script type="text/plain">
      ${MODEL.replaceAll("\n", "\n      ")}
    </script></orbit-scope>`;
  const { page, complaints } = await open("element.html", element);
  const inside = page.frameLocator("orbit-scope iframe");
  await inside.locator(".player").waitFor({ timeout: 30_000 });
  await inside.locator(".graph-canvas").waitFor();
  const link = await page.locator("orbit-scope iframe").getAttribute("src");
  assert.match(link, /\/orbitscope\/site\/index\.html\?embed=1#1\./);
  // The page reads of the link what the element wrote into it: four processes, and the text without its indentation.
  const words = await inside.locator(".player").innerText();
  assert.ok(words.length > 0);
  await page.evaluate(() => (document.querySelector("orbit-scope").text = "process one { var x: bool = false action go: not x -> x := true }\nltl done: F one.x\n"));
  await page.waitForFunction((old) => document.querySelector("orbit-scope").shadowRoot.querySelector("iframe").src !== old, link);
  await inside.locator(".graph-canvas").waitFor();
  assert.deepEqual(complaints, []);
});

test("a file that is not there is said in its place", async () => {
  const { page } = await open("missing.html", '<script type="module" src="orbitscope/element.js"></script><orbit-scope src="none.orb"></orbit-scope>');
  await page.locator("orbit-scope p", { hasText: "none.orb cannot be read: 404" }).waitFor();
});
