// The page for daily use: links, what is kept, files, the tour, embedding, and use without a network.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { deflateSync } from "node:zlib";
import { launch } from "./browser.mjs";
import { violations } from "./schema.mjs";
import { serve } from "./server.mjs";

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
const schema = (name) => JSON.parse(readFileSync(new URL(`../docs/schema/${name}.schema.json`, import.meta.url), "utf8"));

let browser;
let site;

before(async () => {
  browser = await launch();
  site = await serve(process.env.DIST);
});

after(async () => {
  await browser?.close();
  await site?.close();
});

/** A fresh profile. What goes wrong in its pages is collected, and must be nothing but what `expected` allows. */
async function withProfile(use, { expected = /^$/, url = site.url, ...options } = {}) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, acceptDownloads: true, ...options });
  context.setDefaultTimeout(20_000);
  const complaints = [];
  const note = (words) => expected.test(words) || complaints.push(words);
  const origin = new URL(url).origin;
  context.on("weberror", (error) => note(`uncaught: ${error.error().message}`));
  context.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) note(`console: ${message.text()}`);
  });
  context.on("request", (request) => {
    const asked = new URL(request.url().replace(/^blob:/, ""));
    if (asked.origin !== origin) note(`outside the origin: ${request.url()}`);
  });
  try {
    const open = async (fragment = "", query = "") => {
      const page = await context.newPage();
      await page.goto(`${url}${query}${fragment}`);
      await page.waitForSelector("main");
      return page;
    };
    await use(open, context);
    assert.deepEqual(complaints, []);
  } finally {
    await context.close();
  }
}

const source = (page) => page.locator("#source");
const text = (page) => source(page).inputValue();
const step = (page) => page.locator(".player-step b").innerText();
const remarks = (page) => page.locator(".remarks").innerText();
/** The picture is drawn and the property decided. */
const settled = async (page) => {
  await page.locator("[data-property][aria-pressed=true] .badge:is(.is-good, .is-bad, .is-partial, .is-unknown)").first().waitFor();
  await page.locator(".graph-canvas").first().waitFor();
};
/** A picture as it is, whatever part of it is in sight. */
const picture = (page) => page.locator(".graph-canvas").first().evaluate((canvas) => canvas.textContent);
const pick = async (page, model) => {
  await page.locator(".gallery-open").click();
  await page.locator(`.gallery [data-model=${model}]`).click();
  await page.locator(".gallery").waitFor({ state: "hidden" });
};
const link = async (page) => {
  await page.locator("[data-menu=share]").click();
  const address = await page.locator("#share-link").inputValue();
  await page.keyboard.press("Escape");
  return address;
};
/** The part of an address after `#`, around any text. */
const fragment = (content) => `#1.${deflateSync(Buffer.from(content)).toString("base64url")}`;

test("a link opens the same model, parameters, property, options, view, step and picture in a fresh profile", async () => {
  let address;
  let seen;
  await withProfile(async (open) => {
    const page = await open();
    await pick(page, "resource_controller");
    await page.locator(".param-value").first().fill("3");
    await page.locator("[data-property=eventually_access]").click();
    await page.locator(".options summary").click();
    await page.locator("#fairness").selectOption({ label: "strong" });
    await page.locator("[data-view=Product]").click();
    await settled(page);
    await page.locator("[aria-label='To the start']").waitFor();
    for (let count = 0; count < 4; count += 1) await page.locator("[aria-label='One step on']").click();
    assert.equal(await step(page), "4");
    seen = { text: await text(page), narration: await page.locator(".narration").innerText(), picture: await picture(page) };
    address = await link(page);
    assert.match(await page.locator("#share-length").textContent(), /^[\d,]+ characters/);
  });
  await withProfile(async (open) => {
    const page = await open(new URL(address).hash);
    await page.locator(".player-step b", { hasText: /^4$/ }).waitFor();
    assert.equal(await text(page), seen.text);
    assert.equal(await page.locator(".param-value").first().inputValue(), "3");
    assert.equal(await page.locator("[data-view=Product]").getAttribute("aria-selected"), "true");
    assert.equal(await page.locator("#fairness").evaluate((select) => select.selectedOptions[0].text), "strong");
    assert.equal(await page.locator(".narration").innerText(), seen.narration);
    assert.equal(await picture(page), seen.picture);
    assert.equal(await page.locator(".gallery-title").innerText(), "Resource controller");
    assert.equal(await link(page), address);
  });
});

test("a long link says so and offers a file, which opens the same", () =>
  withProfile(async (open) => {
    const page = await open();
    let long = "shared x: bool = true\nprocess p { action go: x -> x := false }\n";
    for (let number = 0; long.length < 9_000; number += 1) long += `// ${Math.imul(number + 1, 2654435761) >>> 0} ${number ** 7}\n`;
    await source(page).fill(long);
    await page.locator("[data-menu=share]").click();
    await page.locator("#share-length", { hasText: "too long for common chat programs" }).waitFor();
    const [download] = await Promise.all([page.waitForEvent("download"), page.locator("[data-save=link]").click()]);
    await page.keyboard.press("Escape");
    await source(page).fill("process q { }\n");
    await page.locator("[data-menu=open]").click();
    await page.locator("#open-file").setInputFiles(await download.path());
    await page.waitForFunction((long) => document.querySelector("#source").value === long, long);
  }));

