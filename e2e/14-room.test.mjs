// Panels are dragged larger, keep their sizes, and can have the whole screen; errors and old verdicts are seen at once.

import { test } from "node:test";
import { assert, frame, look, settled, useSite } from "./site.mjs";

const open = useSite();

const width = async (page, selector) => (await page.locator(selector).boundingBox()).width;

test("a border is dragged, moved with keys, remembered, and goes back", () =>
  open(async (page) => {
    await settled(page);
    const before = await width(page, ".side-column");
    const border = page.getByRole("separator", { name: "Border of the side" });
    const area = await border.boundingBox();
    await page.mouse.move(area.x + area.width / 2, area.y + 200);
    await page.mouse.down();
    await page.mouse.move(area.x + area.width / 2 - 120, area.y + 200, { steps: 6 });
    await page.mouse.up();
    const dragged = await width(page, ".side-column");
    assert.ok(Math.abs(dragged - before - 120) < 4, `${before} became ${dragged}`);
    await border.focus();
    await page.keyboard.press("ArrowRight");
    await frame(page);
    assert.ok((await width(page, ".side-column")) < dragged - 10);
    const last = await width(page, ".side-column");
    await page.reload();
    await settled(page);
    assert.ok(Math.abs((await width(page, ".side-column")) - last) < 2);
    await page.getByRole("separator", { name: "Border of the side" }).dblclick({ position: { x: 5, y: 100 } });
    await frame(page);
    assert.ok(Math.abs((await width(page, ".side-column")) - before) < 2);
  }));

test("each panel can have all the room", () =>
  open(async (page) => {
    await look(page, "eventually_access");
    for (const [part, column] of [["graph", ".graph-column"], ["side", ".side-column"], ["run", ".run-row"]]) {
      await page.locator(`[data-max=${part}]`).click();
      await frame(page);
      assert.ok((await width(page, column)) > 1380, part);
      await page.locator(`[data-max=${part}]`).click();
    }
    assert.ok((await width(page, ".graph-column")) < 1000);
  }));

test("an error is in sight wherever it is, and verdicts of an earlier text are marked", () =>
  open(async (page) => {
    await settled(page);
    const source = page.locator(".source textarea");
    const text = await source.inputValue();
    await source.fill(`${text}\n${"// a line\n".repeat(200)}invariant broken: nobody\n`);
    const strip = page.locator(".problem-strip");
    await strip.waitFor();
    const box = await strip.boundingBox();
    assert.ok(box.y >= 0 && box.y + box.height <= 900);
    assert.match(await strip.innerText(), /line 2\d\d/);
    assert.ok((await page.locator(".properties .badge-old").count()) > 0);
    await source.fill(text);
    await settled(page);
    assert.equal(await strip.count(), 0);
    assert.equal(await page.locator(".properties .badge-old").count(), 0);
  }));
