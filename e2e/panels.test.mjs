// The panels over a search and its counterexample, and the editor, with real keys and a real pointer.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, withPage } from "./browser.mjs";
import { serve } from "./server.mjs";

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

const film = async (page, property) => {
  if (property) await page.locator(".property", { hasText: property }).first().click();
  await page.locator(".player .narration", { hasText: property ?? "Before the first step" }).waitFor();
};
/** Waits until the player is at a step: the page is drawn after the event. */
const at = (page, number) => page.locator(`.timeline-line[aria-valuenow="${number}"]`).waitFor();
const step = async (page) => Number(await page.locator(".timeline-line").getAttribute("aria-valuenow"));
const last = async (page) => Number(await page.locator(".timeline-line").getAttribute("aria-valuemax"));

/** Everything that the panels show at a step. */
const shown = (page) =>
  page.evaluate(() =>
    [".narration", ".timeline-cursor", ".side-body", ".player-step"]
      .map((part) => document.querySelector(part).outerHTML)
      .join("\n"),
  );

test("the player is played, stepped and dragged", () =>
  withPage(browser, site.url, {}, async (page) => {
    await film(page, "eventually_access");
    const end = await last(page);
    assert.equal(end, 23);
    await page.locator("body").click({ position: { x: 5, y: 5 } });
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await at(page, 2);
    assert.match(await page.locator(".narration").innerText(), /^client\[0\]\.request leads from u0 to u1/);
    await page.keyboard.press("ArrowLeft");
    await at(page, 1);
    await page.keyboard.press("End");
    await at(page, end);
    assert.match(await page.locator(".narration").innerText(), /^Yes: the component of u15/);
    await page.keyboard.press("Home");
    await at(page, 0);

    const line = await page.locator(".timeline-line").boundingBox();
    await page.mouse.move(line.x + 2, line.y + 40);
    await page.mouse.down();
    await page.mouse.move(line.x + line.width / 2, line.y + 40, { steps: 4 });
    await at(page, Math.round(end / 2));
    await page.mouse.move(line.x + line.width + 30, line.y + 200);
    await page.mouse.up();
    await at(page, end);

    // From the end it plays from the beginning, and halts at the verdict.
    await page.locator(".player-speed select").selectOption("240");
    await page.locator("body").click({ position: { x: 5, y: 5 } });
    await page.keyboard.press("Space");
    await page.locator(".narration", { hasText: "Yes: the component" }).waitFor();
    await page.locator(".player-play", { hasText: "Play" }).waitFor();
    await at(page, end);
  }));

test("the player takes no keys from those who use them", () =>
  withPage(browser, site.url, {}, async (page) => {
    await film(page);
    await page.locator(".player-speed select").focus();
    await page.keyboard.press("ArrowRight");
    await page.locator("#source").focus();
    for (const key of ["ArrowRight", "End", "Home"]) await page.keyboard.press(key);
    await page.locator(".player-button").last().focus();
    assert.equal(await step(page), 0);
    // A button that has the focus is pressed by the space bar, once.
    await page.locator(".player-button").nth(2).focus();
    await page.keyboard.press("Space");
    await at(page, 1);
  }));

test("every step forward and back shows the same, and so does every leap", () =>
  withPage(browser, site.url, {}, async (page) => {
    await film(page, "eventually_access");
    const end = await last(page);
    const line = page.locator(".timeline-line");
    await line.focus();
    const forward = [await shown(page)];
    for (let k = 1; k <= end; k++) {
      await page.keyboard.press("ArrowRight");
      await at(page, k);
      forward.push(await shown(page));
    }
    assert.equal(new Set(forward).size, end + 1, "each step shows something else");
    for (let k = end - 1; k >= 0; k--) {
      await page.keyboard.press("ArrowLeft");
      await at(page, k);
      assert.equal(await shown(page), forward[k], `back at step ${k}`);
    }
    const box = await line.boundingBox();
    let seed = 7;
    for (let leap = 0; leap < 40; leap++) {
      seed = (seed * 48271) % 2147483647;
      const to = seed % (end + 1);
      await page.mouse.click(box.x + Math.min(Math.max((box.width * to) / end, 1), box.width - 1), box.y + 50);
      await at(page, to);
      assert.equal(await shown(page), forward[to], `leap ${leap} to ${to}`);
    }
  }));

