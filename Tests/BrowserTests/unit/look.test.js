import assert from "node:assert/strict";
import test from "node:test";
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
