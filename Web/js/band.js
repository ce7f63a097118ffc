// What a cluster shows of those in it: the worst, and how many there are of each colour.

import { severity } from "./colour.js";

/**
 * Negative where `a` is worse: by clusterPriority, then by colour, red first.
 *
 * @param {{priority: number, color: string}} a
 */
export function byBadness(a, b) {
    return b.priority - a.priority || severity(b.color) - severity(a.color);
}

/**
 * @param {Iterable<{priority, color}>} looks At least one.
 * @returns {{worst: string, bands: [string, number][]}} The worst one's colour; all colours with their shares, worst first.
 */
export function bandsOf(looks) {
    const bands = new Map();
    for (const { color, priority } of looks) {
        const band = bands.get(color);
        if (!band) bands.set(color, { color, priority, count: 1 });
        else {
            band.count += 1;
            if (priority > band.priority) band.priority = priority;
        }
    }
    const sorted = [...bands.values()].sort(byBadness);
    return { worst: sorted[0]?.color ?? "#808080", bands: sorted.map(({ color, count }) => [color, count]) };
}

/** A ring of them as a CSS gradient, clockwise from the top. */
export function ringOf(bands) {
    const total = bands.reduce((sum, [, count]) => sum + count, 0);
    let turned = 0;
    const parts = bands.map(([color, count]) => {
        const from = turned;
        turned += (count / total) * 360;
        return `${color} ${from.toFixed(1)}deg ${turned.toFixed(1)}deg`;
    });
    return `conic-gradient(${parts.join(", ")})`;
}
