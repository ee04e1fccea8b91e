// States can be read without zooming: words of at least 9 pixels, or cells of at least 3.

import { test } from "node:test";
import { assert, frame, look, pick, SIZES, settled, useSite } from "./site.mjs";

const open = useSite();

/** How many nodes of the graph on the screen can be read, and how many there are. */
function legibility(page) {
  return page.evaluate(() => {
    const canvas = document.querySelector("#picture .graph-canvas");
    const scale = canvas.getScreenCTM().a;
    const panel = canvas.getBoundingClientRect();
    const nodes = [...canvas.querySelectorAll(":scope > .nodes > .node")];
    const edge = (node) => {
      // Each cell is a rectangle of a path: its width and height follow h and v.
      const cells = [...node.querySelectorAll(".cell")].flatMap((path) =>
        [...path.getAttribute("d").matchAll(/h(-?[\d.]+)v(-?[\d.]+)/g)].map(([, w, h]) => Math.min(+w, +h)),
      );
      return cells.length === 0 ? 0 : Math.min(...cells) * scale;
    };
    const words = (node) => {
      const lines = [...node.querySelectorAll("text")];
      return lines.length === 0 ? 0 : Math.min(...lines.map((line) => parseFloat(getComputedStyle(line).fontSize) * scale));
    };
    // A cell is drawn with a little space around it, an eighth of it at most.
    const readable = nodes.filter((node) => words(node) >= 8.99 || edge(node) >= 3 * 0.83);
    const seen = nodes.filter((node) => {
      const box = node.getBoundingClientRect();
      return box.right > panel.left && box.left < panel.right && box.bottom > panel.top && box.top < panel.bottom;
    });
    return { nodes: nodes.length, readable: readable.length, seen: seen.length, scale };
  });
}

const VIEWS = ["States", "AQS", "Product"];

test("every state of the first models can be read at 1440 × 900", () =>
  open(async (page) => {
    await page.locator(".gallery-open").click();
    const names = await page
      .locator(".gallery-group:first-of-type [data-model]")
      .evaluateAll((all) => all.map((one) => one.dataset.model));
    await page.keyboard.press("Escape");
    const wrong = [];
    for (const name of [...new Set(names)]) {
      await pick(page, name);
      for (const view of VIEWS) {
        await page.locator(`.views [data-view=${view}]`).click();
        await settled(page);
        await frame(page);
        if ((await page.locator("#picture .graph-canvas").count()) === 0) continue;
        const { nodes, readable, seen, scale } = await legibility(page);
        console.log(`${name} ${view}: ${readable} of ${nodes} readable, ${seen} in sight, ${scale.toFixed(2)} px a unit`);
        if (readable < nodes || seen === 0) wrong.push(`${name} ${view}`);
      }
    }
    assert.deepEqual(wrong, []);
  }, { viewport: SIZES[0] }));

test("a large graph is followed at a size that can be read, and Fit shows all of it", () =>
  open(async (page) => {
    await look(page, "eventually_access");
    await page.locator(".views [data-view=Product]").click();
    await settled(page);
    const cells = await page.locator(".nodes .cell").count();
    assert.ok(cells > 0);
    assert.ok((await page.locator(".nodes .cell-tracked").count()) > 0, "the tracked process is marked");
    assert.ok((await page.locator(".legend .is-tint").count()) >= 3, "the legend tells what the colours mean");
    await page.getByRole("button", { name: "Fit" }).click();
    await frame(page);
    const { nodes, seen } = await legibility(page);
    assert.equal(seen, nodes);
  }));
