// Follows a marker: the map pans when it nears the edge, and leaves off when somebody pans.

/** Part of the map's shorter side that counts as its edge. */
export const margin = 0.18;

/**
 * How far the map has to pan so that a point is in the middle again.
 *
 * @param {{x, y}} point In pixels from the map's upper left corner.
 * @param {{x, y}} size Of the map.
 * @returns {[number, number]|null} null while the point is well within.
 */
export function panNeeded(point, size) {
    const edge = margin * Math.min(size.x, size.y);
    const isWithin = point.x >= edge && point.y >= edge && point.x <= size.x - edge && point.y <= size.y - edge;
    return isWithin ? null : [Math.round(point.x - size.x / 2), Math.round(point.y - size.y / 2)];
}

export class Follower {
    /** The key of the location that is followed. */
    key = null;

    #map;
    #changed;
    #isPanning = false;

    /** @param {(key: string|null) => void} changed Told whom it follows now. */
    constructor(map, changed) {
        this.#map = map;
        this.#changed = changed;
        // Leaflet tells these only of what people do.
        map.on("dragstart boxzoomstart", () => this.stop());
        map.getContainer().addEventListener("keydown", (event) => {
            if (event.key.startsWith("Arrow")) this.stop();
        });
        map.on("moveend", () => (this.#isPanning = false));
    }

    start(key, latLng) {
        this.key = key;
        this.#changed(key);
        this.moved(key, latLng);
    }

    stop() {
        if (this.key === null) return;
        this.key = null;
        this.#changed(null);
    }

    /** To be called when a location has moved. */
    moved(key, latLng) {
        if (key !== this.key || this.#isPanning || !latLng) return;
        const offset = panNeeded(this.#map.latLngToContainerPoint(latLng), this.#map.getSize());
        if (!offset) return;
        this.#isPanning = true;
        this.#map.panBy(offset, { animate: true, duration: 0.4 });
        // A pan that changes nothing ends nowhere.
        if (offset[0] === 0 && offset[1] === 0) this.#isPanning = false;
    }
}
