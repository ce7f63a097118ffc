// Which locations are shown: floor, building, sources, statuses, search.

import { placeOf } from "./appearance.js";

export class Filter {
    /** `null`: all of them. */
    floor = null;
    building = null;
    search = "";
    hiddenSources = new Set();
    hiddenStatuses = new Set();

    /** Whether it is shown. */
    takes(state) {
        return this.isInPlace(state) && this.#isFound(state);
    }

    /** Whether it would be shown on another floor or in another building. */
    isElsewhere(state) {
        return !this.isInPlace(state) && this.#isFound(state);
    }

    #isFound(state) {
        return this.isWanted(state) && matchesSearch(state, this.search);
    }

    /** Regardless of where it is. */
    isWanted(state) {
        return !this.hiddenSources.has(state.source) && !this.hiddenStatuses.has(state.status ?? "live");
    }

    /** What has no floor or building, such as a van, is on each and at all of them. */
    isInPlace(state) {
        if (this.building !== null && state.building !== undefined && state.building !== this.building) return false;
        if (this.floor === null) return true;
        const floor = floorOf(state);
        return floor === undefined || floor === this.floor;
    }
}

export function floorOf(state) {
    return placeOf(state)?.floor ?? state.floor;
}

/** All words must be there, anywhere in what people call it by. */
export function matchesSearch(state, search) {
    const words = search.toLocaleLowerCase().split(/\s+/).filter(Boolean);
    if (words.length === 0) return true;
    const text = [state.name, state.id, state.source, state.type, state.building, state.room?.name, state.display?.label]
        .filter((part) => part !== undefined)
        .join(" ")
        .toLocaleLowerCase();
    return words.every((word) => text.includes(word));
}

/** Whether what is searched for is in what it is called. */
export function matchesName(state, search) {
    return matchesSearch({ name: state.name, id: state.id }, search);
}

/**
 * The floors and buildings there are, and how many locations are shown in each.
 *
 * @param {Iterable<object>} states
 * @param {Filter} filter Floors are those of its building.
 * @returns {{floors: Map<number, number>, buildings: Map<string, number>}} Floors from the top down.
 */
export function placesIn(states, filter, more = []) {
    const floors = new Map();
    const buildings = new Map();
    for (const { building, floor } of more) {
        if (building !== undefined) buildings.set(building, 0);
        if (floor !== undefined && (filter.building === null || building === filter.building)) floors.set(floor, 0);
    }
    for (const state of states) {
        if (!filter.isWanted(state)) continue;
        if (state.building !== undefined) buildings.set(state.building, (buildings.get(state.building) ?? 0) + 1);
        if (filter.building !== null && state.building !== filter.building) continue;
        const floor = floorOf(state);
        if (floor !== undefined) floors.set(floor, (floors.get(floor) ?? 0) + 1);
    }
    return {
        floors: new Map([...floors].sort(([a], [b]) => b - a)),
        buildings: new Map([...buildings].sort(([a], [b]) => a.localeCompare(b))),
    };
}
