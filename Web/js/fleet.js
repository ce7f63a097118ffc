// What the bridge has told of the fleet. Knows nothing of maps and pages.

/** One key for a location; ids of two sources never meet. */
export function keyOf(source, id) {
    return `${source.length}:${source}:${id}`;
}

export class Fleet {
    /** Styled states by key. */
    locations = new Map();
    /** As /api/sources has them, by id. */
    sources = new Map();
    /** What the bridge says of itself. */
    bridge = {};
    /** Whether everything there is has been told once. */
    isComplete = false;

    #unconfirmed = null;
    #changed;

    /** @param {(keys: string[]) => void} changed Told which locations are new, different or gone. */
    constructor(changed) {
        this.#changed = changed;
    }

    /**
     * Takes an event of /events.
     *
     * After a break the bridge may tell everything anew. What is still there stays drawn meanwhile: only what the whole
     * snapshot does not have is removed.
     *
     * @param {"snapshot"|"delta"} kind
     */
    take(kind, data) {
        if (kind === "snapshot") {
            this.#unconfirmed = { locations: new Set(this.locations.keys()), sources: new Set(this.sources.keys()) };
        }
        const keys = [];
        for (const state of data.locations ?? []) {
            const key = keyOf(state.source, state.id);
            this.locations.set(key, state);
            this.#unconfirmed?.locations.delete(key);
            keys.push(key);
        }
        for (const { source, id } of data.removed ?? []) {
            const key = keyOf(source, id);
            if (this.locations.delete(key)) keys.push(key);
        }
        for (const source of data.sources ?? []) {
            this.sources.set(source.source, source);
            this.#unconfirmed?.sources.delete(source.source);
        }
        for (const id of data.removedSources ?? []) this.sources.delete(id);
        if (data.bridge) this.bridge = data.bridge;
        if (data.complete) {
            for (const key of this.#unconfirmed?.locations ?? []) {
                this.locations.delete(key);
                keys.push(key);
            }
            for (const id of this.#unconfirmed?.sources ?? []) this.sources.delete(id);
            this.#unconfirmed = null;
            this.isComplete = true;
        }
        this.#changed(keys);
    }
}
