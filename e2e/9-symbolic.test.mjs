// A person chooses the symbolic engine and looks at what it does, iteration by iteration.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { assert, atStep, frame, pick, settled, step, useSite } from "./site.mjs";

const open = useSite();
const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

/** Chooses the symbolic engine among the options. */
async function symbolic(page) {
  await settled(page);
  if (!(await page.locator("#engine").isVisible())) await page.locator(".options > summary").click();
  await page.locator("#engine").selectOption("symbolic");
}

/** The symbolic engine on a property, with its iterations on the page. */
async function iterations(page, property = "mutual_exclusion") {
  await symbolic(page);
  await page.locator(`[data-property="${property}"]`).click();
  await page.locator(".iteration-player").waitFor({ state: "attached" });
  await settled(page);
}

/** Types a limit and leaves the field. */
async function limit(page, id, value) {
  await page.locator(`#${id}`).fill(value);
  await page.keyboard.press("Tab");
  await page.locator(".iteration-player").waitFor();
  await settled(page);
}

const number = (words) => (/^\d/.test(words) ? Number(words.replaceAll(",", "")) : undefined);

/** What is counted at the present step: states and nodes, by name. */
async function facts(page) {
  const rows = await page.locator("[data-fact]").evaluateAll((rows) =>
    rows.map((row) => [row.dataset.fact, ...[...row.querySelectorAll("td")].map((cell) => cell.textContent)]),
  );
  return Object.fromEntries(rows.map(([name, states, nodes]) => [name, { states: number(states), nodes: number(nodes) }]));
}

const blur = (page) => page.evaluate(() => document.activeElement?.blur());

test("the iterations of the controller, step by step, add up to its 20 states", () =>
  open(async (page) => {
    await iterations(page);
    assert.deepEqual(await page.locator("[data-side]").evaluateAll((tabs) => tabs.map((tab) => tab.dataset.side)), ["Iterations", "Stage", "Explore", "Inspect", "Every n", "Compare"]);
    assert.match(await page.locator(".iteration-verdict").innerText(), /holds mutual_exclusion for the program/);
    assert.match(await page.locator(".narration").innerText(), /^The search begins with 1 initial state/);
    const { of } = await step(page);
    await blur(page);
    let representatives = (await facts(page)).representatives.states;
    for (let at = 1; at < of; at += 1) {
      await page.keyboard.press("ArrowRight");
      await atStep(page, at);
      const now = await facts(page);
      assert.equal(now.frontier.states, now.expanded.states + now["left aside"].states);
      assert.equal(now.successors.states, now.known.states + now.symmetric.states + now.added.states);
      representatives += now.added.states;
      assert.equal(now.representatives.states, representatives);
      assert.match(await page.locator(".narration").innerText(), new RegExp(`^Iteration ${at} expands`));
      // The iteration is marked in the plot, and what is marked is what is counted.
      assert.equal(await page.locator(".iteration-plot .plot-mark").count(), 4);
      const said = await page.locator(".iteration-legend").innerText();
      assert.match(said.replaceAll("\n", " "), new RegExp(`representatives ${now.representatives.nodes}`));
    }
    await page.keyboard.press("End");
    await atStep(page, of);
    const end = await facts(page);
    assert.deepEqual([end.representatives.states, end.covered.states], [representatives, 20]);
    assert.match(await page.locator(".narration").innerText(), /^The frontier is empty and nothing was left aside/);
    assert.match(await page.locator('[data-property="mutual_exclusion"]').innerText(), /20 representatives of 20 states/);
  }));

