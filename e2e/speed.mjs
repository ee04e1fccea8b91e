// How long the page takes for many clients, and how much memory, beside the command line: node e2e/speed.mjs [ORBITSCOPE]
import { execFileSync } from "node:child_process";
import path from "node:path";
import { launch, withPage } from "./browser.mjs";
import { serve } from "./server.mjs";
import { settled } from "./site.mjs";

const command = process.argv[2];
const model = path.resolve("core/models/simplified_controller.orb");
const property = "eventually_access";
const browser = await launch();
const site = await serve(process.env.DIST);

for (const clients of [1_000, 10_000, 100_000]) {
  let own = "";
  if (command) {
    const start = performance.now();
    try {
      execFileSync(command, ["check", model, "--set", `clients=${clients}`, "--property", property, "--no-deadlocks"], { stdio: "ignore" });
    } catch {
      // A violated property has a status of its own.
    }
    own = `, the command line ${(performance.now() - start).toFixed(0)} ms`;
  }
  await withPage(browser, site.url, {}, async (page) => {
    page.setDefaultTimeout(60_000);
    await settled(page);
    await page.locator(`[data-property=${property}]`).click();
    await settled(page);
    const start = performance.now();
    await page.locator("#param-clients").fill(String(clients));
    await page.locator(`[data-property=${property}] .property-note`, { hasText: `one of ${clients.toLocaleString("en")} alike` }).waitFor();
    const verdict = performance.now() - start;
    await page.locator(".run .lanes").first().waitFor();
    const lanes = performance.now() - start;
    const note = await page.locator(`[data-property=${property}] .property-note`).first().innerText();
    const bytes = await page.evaluate(() => performance.memory?.usedJSHeapSize ?? 0);
    console.log(
      `${clients} clients: verdict after ${verdict.toFixed(0)} ms, lanes after ${lanes.toFixed(0)} ms (${note})${own}; ` +
        `the page's heap ${(bytes / 1e6).toFixed(0)} MB`,
    );
  });
}
await browser.close();
await site.close();
