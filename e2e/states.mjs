// Pictures of the page's main states in both themes and all sizes, to be looked at: node e2e/states.mjs FOLDER
import { mkdirSync } from "node:fs";
import path from "node:path";
import { launch, withPage } from "./browser.mjs";
import { serve } from "./server.mjs";
import { look, pick, settled, SIZES } from "./site.mjs";

const folder = process.argv[2];
mkdirSync(folder, { recursive: true });

/** On a phone, the part of the page to look at. */
const part = async (page, name) => {
  const tab = page.locator(".screens .tab", { hasText: name });
  if (await tab.isVisible()) await tab.click();
};

const STATES = {
  first: (page) => settled(page),
  async playing(page) {
    await part(page, "Model");
    await look(page, "always_idle_again", { film: false });
    await part(page, "Graph");
    await page.locator(".views [data-view=Product]").click();
    await page.evaluate(() => document.activeElement?.blur());
    for (let step = 0; step < 24; step += 1) await page.keyboard.press("ArrowRight");
  },
  async counterexample(page) {
    await part(page, "Model");
    await look(page, "eventually_access", { film: false });
    await page.evaluate(() => document.activeElement?.blur());
    await page.keyboard.press("End");
    await part(page, "Run");
  },
  async compare(page) {
    await part(page, "Model");
    await look(page, "eventually_access", { film: false });
    await part(page, "Stack");
    await page.locator("[data-side=Compare]").click();
    await page.locator(".compare-plot").first().click();
    await page.waitForFunction(() => document.querySelectorAll(".plot-mark").length >= 24);
    await page.locator(".compare-stop").click();
    await page.locator(".plot").scrollIntoViewIfNeeded();
  },
  async lattice(page) {
    await part(page, "Model");
    await pick(page, "resource_controller");
    await page.locator("#param-clients").fill("99");
    await page.waitForTimeout(1000);
    await settled(page);
    await part(page, "Graph");
  },
  async formula(page) {
    await part(page, "Model");
    await pick(page, "resource_controller");
    await look(page, "can_always_request", { film: false });
    await part(page, "Formula");
    await page.locator("[data-sub='2']").click();
  },
  async iterations(page) {
    await part(page, "Model");
    await page.locator(".options summary").click();
    await page.locator("#engine").selectOption("symbolic");
    await look(page, "mutual_exclusion", { film: false });
    await page.locator(".iteration-player").waitFor({ state: "attached" });
    await part(page, "Iterations");
    await page.evaluate(() => document.activeElement?.blur());
    for (let step = 0; step < 4; step += 1) await page.keyboard.press("ArrowRight");
  },
  async elsewhere(page) {
    await part(page, "Model");
    await page.locator(".gallery-open").click();
    await page.locator("[popovertarget=elsewhere]", { hasText: "Wrong answers" }).click();
  },
  async error(page) {
    await part(page, "Model");
    await page.locator("#source").fill("process p[3] {\n  var x: bol = false\n  action go: not x -> x := true\n}\n");
    await page.locator(".problem").first().waitFor();
    await page.locator(".problem").first().scrollIntoViewIfNeeded();
  },
};

const browser = await launch();
const site = await serve(process.env.DIST);
for (const viewport of SIZES) {
  for (const colorScheme of ["light", "dark"]) {
    for (const [name, arrange] of Object.entries(STATES)) {
      await withPage(browser, site.url, { viewport, colorScheme }, async (page) => {
        await settled(page);
        await arrange(page);
        await page.waitForTimeout(300);
        const file = `${name}-${viewport.width}x${viewport.height}-${colorScheme}.png`;
        await page.screenshot({ path: path.join(folder, file) });
      });
    }
  }
}
await browser.close();
await site.close();
