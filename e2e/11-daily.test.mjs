// The page for daily use: what is kept, files, the tour, embedding, and use without a network.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { pick, picture, settled, source, text, useProfiles } from "./profile.mjs";
import { violations } from "./schema.mjs";
import { serve } from "./server.mjs";

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
const schema = (name) => JSON.parse(readFileSync(new URL(`../docs/schema/${name}.schema.json`, import.meta.url), "utf8"));

const { withProfile, home } = useProfiles();

const EDITED = "// kept\nshared x: bool = false\nprocess p[2] { action go: not x -> x := true }\nltl live: F x\n";

test("a reload loses nothing", () =>
  withProfile(async (open) => {
    const page = await open();
    await source(page).fill(EDITED);
    await page.locator("[data-property=live]").waitFor();
    await page.locator("[data-view=States]").click();
    await page.reload();
    await page.waitForSelector("main");
    assert.equal(await text(page), EDITED);
    assert.equal(await page.locator("[data-view=States]").getAttribute("aria-selected"), "true");
  }));

test("a killed tab loses nothing, and tabs do not write over each other", () =>
  withProfile(async (open, context) => {
    const [one, two] = [await open(), await open()];
    await source(one).fill(`${EDITED}// one\n`);
    await source(two).fill(`${EDITED}// two\n`);
    await one.reload();
    await one.waitForSelector("main");
    assert.equal(await text(one), `${EDITED}// one\n`);
    await source(two).fill(`${EDITED}// two again\n`);
    // A tab that is killed has no moment to write: what was typed a quarter of a second before is there.
    await two.waitForTimeout(300);
    const session = await context.newCDPSession(two);
    await Promise.race([session.send("Page.crash").catch(() => {}), two.waitForEvent("crash")]);
    const three = await open();
    await three.locator("[data-menu=open]").click();
    assert.equal(await three.locator(".kept").count(), 2);
    assert.equal(await text(three), `${EDITED}// two again\n`);
  }));

test("checking a wrong answer of others keeps the text that was there", () =>
  withProfile(async (open) => {
    const page = await open();
    await source(page).fill(EDITED);
    await page.locator(".gallery-open").click();
    await page.locator(".gallery-more button").click();
    await page.locator("[data-wrong=two_at_work] button").click();
    await page.waitForFunction((edited) => document.querySelector("#source").value !== edited, EDITED);
    await page.locator("[data-menu=open]").click();
    await page.locator(".kept", { hasText: "kept" }).first().click();
    await page.waitForFunction((edited) => document.querySelector("#source").value === edited, EDITED);
  }));

test("picking a model from the gallery keeps the text that was there", () =>
  withProfile(async (open) => {
    const page = await open();
    await source(page).fill(EDITED);
    await page.reload();
    await page.waitForSelector("main");
    await pick(page, "token_ring");
    await page.locator("[data-menu=open]").click();
    await page.locator(".kept", { hasText: "kept" }).first().click();
    await page.waitForFunction((edited) => document.querySelector("#source").value === edited, EDITED);
  }));

test("a full storage is said", () =>
  withProfile(async (open) => {
    const page = await open();
    await page.evaluate(() => {
      for (let size = 1 << 20; size >= 1; size >>= 1) {
        try {
          for (let number = 0; ; number += 1) localStorage.setItem(`filler-${size}-${number}`, "x".repeat(size));
        } catch {
          // Full: a smaller one may fit.
        }
      }
    });
    await source(page).fill(EDITED);
    await page.locator(".remark", { hasText: "no room" }).waitFor();
    assert.equal(await text(page), EDITED);
  }));

test("a crash of the worker loses nothing, is said, and the engine starts anew", () =>
  withProfile(
    async (open) => {
      const page = await open();
      await source(page).fill(EDITED);
      await page.locator("[data-property=live]").waitFor();
      await settled(page);
      const before = await picture(page);
      await Promise.all(page.workers().map((worker) => worker.evaluate(() => void setTimeout(() => { throw new Error("boom"); }))));
      await page.locator("text=started anew").waitFor();
      assert.equal(await text(page), EDITED);
      assert.equal(await picture(page), before);
      await page.locator("button.again").first().click();
      await settled(page);
    },
    { expected: /boom/ },
  ));

test("the page is there without its engine, says so, and goes on when the engine can be loaded", () =>
  withProfile(
    async (open, context) => {
      await context.route("**/orbitscope-engine*", (route) => route.abort());
      const page = await open();
      await settled(page);
      await page.locator("[aria-label='One step on']").click();
      await page.locator("text=The engine could not be loaded").waitFor();
      await source(page).fill(EDITED);
      assert.equal(await text(page), EDITED);
      await context.unroute("**/orbitscope-engine*");
      await page.locator("button.again").first().click();
      await page.locator("[data-property=live]").waitFor();
      await settled(page);
      assert.equal(await page.locator("text=The engine could not be loaded").count(), 0);
    },
    { expected: /orbitscope-engine|ERR_FAILED|import|Service Worker/, serviceWorkers: "block" },
  ));

