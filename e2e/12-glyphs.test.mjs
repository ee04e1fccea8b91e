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
    // Each cell is a rectangle of a path: its width and height follow h and v. A rectangle inside the one before it is its hole.
    const drawn = (path) => {
      const all = [...path.matchAll(/M([-\d.]+) ([-\d.]+)h([\d.]+)v([\d.]+)/g)].map((match) => match.slice(1).map(Number));
      const inside = ([x, y, w, h], [X, Y, W, H]) => x > X && y > Y && x + w < X + W && y + h < Y + H;
      return all.filter((cell, at) => at === 0 || !inside(cell, all[at - 1])).map(([, , w, h]) => Math.min(w, h));
    };
    const edge = (node) => {
      const cells = [...node.querySelectorAll(".cell")].flatMap((path) =>
        drawn(path.getAttribute("d")),
      );
      return cells.length === 0 ? 0 : Math.min(...cells) * scale;
    };
    const words = (node) => {
      const lines = [...node.querySelectorAll("text")];
      return lines.length === 0 ? 0 : Math.min(...lines.map((line) => parseFloat(getComputedStyle(line).fontSize) * scale));
    };
    const readable = nodes.filter((node) => words(node) >= 8.99 || edge(node) >= 2.99);
    const seen = nodes.filter((node) => {
      const box = node.getBoundingClientRect();
      return box.right > panel.left && box.left < panel.right && box.bottom > panel.top && box.top < panel.bottom;
    });
    return { nodes: nodes.length, readable: readable.length, seen: seen.length, scale };
  });
}

const VIEWS = ["States", "AQS", "Product"];

test("every state of every model in the gallery can be read at 1440 × 900", { timeout: 600_000 }, () =>
  open(async (page) => {
    await page.locator(".gallery-open").click();
    const names = await page.locator("#gallery [data-model]").evaluateAll((all) => all.map((one) => one.dataset.model));
    assert.ok(new Set(names).size >= 40, `${names}`);
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
