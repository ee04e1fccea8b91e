// Measures the engine in Chromium: opens the built site with a link and reads the verdict and its time from the page.
//
//   CHROMIUM=... DIST=... node bench/browser.mjs MODEL-FILE CLIENTS PROPERTY ENGINE
//
// Prints the verdict, the milliseconds that the check took in the worker, and those from the opening of the page, in a
// fresh profile, to the verdict.

import { readFileSync } from "node:fs";
import { deflateSync } from "node:zlib";
import { launch } from "../e2e/browser.mjs";
import { serve } from "../e2e/server.mjs";

const [file, clients, property, engine] = process.argv.slice(2);
const options = engine === "onthefly" ? "" : `option engine=${engine}\n`;
const content = `set clients=${clients}\nproperty ${property}\n${options}\n${readFileSync(file, "utf8")}`;
const fragment = `#1.${deflateSync(Buffer.from(content)).toString("base64url")}`;

const site = await serve(process.env.DIST);
const browser = await launch();
try {
  const page = await browser.newPage();
  const start = performance.now();
  await page.goto(`${site.url}${fragment}`);
  const row = page.locator(`[data-property="${property}"]`);
  await row.locator(".badge:is(.is-good, .is-bad, .is-partial, .is-unknown)").first().waitFor({ timeout: 300_000 });
  const opening = performance.now() - start;
  const verdict = (await row.locator(".badge").first().innerText()).split(/\s+/).at(-1);
  const [, amount, unit] = (await row.innerText()).match(/([\d.]+) (ms|s|min)\b/) ?? [, "1", "ms"];
  console.log(verdict, Number(amount) * { ms: 1, s: 1_000, min: 60_000 }[unit], Math.round(opening));
} finally {
  await browser.close();
  await site.close();
}
