// Measures how evenly the page draws while it plays the search on the controller with 99 clients, 398 states.
//
//   CHROMIUM=... DIST=... node bench/frames.mjs MODEL-FILE STEPS-A-SECOND
//
// Prints how many frames there were, the median and the 95th percentile of the milliseconds between two of them, and what
// part of them came within 20 ms.

import { readFileSync } from "node:fs";
import { deflateSync } from "node:zlib";
import { launch } from "../e2e/browser.mjs";
import { serve } from "../e2e/server.mjs";

const [file, speed] = process.argv.slice(2);
const content = `set clients=99\nproperty mutual_exclusion_live\nview aqs\n\n${readFileSync(file, "utf8")}
ltl mutual_exclusion_live: G count(c in client: c.st == C) <= 1
`;
const fragment = `#1.${deflateSync(Buffer.from(content)).toString("base64url")}`;

const site = await serve(process.env.DIST);
const browser = await launch();
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(`${site.url}${fragment}`);
  await page.locator(".player-step").waitFor({ timeout: 60_000 });
  await page.locator('[data-property="mutual_exclusion_live"] .badge.is-good').waitFor({ timeout: 60_000 });
  // Everything else has been answered and drawn by then.
  await page.waitForTimeout(3_000);
  await page.locator(".player-speed select").selectOption(speed);
  await page.locator("[data-play=toggle]").click();
  const times = await page.evaluate(
    () =>
      new Promise((done) => {
        const times = [];
        let last = performance.now();
        const end = last + 10_000;
        const frame = (now) => {
          times.push(now - last);
          last = now;
          if (now < end) requestAnimationFrame(frame);
          else done(times);
        };
        requestAnimationFrame(frame);
      }),
  );
  const step = await page.locator(".player-step b").innerText();
  if (Number(step.replaceAll(",", "")) === 0) throw new Error("the search was not played");
  times.shift();
  times.sort((a, b) => a - b);
  const at = (part) => times[Math.floor(part * (times.length - 1))].toFixed(1);
  console.log(times.length, at(0.5), at(0.95), (times.filter((time) => time < 20).length / times.length).toFixed(3));
} finally {
  await browser.close();
  await site.close();
}
