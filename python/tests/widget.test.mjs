// The notebook of the guide in JupyterLab, as a reader runs it: the widget shows the page and plays.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { launch } from "../../e2e/browser.mjs";

const NOTEBOOK = join(dirname(fileURLToPath(import.meta.url)), "../../docs/guide/notebook.ipynb");
const TOKEN = "orbitscope";
let browser;
let folder;
let lab;
let home;

/** The address of the server, which it writes into its own folder once it listens. */
async function started() {
  for (let waited = 0; waited < 60_000; waited += 100) {
    const files = readdirSync(folder).filter((name) => /^jpserver-\d+\.json$/.test(name));
    if (files.length) {
      const text = readFileSync(join(folder, files[0]), "utf8");
      if (text.trim().endsWith("}")) return JSON.parse(text).url;
    }
    if (lab.exitCode !== null) break;
    await sleep(100);
  }
  throw new Error("JupyterLab did not start");
}

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "orbitscope-lab-"));
  copyFileSync(NOTEBOOK, join(folder, "notebook.ipynb"));
  // Nothing of the user's own Jupyter takes part, and nothing is asked of anybody else.
  const own = Object.fromEntries(["CONFIG", "DATA", "RUNTIME"].map((kind) => [`JUPYTER_${kind}_DIR`, folder]));
  const flags = ["--no-browser", "--allow-root", "--port=0", "--expose-app-in-browser", `--IdentityProvider.token=${TOKEN}`, `--ServerApp.root_dir=${folder}`];
  flags.push("--LabApp.news_url=", "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate");
  lab = spawn(process.env.PYTHON, ["-m", "jupyterlab", ...flags], { env: { ...process.env, ...own, HOME: folder }, stdio: "ignore" });
  browser = await launch();
  home = await started();
});

after(async () => {
  await browser?.close();
  if (lab && lab.exitCode === null) {
    const ended = new Promise((resolve) => lab.once("exit", resolve));
    lab.kill("SIGTERM");
    await Promise.race([ended, sleep(5_000).then(() => lab.kill("SIGKILL"))]);
  }
  if (folder) rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
});

const step = async (frame) => Number((await frame.locator(".player-step b").innerText()).replaceAll(/\D/g, ""));

test("the widget plays the search in JupyterLab, follows Python, and asks nobody else", async () => {
  const page = await browser.newPage({ viewport: { width: 1400, height: 1000 } });
  page.setDefaultTimeout(60_000);
  const outside = [];
  const broken = [];
  page.on("request", (request) => /^(blob|data):/.test(request.url()) || request.url().startsWith(home) || outside.push(request.url()));
  page.on("pageerror", (error) => broken.push(error.message));
  await page.goto(`${home}lab/tree/notebook.ipynb?token=${TOKEN}`);
  await page.waitForFunction(() => window.jupyterapp?.shell?.currentWidget?.sessionContext?.isReady);
  const run = (command) => page.evaluate((command) => window.jupyterapp.commands.execute(command), command);
  await run("notebook:run-all-cells");
  const element = page.locator("iframe[title=Orbitscope]");
  await element.waitFor();
  const frame = page.frameLocator("iframe[title=Orbitscope]");
  await element.scrollIntoViewIfNeeded();
  await frame.locator(".graph-canvas").waitFor();
  await frame.locator(".player-step").waitFor();
  // It is a page of the notebook's own origin with no way out of it, and shows the player without the rest.
  assert.match(await element.getAttribute("src"), /^blob:.*#1\./);
  assert.equal(await frame.locator("#source").count(), 0);
  const before = await step(frame);
  await frame.getByRole("button", { name: "To the end", exact: true }).click();
  await frame.locator(".narration", { hasText: /^Violated/ }).waitFor();
  const last = await step(frame);
  assert.ok(last > 3 && before < last, `${before} ${last}`);
  await frame.getByRole("button", { name: "One step back", exact: true }).click();
  await frame.locator(".player-step b", { hasText: String(last - 1) }).waitFor();
  if (process.env.SHOT) await page.screenshot({ path: process.env.SHOT });
  // Another size, set in Python, is another page.
  const link = await element.getAttribute("src");
  await page.evaluate(() => {
    const kernel = window.jupyterapp.shell.currentWidget.sessionContext.session.kernel;
    return kernel.requestExecute({ code: 'player.property = "one_at_a_time"; player.height = "20rem"' }).done;
  });
  await page.waitForFunction((old) => document.querySelector("iframe[title=Orbitscope]").src !== old, link);
  await frame.locator(".graph-canvas").waitFor();
  assert.equal(await element.evaluate((frame) => frame.style.height), "20rem");
  assert.deepEqual(outside, []);
  assert.deepEqual(broken, []);
});
