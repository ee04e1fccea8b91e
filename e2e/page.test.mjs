// The built site in a real browser.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, withPage } from "./browser.mjs";
import { serve } from "./server.mjs";

const SIZES = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
];

let browser;
let site;

before(async () => {
  browser = await launch();
  site = await serve(process.env.DIST);
});

after(async () => {
  await browser?.close();
  await site?.close();
});

const summary = (page) => page.locator(".summary").innerText();
const nodes = (page) => page.locator(".graph-canvas > .nodes > .node");

for (const colorScheme of ["light", "dark"]) {
  test(`shows the first model's states, ${colorScheme}`, () =>
    withPage(browser, site.url, { colorScheme }, async (page) => {
      assert.match(await summary(page), /20 states/);
      assert.equal(await nodes(page).count(), 20);
      assert.equal(await page.locator(".states-table tbody tr").count(), 20);
      const dark = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
      assert.equal(dark === "rgb(20, 22, 26)", colorScheme === "dark", dark);
    }));
}

test("works under a sub-path", async () => {
  const nested = await serve(process.env.DIST, "/some/where/");
  try {
    await withPage(browser, nested.url, {}, async (page) => assert.match(await summary(page), /20 states/));
  } finally {
    await nested.close();
  }
});

test("the content security policy stops inline scripts", async () => {
  await withPage(browser, site.url, {}, async (page) => {
    const policy = await page.locator("meta[http-equiv=Content-Security-Policy]").getAttribute("content");
    assert.match(policy, /default-src 'none'/);
    assert.doesNotMatch(policy, /unsafe-inline|'unsafe-eval'|https?:/);
    assert.equal(await page.locator("script:not([src])").count(), 0);
  });
});

test("picks a model from the gallery, by mouse and by keyboard", () =>
  withPage(browser, site.url, {}, async (page) => {
    const title = page.locator(".gallery-title");
    const first = await title.innerText();
    await page.locator(".gallery-open").click();
    const other = page.locator(".gallery .card:not([aria-current])").first();
    const name = await other.locator(".card-title").innerText();
    await other.click();
    await page.locator(".gallery").waitFor({ state: "hidden" });
    assert.equal(await title.innerText(), name);
    await nodes(page).first().waitFor();

    await page.locator(".gallery-open").focus();
    await page.keyboard.press("Enter");
    await page.locator(".gallery").waitFor({ state: "visible" });
    await page.keyboard.press("Escape");
    await page.locator(".gallery").waitFor({ state: "hidden" });
    await page.keyboard.press("Enter");
    await page.locator(".gallery .card", { hasText: first }).focus();
    await page.keyboard.press("Enter");
    assert.equal(await title.innerText(), first);
    await page.locator(".summary", { hasText: "20 states" }).waitFor();
  }));

test("every model of the gallery shows its states", () =>
  withPage(browser, site.url, {}, async (page) => {
    const models = await page.locator(".gallery .card").evaluateAll((cards) => cards.map((card) => card.dataset.model));
    assert.ok(models.length >= 10, `${models.length} models`);
    for (const model of models) {
      await page.locator(".gallery-open").click();
      await page.locator(`.gallery [data-model=${model}]`).click();
      await page.locator(".gallery").waitFor({ state: "hidden" });
      await page.locator(".summary .tag").waitFor();
      assert.match(await summary(page), /\d states/, model);
      assert.ok((await nodes(page).count()) > 1, model);
      assert.equal(await page.locator(".problem").count(), 0, model);
    }
  }));

test("a parameter changes the states", () =>
  withPage(browser, site.url, {}, async (page) => {
    await page.locator(".param-value").first().fill("2");
    await page.locator(".summary", { hasText: "8 states" }).waitFor();
    assert.equal(await nodes(page).count(), 8);
  }));

test("a value outside a parameter's range is refused, and a large one gives a part", () =>
  withPage(browser, site.url, {}, async (page) => {
    const value = page.locator(".param-value").first();
    await value.fill("0");
    await page.locator(".problem", { hasText: "must be in 1..1000000" }).waitFor();
    assert.equal(await nodes(page).count(), 20);
    await value.fill("1000");
    await page.locator(".summary .tag.is-partial").waitFor();
    assert.match(await summary(page), /2,000 states.*so far/s);
    await value.fill("1000000");
    await page.locator(".problem", { hasText: "the limit" }).waitFor();
    await value.fill("2");
    await page.locator(".summary", { hasText: "complete" }).waitFor();
    assert.equal(await nodes(page).count(), 8);
  }));

test("an error while the model runs names the step and the state", () =>
  withPage(browser, site.url, {}, async (page) => {
    await page.locator("#source").fill("process p {\n  var x: 0..2 = 0\n  action up: true -> x := x + 1\n}\n");
    const message = page.locator(".problem-message").first();
    await message.waitFor();
    assert.match(await message.innerText(), /^3:\d+ value 3 outside .* executing p\.up, in the state p=2/);
  }));

