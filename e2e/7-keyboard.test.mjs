// The keyboard where several things want it: the editor and the player.

import { test } from "node:test";
import { assert, settled, step, useSite } from "./site.mjs";

const open = useSite();

test("the player takes no keys from those who use them", () =>
  open(async (page) => {
    await settled(page);
    await page.locator(".player-speed select").focus();
    await page.keyboard.press("ArrowRight");
    await page.locator("#source").focus();
    for (const key of ["ArrowRight", "End", "Home"]) await page.keyboard.press(key);
    assert.equal((await step(page)).at, 0);
    // A button that has the focus is pressed by the space bar, once.
    await page.locator(".player-button").nth(2).focus();
    await page.keyboard.press("Space");
    await page.locator('.timeline-line[aria-valuenow="1"]').waitFor();
  }));

test("the editor colours, underlines, completes and undoes", () =>
  open(async (page) => {
    await settled(page);
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
  open(async (page) => {
    await settled(page);
    await page.locator("#source").focus();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("process other {\nvar x: bool = false");
    assert.match(await page.locator("#source").inputValue(), /process other \{\n {2}var x: bool = false$/);
  }));