test("playing, pausing and dragging the line of iterations", () =>
  open(async (page) => {
    await iterations(page);
    const { of } = await step(page);
    await page.locator(".player-speed select").selectOption("16");
    await page.getByRole("button", { name: "Play", exact: true }).click();
    await atStep(page, of);
    await page.getByRole("button", { name: "Play", exact: true }).waitFor();
    const line = await page.locator(".timeline-line").boundingBox();
    await page.mouse.move(line.x + line.width - 3, line.y + 20);
    await page.mouse.down();
    await page.mouse.move(line.x + line.width / 2, line.y + 20, { steps: 4 });
    await page.mouse.up();
    const { at } = await step(page);
    assert.ok(at > 0 && at < of, `${at} of ${of}`);
    // The same step looks the same, however one got there.
    const shown = () => page.evaluate(() => [".iterations", ".diagram", ".narration"].map((part) => document.querySelector(part).outerHTML).join());
    await frame(page);
    const dragged = await shown();
    await page.locator("[aria-label='To the start']").click();
    await page.locator(".timeline-line").focus();
    for (let k = 1; k <= at; k += 1) await page.keyboard.press("ArrowRight");
    await atStep(page, at);
    assert.equal(await shown(), dragged);
  }));

test("a small diagram can be looked at, a large one says how large it is", () =>
  open(async (page) => {
    await iterations(page);
    const tab = page.locator('[data-view="BDD"]');
    assert.equal(await tab.getAttribute("aria-selected"), "true");
    await page.locator("[aria-label='One step on']").click();
    await atStep(page, 1);
    for (const [set, fact] of [["Frontier", "frontier"], ["Expanded", "expanded"], ["Representatives", "representatives"], ["Covered", "covered"]]) {
      await page.locator(`.diagram-sets [data-set="${set}"]`).click();
      const { nodes } = (await facts(page))[fact];
      await page.locator(`.diagram-canvas[data-nodes="${nodes}"]`).waitFor();
      assert.equal(await page.locator(".diagram-node").count(), nodes);
      assert.equal(await tab.locator(".tab-count").innerText(), String(nodes));
    }
    const names = await page.locator(".diagram-name").allTextContents();
    assert.ok(names.includes("client[0].st.1"), names.join());
    assert.ok((await page.locator(".diagram-edge.is-low").count()) > 0 && (await page.locator(".diagram-edge.is-high").count()) > 0);
    // A graph in its place, and back.
    await page.locator('[data-view="AQS"]').click();
    await page.locator("#picture .graph-canvas").waitFor();
    await tab.click();
    await page.locator(".diagram-canvas").waitFor();
    await page.locator(".param-value").first().fill("30");
    await page.locator(".property", { hasText: "representatives of 17,179,869,184 states" }).first().waitFor({ timeout: 60_000 });
    await page.locator("[aria-label='To the end']").click();
    const words = await page.locator(".picture-none").innerText();
    assert.match(words, /The diagram of representatives has \d+ nodes here\. Up to 60 are drawn/);
  }));

test("under-approximation, a limit of σ_Step and hints show in the iterations", () =>
  open(async (page) => {
    await page.locator("#source").fill(`process p[4] {
  var x: 0..2 = 0
  action up: x < 2 -> x := x + 1
}
hint count(q in p: q.x == 2) == 0
invariant small: count(q in p: q.x > 2) == 0
invariant few: count(q in p: q.x == 2) < 4
`);
    await page.locator('[data-property="small"]').waitFor();
    await iterations(page, "small");
    const bars = async (row) => ((await page.locator(`[data-row="${row}"]`).getAttribute("d")) ?? "").split("M").length - 1;
    assert.equal(await bars("left aside"), 0);
    const whole = (await step(page)).of;
    await limit(page, "under", "4");
    assert.ok((await bars("left aside")) > 0 && (await bars("taken up")) > 0 && (await bars("symmetric")) > 0);
    assert.ok((await step(page)).of > whole);
    assert.match(await page.locator(".options-short").innerText(), /frontier 4/);
    await limit(page, "sigma-limit", "1");
    await blur(page);
    await page.keyboard.press("ArrowRight");
    await page.locator(".iteration-tags", { hasText: /σ_Step/ }).waitFor();
    await limit(page, "under", "");
    await limit(page, "sigma-limit", "");
    await page.locator("#hints").selectOption("followed");
    await settled(page);
    await page.locator("[aria-label='To the end']").click();
    assert.ok((await bars("left aside")) > 0);
    const stories = [];
    for (let { at } = await step(page); at > 0; at -= 1) {
      await atStep(page, at);
      stories.push(await page.locator(".narration").innerText());
      await page.locator("[aria-label='One step back']").click();
    }
    assert.ok(stories.some((story) => /all is allowed from here on/.test(story)), stories.join("\n"));
    // Text that is no limit is not taken.
    await page.locator("#under").fill("0");
    await page.keyboard.press("Tab");
    assert.equal(await page.locator("#under").inputValue(), "");
    // A violation comes with its run, and is one of the program.
    await page.locator('[data-property="few"]').click();
    await page.locator(".iteration-verdict", { hasText: "violated few for the program" }).waitFor();
    await page.locator(".lanes").waitFor();
  }));

