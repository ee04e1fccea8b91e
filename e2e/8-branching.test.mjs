// A person looks into properties of branching time: formula, states, evidence, search and algorithms.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { assert, atStep, frame, look, pick, picture, step, useSite } from "./site.mjs";

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
const open = useSite();

/** Looks into a property of a model and waits for its formula. */
async function lookInto(page, model, property) {
  await pick(page, model);
  await look(page, property, { film: false });
  await page.locator(".formula-node").first().waitFor({ state: "attached" });
}

/** The subformulas as they are listed. */
function subformulas(page) {
  return page.locator(".formula-node").evaluateAll((nodes) =>
    nodes.map((node) => [
      node.querySelector(".formula-words").textContent,
      ...node.querySelector(".formula-count").textContent.match(/\d+/g).map(Number),
    ]),
  );
}

/** How many nodes are drawn, and how many of them are marked as satisfying. */
async function marked(page) {
  await frame(page);
  const nodes = page.locator(".graph-canvas > .nodes > .node");
  return [await nodes.count(), await page.locator('.graph-canvas > .nodes > .node[data-mark~="holds"]').count()];
}

test("choosing a subformula marks the states in which it holds", () =>
  open(async (page) => {
    await lookInto(page, "mutex_heljanko", "can_be_critical");
    // Figures of core's own test: 9 states with one process tracked, of which it is critical in 2.
    assert.deepEqual(await subformulas(page), [
      ["forall a in p: EF a.st == critical", 1, 1],
      ["EF a.st == critical", 9, 9],
      ["a.st == critical", 2, 9],
    ]);
    assert.deepEqual(await marked(page), [9, 9]);
    await page.locator(".formula-node", { hasText: /^a\.st == critical/ }).click();
    await page.locator('.summary', { hasText: "2 satisfying" }).waitFor();
    assert.deepEqual(await marked(page), [9, 2]);
    assert.match(await page.locator(".formula-about").innerText(), /tracks a.*\|G\|/s);
    // By the keyboard, and on to the graph of another part.
    await page.keyboard.press("ArrowUp");
    await page.locator(".summary", { hasText: "9 satisfying" }).waitFor();
    assert.equal(await page.evaluate(() => document.activeElement.dataset.sub), "1");
    await page.keyboard.press("ArrowUp");
    await page.locator(".views .tab", { hasText: "AQSI 1" }).waitFor();
    assert.deepEqual(await marked(page), [1, 1]);
    assert.match(await page.locator(".formula").innerText(), /nothing to search/);
  }));

test("every subformula has as many marks as it says", () =>
  open(async (page) => {
    await lookInto(page, "mutex_emerson_sistla", "must_enter");
    const listed = await subformulas(page);
    assert.ok(listed.length >= 5, `${listed}`);
    for (const [number, [words, holds, states]] of listed.entries()) {
      await page.locator(`[data-sub="${number}"]`).click();
      await page.locator(".summary", { hasText: `${states} state` }).waitFor();
      assert.deepEqual(await marked(page), [states, holds], words);
    }
  }));

test("witnesses and counterexamples are lanes, and claims open", () =>
  open(async (page) => {
    await lookInto(page, "mutex_heljanko", "must_be_critical");
    assert.match(await page.locator(".why").innerText(), /AF p\[0\]\.st == critical does not hold/);
    assert.match(await page.locator(".run-fold").innerText(), /Counterexample/);
    assert.match(await page.locator(".band-loop").innerText(), /loop/);
    await page.locator(".lane-step").nth(1).click();
    await page.locator(".graph-canvas .ring.is-run").waitFor({ state: "attached" });
    assert.ok((await page.locator(".editor-lines .is-lit").count()) > 0);

    await look(page, "can_be_critical", { film: false });
    await page.locator(".run-fold", { hasText: "Witness" }).waitFor();
    assert.match(await page.locator(".run-about").innerText(), /EF p\[0\]\.st == critical holds/);
    const before = await page.locator(".lanes").innerText();
    await page.locator(".why-fold", { hasText: "p[1]" }).click();
    await page.locator(".run-about", { hasText: "EF p[1].st == critical holds" }).waitFor();
    assert.notEqual(await page.locator(".lanes").innerText(), before);
    assert.equal(await page.locator('.why-path[aria-pressed="true"]').count(), 1);
    await page.locator(".why-path", { hasText: "Witness" }).first().click();
    await page.locator(".run-about", { hasText: "EF p[0].st == critical holds" }).waitFor();
    assert.equal(await page.locator(".lanes").innerText(), before);
  }));

test("four algorithms are compared, with and without symmetry", () =>
  open(async (page) => {
    await lookInto(page, "mutex_emerson_sistla", "can_enter");
    await page.locator("[data-side=Compare]").click();
    await page.locator(".compare-start").click();
    await page.waitForFunction(() => document.querySelectorAll(".compare-table tbody .badge.is-good").length === 8);
    const rows = await page.locator(".compare-table tbody tr").evaluateAll((rows) =>
      rows.map((row) => [row.querySelector(".method-name").textContent, ...[...row.querySelectorAll(".number")].map((cell) => cell.textContent)]),
    );
    for (const name of ["naive", "EMC", "local", "global"]) {
      const [withSymmetry, without] = [name, `${name}, no symmetry`].map((wanted) => rows.find(([known]) => known === wanted));
      assert.ok(Number(withSymmetry[1]) < Number(without[1]), `${withSymmetry} against ${without}`);
      assert.ok(Number(withSymmetry[2]) > 0 && withSymmetry[3] && /\d+ (B|KiB)/.test(withSymmetry[4]), `${withSymmetry}`);
    }
    const heads = await page.locator(".compare-table thead .number").allInnerTexts();
    assert.deepEqual(heads, ["states", "visits", "time", "beside"]);
  }));

