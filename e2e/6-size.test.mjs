// What a browser loads first must be small.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";

/** So many bytes, compressed, may be loaded. */
const MOST = 700_000;

test("the whole site is small", () => {
  const folder = process.env.DIST;
  const files = readdirSync(folder).map((name) => [name, gzipSync(readFileSync(path.join(folder, name)), { level: 9 }).length]);
  const total = files.reduce((sum, [, size]) => sum + size, 0);
  const [largest, size] = files.reduce((a, b) => (b[1] > a[1] ? b : a));
  console.log(`first load: ${total} bytes compressed, of which ${size} are ${largest}`);
  assert.ok(total <= MOST, `the site has ${total} bytes compressed; at most ${MOST} are allowed`);
});
