import assert from "node:assert/strict";
import test from "node:test";
import { FrameQueue } from "../../../Web/js/frame.js";
import { Fleet, keyOf } from "../../../Web/js/fleet.js";

const state = (id, charge) => ({ source: "s", id, charge });

function made() {
    const told = [];
    return [new Fleet((keys) => told.push(keys)), told];
}

test("Ids of two sources never have one key", () => {
    assert.notEqual(keyOf("a", "bc"), keyOf("ab", "c"));
    assert.notEqual(keyOf("a", ":b"), keyOf("a:", "b"));
});

test("Deltas change and remove, and tell of what", () => {
    const [fleet, told] = made();
    fleet.take("snapshot", { complete: true, locations: [state("a", 1), state("b", 2)] });
    fleet.take("delta", { complete: true, locations: [state("a", 3)], removed: [{ source: "s", id: "b" }, { source: "s", id: "x" }] });
    assert.deepEqual([...fleet.locations.values()], [state("a", 3)]);
    assert.deepEqual(told.at(-1), [keyOf("s", "a"), keyOf("s", "b")]);
});

test("A new snapshot in parts removes what is in none of them, and only at its end", () => {
    const [fleet, told] = made();
    fleet.take("snapshot", { complete: true, locations: [state("a"), state("b"), state("c")], sources: [{ source: "s" }, { source: "t" }] });
    fleet.take("snapshot", { complete: false, locations: [state("a")], sources: [{ source: "s" }] });
    assert.equal(fleet.locations.size, 3);
    fleet.take("delta", { complete: true, locations: [state("b")] });
    assert.deepEqual([...fleet.locations.keys()], [keyOf("s", "a"), keyOf("s", "b")]);
    assert.deepEqual([...fleet.sources.keys()], ["s"]);
    assert.deepEqual(told.at(-1), [keyOf("s", "b"), keyOf("s", "c")]);
});

test("However often something changes, it is drawn once a frame", () => {
    const drawn = [];
    const frames = [];
    const queue = new FrameQueue((keys) => drawn.push([...keys]), (callback) => frames.push(callback));
    queue.add(["a", "b"]);
    queue.add(["a"]);
    queue.add([]);
    assert.equal(frames.length, 1);
    frames.shift()();
    queue.add(["a"]);
    frames.shift()();
    assert.deepEqual(drawn, [["a", "b"], ["a"]]);
});
