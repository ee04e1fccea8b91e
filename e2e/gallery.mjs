// Pictures of every built-in model in both themes and all sizes, to be looked at: node e2e/gallery.mjs FOLDER [MODEL ...]
import { mkdirSync } from "node:fs";
import path from "node:path";
import { launch, withPage } from "./browser.mjs";
import { serve } from "./server.mjs";
import { pick, settled, SIZES } from "./site.mjs";

const [folder, ...only] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const browser = await launch();
const site = await serve(process.env.DIST);
let models = only;
await withPage(browser, site.url, {}, async (page) => {
  await settled(page);
  await page.locator(".gallery-open").click();
  const all = await page.locator("[data-model]").evaluateAll((nodes) => nodes.map((node) => node.dataset.model));
  if (models.length === 0) models = all;
});
for (const viewport of SIZES) {
  for (const colorScheme of ["light", "dark"]) {
    for (const model of models) {
      await withPage(browser, site.url, { viewport, colorScheme }, async (page) => {
        const screen = async (name) => {
          const tab = page.locator(".screens .tab", { hasText: name });
          if (await tab.isVisible()) await tab.click();
        };
        await settled(page);
        await screen("Model");
        await pick(page, model);
        // A violated property shows most of the page.
        const bad = page.locator("[data-property]:has(.badge.is-bad)").first();
        if (await bad.count()) await bad.click();
        await settled(page);
        await screen("Graph");
        await page.waitForTimeout(300);
        await page.screenshot({ path: path.join(folder, `${model}-${viewport.width}-${colorScheme}.png`) });
      });
    }
  }
}
await browser.close();
await site.close();
