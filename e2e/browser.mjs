// A headless Chromium and pages that record what should not happen.

import assert from "node:assert/strict";
import { after, before } from "node:test";
import { chromium } from "playwright-core";
import { serve } from "./server.mjs";

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** The browser that $CHROMIUM names. */
export function launch() {
  return chromium.launch({ executablePath: process.env.CHROMIUM, args: FLAGS });
}

/** Starts a browser, and a server for the built site, for the tests of a file. */
export function useBrowser() {
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
  return { browser: () => browser, home: () => site.url };
}

/**
 * Opens `url` in a fresh profile, waits for the program and runs `use` with the page. Whatever `use` does, the
 * page must not have written an error or a warning to the console, nor asked for anything outside its folder.
 */
export async function withPage(browser, url, options, use) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
  context.setDefaultTimeout(20_000);
  const complaints = [];
  const page = await context.newPage();
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => complaints.push(`uncaught: ${error.message}`));
  page.on("requestfailed", (request) => complaints.push(`failed: ${request.url()}`));
  page.on("request", (request) => {
    if (!request.url().startsWith(url)) complaints.push(`outside the site: ${request.url()}`);
  });
  try {
    await page.goto(url);
    await page.waitForSelector("main");
    await use(page);
    assert.deepEqual(complaints, []);
  } finally {
    await context.close();
  }
}
