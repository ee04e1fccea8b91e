// A person sets halts, goes back to the last model, and writes with the help of the editor.

import { test } from "node:test";
import { assert, atStep, frame, look, pick, settled, step, useSite, verdict } from "./site.mjs";

const open = useSite();

test("playing halts at joins, at a line and at a node", () =>
  open(async (page) => {
    await look(page, "always_idle_again");
    const halts = page.locator(".player-bar");
    await halts.locator(".halts summary").click();
    await halts.getByRole("button", { name: "join", exact: true }).click();
    await page.evaluate(() => document.activeElement?.blur());
    await page.keyboard.press("n");
    await page.locator(".narration", { hasText: "All edges of u" }).waitFor();
    const first = await step(page);
    assert.ok(first.at > 0 && first.at < first.of);
    await page.locator(".player-speed select").selectOption("60");
    await page.getByRole("button", { name: "Play", exact: true }).click();
    await page.waitForFunction(
      (first) => Number(document.querySelector(".player-step b").textContent) > first && document.querySelector(".player-play").textContent.includes("Play"),
      first.at,
    );
    assert.match(await page.locator(".narration").innerText(), /^All edges of u/);
    await halts.getByRole("button", { name: "join", exact: true }).click();
    // A line of the algorithm.
    await page.locator("[data-side=Algorithm]").click();
    await page.locator(".algorithm-line", { hasText: "take the component off" }).locator(".algorithm-number").click();
    await halts.getByRole("button", { name: "Next halt" }).click();
    await page.locator(".narration", { hasText: "It is taken off" }).waitFor();
    await page.locator(".algorithm-line", { hasText: "take the component off" }).locator(".algorithm-number").click();
    // A node.
    await page.locator("[data-view=Product]").click();
    await page.locator(".graph-canvas [data-node='2']").click();
    await halts.getByRole("button", { name: "u2", exact: true }).click();
    await page.getByRole("button", { name: "To the start" }).click();
    await halts.getByRole("button", { name: "Next halt" }).click();
    await page.locator(".narration", { hasText: "to u2" }).waitFor();
  }));

test("the states are marked by the search and by the run", () =>
  open(async (page) => {
    await look(page, "eventually_access");
    await page.locator("[data-view=States]").click();
    await page.locator(".graph-canvas [data-node='19']").waitFor({ state: "attached" });
    await page.locator("[aria-label='To the end']").click();
    await frame(page);
    const marked = await page.locator(".graph-canvas [data-node][data-mark]").count();
    assert.ok(marked > 7, `only ${marked} states are marked`);
    await page.locator(".lane-step").nth(1).click();
    await page.locator(".overlay .ring.is-run").waitFor({ state: "attached" });
  }));

test("Back goes to the last model, and Forward comes again", () =>
  open(async (page) => {
    await settled(page);
    await pick(page, "token_ring");
    await pick(page, "peterson");
    await page.goBack();
    await page.locator(".gallery-title", { hasText: "Token ring" }).waitFor();
    await settled(page);
    assert.equal(await verdict(page, "token_returns"), "holds");
    await page.goBack();
    await page.locator(".gallery-title", { hasText: "Simplified" }).waitFor();
    await page.goForward();
    await page.locator(".gallery-title", { hasText: "Token ring" }).waitFor();
  }));

test("text typed into a model is there again after Back", () =>
  open(async (page) => {
    await settled(page);
    await page.locator("#source").click();
    await page.keyboard.press("Control+Home");
    await page.keyboard.type("// mine\n");
    await pick(page, "peterson");
    await page.goBack();
    await page.waitForFunction(() => document.querySelector("#source").value.startsWith("// mine\n"));
  }));

test("the reason for lost symmetry is a click away", () =>
  open(async (page) => {
    await pick(page, "one_requests_first");
    await page.locator(".summary-symmetry").click();
    await page.locator("#symmetry-why").waitFor();
    assert.ok((await page.locator("#symmetry-why li").count()) > 0);
    await page.keyboard.press("Escape");
    await page.locator("#symmetry-why").waitFor({ state: "hidden" });
  }));

test("a new model starts from a template", () =>
  open(async (page) => {
    await settled(page);
    await page.locator(".gallery-open").click();
    await page.locator("[data-template=Lock]").click();
    await page.locator("#gallery").waitFor({ state: "hidden" });
    await settled(page);
    assert.equal(await page.locator(".gallery-title").innerText(), "New model");
    assert.equal(await verdict(page, "one_inside"), "holds");
  }));