test("symmetries that are taken unchecked only falsify; liveness does without them, and mu is refused in words", () =>
  open(async (page) => {
    await settled(page);
    await pick(page, "peterson");
    await page.locator('[data-property="no_starvation"]').waitFor();
    await symbolic(page);
    await page.locator("#generators").selectOption("unchecked");
    await page.locator('[data-property="mutual_exclusion"]').click();
    await page.locator(".iteration-scope", { hasText: "only for the explored part: falsification only" }).waitFor();
    await page.locator('[data-property="no_starvation"]').click();
    await page.locator(".iteration-verdict", { hasText: "holds no_starvation for the program" }).waitFor();
    await page.locator("#side", { hasText: "every symmetry that was used is proven" }).waitFor();
    const text = "process p[2] { var st: bool = false  action go: not st -> st := true }\nmu lit: mu Z. exists a in p: a.st or <> Z\n";
    await page.locator("#source").fill(text);
    await page.locator('[data-property="lit"]', { hasText: "the symbolic engine checks no mu properties" }).waitFor();
  }));

test("a model with more than 10^12 states is checked in the browser", () =>
  open(async (page) => {
    await iterations(page);
    const clients = 40n;
    // Every client idle or requesting, or one of them critical and the others so.
    const states = 2n ** clients + clients * 2n ** (clients - 1n);
    assert.ok(states > 10n ** 12n);
    const digits = states.toLocaleString("en-US");
    const before = performance.now();
    await page.locator(".param-value").first().fill(String(clients));
    const row = page.locator('[data-property="mutual_exclusion"]');
    await row.locator("text=" + digits).waitFor({ timeout: 300_000 });
    const seconds = ((performance.now() - before) / 1000).toFixed(1);
    assert.match(await row.innerText(), /holds/);
    await page.locator(".iteration-verdict", { hasText: "holds mutual_exclusion for the program" }).waitFor();
    await page.locator("[aria-label='To the end']").click();
    assert.equal(await page.locator('[data-fact="covered"] td').first().innerText(), digits);
    console.log(`${digits} states in ${seconds} s, typing included: ${(await row.innerText()).split("\n").at(-1)}`);
  }));

test("on a phone the iterations have a screen of their own, with the player under them", () =>
  open(
    async (page) => {
      const part = (name) => page.locator(".screens .tab", { hasText: name }).click();
      await settled(page);
      await part("Model");
      await iterations(page);
      await part("Iterations");
      await page.locator(".iteration-facts").waitFor();
      await page.locator("[aria-label='One step on']").click();
      await atStep(page, 1);
      await part("Graph");
      await page.locator(".diagram-canvas").waitFor();
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      assert.ok(wide <= 0, `the page is ${wide} pixels too wide`);
    },
    { viewport: { width: 390, height: 844 } },
  ));

for (const colorScheme of ["light", "dark"]) {
  test(`axe finds nothing serious in the symbolic engine's panels, ${colorScheme}`, () =>
    open(
      async (page) => {
        await iterations(page);
        await page.locator("[aria-label='One step on']").click();
        await page.waitForTimeout(200);
        // By the debugger: the page's own policy forbids scripts that are not its own.
        await page.evaluate(readFileSync(AXE, "utf8"));
        const found = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
        const serious = found.violations.filter(({ impact }) => ["serious", "critical"].includes(impact));
        assert.deepEqual(serious.map(({ id, nodes }) => [id, nodes.slice(0, 3).map((node) => node.html.slice(0, 160))]), []);
      },
      { colorScheme },
    ));
}
