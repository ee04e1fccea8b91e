// Pictures of the built site: node e2e/shots.mjs FOLDER
import { mkdirSync } from "node:fs";
import path from "node:path";
import { launch, withPage } from "./browser.mjs";
import { serve } from "./server.mjs";

const folder = process.argv[2];
mkdirSync(folder, { recursive: true });
const browser = await launch();
const site = await serve(process.env.DIST);
const viewport = { width: 1120, height: 700 };

for (const colorScheme of ["light", "dark"]) {
  await withPage(browser, site.url, { viewport, colorScheme }, async (page) => {
    await page.locator(".summary .tag").waitFor();
    await page.locator(".graph-canvas > .nodes > .node").nth(2).click();
    await page.mouse.move(0, 0);
    // The outline of the focus is for people with a keyboard, not for a picture.
    await page.evaluate(() => document.activeElement.blur());
    await page.screenshot({ path: path.join(folder, `page-${colorScheme}.png`) });
  });
}
await browser.close();
await site.close();