test("the editor renames, comments, goes to a declaration and explains words", () =>
  open(async (page) => {
    await settled(page);
    const source = page.locator("#source");
    const text = await source.inputValue();
    const to = (word, number = 0) =>
      source.evaluate(
        (area, [word, number]) => {
          let at = -1;
          for (let k = 0; k <= number; k += 1) at = area.value.indexOf(word, at + 1);
          area.focus();
          area.setSelectionRange(at, at);
        },
        [word, number],
      );
    await to("st == I");
    await page.keyboard.press("ArrowRight");
    await page.locator(".editor-word code", { hasText: "st" }).waitFor();
    await page.keyboard.press("F12");
    const selected = () => source.evaluate((area) => [area.value.slice(area.selectionStart, area.selectionEnd), area.selectionStart]);
    assert.deepEqual(await selected(), ["st", text.indexOf("st: {I, R, C}")]);
    await page.keyboard.press("F2");
    await page.locator("#rename").fill("state");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.querySelector("#source").value.includes("var state: {I, R, C}"));
    assert.ok(!(await source.inputValue()).includes("c.st "));
    await settled(page);
    assert.equal(await verdict(page, "mutual_exclusion"), "holds");
    // One undo takes all of it back.
    await source.focus();
    await page.keyboard.press("Control+z");
    assert.equal(await source.inputValue(), text);
    // A name that is taken is refused where it is typed.
    await to("st == I");
    await page.keyboard.press("F2");
    await page.locator("#rename").fill("param");
    await page.keyboard.press("Enter");
    await page.locator(".editor-rename .explore-trouble", { hasText: "reserved" }).waitFor();
    await page.keyboard.press("Escape");
    await to("invariant");
    await page.keyboard.press("Control+/");
    assert.ok((await source.inputValue()).includes("// invariant mutual_exclusion"));
    await page.keyboard.press("Control+/");
    assert.equal(await source.inputValue(), text);
    // Brackets have frames.
    await to("{");
    await page.keyboard.press("ArrowRight");
    await page.locator(".bracket-mark").nth(1).waitFor();
    // The outline goes to a declaration.
    await page.getByLabel("Go to").focus();
    await page.getByLabel("Go to").selectOption({ label: "property two_at_work" });
    assert.deepEqual((await selected())[0], "two_at_work");
    await page.getByRole("button", { name: "Reference" }).click();
    await page.getByLabel("Look for").fill("ring");
    await page.locator("#reference dt", { hasText: "ring" }).first().waitFor();
  }));

test("an error of the model has lanes", () =>
  open(async (page) => {
    await settled(page);
    await page.locator("#source").fill("process p {\n  var x: 0..2 = 0\n  action up: true -> x := x + 1\n}\nltl a: F p.x == 2\n");
    await page.locator(".run-title", { hasText: "Path to the error" }).waitFor();
    assert.equal(await page.locator(".lane-head").count(), 3);
  }));

test("a key in a text of 5,000 lines", () =>
  open(async (page) => {
    await settled(page);
    const lines = Array.from({ length: 1650 }, (_, k) => `// line ${k}\ndefine d${k}(x) = x + ${k}\n`).join("\n");
    const source = page.locator("#source");
    // As a file is opened: to type so much at once is slow in the browser itself.
    await source.evaluate((area, lines) => {
      area.value += lines;
      area.dispatchEvent(new InputEvent("input", { bubbles: true, inputType: "insertFromPaste" }));
    }, lines);
    await page.waitForTimeout(4_000);
    await source.click();
    await page.keyboard.press("Control+Home");
    await page.evaluate(() => {
      window.keys = [];
      const area = document.querySelector("#source");
      area.addEventListener("keydown", () => {
        const start = performance.now();
        // Two tasks later the key is on the screen.
        requestAnimationFrame(() => setTimeout(() => window.keys.push(performance.now() - start)));
      });
    });
    for (let key = 0; key < 40; key += 1) await page.keyboard.type("a", { delay: 60 });
    const keys = (await page.evaluate(() => window.keys)).sort((a, b) => a - b);
    console.log(`a key in 5,000 lines: median ${keys[20].toFixed(1)} ms, the longest ${keys.at(-1).toFixed(1)} ms`);
    assert.equal(keys.length, 40);
  }));