test("a broken model shows its error and keeps the last good picture", () =>
  withPage(browser, site.url, {}, async (page) => {
    const source = page.locator("#source");
    const text = await source.inputValue();
    const broken = text.replace("process client[clients] {", "process client[clients] {{");
    await source.fill(broken);
    const problem = page.locator(".problem").first();
    await problem.waitFor();
    assert.match(await problem.locator(".problem-message").innerText(), /^\d+:\d+ \S/);
    const [excerpt, caret] = (await problem.locator(".problem-excerpt").innerText()).split("\n");
    assert.match(caret, /^ *\^+$/);
    const [line, column] = (await problem.locator(".problem-place").innerText()).split(":").map(Number);
    assert.equal(excerpt, broken.split("\n")[line - 1]);
    assert.equal(caret.indexOf("^"), column - 1);
    assert.equal(await nodes(page).count(), 20);
    assert.match(await summary(page), /last version without errors/);

    await problem.locator(".problem-place").click();
    const start = await source.evaluate((area) => area.selectionStart);
    assert.equal(start, broken.split("\n").slice(0, line - 1).join("\n").length + 1 + column - 1);

    await source.fill(text);
    await problem.waitFor({ state: "detached" });
    assert.doesNotMatch(await summary(page), /last version/);
  }));

test("a state is chosen in the graph, in the table and with the arrow keys", () =>
  withPage(browser, site.url, {}, async (page) => {
    await nodes(page).nth(1).click();
    const title = page.locator(".details-number");
    assert.equal(await title.innerText(), "State 1");
    assert.equal(await page.locator("tr.is-selected .state-number").innerText(), "1");
    await page.locator(".state-number", { hasText: /^3$/ }).click();
    assert.equal(await title.innerText(), "State 3");
    assert.equal(await page.locator(".selection .is-centre .node").getAttribute("data-state"), "3");
    await page.locator(".step").first().click();
    assert.notEqual(await title.innerText(), "State 3");

    await page.locator(".graph-canvas").focus();
    await page.keyboard.press("Escape");
    assert.equal(await page.locator("tr.is-selected").count(), 0);
    await page.keyboard.press("ArrowRight");
    assert.equal(await title.innerText(), "State 0");
    await page.keyboard.press("ArrowRight");
    assert.notEqual(await title.innerText(), "State 0");
    await page.keyboard.press("ArrowLeft");
    assert.equal(await title.innerText(), "State 0");
  }));

test("the picture zooms, moves and fits", () =>
  withPage(browser, site.url, {}, async (page) => {
    const canvas = page.locator(".graph-canvas");
    const viewBox = () => canvas.getAttribute("viewBox");
    const fitted = await viewBox();
    const width = (box) => Number(box.split(" ")[2]);
    const { x, y, width: w, height: h } = await canvas.boundingBox();
    await page.mouse.move(x + w / 2, y + h / 2);
    await page.mouse.wheel(0, -200);
    await page.waitForFunction((box) => document.querySelector(".graph-canvas").getAttribute("viewBox") !== box, fitted);
    const zoomed = await viewBox();
    assert.ok(width(zoomed) < width(fitted));

    await page.mouse.move(x + 20, y + h - 20);
    await page.mouse.down();
    await page.mouse.move(x + 80, y + h - 60, { steps: 4 });
    await page.mouse.up();
    const dragged = await viewBox();
    assert.notEqual(dragged, zoomed);
    assert.equal(width(dragged), width(zoomed));

    await page.getByRole("button", { name: "Fit" }).click();
    assert.equal(await viewBox(), fitted);
    await page.getByRole("button", { name: "Zoom out" }).click();
    assert.ok(width(await viewBox()) > width(fitted));
  }));

test("the chosen colours stay for the next visit", () =>
  withPage(browser, site.url, { colorScheme: "light" }, async (page) => {
    const toggle = page.locator(".theme-toggle");
    await toggle.click();
    await toggle.click();
    assert.equal(await page.locator("html").getAttribute("data-theme"), "dark");
    await page.reload();
    await page.waitForSelector("main");
    assert.equal(await page.locator("html").getAttribute("data-theme"), "dark");
    assert.match(await toggle.innerText(), /dark/);
  }));

for (const viewport of SIZES) {
  test(`nothing is cut off at ${viewport.width} x ${viewport.height}`, () =>
    withPage(browser, site.url, { viewport }, async (page) => {
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(overflow <= 0, `the page is ${overflow} pixels too wide`);
      for (const selector of [".graph-canvas", ".states-scroll", "#source", ".gallery-open"]) {
        const box = await page.locator(selector).boundingBox();
        assert.ok(box.width >= 200 && box.height >= 30, `${selector}: ${JSON.stringify(box)}`);
      }
    }));
}
