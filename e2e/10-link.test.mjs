// A person passes a model on as a link, and opens links of others, good and bad.

import assert from "node:assert/strict";
import { test } from "node:test";
import { fragment, link, pick, picture, remarks, settled, source, step, text, useProfiles } from "./profile.mjs";

const { withProfile } = useProfiles();

test("a link opens the same model, parameters, property, options, view, step and picture in a fresh profile", async () => {
  let address;
  let seen;
  await withProfile(async (open) => {
    const page = await open();
    await pick(page, "resource_controller");
    await page.locator(".param-value").first().fill("3");
    await page.locator("[data-property=eventually_access]").click();
    await page.locator(".options summary").click();
    await page.locator("#fairness").selectOption({ label: "strong" });
    await page.locator("[data-view=Product]").click();
    await settled(page);
    await page.locator("[aria-label='To the start']").waitFor();
    for (let count = 0; count < 4; count += 1) await page.locator("[aria-label='One step on']").click();
    assert.equal(await step(page), "4");
    seen = { text: await text(page), narration: await page.locator(".narration").innerText(), picture: await picture(page) };
    address = await link(page);
    assert.match(await page.locator("#share-length").textContent(), /^[\d,]+ characters/);
  });
  await withProfile(async (open) => {
    const page = await open(new URL(address).hash);
    await page.locator(".player-step b", { hasText: /^4$/ }).waitFor();
    assert.equal(await text(page), seen.text);
    assert.equal(await page.locator(".param-value").first().inputValue(), "3");
    assert.equal(await page.locator("[data-view=Product]").getAttribute("aria-selected"), "true");
    assert.equal(await page.locator("#fairness").evaluate((select) => select.selectedOptions[0].text), "strong");
    assert.equal(await page.locator(".narration").innerText(), seen.narration);
    assert.equal(await picture(page), seen.picture);
    assert.equal(await page.locator(".gallery-title").innerText(), "Resource controller");
    assert.equal(await link(page), address);
  });
});

test("a long link says so and offers a file, which opens the same", () =>
  withProfile(async (open) => {
    const page = await open();
    let long = "shared x: bool = true\nprocess p { action go: x -> x := false }\n";
    for (let number = 0; long.length < 9_000; number += 1) long += `// ${Math.imul(number + 1, 2654435761) >>> 0} ${number ** 7}\n`;
    await source(page).fill(long);
    await page.locator("[data-menu=share]").click();
    await page.locator("#share-length", { hasText: "too long for common chat programs" }).waitFor();
    const [download] = await Promise.all([page.waitForEvent("download"), page.locator("[data-save=link]").click()]);
    await page.keyboard.press("Escape");
    await source(page).fill("process q { }\n");
    await page.locator("[data-menu=open]").click();
    await page.locator("#open-file").setInputFiles(await download.path());
    await page.waitForFunction((long) => document.querySelector("#source").value === long, long);
  }));

test("the link is copied, stands in the address, and goes from it when something is changed", () =>
  withProfile(
    async (open, context) => {
      await context.grantPermissions(["clipboard-read", "clipboard-write"]);
      const page = await open();
      await settled(page);
      await page.locator("[data-menu=share]").click();
      await page.locator("[data-copy=link]").click();
      await page.locator(".menu-said", { hasText: "copied" }).waitFor();
      const address = await page.locator("#share-link").inputValue();
      assert.equal(page.url(), address);
      assert.equal(await page.evaluate(() => navigator.clipboard.readText()), address);
      await page.locator("[data-copy=embed]").click();
      await page.waitForFunction(async () => (await navigator.clipboard.readText()).startsWith("<iframe"));
      await page.keyboard.press("Escape");
      await page.locator("[data-view=States]").click();
      await page.waitForFunction(() => location.hash === "");
    },
    {},
  ));