test("a counterexample has lanes, a loop and a ledger, and its steps light up everywhere", () =>
  withPage(browser, site.url, {}, async (page) => {
    await film(page, "eventually_access");
    await page.locator(".lanes").waitFor();
    assert.equal(await page.locator(".lane .lane-name").count(), 3);
    assert.equal(await page.locator(".band-loop").count(), 1);
    assert.equal(await page.locator(".ledger-line").count(), 3);
    await page.locator(".timeline-line").focus();
    await page.keyboard.press("End");

    await page.locator(".lane-step[data-column='1']").click();
    await page.locator(".editor-line.is-lit", { hasText: "action request" }).waitFor();
    await page.locator(".stack-row.is-selected").waitFor();
    await page.keyboard.press("ArrowRight");
    await page.locator(".editor-line.is-lit", { hasText: "action withdraw" }).waitFor();
    await page.locator(".ledger-step").last().click();
    assert.equal(await page.locator(".ledger-line.is-selected").count(), 1);

    await page.locator(".toggle", { hasText: "representatives" }).click();
    await page.locator(".lane.is-turns").waitFor();
    const values = await page.locator(".lane .lane-cell.is-selected .lane-value").allInnerTexts();
    assert.deepEqual(values, [...values].sort().reverse(), "a representative has its local states in order");
  }));

test("the algorithm's running lines are lit", () =>
  withPage(browser, site.url, {}, async (page) => {
    await film(page);
    await page.locator(".side .tab", { hasText: "Algorithm" }).click();
    assert.equal(await page.locator(".algorithm-line.is-lit").count(), 0);
    await page.locator(".timeline-line").focus();
    await page.keyboard.press("ArrowRight");
    await at(page, 1);
    const numbers = await page.locator(".algorithm-line.is-lit .algorithm-number").allInnerTexts();
    assert.deepEqual(numbers, ["M2", "1", "2'", "3", "4"]);
  }));

test("the editor colours, underlines, completes and undoes", () =>
  withPage(browser, site.url, {}, async (page) => {
    await film(page);
    const area = page.locator("#source");
    const text = () => area.inputValue();
    const before = await text();
    const lines = await page.locator(".editor-line").evaluateAll((lines) => lines.map((line) => line.textContent));
    assert.equal(lines.join("\n"), before);
    assert.ok((await page.locator(".tok-keyword").count()) > 10);
    await area.focus();
    await page.keyboard.press("Control+End");

    // A name by the keyboard, after a dot.
    await page.keyboard.type("invariant odd: forall c in client: c.");
    await page.locator(".completion", { hasText: "st" }).waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.type(" != C\n");
    assert.match(await text(), /forall c in client: c\.st != C\n$/);
    await page.locator(".property", { hasText: "odd" }).waitFor();

    // A name by the pointer, and what is wrong under the text.
    await page.keyboard.type("invariant worse: forall d in cli");
    await page.locator(".completion-text", { hasText: /^client$/ }).click();
    await page.keyboard.type(": d.nothing == C");
    await page.keyboard.press("Escape");
    await page.locator(".editor-line .is-wrong").first().waitFor();
    await page.locator(".problem", { hasText: "nothing" }).waitFor();

    // The browser's own undo, back to the beginning; Tab goes on to the next thing.
    for (let k = 0; k < 120 && (await text()) !== before; k++) await page.keyboard.press("Control+z");
    assert.equal(await text(), before);
    await page.locator(".editor-line .is-wrong").first().waitFor({ state: "detached" });
    await page.keyboard.press("Tab");
    assert.notEqual(await page.evaluate(() => document.activeElement.id), "source");
  }));

test("a new line is indented like the last one, and one more after a brace", () =>
  withPage(browser, site.url, {}, async (page) => {
    await film(page);
    await page.locator("#source").focus();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("process other {\nvar x: bool = false");
    assert.match(await page.locator("#source").inputValue(), /process other \{\n {2}var x: bool = false$/);
  }));
