import assert from "node:assert/strict";
import test from "node:test";
import { Filter, matchesName, matchesSearch, placesIn } from "../../../Web/js/filter.js";

const at = (floor, building, more = {}) => ({ id: "a", source: "s", status: "live", floor, building, position: { lat: 1, lon: 2 }, ...more });

function filter(values) {
    return Object.assign(new Filter(), values);
}

test("A floor shows its own locations and those without one", () => {
    const ground = filter({ floor: 0 });
    assert.deepEqual([at(0), at(10), at(undefined), at(-10)].map((it) => ground.takes(it)), [true, false, true, false]);
});

test("A lost location is on the floor where it was last", () => {
    const lost = at(10, undefined, { position: null, lastPosition: { lat: 1, lon: 2, floor: 20 } });
    assert.equal(filter({ floor: 20 }).takes(lost), true);
    assert.equal(filter({ floor: 10 }).takes(lost), false);
});

test("Sources and statuses are hidden one by one, buildings chosen", () => {
    assert.equal(filter({ hiddenSources: new Set(["s"]) }).takes(at(0)), false);
    assert.equal(filter({ hiddenStatuses: new Set(["live"]) }).takes(at(0)), false);
    assert.equal(filter({ building: "North" }).takes(at(0, "South")), false);
    assert.equal(filter({ building: "North" }).takes(at(0)), true);
});

test("All words must be somewhere in what it is called, whatever their case", () => {
    const state = { id: "v3", source: "vacuums", name: "Émile", room: { id: "k1", name: "Kitchen" } };
    assert.equal(matchesSearch(state, "  ÉMILE kitch "), true);
    assert.equal(matchesSearch(state, "émile cellar"), false);
    assert.equal(matchesSearch(state, ""), true);
});

test("What is searched for and on another floor is elsewhere; what is hidden is nowhere", () => {
    const ground = filter({ floor: 0, search: "a" });
    assert.deepEqual([at(0), at(10), at(10, undefined, { id: "b", source: "x" })].map((it) => ground.isElsewhere(it)), [false, true, false]);
    assert.equal(filter({ floor: 0, search: "a", hiddenSources: new Set(["s"]) }).isElsewhere(at(10)), false);
});

test("A name is what it is called, not where it is", () => {
    const state = { id: "v3", source: "vacuums", name: "Vacuum 3", room: { id: "k1", name: "Store 1" } };
    assert.equal(matchesName(state, "vac 3"), true);
    assert.equal(matchesName(state, "vac 1"), false);
});

test("Floors stand from the top down, of the chosen building alone; those of the plan are there without anybody", () => {
    const states = [at(0, "North"), at(20, "North"), at(0, "North"), at(5, "South"), at(undefined)];
    const plan = [{ building: "North", floor: -10 }, { building: "South", floor: 30 }];
    const { floors, buildings } = placesIn(states, filter({ building: "North" }), plan);
    assert.deepEqual([...floors], [[20, 1], [0, 2], [-10, 0]]);
    assert.deepEqual([...buildings], [["North", 3], ["South", 1]]);
});
