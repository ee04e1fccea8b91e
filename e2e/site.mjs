// Shared by all end-to-end tests: a browser, the built site, and words for what is on the page.

import assert from "node:assert/strict";
import { useBrowser, withPage } from "./browser.mjs";

export const SIZES = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
];

/** Gives a function that opens the page, for the tests of a file. */
export function useSite() {
  const { browser, home } = useBrowser();
  return (use, options = {}) => withPage(browser(), options.url ?? home(), options, use);
}

/** Waits until every property has a verdict and every graph a size: nothing is under way. */
export async function settled(page) {
  await page.waitForFunction(() => {
    const badges = [...document.querySelectorAll(".properties .badge")];
    const sizes = [...document.querySelectorAll(".views .tab")];
    return (
      !document.querySelector("main[aria-busy=true]") &&
      badges.length > 0 &&
      badges.every((badge) => !badge.classList.contains("is-waiting")) &&
      sizes.every((tab) => tab.querySelector(".tab-count")) &&
      document.querySelector("#picture .graph-canvas, #picture .diagram, .picture-none")
    );
  }, undefined, { timeout: 30_000 });
}

/** The number of nodes that each graph's tab says. */
export async function sizes(page) {
  const tabs = await page.locator(".views .tab").all();
  const entries = tabs.map(async (tab) => [
    await tab.getAttribute("data-view"),
    await tab.locator(".tab-count").innerText(),
  ]);
  return Object.fromEntries(await Promise.all(entries));
}

/** The word on the badge of a property. */
export async function verdict(page, property) {
  const words = await page.locator(`[data-property="${property}"] .badge`).innerText();
  return words.split(/\s+/).slice(1).join(" ");
}

/** Picks a built-in model from the gallery. */
export async function pick(page, model) {
  await page.locator(".gallery-open").click();
  const title = await page.locator(`[data-model="${model}"] .card-title`).innerText();
  await page.locator(`[data-model="${model}"]`).click();
  await page.locator("#gallery").waitFor({ state: "hidden" });
  // Most texts are loaded on the click: until then the page shows the model before.
  await page.locator(".gallery-title", { hasText: title }).waitFor();
  await settled(page);
}

/** Picks a property and waits for its search, if it has one. */
export async function look(page, property, { film = true } = {}) {
  await page.locator(`[data-property="${property}"]`).click();
  if (film) await page.locator(".player").waitFor();
  await settled(page);
}

/** The step that the player is at, and how many there are. */
export async function step(page) {
  const words = await page.locator(".player-step").innerText();
  const [at, of] = words.replaceAll(",", "").match(/\d+/g).map(Number);
  return { at, of };
}

/** Waits until the player is at a step. */
export async function atStep(page, wanted) {
  await page.waitForFunction(
    (wanted) => document.querySelector(".player-step b")?.textContent.replaceAll(",", "") === String(wanted),
    wanted,
  );
  await frame(page);
}

/** Waits until what was drawn last is on the screen. */
export function frame(page) {
  return page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

/** Everything that is shown at a step of the search, as text. */
export function picture(page) {
  return page.evaluate(() =>
    [".graph-canvas", "#side", ".narration", ".player-step", ".timeline-cursor"]
      .map((selector) => document.querySelector(selector)?.outerHTML ?? `no ${selector}`)
      .join("\n"),
  );
}

export { assert };
