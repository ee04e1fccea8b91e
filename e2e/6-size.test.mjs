// A browser must load little before the first picture.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { useSite } from "./site.mjs";

/** The first load is no more than this, compressed. */
const MOST = 700_000;

const compressed = (name) => gzipSync(readFileSync(path.join(process.env.DIST, name)), { level: 9 }).length;

const open = useSite();

test("the first picture, its search and all verdicts come with a small first load", () =>
  open(async (page) => {
    const asked = new Set();
    page.on("request", (request) => asked.add(new URL(request.url()).pathname.slice(1) || "index.html"));
    await page.reload();
    await page.waitForFunction(() => {
      const badges = [...document.querySelectorAll(".properties .badge")];
      const answered = badges.length > 0 && badges.every((badge) => !badge.classList.contains("is-waiting"));
      return answered && document.querySelector("#picture .graph-canvas") && document.querySelector(".player-step");
    });
    const first = [...asked];
    assert.ok(first.includes("index.html") && first.some((name) => name.endsWith(".wasm")), `${first}`);
    assert.ok(!first.some((name) => name.startsWith("orbitscope-engine")), "the engine was needed for the first picture");
    const total = first.reduce((sum, name) => sum + compressed(name), 0);
    const engine = compressed("orbitscope-engine_bg.wasm") + compressed("orbitscope-engine.js");
    console.log(`first load: ${total} bytes compressed in ${first.length} files; then the engine, ${engine}`);
    assert.ok(total <= MOST, `the first load has ${total} bytes compressed; at most ${MOST} are allowed`);
    // The engine comes by itself, so that nobody waits for it later.
    await page.waitForRequest(/orbitscope-engine_bg\.wasm/);
  }));
