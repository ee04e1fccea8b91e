// What a browser loads first must be small.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";

/** The first load should be no more than this, compressed; it is not there yet. */
const AIM = 700_000;
/** It must not grow beyond this. */
const MOST = 1_000_000;

test("the whole site does not grow", () => {
  const folder = process.env.DIST;
  const files = readdirSync(folder).map((name) => [name, gzipSync(readFileSync(path.join(folder, name)), { level: 9 }).length]);
  const total = files.reduce((sum, [, size]) => sum + size, 0);
  const [largest, size] = files.reduce((a, b) => (b[1] > a[1] ? b : a));
  console.log(`first load: ${total} bytes compressed, ${total - AIM} more than the aim; ${size} are ${largest}`);
  assert.ok(total <= MOST, `the site has ${total} bytes compressed; at most ${MOST} are allowed`);
});
