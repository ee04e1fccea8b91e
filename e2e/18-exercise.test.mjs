// A student opens an exercise from a link: the task, hints one by one, and marks that follow the text.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { deflateSync } from "node:zlib";
import { source, text, useProfiles } from "./profile.mjs";
import { SIZES } from "./site.mjs";

const { withProfile } = useProfiles();

const root = new URL("../", import.meta.url).pathname;
/** The link of a lab, as a teacher makes it. */
const lab = (name) => {
  const line = execFileSync(process.env.ORBITSCOPE, ["link", `docs/labs/${name}`], { cwd: root, encoding: "utf8" });
  return line.slice(line.indexOf("#")).trim();
};
const packed = (content) => deflateSync(Buffer.from(content)).toString("base64url");
const MODEL = "process p[2] { var x: bool = false action go: x -> x := true }\n";
/** A link around any exercise. */
const linked = (exercise) => `#2.${packed(`\n${MODEL}`)}.${packed(exercise)}`;

const states = (page) => page.locator(".exercise-check").evaluateAll((rows) => rows.map((row) => row.dataset.state));
const marked = (page) => page.waitForFunction(() => {
  const rows = [...document.querySelectorAll(".exercise-check")];
  return rows.length > 0 && rows.every((row) => row.dataset.state !== "waiting");
});

test("a lab is solved on the page: task, one hint, marks, what there was to notice", () =>
  withProfile(async (open) => {
    const page = await open(lab("1-first-steps"));
    await marked(page);
    assert.equal(await page.locator(".exercise-title").innerText(), "First steps");
    assert.match(await page.locator(".exercise-task").innerText(), /Three users share a printer/);
    assert.doesNotMatch(await page.locator(".exercise").innerText(), /For teachers|What you should notice/i);
    assert.deepEqual(await states(page), ["unmet", "unmet", "met", "met"]);
    assert.equal(await page.locator(".exercise-count").innerText(), "2 of 4 points");
    // The run of what is not met stands under it.
    assert.match(await page.locator(".exercise-why").first().innerText(), /should hold[^]*user\[1\]\.print/);
    await page.locator(".exercise-hint").first().click();
    assert.equal(await page.locator(".exercise-told").count(), 1);
    assert.match(await page.locator(".exercise-told").innerText(), /Look at the run/);
    // What is typed is marked by itself.
    const start = await text(page);
    await source(page).fill(start.replace("print: st == waiting", "print: st == waiting and not exists u in user: u.st == printing"));
    await page.locator(".exercise.is-met").waitFor();
    assert.deepEqual(await states(page), ["met", "met", "met", "met"]);
    assert.match(await page.locator(".exercise-notice").innerText(), /any two users/);
    // An error is told with its line; a reload brings text and exercise back.
    await source(page).fill(`${start}}\n`);
    await page.waitForFunction(() => document.querySelector(".exercise-why")?.textContent.includes("has an error in line"));
    await source(page).fill(start.replace("users = 3", "users = 2"));
    await page.waitForFunction(() => location.hash === "");
    await marked(page);
    await page.waitForTimeout(600);
    await page.reload();
    await marked(page);
    assert.match(await text(page), /users = 2/);
    assert.equal(await page.locator(".exercise-title").innerText(), "First steps");
    await page.locator(".exercise-away").click();
    assert.equal(await page.locator(".exercise").count(), 0);
    await page.reload();
    await page.waitForSelector("main");
    assert.match(await text(page), /users = 2/);
    assert.equal(await page.locator(".exercise").count(), 0);
  }));

test("a link that comes while the page is open brings its exercise, in the place of the one before", () =>
  withProfile(async (open) => {
    const page = await open();
    for (const [name, title] of [["2-deadlock", /deadlock/i], ["4-symmetry", /symmetry/i]]) {
      await page.evaluate((hash) => (location.hash = hash), lab(name));
      await page.locator(".exercise-title", { hasText: title }).waitFor();
      await marked(page);
      assert.equal(await page.locator(".exercise").count(), 1);
      assert.ok((await states(page)).includes("unmet"));
    }
    // A link to a model alone puts it away.
    await page.evaluate((hash) => (location.hash = hash), `#1.${packed(`\n${MODEL}`)}`);
    await page.locator(".exercise").waitFor({ state: "detached" });
  }));

test("what is hidden is marked, and stays hidden", () =>
  withProfile(async (open) => {
    const checks = [
      { property: "on", verdict: "holds", hidden: true, points: 3 },
      { property: "off", verdict: "holds" },
    ];
    const exercise = { title: "<b>A lamp</b>", task: "Switch it *on*.\n\n- `x`\n- <i>y</i>", properties: "cover on: p[0].x\ncover off: not p[0].x\n", checks };
    const page = await open(linked(JSON.stringify({ format: 1, exercise })));
    await marked(page);
    assert.deepEqual(await states(page), ["unmet", "met"]);
    const words = await page.locator(".exercise-check").first().innerText();
    assert.match(words, /a hidden check/);
    assert.doesNotMatch(words, /\bon\b/);
    assert.equal(await page.locator(".exercise-count").innerText(), "1 of 4 points");
    // Words of others are text, never markup.
    assert.equal(await page.locator(".exercise-title").innerText(), "<b>A lamp</b>");
    assert.equal(await page.locator(".exercise-task i").count(), 0);
    assert.equal(await page.locator(".exercise-task li").count(), 2);
  }));

for (const [name, exercise, words] of [
  ["that is damaged", "{", /cannot be shown: it is damaged/],
  ["of a later version", JSON.stringify({ format: 9, riddle: 1 }), /format 9, and the newest one known here is 1/],
  ["that asks nothing", JSON.stringify({ format: 1, exercise: { title: "x", checks: [] } }), /nothing is asked/],
]) {
  test(`an exercise ${name} is told, and its model opens`, () =>
    withProfile(async (open) => {
      const page = await open(linked(exercise));
      await page.locator(".exercise-trouble", { hasText: words }).waitFor();
      assert.equal(await text(page), MODEL);
      await page.locator(".exercise-away").click();
      assert.equal(await page.locator(".exercise").count(), 0);
    }));
}

for (const viewport of SIZES) {
  test(`the panel fits ${viewport.width} by ${viewport.height}`, () =>
    withProfile(async (open) => {
      const page = await open(lab("1-first-steps"));
      await marked(page);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "it is scrolled sideways");
      const box = await page.locator(".exercise").boundingBox();
      assert.ok(box.x >= 0 && box.x + box.width <= viewport.width && box.y >= 0 && box.y + box.height <= viewport.height, JSON.stringify(box));
      await page.locator(".exercise-toggle").click();
      assert.ok(!(await page.locator(".exercise-body").isVisible()));
      assert.ok(await page.locator(".exercise-count").isVisible());
      await page.locator(".exercise-toggle").press("Enter");
      assert.ok(await page.locator(".exercise-body").isVisible());
    }, { viewport }));
}
