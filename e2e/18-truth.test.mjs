// The page says nothing that is not so: options, files, the tour, and what lies over what.

import { readFileSync } from "node:fs";
import { test } from "node:test";
import { inflateSync } from "node:zlib";
import { fragment } from "./profile.mjs";
import { assert, frame, look, pick, settled, SIZES, step, useSite, verdict } from "./site.mjs";

const open = useSite();

const options = (page) => page.locator(".options > summary").click();

test("the symbolic engine depends on fairness, says so, and does not offer fair paths of ctl", () =>
  open(async (page) => {
    await settled(page);
    await options(page);
    await page.locator("#engine").selectOption("symbolic");
    await settled(page);
    assert.ok(await page.locator("#fairness").isEnabled());
    assert.equal(await verdict(page, "always_idle_again"), "holds");
    await page.locator("#fairness").selectOption("none");
    await page.locator("[data-property=always_idle_again] .badge.is-bad").waitFor();
    assert.match(await page.locator(".options-short").innerText(), /fairness none/);
    assert.ok(await page.locator("#ctl-paths").isDisabled());
    assert.match(await page.locator("#ctl-paths-help").innerText(), /all paths/);
    // A choice made for another engine stays, with a word about it, and can be taken back.
    await page.locator("#engine").selectOption("on the fly");
    await page.locator("#ctl-paths").selectOption("fair");
    await page.locator("#engine").selectOption("symbolic");
    assert.ok(await page.locator("#ctl-paths").isEnabled());
    assert.match(await page.locator("#ctl-paths-help").innerText(), /refuses fair ones/);
    await page.locator("#ctl-paths").selectOption("all");
    assert.ok(await page.locator("#ctl-paths").isDisabled());
  }));

test("one click resets every option, the time for each property too", () =>
  open(async (page) => {
    await settled(page);
    await options(page);
    await page.locator("#patience").selectOption("2 s");
    assert.match(await page.locator(".options-short").innerText(), /at most 2 s/);
    await page.locator(".options-reset").click();
    await page.locator(".options-reset:disabled").waitFor();
    assert.equal(await page.locator("#patience").inputValue(), "as long as it takes");
    assert.equal(await page.locator(".options-short").innerText(), "");
  }));

/** Takes the picture away and reads which words its nodes have, and how many there are of nodes and edges. */
async function svg(page) {
  await page.locator("[data-menu=take]").click();
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator("[data-take=svg]").click()]);
  const text = readFileSync(await download.path(), "utf8");
  const classes = [...text.matchAll(/<g class="([ne](?: [^"]*)?)"/g)].map(([, words]) => words.split(" "));
  const of = (word) => classes.filter((words) => words[0] === "n" && words.includes(word)).length;
  return { of, ghosts: classes.filter((words) => words[0] === "e" && words.includes("g")).length, lattice: text.includes('class="s"') };
}

test("a picture is taken away as it is seen: layout, pruned edges, run, walk and what was looked for", () =>
  open(
    async (page) => {
      await settled(page);
      await page.locator("[data-view=AQS]").click();
      await settled(page);
      const pressed = async (name) => (await page.locator(".graph-tools button", { hasText: name }).getAttribute("aria-pressed")) === "true";
      const first = await svg(page);
      assert.equal(first.ghosts > 0, await pressed("Ghosts"));
      assert.equal(first.lattice, await pressed("Lattice"));
      await page.locator(".graph-tools button", { hasText: "Ghosts" }).click();
      await page.locator(".graph-tools button", { hasText: "Lattice" }).click();
      await frame(page);
      const second = await svg(page);
      assert.equal(second.ghosts, 0);
      assert.equal(second.lattice, !first.lattice);

      await look(page, "eventually_access");
      await page.locator(".lane-step").last().click();
      await frame(page);
      const run = await svg(page);
      assert.equal(run.of("here"), 1);
      assert.equal(run.of("run"), await page.locator(".graph-canvas .nodes > .node[data-mark~=run]").count());

      await page.locator("[data-side=Inspect]").click();
      await page.locator("#inspect-seek").fill("exists c in client: c.st == C");
      await page.locator("#inspect-seek").press("Enter");
      await page.locator(".overlay .is-found").first().waitFor();
      const sought = await svg(page);
      assert.equal(sought.of("found"), await page.locator(".overlay .is-found").count());
      assert.ok(sought.of("found") > 0 && sought.of("lost") > 0);
    },
    { acceptDownloads: true },
  ));