test("the link is copied, stands in the address, and goes from it when something is changed", () =>
  withProfile(
    async (open, context) => {
      await context.grantPermissions(["clipboard-read", "clipboard-write"]);
      const page = await open();
      await settled(page);
      await page.locator("[data-menu=share]").click();
      await page.locator("[data-copy=link]").click();
      await page.locator(".menu-said", { hasText: "copied" }).waitFor();
      const address = await page.locator("#share-link").inputValue();
      assert.equal(page.url(), address);
      assert.equal(await page.evaluate(() => navigator.clipboard.readText()), address);
      await page.locator("[data-copy=embed]").click();
      await page.waitForFunction(async () => (await navigator.clipboard.readText()).startsWith("<iframe"));
      await page.keyboard.press("Escape");
      await page.locator("[data-view=States]").click();
      await page.waitForFunction(() => location.hash === "");
    },
    {},
  ));

// What is typed is written a quarter of a second later at the latest, and takes the link out of the address: around that
// moment a link must neither be lost nor cost the text.
for (const delay of [0, 100, 245, 250, 255]) {
  test(`an address that changes ${delay} ms after typing opens its link and keeps one's own text`, () =>
    withProfile(async (open) => {
      const page = await open();
      await source(page).fill("// mine\nprocess p { }\n");
      const other = "// theirs\nprocess q { }\n";
      const typed = async ([hash, delay]) => {
        document.execCommand("insertText", false, "// and more\n");
        if (delay) await new Promise((done) => setTimeout(done, delay));
        location.hash = hash;
      };
      await page.evaluate(typed, [fragment(`\n${other}`), delay]);
      await page.waitForFunction((other) => document.querySelector("#source").value === other, other);
      assert.equal(new URL(page.url()).hash, fragment(`\n${other}`));
      assert.match(await remarks(page), /Your own text is kept/);
      await page.locator("[data-menu=open]").click();
      await page.locator(".kept", { hasText: "mine" }).click();
      await page.waitForFunction(() => /^\/\/ mine[^]*and more/.test(document.querySelector("#source").value));
    }));
}

const MARKUP = "<img src=x onerror=window.hacked=1>";
const HOSTILE = {
  "random bytes": ["#1.c2hhbGwgd2UgZGFuY2U_-_-_qqqq", /damaged/],
  "no link at all": [`#${MARKUP}`, /not a link/],
  truncated: [fragment("\nprocess p { }\n").slice(0, -6), /damaged/],
  "ten megabytes": [`#1.${"A".repeat(10 << 20)}`, /characters long|not opened/],
  "a compression bomb": [fragment("\n".repeat(64 << 20)), /unfolds to more than 4 MiB/],
  "markup in a name": [fragment(`property ${MARKUP}\n\nprocess p { }\n`), /cannot be understood/],
  "a model that no editor shows": [fragment(`\n${"// nothing at all\n".repeat(200_000)}`), /the page opens at most/],
  "a later version": ["#7.abc", /format 7/],
  "a key that is not known": [fragment("hologram on\n\nprocess p { }\n"), /hologram/],
};

for (const [name, [hash, words]] of Object.entries(HOSTILE)) {
  test(`a hostile link is refused with a message: ${name}`, () =>
    withProfile(async (open) => {
      const page = await open();
      // By the address bar a browser refuses what is longer than two megabytes by itself; by a script it may come.
      await page.evaluate((hash) => (location.hash = hash), hash);
      await page.locator(".remark", { hasText: words }).waitFor();
      await page.locator(".remark button").click();
      assert.equal(await page.locator(".remark").count(), 0);
      await page.locator("[data-view=States]").click();
      await page.locator(".summary", { hasText: "20 states" }).waitFor();
      assert.equal(await page.evaluate(() => window.hacked), undefined);
      if (hash.length < 1 << 20) {
        const again = await open(hash);
        await again.locator(".remark", { hasText: words }).waitFor();
        await settled(again);
      }
    }));
}

test("markup in a linked model is text, and a model that never ends does not take the page with it", () =>
  withProfile(async (open) => {
    const endless = `// ${MARKUP}\nparam n = 40\nprocess p[n] { var x: 0..1000 = 0 action up: x < 1000 -> x := x + 1 action down: x > 0 -> x := x - 1 }\nltl never: forall q in p: F q.x == 1000\n`;
    const page = await open(fragment(`property never\noption symmetry=none\nstep 99\n\n${endless}`));
    assert.equal(await text(page), endless);
    await page.locator("[data-property=never]").waitFor();
    await page.waitForTimeout(1_500);
    assert.equal(await page.evaluate(() => window.hacked), undefined);
    // The page answers while the engine works.
    await pick(page, "token_ring");
    await settled(page);
    const memory = await page.evaluate(() => performance.memory?.usedJSHeapSize ?? 0);
    assert.ok(memory < 500e6, `${memory} bytes`);
  }));

test("the largest link that is read leaves the page usable", () =>
  withProfile(async (open) => {
    const page = await open(fragment(`\n${`// ${"long ".repeat(40)}\n`.repeat(1_200)}process p { }\n`));
    assert.ok((await text(page)).length > 240_000);
    await pick(page, "token_ring");
    await settled(page);
  }));

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
        const page = await open();
        await settled(page);
        await page.evaluate(() => navigator.serviceWorker.ready);
        await context.setOffline(true);
        await page.reload();
        await settled(page);
        await source(page).fill(EDITED);
        await page.locator("[data-property=live]").waitFor();
        const another = await open("", "?embed=1");
        await another.locator(".graph-canvas").first().waitFor();
      },
      { url: nested.url, expected: /ERR_INTERNET_DISCONNECTED|Failed to load resource/ },
    );
  } finally {
    await nested.close();
  }
});

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
      { url: course.url, expected: new RegExp(`outside the origin: (${site.url}|null|data:)`) },
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
  const files = readdirSync(process.env.DIST).filter((name) => name !== "sw.js");
  assert.deepEqual(listed.sort(), files.sort());
});
