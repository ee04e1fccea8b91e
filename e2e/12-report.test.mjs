// A report is one file: it opens from the disk in a browser, shows its verdicts, and plays its runs.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { launch, withPage } from "./browser.mjs";

let browser;
let folder;
let url;

before(async () => {
  browser = await launch();
  folder = mkdtempSync(join(tmpdir(), "orbitscope-report-"));
  const file = join(folder, "report.html");
  const model = "core/models/one_requests_first.orb";
  const run = spawnSync(process.env.ORBITSCOPE, ["check", model, "--quiet", "--report", `html=${file}`], { encoding: "utf8" });
  assert.equal(run.status, 1, run.stderr);
  assert.equal(run.stdout, "");
  url = pathToFileURL(file).href;
});

after(async () => {
  await browser?.close();
  if (folder) rmSync(folder, { recursive: true });
});

const current = (page) => page.locator(".states tr.current").getAttribute("data-step");

test("the verdicts are there, and the picture is drawn", async () => {
  await withPage(browser, url, {}, async (page) => {
    assert.match(await page.locator("h1").innerText(), /one_requests_first clients=3/);
    const verdicts = await page.locator(".verdicts tbody .verdict").allInnerTexts();
    assert.deepEqual(verdicts, ["violated", "holds"]);
    const width = await page.locator(".picture img").evaluate((image) => image.decode().then(() => image.naturalWidth));
    assert.ok(width > 100, `the picture is ${width} wide`);
  });
});

test("a run plays: forwards, backwards, along the slider, and round its loop", async () => {
  await withPage(browser, url, {}, async (page) => {
    assert.equal(await current(page), "0");
    await page.locator("[data-do=on]").click();
    assert.equal(await current(page), "1");
    assert.match(await page.locator(".now").innerText(), /^starter\.choose\(client\[0\]\): /);
    await page.locator("[data-do=back]").click();
    assert.equal(await current(page), "0");
    const last = Number(await page.locator(".player input").getAttribute("max"));
    await page.locator(".player input").fill(String(last));
    assert.equal(await current(page), String(last));
    // The step after the last one is the first of the loop.
    const entry = Number(await page.locator(".run").getAttribute("data-loop"));
    await page.locator("[data-do=on]").click();
    assert.equal(await current(page), String(entry + 1));
    await page.locator("[data-do=first]").click();
    await page.locator("[data-do=play]").click();
    await page.locator(".states tr.current[data-step='2']").waitFor();
    await page.locator("[data-do=play]").click();
    assert.equal(await page.locator("[data-do=play]").innerText(), "Play");
  });
});

test("without scripts everything can be read", async () => {
  await withPage(browser, url, { javaScriptEnabled: false }, async (page) => {
    assert.equal(await page.locator(".states tr").count(), 8);
    assert.equal(await page.locator(".player").isVisible(), false);
  });
});
