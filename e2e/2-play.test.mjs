// A person plays, pauses, steps, steps back and drags the line of time.

import { test } from "node:test";
import { assert, atStep, frame, look, pick, picture, settled, step, useSite } from "./site.mjs";

const open = useSite();

test("playing goes to the verdict and ends there", () =>
  open(async (page) => {
    await look(page, "eventually_access");
    await page.locator(".player-speed select").selectOption("60");
    const { of } = await step(page);
    await page.getByRole("button", { name: "Play", exact: true }).click();
    await atStep(page, of);
    assert.match(await page.locator(".narration").innerText(), /^Violated/);
    await page.getByRole("button", { name: "Play", exact: true }).waitFor();
    await page.waitForTimeout(200);
    assert.deepEqual(await step(page), { at: of, of });
    // Once more, and pause on the way.
    await page.locator(".player-speed select").selectOption("8");
    await page.getByRole("button", { name: "Play", exact: true }).click();
    await atStep(page, 2);
    await page.getByRole("button", { name: "Pause", exact: true }).click();
    const { at } = await step(page);
    await page.waitForTimeout(400);
    assert.equal((await step(page)).at, at);
    assert.ok(at < of);
  }));

test("the keys", () =>
  open(async (page) => {
    await look(page, "eventually_access");
    const { of } = await step(page);
    // A button that has the focus keeps Space for itself.
    await page.locator("body").click({ position: { x: 2, y: 2 } });
    await page.evaluate(() => document.activeElement?.blur());
    await page.keyboard.press("End");
    await atStep(page, of);
    await page.keyboard.press("ArrowLeft");
    await atStep(page, of - 1);
    await page.keyboard.press("Home");
    await atStep(page, 0);
    await page.keyboard.press("ArrowRight");
    await atStep(page, 1);
    await page.keyboard.press("Space");
    await page.getByRole("button", { name: "Pause", exact: true }).waitFor();
    await page.keyboard.press("Space");
    await page.getByRole("button", { name: "Play", exact: true }).waitFor();
  }));

test("the ticks, the algorithm and the stack follow the steps", () =>
  open(async (page) => {
    await look(page, "always_idle_again");
    const kinds = await page.locator(".timeline-marks [data-kind]").evaluateAll((ticks) =>
      ticks.filter((tick) => tick.getAttribute("d")).map((tick) => tick.dataset.kind),
    );
    for (const kind of ["push", "pop", "back edge", "join", "pruned", "component", "verdict"]) {
      assert.ok(kinds.includes(kind), `${kind} is not in ${kinds}`);
    }
    await page.evaluate(() => document.activeElement?.blur());
    await page.keyboard.press("ArrowRight");
    await atStep(page, 1);
    assert.equal(await page.locator(".stack-rows > li[data-node]").count(), 1);
    await page.locator("[data-side=Algorithm]").click();
    assert.ok((await page.locator(".algorithm-line.is-lit").count()) > 0);
  }));

/** Every picture of a search, from the first step on. */
async function replay(page) {
  const { of } = await step(page);
  const pictures = [];
  await page.evaluate(() => document.activeElement?.blur());
  await page.keyboard.press("Home");
  await atStep(page, 0);
  for (let at = 0; ; at += 1) {
    pictures.push(await picture(page));
    if (at === of) return pictures;
    await page.keyboard.press("ArrowRight");
    await atStep(page, at + 1);
  }
}

for (const side of ["Stack", "Algorithm"]) {
  test(`every step forward then back gives identical pictures, beside ${side}`, () =>
    open(async (page) => {
      await look(page, "eventually_access");
      await page.locator(`[data-side=${side}]`).click();
      const pictures = await replay(page);
      assert.ok(new Set(pictures).size > pictures.length / 2);
      for (let at = pictures.length - 2; at >= 0; at -= 1) {
        await page.keyboard.press("ArrowLeft");
        await atStep(page, at);
        assert.equal(await picture(page), pictures[at], `step ${at}`);
      }
    }));
}

test("200 random scrubs equal a fresh replay", () =>
  open(async (page) => {
    await look(page, "always_idle_again");
    await page.locator(".views [data-view=Product]").click();
    await page.locator(".summary", { hasText: "26 nodes" }).waitFor();
    const pictures = await replay(page);
    await page.reload();
    await settled(page);
    await page.locator(".views [data-view=Product]").click();
    await page.locator(".summary", { hasText: "26 nodes" }).waitFor();
    const line = await page.locator(".timeline-line").boundingBox();
    const random = generator(20260711);
    const seen = new Set();
    for (let scrub = 0; scrub < 200; scrub += 1) {
      await page.mouse.click(line.x + random() * line.width, line.y + line.height / 2);
      await frame(page);
      const { at } = await step(page);
      seen.add(at);
      assert.equal(await picture(page), pictures[at], `scrub ${scrub}, step ${at}`);
    }
    assert.ok(seen.size > pictures.length / 3, `${seen.size} of ${pictures.length}`);
  }));

test("dragging the line of time", () =>
  open(async (page) => {
    await look(page, "eventually_access");
    const line = await page.locator(".timeline-line").boundingBox();
    await page.mouse.move(line.x + 5, line.y + line.height / 2);
    await page.mouse.down();
    await page.mouse.move(line.x + line.width / 2, line.y + line.height / 2, { steps: 5 });
    const { at: middle, of } = await step(page);
    assert.ok(middle > 0 && middle < of);
    await page.mouse.move(line.x + line.width + 50, line.y + line.height / 2, { steps: 5 });
    await page.mouse.up();
    await atStep(page, of);
  }));

test("frame times while the 398 states are played", () =>
  open(async (page) => {
    await pick(page, "resource_controller");
    await page.locator(".param-value").first().fill("99");
    await page.locator(".views .tab", { hasText: "AQS 398" }).waitFor({ timeout: 30_000 });
    await settled(page);
    await look(page, "eventually_access");
    await page.locator(".player-speed select").selectOption("16");
    await page.evaluate(() => document.activeElement?.blur());
    await page.keyboard.press("Space");
    const times = await page.evaluate(
      () =>
        new Promise((done) => {
          const times = [];
          let last = performance.now();
          const tick = (now) => {
            times.push(now - last);
            last = now;
            if (times.length < 150) requestAnimationFrame(tick);
            else done(times.slice(1));
          };
          requestAnimationFrame(tick);
        }),
    );
    times.sort((a, b) => a - b);
    const at = (share) => times[Math.floor(share * (times.length - 1))].toFixed(1);
    console.log(`frame times in ms: median ${at(0.5)}, 95 % ${at(0.95)}, longest ${at(1)} (${times.length} frames)`);
  }));

/** Numbers from 0 to 1, the same ones each time. */
function generator(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
