import assert from "node:assert/strict";
import test from "node:test";
import { overlap, panToShow } from "../../../Web/js/callout-place.js";
import { bandsOf, ringOf } from "../../../Web/js/band.js";
import { contrastOn, parseColour, severity } from "../../../Web/js/colour.js";
import { panNeeded } from "../../../Web/js/follow.js";
import { fill, valueAt } from "../../../Web/js/template.js";
import { ageText } from "../../../Web/js/words.js";
import { iconPath } from "../../../Web/js/icons.js";

const [red, yellow, green, grey] = ["#ff0000", "#ffff00", "#008000", "#808080"];
const looks = (...colors) => colors.map((color) => ({ color, priority: 0 }));

test("A cluster has the colour of the worst in it: red before yellow before green before grey", () => {
    assert.equal(bandsOf(looks(green, yellow, green)).worst, yellow);
    assert.deepEqual(bandsOf(looks(grey, green, red, green)).bands, [[red, 1], [green, 2], [grey, 1]]);
    const severities = [red, "#ff8800", yellow, green, "#0000ff", grey].map(severity);
    assert.deepEqual([...severities].sort((a, b) => b - a), severities);
});

test("clusterPriority overrules the colour", () => {
    assert.equal(bandsOf([{ color: red, priority: 0 }, { color: green, priority: 1 }]).worst, green);
});

test("A ring has each colour's share", () => {
    assert.equal(ringOf([[red, 1], [green, 3]]), "conic-gradient(#ff0000 0.0deg 90.0deg, #008000 90.0deg 360.0deg)");
});

test("Colours are read with and without opacity, and nothing else is", () => {
    assert.deepEqual(parseColour("#3388ff80"), { r: 51, g: 136, b: 255, a: 128 / 255 });
    for (const text of ["red", "#fff", "#3388ff8", "url(x)", undefined, null]) assert.equal(parseColour(text), null);
    assert.equal(contrastOn(yellow), "#16202c");
    assert.equal(contrastOn(green), "#ffffff");
});

test("The map pans when what is followed nears an edge, so that it is in the middle again", () => {
    const size = { x: 1000, y: 500 };
    assert.equal(panNeeded({ x: 500, y: 250 }, size), null);
    assert.equal(panNeeded({ x: 90, y: 410 }, size), null);
    assert.deepEqual(panNeeded({ x: 89, y: 250 }, size), [-411, 0]);
    assert.deepEqual(panNeeded({ x: 500, y: 411 }, size), [0, 161]);
    assert.deepEqual(panNeeded({ x: -2000, y: 250 }, size), [-2500, 0]);
});

const rectangle = (left, top, width, height) => ({ left, top, width, height, right: left + width, bottom: top + height });

test("A callout is brought into view, beside the floors where there is room, else in their place, and from its beginning", () => {
    const [map, floors, none] = [rectangle(0, 50, 390, 700), rectangle(330, 62, 48, 300), rectangle(0, 0, 0, 0)];
    const pan = (left, top, width, beside = floors, within = map) => panToShow(rectangle(left, top, width, 200), within, beside);
    assert.equal(pan(20, 100, 270), null);
    assert.deepEqual(pan(60, 100, 270), [12, 0]);
    assert.equal(pan(60, 100, 270, none), null);
    assert.deepEqual(pan(-20, 20, 270), [-32, -42]);
    assert.deepEqual(pan(20, 600, 270), [0, 62]);
    // Too narrow for both: as if there were no floors.
    assert.deepEqual(pan(100, 100, 310), [32, 0]);
    // Too narrow for it alone: its left side is seen.
    assert.deepEqual(pan(5, 100, 380), [-7, 0]);
    assert.deepEqual(pan(30, 100, 380), [18, 0]);
});

test("What has no size overlaps nothing", () => {
    assert.equal(overlap(rectangle(0, 0, 10, 10), rectangle(9, 9, 5, 5)), true);
    assert.equal(overlap(rectangle(0, 0, 10, 10), rectangle(10, 0, 5, 5)), false);
    assert.equal(overlap(rectangle(0, 0, 10, 10), rectangle(0, 0, 0, 0)), false);
});

test("Placeholders are filled in once, from own members alone", () => {
    const values = { name: "{{secret}}", secret: "x", properties: { state: "docked" }, zero: 0 };
    assert.equal(fill("{{name}} is {{ properties.state }}, {{zero}}{{nothing.at.all}}", values), "{{secret}} is docked, 0");
    assert.equal(valueAt(values, "constructor"), undefined);
    assert.equal(valueAt(values, "name.length"), undefined);
});

test("Ages are said coarsely, and never as the future", () => {
    const now = Date.parse("2026-11-30T12:00:00Z");
    const ages = ["2026-11-30T12:00:09Z", "2026-11-30T11:59:21Z", "2026-11-30T11:50:00Z", "2026-11-20T12:00:00Z", undefined];
    assert.deepEqual(ages.map((time) => ageText(time, now)), ["now", "39 s ago", "10 min ago", "10 days ago", ""]);
});

test("An icon's file is in the folder, whatever it is called", () => {
    assert.equal(iconPath("robot vacuum#1?.svg"), "icons/robot%20vacuum%231%3F.svg");
    assert.equal(iconPath("../secret.svg"), "icons/..%2Fsecret.svg");
});