/** Takes a file away and reads it. */
async function take(page, what) {
  await page.locator("[data-menu=take]").click();
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator(`[data-take=${what}]`).click()]);
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

test("every file is read by what reads it", () =>
  withProfile(async (open, context) => {
    const page = await open();
    // A page without a policy of its own, to look at what was taken away.
    const reader = await context.newPage();
    // Browsers slow a page down that is behind another one.
    await page.bringToFront();
    await settled(page);
    await page.locator("[data-property=eventually_access]").click();
    await page.locator("[data-view=Product]").click();
    await page.locator("[aria-label='To the end']").click();
    const model = await take(page, "model");
    assert.equal(model.bytes.toString(), await text(page));
    assert.equal(model.name, "simplified_controller.orb");

    const graph = JSON.parse((await take(page, "json")).bytes);
    assert.deepEqual(violations(schema("graph"), graph), []);
    assert.ok(graph.nodes.length > 7 && graph.edges.length > 7);

    const dot = await take(page, "dot");
    const drawn = spawnSync("dot", ["-Tplain"], { input: dot.bytes, encoding: "utf8" });
    if (drawn.error?.code === "ENOENT") assert.match(dot.bytes.toString(), /^digraph "/);
    else {
      assert.equal(drawn.status, 0, drawn.stderr);
      const named = drawn.stdout.split("\n").filter((line) => /^node u/.test(line));
      assert.equal(named.length, graph.nodes.length);
    }

    const svg = await take(page, "svg");
    const parsed = await reader.evaluate((text) => {
      const document = new DOMParser().parseFromString(text, "image/svg+xml");
      return { error: document.querySelector("parsererror")?.textContent, nodes: document.querySelectorAll("g.n").length };
    }, svg.bytes.toString());
    assert.deepEqual(parsed, { error: undefined, nodes: graph.nodes.length });

    const png = await take(page, "png");
    assert.equal(png.bytes.subarray(1, 4).toString(), "PNG");
    assert.ok(png.bytes.readUInt32BE(16) > 300 && png.bytes.length > 5_000, `${png.bytes.length} bytes`);

    const hoa = (await take(page, "hoa")).bytes.toString();
    assert.match(hoa, /^HOA: v1\n(?:\S+: .*\n)+--BODY--\n(?:State: \d+.*\n(?: *\[.*\] \d+.*\n)*)+--END--\n$/);

    const run = JSON.parse((await take(page, "run")).bytes);
    assert.deepEqual(violations(schema("run"), run), []);
    assert.equal(run.property, "eventually_access");
    assert.ok(run.lasso.cycle.length > 0 && run.ledger.length === 3);

    assert.match((await take(page, "promela")).bytes.toString(), /proctype|active|init/);
    assert.match((await take(page, "tla")).bytes.toString(), /^-+ MODULE \w+ -+\n/m);
  }));

test("a file that is dropped on the page is opened", () =>
  withProfile(async (open) => {
    const page = await open();
    const drop = (name, content) =>
      page.evaluate(
        ([name, content]) => {
          const data = new DataTransfer();
          data.items.add(new File([new Uint8Array(content)], name));
          document.querySelector("main").dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
        },
        [name, [...Buffer.from(content)]],
      );
    await drop("mine.orb", EDITED);
    await page.waitForFunction((edited) => document.querySelector("#source").value === edited, EDITED);
    await drop("picture.png", Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0xff, 0xfe]));
    await page.locator(".remark", { hasText: "not a text" }).waitFor();
    assert.equal(await text(page), EDITED);
  }));

test("the tour goes from start to end by keyboard alone, ends early, and goes on", () =>
  withProfile(async (open) => {
    const page = await open();
    await source(page).fill(EDITED);
    await page.locator("[data-property=live]").waitFor();
    await page.locator("#tour-open").focus();
    await page.keyboard.press("Enter");
    const title = page.locator(".tour-title");
    await title.waitFor();
    const titles = [];
    for (let stop = 1; stop <= 10; stop += 1) {
      await page.locator(".tour-count", { hasText: `Stop ${stop} of 10` }).waitFor();
      titles.push(await title.innerText());
      await page.locator(".graph-canvas").first().waitFor();
      await page.keyboard.press("Enter");
      if (stop === 4) {
        await page.locator(".tour-count", { hasText: "Stop 5" }).waitFor();
        await page.keyboard.press("Escape");
        await title.waitFor({ state: "detached" });
        assert.equal(await text(page), EDITED);
        assert.equal(await page.evaluate(() => document.activeElement.id), "tour-open");
        await page.keyboard.press("Enter");
      }
    }
    await title.waitFor({ state: "detached" });
    assert.equal(new Set(titles).size, 10);
    assert.equal(await text(page), EDITED);
  }));

