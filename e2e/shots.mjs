// Pictures of the built site, for the README: node e2e/shots.mjs FOLDER
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { animate } from "./apng.mjs";
import { launch, withPage } from "./browser.mjs";
import { serve } from "./server.mjs";

/** At most so many steps of the search are frames of the film. */
const FRAMES = 16;

const folder = process.argv[2];
mkdirSync(folder, { recursive: true });
const browser = await launch();
const site = await serve(process.env.DIST);
const viewport = { width: 1600, height: 1000 };

/** The page with the product of a property that is violated, everything checked and nothing in focus. */
async function product(page) {
  await page.locator("[data-property=eventually_access]").click();
  await page.locator("[data-property=eventually_access] .badge.is-bad").waitFor();
  await page.locator("[data-view=Product]").click();
  await page.locator("[data-side=Stack]").click();
  await page.locator("[aria-label='To the start']").waitFor();
}

async function rest(page) {
  await page.mouse.move(0, 0);
  // The outline of the focus is for people with a keyboard, not for a picture.
  await page.evaluate(() => document.activeElement.blur());
  await page.waitForTimeout(300);
}

const length = (page) => page.locator(".player-step").innerText().then((words) => Number(words.match(/of ([\d,]+)/)[1].replace(",", "")));

for (const colorScheme of ["light", "dark"]) {
  await withPage(browser, site.url, { viewport, colorScheme }, async (page) => {
    await page.locator("[data-property] .badge.is-good").first().waitFor();
    await page.locator(".graph-canvas").first().waitFor();
    await rest(page);
    await page.screenshot({ path: path.join(folder, `page-${colorScheme}.png`) });
  });
}

await withPage(browser, site.url, { viewport, colorScheme: "light" }, async (page) => {
  await product(page);
  const steps = await length(page);
  const clip = await page.locator(".graph-column").boundingBox();
  const every = Math.ceil(steps / FRAMES);
  const frames = [];
  for (let step = 0; ; step += 1) {
    if (step % every === 0 || step === steps) {
      await rest(page);
      frames.push({ png: await page.screenshot({ clip }), milliseconds: step === steps ? 3_000 : 700 });
    }
    if (step === steps) break;
    await page.locator("[aria-label='One step on']").click();
  }
  writeFileSync(path.join(folder, "search.png"), animate(frames));
  await page.screenshot({ path: path.join(folder, "product.png") });
  await page.locator(".run-row").screenshot({ path: path.join(folder, "run.png") });
});
await browser.close();
await site.close();
