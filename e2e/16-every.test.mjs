// A person asks whether a property holds for every size, plays the abstract search, and lays an instance over it.

import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { SIZES, assert, look, pick, useSite } from "./site.mjs";

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
const open = useSite();

async function every(page, model, property) {
  await pick(page, model);
  await look(page, property, { film: false });
  await page.locator('[data-side="Every n"]').click();
  await page.locator(".every-verdict").waitFor();
}

const words = (page) => page.locator(".every-words").innerText();

test("a proof for every n: its badge, its rules, and the search played", () =>
  open(async (page) => {
    await every(page, "mutex_emerson_sistla", "somebody_enters");
    assert.match(await page.locator(".every-verdict").innerText(), /holds for every n >= 1/);
    await page.locator('[data-property="somebody_enters"] .badge-every', { hasText: "✓ every n" }).waitFor();
    await page.locator('[data-property="no_starvation"] .badge-every', { hasText: "✗ n = 2" }).waitFor();
    assert.match(await words(page), /Nothing is left/);
    await page.locator(".every-bar").getByRole("button", { name: "First step" }).click();
    assert.match(await words(page), /1 of 17 abstract states found/);
    let seen = "";
    for (let step = 0; step < 80 && !/Nothing is left/.test(seen); step++) {
      await page.locator(".every-bar").getByRole("button", { name: "One step on" }).click();
      seen += `${await words(page)}\n`;
    }
    assert.match(seen, /It may or may not be a run of some size/);
    assert.match(seen, /follow one process in .*: it has no fair way to go on there/);
    assert.ok((await page.locator(".every-graph [data-node]").count()) >= 17);
    // Labels come where they can be read.
    for (let closer = 0; closer < 8; closer++) await page.locator(".every").getByRole("button", { name: "Zoom in" }).click();
    assert.match(await page.locator(".every-graph .graph-canvas").textContent(), /∞/);
    // Played to the end by itself.
    await page.locator("#every-step").fill("20");
    await page.locator(".every-bar").getByRole("button", { name: "Play the abstract search" }).click();
    await page.locator(".every-words", { hasText: "Nothing is left" }).waitFor({ timeout: 30_000 });
  }));

test("an instance is laid over the abstract system", () =>
  open(async (page) => {
    await every(page, "mutex_emerson_sistla", "mutual_exclusion");
    assert.deepEqual(await page.locator(".every-sizes li").allInnerTexts(), [1, 2, 3, 4, 5, 6].map((n) => `n = ${n} ✓`));
    await page.locator("#every-size").fill("1");
    await page.locator(".every-slider b", { hasText: "n = 1" }).waitFor();
    await page.locator(".every-graph [data-node]").first().click({ force: true });
    const said = await page.locator(".every-stands").innerText();
    assert.match(said, /With n = 1 /);
    await page.locator("#every-size").fill("6");
    await page.locator(".every-slider b", { hasText: "n = 6" }).waitFor();
    assert.match(await page.locator(".every-stands").innerText(), /With n = 6 /);
  }));

test("another text leaves nothing of the old one, and what cannot be said is said", () =>
  open(async (page) => {
    await every(page, "mutex_emerson_sistla", "mutual_exclusion");
    await pick(page, "token_ring");
    await page.locator('[data-side="Every n"]').click();
    await page.locator(".every .explore-trouble", { hasText: "Nothing can be said of every size" }).waitFor();
    assert.equal(await page.locator(".badge-every").count(), 0);
  }));

for (const viewport of SIZES) {
  test(`no row of the abstract system is cut, and many is an ∞, ${viewport.width} wide`, () =>
    open(
      async (page) => {
        const part = async (name) => {
          if (viewport.width < 700) await page.locator(".screens .tab", { hasText: name }).click();
        };
        await part("Model");
        await pick(page, "simplified_controller");
        await look(page, "always_idle_again", { film: false });
        await part("Stack");
        await page.locator('[data-side="Every n"]').click();
        await page.locator(".every-graph [data-node]").first().waitFor();
        assert.ok((await page.locator(".every-graph .cell-many:not(.is-halo)").count()) > 10);
        const cut = await page.evaluate(() => {
          const canvas = document.querySelector(".every-graph .graph-canvas").getBoundingClientRect();
          const boxes = [...document.querySelectorAll(".every-graph [data-node] .node-box")].map((node) => node.getBoundingClientRect());
          const inside = ({ top, bottom }) => top >= canvas.top - 1 && bottom <= canvas.bottom + 1;
          return boxes.length === 0 ? ["there is no node"] : boxes.filter((box) => !inside(box));
        });
        assert.deepEqual(cut, []);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(wide <= 0, `the page is ${wide} pixels too wide`);
      },
      { viewport },
    ));
}

for (const colorScheme of ["light", "dark"]) {
  test(`axe finds nothing serious in the tab, ${colorScheme}`, () =>
    open(
      async (page) => {
        await every(page, "mutex_emerson_sistla", "somebody_enters");
        await page.evaluate(readFileSync(AXE, "utf8"));
        const found = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
        const serious = found.violations.filter(({ impact }) => ["serious", "critical"].includes(impact));
        assert.deepEqual(serious.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]), []);
      },
      { colorScheme },
    ));
}
