// What a mark says of its number: one rule for every chart and table.
import "../../tools/dom.mjs";
import assert from "node:assert/strict";
import {test} from "./limits.mjs";
import {drawn, linked, reasons, status, written} from "../components/marks.js";
import {messages} from "../components/messages.js";
import {linesOf} from "../components/tips.js";

const t = messages("en");

test("a measured number is filled and has nothing beside it", () => {
  const its = status({value_kind: "measured"});
  assert.deepEqual([its.hollow, its.struck, its.bound, its.reasons], [false, false, null, []]);
  assert.equal(reasons({value_kind: "measured"}, t), null);
});

test("a bound, the end of a sweep and a full load generator are at least this much, with an arrow and a reason", () => {
  for (const row of [{value_kind: "lower_bound"}, {is_peak_at_edge: true}, {reservations: ["changed kernel", "generator bound"]}, {reservations: ["host limited"]}]) {
    const its = status(row);
    assert.equal(its.bound, "at_least");
    assert.equal(written("136 k", its), "≥ 136 k");
    assert.equal(drawn({x: 0, y: 0, media_class: "hdd", ...its}).querySelectorAll("path").length, 2);
    assert.ok(reasons(row, t));
  }
  assert.equal(written("136 k", status({value_kind: "upper_bound"})), "≤ 136 k");
});

test("what a cache or blocks never written answered is hollow and struck through", () => {
  for (const exclusions of [["served by a cache"], ["area not written before"], ["short run", "drive nearly empty"]]) {
    const its = status({exclusions});
    assert.deepEqual([its.struck, its.hollow, its.excluded], [true, true, true]);
    assert.equal(drawn({x: 0, y: 0, media_class: "ssd_sata", ...its}).querySelectorAll("path").length, 2);
  }
  assert.equal(status({exclusions: ["measured under a profiler"]}).struck, false);
});

test("about, minimum, magazine and specification have their marks and words", () => {
  assert.equal(written("20.2 k", status({value_kind: "approximate"})), "≈ 20.2 k");
  assert.ok(status({value_kind: "approximate"}).hollow);
  assert.ok(status({statistic: "min"}).hollow);
  assert.match(reasons({source_type: "press"}, t), /magazine/);
  assert.match(reasons({origin: "stated"}, t), /not measured/);
});

test("every mark that leads to a number is a link of at least 24 px with a name", () => {
  const mark = linked({href: "p/1", lines: ["Drive", null, "58.6 IOPS"], x: 10, y: 10}, drawn({x: 10, y: 10, media_class: "hdd"}));
  assert.equal(mark.localName, "a");
  assert.equal(mark.getAttribute("aria-label"), "Drive; 58.6 IOPS");
  assert.deepEqual(linesOf(mark), ["Drive", "58.6 IOPS"]);
  assert.equal(mark.dataset.tip, "", "what the name says is not written twice");
  assert.deepEqual([mark.querySelector("rect").getAttribute("width"), mark.querySelector("rect").getAttribute("height")], ["24", "24"]);
  const still = linked({href: null, lines: ["Drive"], x: 0, y: 0}, drawn({x: 0, y: 0, media_class: "hdd"}));
  assert.equal(still.getAttribute("role"), "img");
});
