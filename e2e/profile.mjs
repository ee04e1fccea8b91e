// Fresh profiles with several pages, for tests of what is kept, taken away and passed on.

import assert from "node:assert/strict";
import { deflateSync } from "node:zlib";
import { useBrowser } from "./browser.mjs";

/**
 * For the tests of a file: `home` says where the site is, and `withProfile` opens pages in a fresh profile. What goes wrong in
 * them is collected, and must be nothing but what `expected` allows.
 */
export function useProfiles() {
  const { browser, home } = useBrowser();
  const withProfile = async (use, { expected = /^$/, url = home(), ...options } = {}) => {
    const context = await browser().newContext({ viewport: { width: 1440, height: 900 }, acceptDownloads: true, ...options });
    context.setDefaultTimeout(20_000);
    const complaints = [];
    const note = (words) => expected.test(words) || complaints.push(words);
    const origin = new URL(url).origin;
    context.on("weberror", (error) => note(`uncaught: ${error.error().message}`));
    context.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) note(`console: ${message.text()}`);
    });
    context.on("request", (request) => {
      const asked = new URL(request.url().replace(/^blob:/, ""));
      if (asked.origin !== origin) note(`outside the origin: ${request.url()}`);
    });
    try {
      const open = async (fragment = "", query = "") => {
        const page = await context.newPage();
        await page.goto(`${url}${query}${fragment}`);
        await page.waitForSelector("main");
        return page;
      };
      await use(open, context);
      assert.deepEqual(complaints, []);
    } finally {
      await context.close();
    }
  };
  return { withProfile, home };
}

export const source = (page) => page.locator("#source");
export const text = (page) => source(page).inputValue();
export const step = (page) => page.locator(".player-step b").innerText();
export const remarks = (page) => page.locator(".remarks").innerText();
/** The picture is drawn and the property decided. */
export const settled = async (page) => {
  await page.locator("[data-property][aria-pressed=true] .badge:is(.is-good, .is-bad, .is-partial, .is-unknown)").first().waitFor();
  await page.locator(".graph-canvas").first().waitFor();
};
/** A picture as it is, whatever part of it is in sight. */
export const picture = (page) => page.locator(".graph-canvas").first().evaluate((canvas) => canvas.textContent);
export const pick = async (page, model) => {
  await page.locator(".gallery-open").click();
  const title = await page.locator(`#gallery [data-model=${model}] .card-title`).innerText();
  await page.locator(`#gallery [data-model=${model}]`).click();
  await page.locator("#gallery").waitFor({ state: "hidden" });
  // Most texts are loaded on the click: until then the page shows the model before.
  await page.locator(".gallery-title", { hasText: title }).waitFor();
};
export const link = async (page) => {
  await page.locator("[data-menu=share]").click();
  const address = await page.locator("#share-link").inputValue();
  await page.keyboard.press("Escape");
  return address;
};
/** The part of an address after `#`, around any text. */
export const fragment = (content) => `#1.${deflateSync(Buffer.from(content)).toString("base64url")}`;
