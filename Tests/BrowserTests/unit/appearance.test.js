import assert from "node:assert/strict";
import test from "node:test";
import { appearanceOf, iconKey, placeOf, styleKey } from "../../../Web/js/appearance.js";

const position = { lat: 57, lon: 9.9 };
const robot = (more = {}, display = {}) => ({ id: "r", source: "s", name: "R", status: "live", position, ...more, display });

test("What no rule sets has the documented default", () => {
    const look = appearanceOf(robot(), 17);
    assert.deepEqual(
        [look.icon, look.color, look.opacity, look.size, look.rotation, look.label], ["marker", "#3388ff", 1, 1, null, ""]);
});

test("Neither invisible locations nor those outside of their zooms are drawn", () => {
    assert.equal(appearanceOf(robot({}, { visible: false }), 17), null);
    assert.equal(appearanceOf(robot({}, { zoomFrom: 17 }), 16.5), null);
    assert.notEqual(appearanceOf(robot({}, { zoomFrom: 17, zoomTo: 18 }), 18), null);
    assert.equal(appearanceOf(robot({}, { zoomTo: 18 }), 18.5), null);
});

test("Icon and label have zooms of their own; with neither there is nothing to draw", () => {
    const display = { label: "R", iconZoomFrom: 18, labelZoomTo: 19 };
    assert.deepEqual([16, 18, 20].map((zoom) => {
        const look = appearanceOf(robot({}, display), zoom);
        return [look.hasIcon, look.label];
    }), [[false, "R"], [true, "R"], [true, ""]]);
    assert.equal(appearanceOf(robot({}, { iconZoomFrom: 18 }), 17), null);
});

test("A lost location is drawn where it was last, and said to be so", () => {
    const lastPosition = { lat: 57.1, lon: 9.8, floor: 20 };
    assert.deepEqual(placeOf(robot({ position: null, lastPosition, floor: 10 })), { lat: 57.1, lon: 9.8, floor: 20, isLast: true });
    assert.equal(appearanceOf(robot({ position: null }), 17), null);
});

test("The raw position is taken on demand, and where there is none the other one is", () => {
    const rawPosition = { lat: 57.2, lon: 9.7 };
    const place = (mode, more = { rawPosition }) => {
        const { lat, rawLat } = placeOf(robot(more), mode);
        return [lat, rawLat];
    };
    assert.deepEqual(place("current"), [57, undefined]);
    assert.deepEqual(place("raw"), [57.2, undefined]);
    assert.deepEqual(place("matched"), [57, 57.2]);
    assert.deepEqual(place("raw", {}), [57, undefined]);
    assert.deepEqual(place("matched", {}), [57, undefined]);
});

test("Turning and moving change no key; colour, and whether there is a heading, do", () => {
    const look = (display, more) => appearanceOf(robot(more, display), 17);
    const north = look({ iconRotation: 0 });
    assert.equal(iconKey(north), iconKey(look({ iconRotation: 123.4 })));
    assert.equal(styleKey(north), styleKey(look({ iconRotation: 0 }, { position: { lat: 56, lon: 9 } })));
    assert.notEqual(iconKey(north), iconKey(look({})));
    assert.notEqual(iconKey(north), iconKey(look({ iconRotation: 0, iconColor: "#ff0000" })));
    assert.notEqual(styleKey(north), styleKey(look({ iconRotation: 0 }, { status: "stale" })));
    assert.notEqual(styleKey(north), styleKey(look({ iconRotation: 0, label: "x" })));
});

test("What is no colour never gets into a style", () => {
    assert.equal(appearanceOf(robot({}, { iconColor: 'red"/><script>' }), 17).color, "#3388ff");
    assert.equal(appearanceOf(robot({}, { iconColor: "#FF000080" }), 17).color, "#ff000080");
});