test("every step of Heljanko's search forward then back gives identical pictures", () =>
  open(async (page) => {
    await lookInto(page, "mutex_heljanko", "tries_then_critical");
    await page.locator("[data-side=Stack]").click();
    const { of } = await step(page);
    assert.ok(of > 20);
    await page.evaluate(() => document.activeElement?.blur());
    const pictures = [];
    const heights = [];
    for (let at = 0; ; at += 1) {
      pictures.push(await picture(page));
      heights.push(await page.locator(".one-stack").evaluateAll((stacks) => stacks.map((stack) => stack.querySelectorAll("li").length)));
      if (at === of) break;
      await page.keyboard.press("ArrowRight");
      await atStep(page, at + 1);
    }
    assert.ok(new Set(pictures).size > of / 2);
    // Both stacks are used, and FSt keeps states that St has left.
    assert.ok(heights.some(([st, fst]) => st > 1 && fst > 1) && heights.some(([st, fst]) => fst > st));
    assert.match(await page.locator(".narration").innerText(), /holds in \d+ of 9 states/);
    for (let at = of - 1; at >= 0; at -= 1) {
      await page.keyboard.press("ArrowLeft");
      await atStep(page, at);
      assert.equal(await picture(page), pictures[at], `step ${at}`);
    }
    // It plays by itself to the end; choosing a subformula shows its states again.
    await page.locator(".player-speed select").selectOption("240");
    await page.getByRole("button", { name: "Play", exact: true }).click();
    await atStep(page, of);
    await page.locator("[data-side=Formula]").click();
    await page.locator('[data-sub="1"]').click();
    await atStep(page, 0);
    assert.deepEqual(await marked(page), [9, 9]);
  }));

test("the mu-calculus and fair paths say what they are", () =>
  open(async (page) => {
    await lookInto(page, "mutex_heljanko", "critical_again_and_again");
    assert.match(await page.locator(".formula").innerText(), /fixed points/);
    assert.match(await page.locator(".why").innerText(), /No single path/);
    assert.equal(await page.locator(".player").count(), 0);
    await pick(page, "mutex_emerson_sistla");
    await page.locator(".options summary").click();
    await page.locator("#ctl-paths").selectOption("fair");
    await page.locator("#fairness").selectOption("strong");
    await look(page, "must_enter", { film: false });
    await page.locator('[data-property="must_enter"] .badge.is-good').waitFor();
    await page.locator(".formula-about", { hasText: "fair paths only" }).waitFor();
    await page.locator("[data-side=Stack]").click();
    await page.locator(".two-stacks-panel", { hasText: "fair components" }).waitFor();
  }));

test("on a phone", () =>
  open(
    async (page) => {
      const part = (name) => page.locator(".screens .tab", { hasText: name }).click();
      await part("Model");
      await lookInto(page, "mutex_heljanko", "can_be_critical");
      await part("Formula");
      await page.locator('[data-sub="2"]').click();
      assert.equal(await page.locator('[data-sub="2"]').getAttribute("aria-pressed"), "true");
      await part("Graph");
      assert.deepEqual(await marked(page), [9, 2]);
      await page.getByRole("button", { name: "One step on" }).click();
      await atStep(page, 1);
      await part("Run");
      await page.locator(".why-fold", { hasText: "p[1]" }).click();
      await page.locator(".run-about", { hasText: "p[1]" }).waitFor();
      for (const name of ["Formula", "Graph", "Run"]) {
        await part(name);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(wide <= 0, `${name} is ${wide} pixels too wide`);
      }
    },
    { viewport: { width: 390, height: 844 } },
  ));

for (const colorScheme of ["light", "dark"]) {
  test(`axe finds nothing serious, ${colorScheme}`, () =>
    open(
      async (page) => {
        await lookInto(page, "mutex_heljanko", "tries_first");
        const told = {};
        const STATES = {
          async formula() {
            await page.locator('[data-sub="2"]').click();
          },
          async stacks() {
            await page.locator("[data-side=Stack]").click();
            await page.evaluate(() => document.activeElement?.blur());
            for (let at = 1; at <= 6; at += 1) await page.keyboard.press("ArrowRight");
            await atStep(page, 6);
          },
          async evidence() {
            await look(page, "must_be_critical", { film: false });
            await page.locator(".lane-step").nth(1).click();
          },
        };
        await page.evaluate(readFileSync(AXE, "utf8"));
        for (const [name, reach] of Object.entries(STATES)) {
          await reach();
          await page.waitForTimeout(200);
          const found = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
          const serious = found.violations.filter(({ impact }) => ["serious", "critical"].includes(impact));
          for (const { id, nodes } of serious) told[`${name}: ${id}`] = nodes.slice(0, 3).map((node) => node.html.slice(0, 160));
        }
        assert.deepEqual(told, {});
      },
      { colorScheme },
    ));
}
