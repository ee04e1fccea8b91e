// A person looks at a state closely, watches expressions along a run, looks for states, and sees the processes on a stage.

import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { assert, look, pick, settled, useSite } from "./site.mjs";

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
const open = useSite();

const side = (page, name) => page.locator(`[data-side=${name}]`).click();

async function watch(page, words) {
  await page.locator("#inspect-watch").fill(words);
  await page.keyboard.press("Enter");
  await page.locator(`[data-watch="${words}"]`).waitFor();
}

test("a node has its values, its steps and its orbit", () =>
  open(async (page) => {
    await settled(page);
    await page.locator(".graph-canvas [data-node='1']").first().click();
    await side(page, "Inspect");
    await page.locator(".inspect-title", { hasText: "s1 of AQS" }).waitFor();
    await page.locator(".inspect-facts", { hasText: "3 states" }).waitFor();
    const values = await page.locator(".inspect-values").innerText();
    assert.match(values, /client/);
    assert.ok((await page.locator(".inspect-steps li").count()) > 0);
  }));

test("watches go along a counterexample, and a wrong one says what is wrong", () =>
  open(async (page) => {
    await look(page, "eventually_access");
    await page.locator(".lane-step").nth(1).click();
    await side(page, "Inspect");
    await page.locator(".inspect-title", { hasText: "After step 1" }).waitFor();
    await page.locator(".inspect-value.is-changed").first().waitFor();
    await watch(page, "count(c in client: c.st == R)");
    const numbers = page.locator("[data-watch^=count] .watch-piece.is-number");
    await numbers.first().waitFor();
    assert.ok((await numbers.count()) >= 2, "it changes along the run");
    await watch(page, "exists c in client: c.st == R");
    await page.locator("[data-watch^=exists] .watch-piece.is-true").first().waitFor();
    await watch(page, "clint[0].st == C");
    await page.locator("[data-watch^=clint] .explore-trouble", { hasText: "character 1" }).waitFor();
    assert.ok((await numbers.count()) >= 2, "the others stay as they are");
    await page.getByRole("button", { name: "Watch clint[0].st == C no longer" }).click();
    assert.equal(await page.locator("[data-watch]").count(), 2);
  }));

test("the inspector follows the search", () =>
  open(async (page) => {
    await look(page, "always_idle_again");
    await side(page, "Inspect");
    await page.locator("[aria-label='One step on']").click();
    await page.locator(".inspect-title", { hasText: "where the search is" }).waitFor();
    const first = await page.locator(".inspect-title").innerText();
    for (let step = 0; step < 6; step += 1) await page.locator("[aria-label='One step on']").click();
    await page.waitForFunction((first) => document.querySelector(".inspect-title")?.textContent !== first, first);
  }));

test("states are looked for by an expression", () =>
  open(async (page) => {
    await settled(page);
    await side(page, "Inspect");
    await page.locator("#inspect-seek").fill("exists c in client: c.st == C");
    await page.keyboard.press("Enter");
    await page.locator(".inspect-found").waitFor();
    const found = Number((await page.locator(".inspect-found").innerText()).match(/\d+/)[0]);
    assert.equal(await page.locator(".ring.is-sought").count(), found);
    assert.ok(found > 0 && found < 7);
    await page.locator("#inspect-seek").fill("exists c in client: c.st = C");
    await page.keyboard.press("Enter");
    await page.locator(".explore-trouble", { hasText: "character" }).waitFor();
    assert.equal(await page.locator(".ring.is-sought").count(), 0);
  }));

test("the processes stand on a stage and move as a walk goes on", () =>
  open(async (page) => {
    await settled(page);
    await side(page, "Explore");
    await page.locator(".explore-step").first().click();
    await page.locator(".explore-now", { hasText: "After 1 step" }).waitFor();
    await side(page, "Stage");
    await page.locator(".stage-caption", { hasText: "After step 1" }).waitFor();
    assert.equal(await page.locator("[data-family=client] .stage-token").count(), 3);
    assert.equal(await page.locator(".stage-token.is-moved").count(), 1);
    assert.equal(await page.locator(".stage-move.is-lit").count(), 1);
    await page.locator(".lane-step").first().click();
    await page.locator(".stage-caption", { hasText: "The first state" }).waitFor();
    assert.equal(await page.locator(".stage-token.is-moved").count(), 0);
  }));

test("a ring is a ring", () =>
  open(async (page) => {
    await settled(page);
    await pick(page, "token_ring");
    await side(page, "Stage");
    await page.locator(".stage-ring").first().waitFor();
  }));

test("arrow keys go along tabs, and options are reset by one click", () =>
  open(async (page) => {
    await settled(page);
    await page.locator("[data-side=Stack]").focus();
    await page.keyboard.press("ArrowRight");
    assert.equal(await page.locator("[data-side=Algorithm]").getAttribute("aria-selected"), "true");
    await page.keyboard.press("Home");
    assert.equal(await page.locator("[data-side=Stack]").getAttribute("aria-selected"), "true");
    await page.locator(".options summary").click();
    await page.locator("#fairness").selectOption("strong");
    await page.locator(".options-reset").click();
    await page.locator(".options-reset:disabled").waitFor();
    assert.equal(await page.locator("#fairness").inputValue(), "as the model says");
  }));

for (const colorScheme of ["light", "dark"]) {
  test(`axe finds nothing serious in the inspector and on the stage, ${colorScheme}`, () =>
    open(
      async (page) => {
        await look(page, "eventually_access");
        await page.locator(".lane-step").nth(1).click();
        await side(page, "Inspect");
        await watch(page, "count(c in client: c.st == R)");
        await page.locator(".watch-piece").first().waitFor();
        await page.evaluate(readFileSync(AXE, "utf8"));
        for (const name of ["Inspect", "Stage"]) {
          await side(page, name);
          await page.locator(name === "Stage" ? ".stage-canvas" : ".inspect-values").first().waitFor();
          const found = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
          const serious = found.violations.filter(({ impact }) => ["serious", "critical"].includes(impact));
          assert.deepEqual(serious.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]), [], name);
        }
      },
      { colorScheme },
    ));
}
