// A person sees what symmetry saves.

import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { assert, look, pick, settled, sizes, useSite, verdict } from "./site.mjs";

const open = useSite();

/** What the command line says, as data. Its exit status tells the verdict and is of no interest here. */
function command(...parts) {
  try {
    return JSON.parse(execFileSync(process.env.ORBITSCOPE, parts, { encoding: "utf8", stdio: "pipe" }));
  } catch (error) {
    return JSON.parse(error.stdout);
  }
}

for (const [model, property, settings] of [
  ["simplified_controller", "eventually_access", {}],
  ["resource_controller", "eventually_access", { clients: 20 }],
  ["token_ring", undefined, {}],
  ["readers_writers", undefined, {}],
]) {
  test(`counts equal the command line's: ${model}`, () =>
    open(async (page) => {
      const file = `core/models/${model}.orb`;
      const set = Object.entries(settings).flatMap(([name, value]) => ["--set", `${name}=${value}`]);
      await pick(page, model);
      for (const [name, value] of Object.entries(settings)) {
        await page.locator(`#param-${name}`).fill(String(value));
        await page.waitForTimeout(300);
        await settled(page);
      }
      const report = command("check", file, "--json", ...set);
      for (const { property: name, verdict: said } of report.results) {
        assert.equal(await verdict(page, name), said, name);
      }
      const logic = await page.locator("[data-property]").evaluateAll((rows) =>
        rows.map((row) => [row.dataset.property, row.querySelector(".property-logic").textContent]),
      );
      const name = property ?? logic.find(([, logic]) => ["ltl", "automaton"].includes(logic))[0];
      await look(page, name);
      const { stats } = report.results.find((result) => result.property === name);
      const note = (await page.locator(`[data-property="${name}"] .property-note`).innerText()).replaceAll(",", "");
      assert.match(note, new RegExp(`\\b${stats.product_states} product states?\\b`));
      const shown = await sizes(page);
      for (const [view, of, options] of [
        ["States", "states", []],
        ["AQS", "aqs", []],
        ["Product", "product", ["-p", name]],
        ["Threaded", "threaded", ["-p", name]],
      ]) {
        if (shown[view].includes("+")) continue;
        const graph = command("graph", file, "--of", of, "--format", "json", ...options, ...set);
        const nodes = graph.state_count ?? graph.nodes.length;
        assert.equal(shown[view].replaceAll(",", ""), String(nodes), `${model}: ${view}`);
      }
    }));
}

test("pruned edges are ghosts with the permutation that makes them redundant", () =>
  open(async (page) => {
    await settled(page);
    const ghosts = page.locator(".graph-canvas .edge.is-ghost");
    if ((await ghosts.count()) === 0) await page.locator(".graph-tools button", { hasText: /prun|ghost/i }).click();
    assert.equal(await ghosts.count(), 11);
  }));

test("a node unfolds into the states it stands for", () =>
  open(async (page) => {
    await settled(page);
    await page.locator(".graph-canvas [data-node]", { hasText: "RRI" }).first().click();
    await page.locator(".orbit").waitFor();
    await page.locator(".orbit-state").first().waitFor();
    assert.equal(await page.locator(".orbit-state").count(), 3);
    await page.locator(".orbit-close").click();
    await page.locator(".orbit").waitFor({ state: "detached" });
  }));

test("the five graphs", () =>
  open(async (page) => {
    await look(page, "never_critical");
    for (const [view, count] of [["States", 20], ["AQS", 7], ["AQSI", 13], ["Product", 26], ["Threaded", 42]]) {
      await page.locator(`.views [data-view=${view}]`).click();
      await page.waitForFunction((n) => document.querySelectorAll(".graph-canvas [data-node]").length === n, count);
    }
    await page.locator('[data-property="mutual_exclusion"]').click();
    await page.locator(".picture-none", { hasText: "has no automaton" }).waitFor();
  }));

test("the methods side by side, and against the number of clients", () =>
  open(async (page) => {
    await look(page, "eventually_access");
    await page.locator("[data-side=Compare]").click();
    await page.locator(".compare-start").click();
    await page.waitForFunction(
      () =>
        document.querySelectorAll(".compare-table .badge.is-bad").length === 6 &&
        !document.querySelector(".compare-stop"),
    );
    const states = await page.locator(".compare-table tbody tr").evaluateAll((rows) =>
      Object.fromEntries(rows.map((row) => [row.dataset.method, Number(row.cells[2].textContent.replaceAll(",", ""))])),
    );
    assert.ok(states.F <= states.N && states.F < states.T, JSON.stringify(states));
    const { results } = command("check", "core/models/simplified_controller.orb", "--json", "-p", "eventually_access");
    assert.equal(states.F, results[0].stats.product_states);
    // The plot comes point by point, and can be ended.
    await page.locator(".compare-plot").first().click();
    await page.waitForFunction(() => document.querySelectorAll(".plot-mark").length >= 12);
    await page.locator(".compare-stop").click();
    await page.locator(".compare-start").waitFor();
    assert.ok((await page.locator(".plot-line").count()) === 6);
    await page.locator(".plot-measures .tab", { hasText: "memory" }).click();
    await page.locator(".plot-canvas[aria-label^=memory]").waitFor();
  }));

test("the picture zooms and fits", () =>
  open(async (page) => {
    await settled(page);
    const box = async () => (await page.locator(".graph-canvas [data-node]").first().boundingBox()).width;
    const fitted = await box();
    await page.getByRole("button", { name: "Zoom in" }).click();
    assert.ok((await box()) > fitted);
    await page.getByRole("button", { name: "Fit" }).click();
    assert.ok(Math.abs((await box()) - fitted) < 1);
  }));

test("wrong answers elsewhere stand beside ours, which are checked here on a click", () =>
  open(async (page) => {
    await settled(page);
    const told = { two_at_work: ["holds", "violated"], always_idle_again: ["violated", "holds"], idle_in_between: ["violated", "holds"] };
    for (const [property, [theirs, ours]] of Object.entries(told)) {
      await page.locator(".gallery-open").click();
      await page.locator("[popovertarget=elsewhere]", { hasText: "Wrong answers" }).click();
      const wrong = page.locator(`[data-wrong=${property}]`);
      assert.deepEqual(
        (await wrong.locator(".badge").allInnerTexts()).map((words) => words.split(/\s+/).find((word) => ["holds", "violated"].includes(word))),
        [theirs, ours],
      );
      assert.equal(await wrong.locator("tr.is-mistaken").count(), ours === "holds" ? 1 : 0);
      await wrong.locator("button").click();
      await page.locator("#gallery").waitFor({ state: "hidden" });
      await page.locator("#elsewhere").waitFor({ state: "hidden" });
      const row = page.locator(`[data-property=${property}][aria-pressed=true]`);
      await row.waitFor();
      await settled(page);
      assert.equal(await verdict(page, property), ours);
      assert.match(await row.innerText(), new RegExp(`TLC with SYMMETRY: ${theirs}`));
      assert.equal(await page.locator("#param-clients").inputValue(), "2");
      // The run that proves it is there, and is the one that was told.
      if (ours === "violated") assert.equal(await page.locator(".lane-step").count(), await wrong.locator("tbody tr").count());
    }
  }));
