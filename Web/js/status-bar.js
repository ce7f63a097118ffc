// The line at the bottom: is the bridge there, is its broker, how much goes through, and how late.

import { setText } from "./dom.js";
import { count } from "./words.js";

const connections = {
    connecting: ["connecting …", "waiting"],
    broken: ["no connection to the bridge; trying again", "bad"],
    noBroker: ["connected, but the bridge has no broker", "waiting"],
    open: ["connected", "good"],
};

/** @returns {keyof connections} */
export function connectionOf(state, bridge) {
    return state === "open" && (bridge.connected === false || bridge.reading === false) ? "noBroker" : state;
}

/** Such as "2 of 3 sources available". */
export function sourcesText(sources) {
    const available = sources.filter(({ status }) => status?.status === "available").length;
    return available === sources.length
        ? `${count(sources.length, "source")} available`
        : `${available} of ${count(sources.length, "source")} available`;
}

export class StatusBar {
    #nodes;

    /** @param {{connection, sources, rate, lag, locations}} nodes */
    constructor(nodes) {
        this.#nodes = nodes;
    }

    /** @param {number} shown Locations that are drawn. */
    show(state, fleet, shown) {
        const [words, mood] = connections[connectionOf(state, fleet.bridge)];
        setText(this.#nodes.connection, words);
        if (document.body.dataset.connection !== mood) document.body.dataset.connection = mood;
        const isKnown = state === "open";
        const { messagesPerSecond, roundTripMilliseconds } = fleet.bridge;
        setText(this.#nodes.sources, sourcesText([...fleet.sources.values()]));
        setText(this.#nodes.rate, isKnown && messagesPerSecond !== undefined ? `${Math.round(messagesPerSecond).toLocaleString("en")} messages/s` : "");
        setText(this.#nodes.lag, isKnown && roundTripMilliseconds !== undefined ? `lag ${duration(roundTripMilliseconds)}` : "");
        setText(this.#nodes.locations, `${shown.toLocaleString("en")} of ${count(fleet.locations.size, "location")}`);
    }
}

function duration(milliseconds) {
    return milliseconds < 1 ? "under 1 ms" : `${Math.round(milliseconds).toLocaleString("en")} ms`;
}
