// A person opens the page: the first model, its quotient, the property and its verdict, and a button to play.

import { test } from "node:test";
import { assert, look, pick, settled, sizes, SIZES, useSite, verdict } from "./site.mjs";
import { serve } from "./server.mjs";

const open = useSite();

for (const colorScheme of ["light", "dark"]) {
  test(`the first screen, ${colorScheme}`, () =>
    open(async (page) => {
      await settled(page);
      assert.match(await page.locator(".gallery-title").innerText(), /Simplified resource controller/);
      assert.match(await page.locator(".summary").innerText(), /7 states/);
      assert.equal(await page.locator(".graph-canvas [data-node]").count(), 7);
      assert.equal(await verdict(page, "always_idle_again"), "holds");
      assert.ok(await page.getByRole("button", { name: "Play", exact: true }).isVisible());
      const paper = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
      assert.equal(paper === "rgb(20, 22, 26)", colorScheme === "dark", paper);
    }, { colorScheme }));
}

test("the published sizes", () =>
  open(async (page) => {
    await look(page, "never_critical");
    const { States, AQS, AQSI, Product, Threaded } = await sizes(page);
    assert.deepEqual({ States, AQS, AQSI }, { States: "20", AQS: "7", AQSI: "13" });
    assert.deepEqual({ Product, Threaded }, { Product: "26", Threaded: "42" });
  }));

test("works under a sub-path", async () => {
  const nested = await serve(process.env.DIST, "/some/where/");
  try {
    await open(settled, { url: nested.url });
  } finally {
    await nested.close();
  }
});

test("a strict content security policy", () =>
  open(async (page) => {
    const policy = await page.locator("meta[http-equiv=Content-Security-Policy]").getAttribute("content");
    assert.match(policy, /default-src 'none'/);
    // A picture that is saved as PNG is drawn from a blob that the page has made itself.
    assert.doesNotMatch(policy.replace("img-src 'self' blob:", ""), /unsafe-inline|'unsafe-eval'|https?:|blob:|data:/);
    assert.equal(await page.locator("script:not([src])").count(), 0);
  }));

test("every model of the gallery has verdicts and graphs", () =>
  open(async (page) => {
    await page.locator(".gallery-open").click();
    const cards = await page.locator("[data-model]").all();
    const names = await Promise.all(cards.map((card) => card.getAttribute("data-model")));
    await page.keyboard.press("Escape");
    assert.ok(names.length > 10);
    for (const name of names) {
      await pick(page, name);
      const badges = await page.locator("[data-property] .badge").allInnerTexts();
      assert.ok(badges.length > 0 && badges.every((badge) => /holds|violated/.test(badge)), `${name}: ${badges}`);
      assert.equal(await page.locator(".problem").count(), 0, name);
    }
  }));

test("the chosen colours stay for the next visit", () =>
  open(async (page) => {
    const toggle = page.locator(".theme-toggle");
    await toggle.click();
    await toggle.click();
    assert.equal(await page.locator("html").getAttribute("data-theme"), "dark");
    await page.reload();
    await page.waitForSelector("main");
    assert.equal(await page.locator("html").getAttribute("data-theme"), "dark");
    assert.match(await toggle.innerText(), /dark/);
  }, { colorScheme: "light" }));

for (const viewport of SIZES) {
  test(`nothing is cut off at ${viewport.width} x ${viewport.height}`, () =>
    open(async (page) => {
      await settled(page);
      const screens = viewport.width < 768 ? ["Model", "Graph", "Run", "Stack"] : [undefined];
      for (const screen of screens) {
        if (screen) await page.locator(".screens .tab", { hasText: screen }).click();
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(overflow <= 0, `the page is ${overflow} pixels too wide on ${screen}`);
      }
      if (viewport.width < 768) await page.locator(".screens .tab", { hasText: "Graph" }).click();
      const graph = await page.locator(".graph-canvas").boundingBox();
      assert.ok(graph.width >= 300 && graph.height >= 180, JSON.stringify(graph));
      assert.ok(await page.locator(".player-play").isVisible());
    }, { viewport }));
}