test("the page works offline after the first visit, under a sub-path too", async () => {
  const nested = await serve(process.env.DIST, "/some/where/");
  try {
    await withProfile(
      async (open, context) => {
        const visit = await open();
        await settled(visit);
        await visit.evaluate(() => navigator.serviceWorker.ready);
        // The visit is over. A page that stayed might be about to load its engine, and would complain that it cannot.
        await visit.close();
        await context.setOffline(true);
        const page = await open();
        await settled(page);
        await source(page).fill(EDITED);
        await page.locator("[data-property=live]").waitFor();
        await page.reload();
        await settled(page);
        assert.equal(await text(page), EDITED);
        const another = await open("", "?embed=1");
        await another.locator(".graph-canvas").first().waitFor();
      },
      { url: nested.url, expected: /ERR_INTERNET_DISCONNECTED|Failed to load resource/ },
    );
  } finally {
    await nested.close();
  }
});

/** Waits until every worker of the page has its engine: nothing is on its way through the network. */
async function engineLoaded(page) {
  const hasEngine = (worker) =>
    worker.evaluate(() => performance.getEntriesByType("resource").some(({ name }) => name.includes("orbitscope-engine_bg.wasm")));
  for (let tries = 0; tries < 400; tries += 1) {
    const loaded = await Promise.all(page.workers().map(hasEngine));
    if (loaded.length > 0 && loaded.every(Boolean)) return;
    await page.waitForTimeout(50);
  }
  assert.fail("the engine was not loaded");
}

test("a network that goes away during the first visit is not missed", () =>
  withProfile(
    async (open, context) => {
      const page = await open();
      await page.waitForFunction(() => navigator.serviceWorker.controller?.state === "activated");
      await source(page).fill(EDITED);
      await page.locator("[data-property=live]").waitFor();
      await settled(page);
      await engineLoaded(page);
      await context.setOffline(true);
      await Promise.all(page.workers().map((worker) => worker.evaluate(() => void setTimeout(() => { throw new Error("boom"); }))));
      await page.locator("text=started anew").waitFor();
      await source(page).fill(EDITED.replace("live", "alive"));
      await page.locator("[data-property=alive]").waitFor();
      await settled(page);
    },
    { expected: /boom/ },
  ));

test("a new version is announced and comes whole; a half one does not come", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "orbitscope-"));
  cpSync(process.env.DIST, folder, { recursive: true });
  const renewed = await serve(folder);
  const release = (name, whole) => {
    const icon = path.join(folder, "icon-192.png");
    const worker = path.join(folder, "sw.js");
    copyFileSync(path.join(process.env.DIST, "sw.js"), worker);
    const bytes = Buffer.concat([readFileSync(path.join(process.env.DIST, "icon-192.png")), Buffer.from(name)]);
    let sum = 0x811c9dc5;
    for (const byte of bytes) sum = Math.imul(sum ^ byte, 0x01000193);
    const text = readFileSync(worker, "utf8").replace(/const BUILD = ".*"/, `const BUILD = "${name}"`);
    writeFileSync(worker, text.replace(/"icon-192.png": \d+/, `"icon-192.png": ${sum >>> 0}`));
    if (whole) writeFileSync(icon, bytes);
  };
  const update = (page) => page.evaluate(async () => (await navigator.serviceWorker.getRegistration()).update().catch(() => {}));
  const builds = (page) => page.evaluate(() => caches.keys());
  try {
    await withProfile(
      async (open) => {
        const page = await open();
        await page.evaluate(() => navigator.serviceWorker.ready);
        await page.reload();
        await settled(page);
        const [first] = await builds(page);
        release("half", false);
        const state = await page.evaluate(async () => {
          const registration = await navigator.serviceWorker.getRegistration();
          await registration.update().catch(() => {});
          const worker = registration.installing;
          const decided = (done) => ["installed", "redundant"].includes(worker.state) && done();
          if (worker) await new Promise((done) => (decided(done), worker.addEventListener("statechange", () => decided(done))));
          return worker?.state;
        });
        assert.equal(state, "redundant");
        assert.deepEqual(await builds(page), [first]);
        assert.equal(await page.locator("#renewal").count(), 0);
        await source(page).fill(EDITED);
        release("whole", true);
        await update(page);
        await page.locator("#renewal button").click();
        await page.waitForFunction(async () => (await caches.keys()).includes("orbitscope-whole") && !document.querySelector("#renewal"));
        await page.waitForSelector("main");
        await page.waitForFunction((edited) => document.querySelector("#source")?.value === edited, EDITED);
      },
      { url: renewed.url, expected: /half|another build/ },
    );
  } finally {
    await renewed.close();
    rmSync(folder, { recursive: true });
  }
});

