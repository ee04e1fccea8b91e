// A person writes a model, and decides how it is checked.

import { test } from "node:test";
import { assert, look, pick, settled, step, useSite, verdict } from "./site.mjs";

const open = useSite();

test("typing is not taken by the player", () =>
  open(async (page) => {
    await look(page, "eventually_access");
    const source = page.locator("#source");
    const before = await source.inputValue();
    await source.click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("// a b  c");
    for (const key of ["ArrowLeft", "ArrowRight", "Home", "End"]) await page.keyboard.press(key);
    assert.equal(await source.inputValue(), `${before}// a b  c`);
    await settled(page);
    assert.equal((await step(page)).at, 0);
    assert.ok(await page.getByRole("button", { name: "Play", exact: true }).isVisible());
    await source.click();
    await page.keyboard.press("Control+z");
    assert.notEqual(await source.inputValue(), `${before}// a b  c`);
  }));

test("a broken model shows its error and keeps the last good picture", () =>
  open(async (page) => {
    await settled(page);
    const source = page.locator("#source");
    const text = await source.inputValue();
    const broken = text.replace("process client[clients] {", "process client[clients] {{");
    await source.fill(broken);
    const problem = page.locator(".problem").first();
    await problem.waitFor();
    assert.match(await problem.locator(".problem-message").innerText(), /^\d+:\d+ \S/);
    const [line, column] = (await problem.locator(".problem-place").innerText()).split(":").map(Number);
    assert.equal(await page.locator(".graph-canvas [data-node]").count(), 7);
    assert.match(await page.locator(".summary").innerText(), /last version/);
    assert.equal(await verdict(page, "always_idle_again"), "holds");
    await problem.locator(".problem-place").click();
    const start = await source.evaluate((area) => area.selectionStart);
    assert.equal(start, broken.split("\n").slice(0, line - 1).join("\n").length + 1 + column - 1);
    await source.fill(text);
    await problem.waitFor({ state: "detached" });
    await settled(page);
    assert.doesNotMatch(await page.locator(".summary").innerText(), /last version/);
  }));

test("names are completed", () =>
  open(async (page) => {
    await settled(page);
    const source = page.locator("#source");
    await source.click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("inva");
    await page.keyboard.press("Control+Space");
    await page.locator(".completion").first().waitFor();
    await page.keyboard.press("Enter");
    assert.match(await source.inputValue(), /invariant\s*$/);
  }));

test("a parameter changes the states, a wrong one is refused", () =>
  open(async (page) => {
    await settled(page);
    const value = page.locator("#param-clients");
    await value.fill("2");
    await page.locator(".views .tab", { hasText: "States 8" }).waitFor();
    await value.fill("0");
    await page.locator(".problem", { hasText: "must be in 1..1000000" }).waitFor();
    await value.fill("1000");
    await page.locator(".views .tab", { hasText: "AQS 2,000+" }).waitFor({ timeout: 30_000 });
    // Each state has a thousand edges: fewer are drawn.
    await page.locator(".views .tab", { hasText: "States 32+" }).waitFor({ timeout: 30_000 });
  }));

test("a million clients are answered about, and few of their states drawn; too large tables are refused", () =>
  open(async (page) => {
    await settled(page);
    await pick(page, "resource_controller");
    await page.locator("#param-clients").fill("1000000");
    const start = Date.now();
    await page.locator("[data-property=eventually_access]", { hasText: "one of 1,000,000 alike" }).waitFor({ timeout: 60_000 });
    console.log(`a million clients: violated after ${Date.now() - start} ms`);
    assert.equal(await verdict(page, "eventually_access"), "violated");
    await page.locator(".views .tab", { hasText: "AQS 24+" }).waitFor();
    await page.locator(".lanes, .run", { hasText: "alike" }).first().waitFor();
    await pick(page, "gossip");
    await page.locator("#param-n").fill("1000");
    await page.locator(".problem", { hasText: "the limit" }).waitFor();
  }));

test("an error while the model runs names the step and the state", () =>
  open(async (page) => {
    await settled(page);
    await page.locator("#source").fill("process p {\n  var x: 0..2 = 0\n  action up: true -> x := x + 1\n}\n");
    const message = page.locator(".problem-message").first();
    await message.waitFor();
    assert.match(await message.innerText(), /^3:\d+ value 3 outside .* executing p\.up, in the state p=2/);
  }));

test("fairness, engine, pruning and symmetry are choices", () =>
  open(async (page) => {
    await settled(page);
    assert.equal(await verdict(page, "always_idle_again"), "holds");
    await page.locator(".options > summary").click();
    await page.locator("#fairness").selectOption("none");
    await page.locator('[data-property="always_idle_again"] .badge.is-bad').waitFor();
    assert.match(await page.locator("#fairness-help").innerText(), /passed over/);
    await page.locator("#fairness").selectOption("weak");
    await page.locator('[data-property="always_idle_again"] .badge.is-good').waitFor();
    await page.locator("#symmetry").selectOption("not used");
    await page.locator(".views .tab", { hasText: "AQS 20" }).waitFor();
    await page.locator("#symmetry").selectOption("used");
    await page.locator(".views .tab", { hasText: "AQS 7" }).waitFor();
    await page.locator("#engine").selectOption("threaded");
    assert.ok(await page.locator("#prune").isDisabled());
    await page.locator('[data-property="can_enter"] .badge', { hasText: "unknown" }).waitFor();
    await settled(page);
    assert.equal(await verdict(page, "eventually_access"), "violated");
  }));

test("a long check is stopped, and what was found is kept as partial", () =>
  open(async (page) => {
    await pick(page, "resource_controller");
    await page.locator(".options > summary").click();
    await page.locator("#engine").selectOption("explicit");
    await page.locator("#param-clients").fill("40");
    await page.locator(".progress-counts", { hasText: /states · .* edges .* a second/ }).waitFor({ timeout: 30_000 });
    const start = Date.now();
    await page.locator(".stop").click();
    await page.locator(".property .badge", { hasText: "partial" }).waitFor();
    console.log(`Stop was answered after ${Date.now() - start} ms, with the browser's own delays`);
    await page.locator(".again").waitFor();
    await page.locator(".progress .tag.is-partial").waitFor();
    assert.match(await page.locator(".property-note").first().innerText(), /so far/);
    // It goes on from the beginning when one wants it.
    await page.locator("#engine").selectOption("on the fly");
    await settled(page);
    assert.equal(await verdict(page, "eventually_access"), "violated");
  }));

test("an engine that says nothing is started anew", () =>
  open(async (page) => {
    await page.addInitScript(() => {
      const True = Worker;
      window.workers = 0;
      window.Worker = function (...how) {
        window.workers += 1;
        if (window.workers > 1) return new True(...how);
        // It says that it is ready, and nothing else, ever.
        const silent = Object.assign(new EventTarget(), { postMessage() {}, terminate() {} });
        setTimeout(() => silent.dispatchEvent(new MessageEvent("message", { data: new Uint8Array([0]) })));
        return silent;
      };
    });
    await page.reload();
    await page.waitForSelector("#source");
    await page.locator("#source").click();
    await page.keyboard.type("// x\n");
    await page.waitForFunction(() => window.workers > 1);
    await settled(page);
    assert.equal(await verdict(page, "always_idle_again"), "holds");
    // Once is enough.
    await page.waitForTimeout(4000);
    assert.equal(await page.evaluate(() => window.workers), 2);
  }));
