// A person takes steps by hand, takes them back, goes on at random and until something holds, and sends the walk.

import { test } from "node:test";
import { assert, pick, useSite } from "./site.mjs";

const open = useSite();

const explore = (page) => page.locator("[data-side=Explore]").click();
const after = (page, steps) =>
  page.locator(".explore-now", { hasText: steps === 0 ? "At the start" : `After ${steps} step` }).waitFor();
const columns = (page) => page.locator(".run .lane-head").count();

test("steps are taken, taken back and taken again", () =>
  open(async (page) => {
    await explore(page);
    await after(page, 0);
    const kinds = page.locator(".explore-kind");
    // Like clients are told once.
    assert.match(await kinds.first().locator("summary").innerText(), /alike/);
    const words = await kinds.first().locator(".explore-step").innerText();
    await kinds.first().locator(".explore-step").click();
    await after(page, 1);
    assert.equal(await columns(page), 2);
    assert.ok((await page.locator(".lane-step").last().getAttribute("aria-label")).includes(words));
    assert.equal(await page.locator(".overlay .ring.is-run").count(), 1, "the graph shows where the walk is");
    assert.ok((await page.locator(".explore-property").count()) > 0);
    await page.getByRole("button", { name: "Undo" }).click();
    await after(page, 0);
    await page.getByRole("button", { name: "Redo" }).click();
    await after(page, 1);
    await page.getByRole("button", { name: "10 at random" }).click();
    await after(page, 11);
    await page.getByLabel("Steps at random").fill("4");
    await page.keyboard.press("Tab");
    await page.getByRole("button", { name: "4 at random" }).click();
    await after(page, 15);
    await page.getByLabel("Steps at random").fill("0");
    await page.keyboard.press("Tab");
    assert.equal(await page.getByLabel("Steps at random").inputValue(), "4");
    await page.getByRole("button", { name: "From the start" }).click();
    await after(page, 0);
  }));

test("until something holds, and until something that is wrong", () =>
  open(async (page) => {
    await explore(page);
    await after(page, 0);
    await page.getByLabel("Until").fill("exists c in client: c.st == C");
    await page.getByRole("button", { name: "Go", exact: true }).click();
    await page.locator(".explore-now", { hasText: "After" }).waitFor();
    const now = await page.locator(".explore-now").innerText();
    await page.getByLabel("Until").fill("exists c in clint: c.st == C");
    await page.getByRole("button", { name: "Go", exact: true }).click();
    await page.locator(".explore-trouble", { hasText: "character 13" }).waitFor();
    assert.equal(await page.locator(".explore-now").innerText(), now);
  }));

const HUGE = `process p[40] {
  var n: 0..999 = 0
  action up: n < 999 -> n := n + 1
  action down: n > 0 -> n := n - 1
}
invariant low: forall q in p: q.n < 900
`;

test("a walk where the states cannot be counted, and its link in a fresh profile", async () => {
  let link;
  let words;
  await open(async (page) => {
    await page.locator(".editor textarea, textarea").first().fill(HUGE);
    await explore(page);
    await after(page, 0);
    await page.locator(".explore-step").first().click();
    await after(page, 1);
    await page.locator(".explore-step").nth(1).click();
    await after(page, 2);
    words = await page.locator(".lanes").innerText();
    await page.locator("[data-menu=share]").click();
    link = await page.locator("#share-link").inputValue();
  });
  await open(async (page) => {
    await page.waitForLoadState("networkidle");
    await page.goto("about:blank");
    await page.goto(link);
    await after(page, 2);
    assert.equal(await page.locator(".lanes").innerText(), words);
    await page.locator(".explore-step").first().click();
    await after(page, 3);
  });
});

test("a walk starts at the node that was chosen", () =>
  open(async (page) => {
    await pick(page, "readers_writers");
    await page.locator(".views [data-view=AQS]").click();
    await page.locator(".graph-canvas .nodes .node").nth(1).click();
    await explore(page);
    await page.getByRole("button", { name: /^From s1 of AQS/ }).click();
    await after(page, 0);
    assert.equal(await page.locator(".overlay .ring.is-run").count(), 1);
  }));
