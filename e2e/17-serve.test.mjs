// `orbitscope serve FILE`: the page follows the file, and keeps what is looked at and what was typed.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { launch, withPage } from "./browser.mjs";
import { settled, verdict } from "./site.mjs";

const MODEL = readFileSync("core/models/one_requests_first.orb", "utf8");
let browser;
let folder;
let file;
let server;
let url;

before(async () => {
  browser = await launch();
  folder = mkdtempSync(join(tmpdir(), "orbitscope-serve-"));
  file = join(folder, "first.orb");
  writeFileSync(file, MODEL);
  server = spawn(process.env.ORBITSCOPE, ["serve", file, "--site", process.env.DIST, "--port", "0"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  for await (const line of createInterface({ input: server.stdout })) {
    url = line.match(/http:\/\/\S+/)[0];
    break;
  }
});

after(async () => {
  server?.kill("SIGINT");
  await browser?.close();
  if (folder) rmSync(folder, { recursive: true });
});

const text = (page) => page.locator("#source");
const shows = (page, words) =>
  page.waitForFunction((words) => document.querySelector("#source").value.includes(words), words);

test("the page shows the file, and follows it with property and view", async () => {
  await withPage(browser, url, {}, async (page) => {
    await shows(page, "param clients = 3");
    await settled(page);
    await page.locator('[data-property="two_at_work"]').click();
    await page.locator('[data-view=Product]').click();
    await settled(page);
    assert.equal(await verdict(page, "two_at_work"), "violated");
    writeFileSync(file, MODEL.replace("param clients = 3", "param clients = 4"));
    await shows(page, "param clients = 4");
    await settled(page);
    assert.equal(await page.locator('[data-view=Product]').getAttribute("aria-selected"), "true");
    assert.equal(await page.locator('[data-property="two_at_work"]').getAttribute("aria-pressed"), "true");
    // A model with errors is shown with its errors.
    writeFileSync(file, "param clients =\n");
    await page.locator(".problem-strip").waitFor();
    writeFileSync(file, MODEL);
    await shows(page, "param clients = 3");
    await settled(page);
    assert.equal(await verdict(page, "two_at_work"), "violated");
  });
});

test("what was typed in the page is kept when the file changes", async () => {
  await withPage(browser, url, {}, async (page) => {
    await shows(page, "param clients = 3");
    await settled(page);
    await text(page).fill(`// typed here\n${MODEL}`);
    await settled(page);
    writeFileSync(file, `// from the file\n${MODEL}`);
    await shows(page, "// from the file");
    await page.locator(".remark", { hasText: "What was typed here is kept" }).first().waitFor();
    const kept = await page.evaluate(() => Object.values(localStorage).filter((value) => value.includes("// typed here")).length);
    assert.equal(kept, 1);
    writeFileSync(file, MODEL);
  });
});