test("the page can be installed", () =>
  withProfile(async (open, context) => {
    const page = await open();
    const session = await context.newCDPSession(page);
    const { errors, data } = await session.send("Page.getAppManifest");
    assert.deepEqual(errors, []);
    const manifest = JSON.parse(data);
    for (const icon of manifest.icons) {
      const [width] = icon.sizes.split("x").map(Number);
      const size = await page.evaluate(async (src) => {
        const image = new Image();
        image.src = src;
        await image.decode();
        return image.naturalWidth;
      }, icon.src);
      assert.equal(size, width);
    }
  }));

test("another page embeds the picture and the player alone", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "orbitscope-"));
  let code;
  await withProfile(async (open, context) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const page = await open();
    await settled(page);
    await page.locator("[data-menu=share]").click();
    await page.locator("[data-copy=embed]").click();
    await page.locator(".menu-said", { hasText: "copied" }).waitFor();
    code = await page.evaluate(() => navigator.clipboard.readText());
  });
  writeFileSync(path.join(folder, "index.html"), `<!doctype html><link rel="icon" href="data:,"><title>Course</title><main>${code}</main>`);
  const course = await serve(folder);
  try {
    await withProfile(
      async (open) => {
        const page = await open();
        const frame = page.frameLocator("iframe");
        await frame.locator(".graph-canvas").first().waitFor();
        await frame.locator("[data-play=toggle]").click();
        await frame.locator(".player-step b", { hasText: /^[1-9]/ }).waitFor();
        assert.equal(await frame.locator("#source, .page-header").count(), 0);
      },
      { url: course.url, expected: new RegExp(`outside the origin: (${home()}|null|data:)`) },
    );
  } finally {
    await course.close();
    rmSync(folder, { recursive: true });
  }
});

/** The main states of the page, each reached from a fresh visit. */
const STATES = {
  "the first screen": async () => {},
  "a product at the end of its search": async (page) => {
    await page.locator("[data-property=eventually_access]").click();
    await page.locator("[data-view=Product]").click();
    await page.locator("[aria-label='To the end']").click();
  },
  "errors in the text": async (page) => {
    await source(page).fill("process p {{");
    await page.locator(".problem").first().waitFor();
  },
  "the comparison": (page) => page.locator("[data-side=Compare]").click(),
  "the algorithm": (page) => page.locator("[data-side=Algorithm]").click(),
  sharing: (page) => page.locator("[data-menu=share]").click(),
  "taking away": (page) => page.locator("[data-menu=take]").click(),
  opening: (page) => page.locator("[data-menu=open]").click(),
  "the tour": (page) => page.locator("#tour-open").click(),
  "a remark": async (page) => {
    await page.evaluate(() => (location.hash = "#7.abc"));
    await page.locator(".remark").waitFor();
  },
};

for (const colorScheme of ["light", "dark"]) {
  test(`axe finds nothing serious, ${colorScheme}`, () =>
    withProfile(
      async (open, context) => {
        const told = {};
        for (const [name, reach] of Object.entries(STATES)) {
          const page = await open();
          await settled(page);
          await reach(page);
          await page.waitForTimeout(200);
          // By the debugger: the page's own policy forbids scripts that are not its own.
          await page.evaluate(readFileSync(AXE, "utf8"));
          const found = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
          const serious = found.violations.filter(({ impact }) => ["serious", "critical"].includes(impact));
          for (const { id, nodes } of serious) told[`${name}: ${id}`] = nodes.slice(0, 3).map((node) => node.html.slice(0, 160));
          await page.evaluate(() => localStorage.clear());
          await page.close();
        }
        assert.deepEqual(told, {});
      },
      { colorScheme },
    ));
}

test("the site has the files that it lists and no others", () => {
  const listed = Object.keys(JSON.parse(`{${readFileSync(path.join(process.env.DIST, "sw.js"), "utf8").match(/FILES = \{([^}]*)\}/)[1].trim().replace(/,$/, "")}}`));
  const entries = readdirSync(process.env.DIST, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const names = entries.map((entry) => path.relative(process.env.DIST, path.join(entry.parentPath, entry.name)));
  const files = names.map((name) => name.split(path.sep).join("/")).filter((name) => name !== "sw.js");
  assert.deepEqual(listed.sort(), files.sort());
});