// Typed text is written a quarter of a second later at the latest, and takes the link out of the address: around that
// moment a link must neither be lost nor cost the text.
for (const delay of [0, 100, 245, 250, 255]) {
  test(`an address that changes ${delay} ms after typing opens its link and keeps one's own text`, () =>
    withProfile(async (open) => {
      const page = await open();
      await source(page).fill("// mine\nprocess p { }\n");
      const other = "// theirs\nprocess q { }\n";
      const typed = async ([hash, delay]) => {
        document.execCommand("insertText", false, "// and more\n");
        if (delay) await new Promise((done) => setTimeout(done, delay));
        location.hash = hash;
      };
      await page.evaluate(typed, [fragment(`\n${other}`), delay]);
      await page.waitForFunction((other) => document.querySelector("#source").value === other, other);
      assert.equal(new URL(page.url()).hash, fragment(`\n${other}`));
      assert.match(await remarks(page), /Your own text is kept/);
      await page.locator("[data-menu=open]").click();
      await page.locator(".kept", { hasText: "mine" }).click();
      await page.waitForFunction(() => /^\/\/ mine[^]*and more/.test(document.querySelector("#source").value));
    }));
}

const MARKUP = "<img src=x onerror=window.hacked=1>";
const HOSTILE = {
  "random bytes": ["#1.c2hhbGwgd2UgZGFuY2U_-_-_qqqq", /damaged/],
  "no link at all": [`#${MARKUP}`, /not a link/],
  truncated: [fragment("\nprocess p { }\n").slice(0, -6), /damaged/],
  "ten megabytes": [`#1.${"A".repeat(10 << 20)}`, /characters long|not opened/],
  "a compression bomb": [fragment("\n".repeat(64 << 20)), /unfolds to more than 4 MiB/],
  "markup in a name": [fragment(`property ${MARKUP}\n\nprocess p { }\n`), /cannot be understood/],
  "a model that no editor shows": [fragment(`\n${"// nothing at all\n".repeat(200_000)}`), /the page opens at most/],
  "a later version": ["#7.abc", /format 7/],
  "a key that is not known": [fragment("hologram on\n\nprocess p { }\n"), /hologram/],
};

for (const [name, [hash, words]] of Object.entries(HOSTILE)) {
  test(`a hostile link is refused with a message: ${name}`, () =>
    withProfile(async (open) => {
      const page = await open();
      // By the address bar a browser refuses what is longer than two megabytes by itself; by a script it may come.
      await page.evaluate((hash) => (location.hash = hash), hash);
      await page.locator(".remark", { hasText: words }).waitFor();
      await page.locator(".remark button").click();
      assert.equal(await page.locator(".remark").count(), 0);
      await page.locator("[data-view=States]").click();
      await page.locator(".summary", { hasText: "20 states" }).waitFor();
      assert.equal(await page.evaluate(() => window.hacked), undefined);
      if (hash.length < 1 << 20) {
        const again = await open(hash);
        await again.locator(".remark", { hasText: words }).waitFor();
        await settled(again);
      }
    }));
}

test("markup in a linked model is text, and a model that never ends does not take the page with it", () =>
  withProfile(async (open) => {
    const endless = `// ${MARKUP}\nparam n = 40\nprocess p[n] { var x: 0..1000 = 0 action up: x < 1000 -> x := x + 1 action down: x > 0 -> x := x - 1 }\nltl never: forall q in p: F q.x == 1000\n`;
    const page = await open(fragment(`property never\noption symmetry=none\nstep 99\n\n${endless}`));
    assert.equal(await text(page), endless);
    await page.locator("[data-property=never]").waitFor();
    await page.waitForTimeout(1_500);
    assert.equal(await page.evaluate(() => window.hacked), undefined);
    // The page answers while the engine works.
    await pick(page, "token_ring");
    await settled(page);
    const memory = await page.evaluate(() => performance.memory?.usedJSHeapSize ?? 0);
    assert.ok(memory < 500e6, `${memory} bytes`);
  }));

test("the largest link that is read leaves the page usable", () =>
  withProfile(async (open) => {
    const page = await open(fragment(`\n${`// ${"long ".repeat(40)}\n`.repeat(1_200)}process p { }\n`));
    assert.ok((await text(page)).length > 240_000);
    await pick(page, "token_ring");
    await settled(page);
  }));