test("the unfolded orbit does not cover its node", () =>
  open(async (page) => {
    await settled(page);
    await page.locator("[data-view=AQS]").click();
    await settled(page);
    const nodes = page.locator(".graph-canvas > .nodes > .node");
    for (let at = 0; at < (await nodes.count()); at += 1) {
      await nodes.nth(at).locator(".node-box").click({ force: true });
      await page.locator(".orbit-states").waitFor();
      await frame(page);
      const [popup, node] = [await page.locator(".orbit").boundingBox(), await nodes.nth(at).boundingBox()];
      const apart =
        popup.x >= node.x + node.width || node.x >= popup.x + popup.width || popup.y >= node.y + node.height || node.y >= popup.y + popup.height;
      assert.ok(apart, `node ${at}: ${JSON.stringify({ popup, node })}`);
      await page.locator(".orbit-close").click();
    }
  }));

test("each stop of the tour shows what it speaks of, at every size", async () => {
  for (const viewport of SIZES) {
    await open(
      async (page) => {
        await settled(page);
        await page.locator("#tour-open").click();
        for (let stop = 1; stop <= 10; stop += 1) {
          await page.locator(".tour-count", { hasText: `Stop ${stop} of 10` }).waitFor();
          await page.waitForTimeout(250);
          const seen = await page.evaluate(() => {
            const part = ["picture", "stack", "player", "run"].find((name) => document.querySelector(`main.tour-${name}`));
            const places = { picture: ".picture", stack: ".side", player: ".player", run: ".run-row" };
            const box = document.querySelector(places[part])?.getBoundingClientRect();
            const card = document.querySelector(".tour").getBoundingClientRect();
            // The part of it that neither the window's edge nor the card hides.
            const free = card.width > innerWidth / 2 ? card.top : innerHeight;
            return box && { part, height: Math.min(box.bottom, free) - Math.max(box.top, 0), width: Math.min(box.right, innerWidth) - Math.max(box.left, 0) };
          });
          assert.ok(seen && seen.height >= 60 && seen.width >= 150, `stop ${stop} at ${viewport.width}: ${JSON.stringify(seen)}`);
          await page.locator("[data-tour=next]").click();
        }
      },
      { viewport },
    );
  }
});

test("the older method's product is marked by the search too", () =>
  open(async (page) => {
    await settled(page);
    await look(page, "eventually_access");
    await page.locator("[data-view=Threaded]").click();
    await settled(page);
    await page.locator("[aria-label='To the end']").click();
    const { of } = await step(page);
    assert.ok(of > 0);
    await frame(page);
    assert.ok((await page.locator(".graph-canvas .nodes > .node[data-mark]").count()) > 0);
    assert.ok((await page.locator(".graph-canvas .edges > .edge[data-mark]").count()) > 0);
  }));

test("a walk is not taken for one of another model whose numbers it fits", async () => {
  let link;
  await open(async (page) => {
    await settled(page);
    await page.locator("[data-side=Explore]").click();
    await page.locator(".explore-step").first().click();
    await page.locator(".explore-now", { hasText: "After 1 step" }).waitFor();
    await page.locator("[data-menu=share]").click();
    link = await page.locator("#share-link").inputValue();
  });
  const [address, data] = link.split("#1.");
  const content = inflateSync(Buffer.from(data, "base64url")).toString();
  const opened = (text) => `${address}${fragment(text)}`;
  const other = content.replaceAll("{I, R, C}", "{I, A, C}").replaceAll(/\bR\b/g, "A");
  assert.notEqual(other, content);
  for (const [text, steps, told] of [
    [content, "After 1 step", 0],
    [other, "At the start", 1],
    // A link of an earlier page has no fingerprint.
    [content.replace(/^(walk [^:\n]*:[^:\n]*):\d+$/m, "$1"), "After 1 step", 0],
  ]) {
    await open(async (page) => {
      await page.waitForLoadState("networkidle");
      await page.goto("about:blank");
      await page.goto(opened(text));
      await page.locator(".explore-now", { hasText: steps }).waitFor();
      assert.equal(await page.locator(".remark", { hasText: "made in another model" }).count(), told);
      assert.equal(await page.locator("#source").inputValue(), text.slice(text.indexOf("\n\n") + 2));
    });
  }
});
