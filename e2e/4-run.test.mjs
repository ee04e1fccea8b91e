// A person reads the counterexample.

import { test } from "node:test";
import { assert, look, pick, settled, useSite } from "./site.mjs";

const open = useSite();

test("lanes, the loop and the ledger", () =>
  open(async (page) => {
    await look(page, "eventually_access");
    const lanes = page.locator(".lanes .lane .lane-name");
    assert.deepEqual(await lanes.allInnerTexts(), ["client[0]", "client[1]", "client[2]"]);
    assert.match(await page.locator(".band-loop").innerText(), /loop/);
    assert.equal(await page.locator(".ledger-line").count(), 3);
    assert.ok((await page.locator(".lane-action").count()) > 2);
  }));

test("a chosen step lights up its lane, its node and its line", () =>
  open(async (page) => {
    await look(page, "eventually_access");
    await page.locator(".views [data-view=Product]").click();
    await page.locator(".graph-canvas [data-node='11']").waitFor({ state: "attached" });
    await page.locator(".lane-step").nth(1).click();
    assert.equal(await page.locator(".lane-step[aria-checked=true]").count(), 1);
    assert.ok((await page.locator(".editor-lines .is-lit").count()) > 0);
    await page.keyboard.press("ArrowRight");
    assert.equal(await page.locator(".lane-step[aria-checked=true]").getAttribute("data-column"), "2");
  }));

test("the same run in the numbers of the representatives", () =>
  open(async (page) => {
    await look(page, "eventually_access");
    const before = await page.locator(".lanes").innerText();
    await page.locator(".run-toggle .toggle", { hasText: "representatives" }).click();
    await page.locator(".lane.is-turns").waitFor();
    assert.notEqual(await page.locator(".lanes").innerText(), before);
  }));

test("an invariant has a path, and so has a deadlock", () =>
  open(async (page) => {
    await settled(page);
    await page.locator("#source").fill(
      "process p[2] {\n  var x: 0..2 = 0\n  action up: x < 2 -> x := x + 1\n}\ninvariant low: forall q in p: q.x < 2\n",
    );
    await page.locator('[data-property="low"] .badge.is-bad').waitFor();
    await page.locator('[data-property="low"]').click();
    assert.equal(await page.locator(".lane-step").count(), 3);
    await page.locator(".deadlock .badge.is-bad").waitFor();
    assert.match(await page.locator(".deadlock").innerText(), /deadlock/);
  }));

test("a branching-time property has its evidence", () =>
  open(async (page) => {
    await pick(page, "resource_controller");
    await look(page, "can_always_request", { film: false });
    assert.match(await page.locator(".why").innerText(), /holds/);
  }));
