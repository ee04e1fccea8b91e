// How much of each built-in model can be read without zooming, at its default size: node e2e/legible.mjs
// A node can be read if its label is at least 9 pixels high, or each cell of its glyph at least 3 pixels.
import { launch, withPage } from "./browser.mjs";
import { serve } from "./server.mjs";
import { pick, settled } from "./site.mjs";

const [width, height] = (process.argv[2] ?? "1440x900").split("x").map(Number);
const browser = await launch();
const site = await serve(process.env.DIST);

const measure = () => {
  const body = document.querySelector("#picture").getBoundingClientRect();
  const within = (box) =>
    box.right > body.left && box.left < body.right && box.bottom > body.top && box.top < body.bottom;
  const nodes = [...document.querySelectorAll(".graph-canvas [data-node]")];
  let seen = 0;
  let read = 0;
  let worst = null;
  for (const node of nodes) {
    if (!within(node.getBoundingClientRect())) continue;
    seen += 1;
    const shown = (element) => element.getClientRects().length > 0 && getComputedStyle(element).visibility !== "hidden" && getComputedStyle(element).opacity !== "0";
    const scale = (element) => element.getScreenCTM()?.a ?? 1;
    const texts = [...node.querySelectorAll("text")].filter(shown);
    const letters = texts.map((text) => parseFloat(getComputedStyle(text).fontSize) * scale(text));
    // A path has all cells of a colour, each from its corner by `h` and `v` along its sides; a hole follows its cell.
    const cells = [...node.querySelectorAll("path.cell")].filter(shown).flatMap((path) => {
      const drawn = [...path.getAttribute("d").matchAll(/M([-\d.]+) ([-\d.]+)h([\d.]+)v([\d.]+)/g)].map((match) => match.slice(1).map(Number));
      const inside = ([x, y, w, h], [X, Y, W, H]) => x > X && y > Y && x + w < X + W && y + h < Y + H;
      const outer = drawn.filter((cell, at) => at === 0 || !inside(cell, drawn[at - 1]));
      return outer.map(([, , across, down]) => Math.min(across, down) * scale(path));
    });
    const legible = letters.some((size) => size >= 9) || (cells.length > 0 && Math.min(...cells) >= 3);
    if (legible) read += 1;
    else worst = [Math.max(0, ...letters).toFixed(1), Math.min(99, ...cells).toFixed(1), cells.length];
  }
  return { nodes: nodes.length, seen, read, worst };
};

await withPage(browser, site.url, { viewport: { width, height } }, async (page) => {
  await settled(page);
  await page.locator(".gallery-open").click();
  const models = await page.locator("[data-model]").evaluateAll((nodes) => nodes.map((node) => node.dataset.model));
  await page.keyboard.press("Escape");
  for (const model of models) {
    await pick(page, model);
    const bad = page.locator("[data-property]:has(.badge.is-bad)").first();
    if (await bad.count()) await bad.click();
    await settled(page);
    await page.waitForTimeout(300);
    const { nodes, seen, read, worst } = await page.evaluate(measure);
    console.log(`${model.padEnd(24)} ${String(nodes).padStart(5)} nodes, ${String(seen).padStart(4)} in view, ${read} can be read${worst ? ` (letters of ${worst[0]} px, ${worst[2]} cells from ${worst[1]} px)` : ""}`);
  }
});
await browser.close();
await site.close();
