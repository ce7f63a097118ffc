// What is under everything: tiles where the bridge names some, else a grid. The page asks nobody else for anything.

/** A plain grid, drawn in the theme's colours. */
function makeGrid(L) {
    const Grid = L.GridLayer.extend({
        createTile() {
            const size = this.getTileSize();
            const tile = document.createElement("canvas");
            const scale = Math.min(window.devicePixelRatio || 1, 2);
            [tile.width, tile.height] = [size.x * scale, size.y * scale];
            const style = getComputedStyle(document.documentElement);
            const context = tile.getContext("2d");
            context.scale(scale, scale);
            const lines = (step, color) => {
                context.strokeStyle = color;
                context.lineWidth = 1;
                context.beginPath();
                for (let at = 0.5; at < size.x; at += step) {
                    context.moveTo(at, 0);
                    context.lineTo(at, size.y);
                    context.moveTo(0, at);
                    context.lineTo(size.x, at);
                }
                context.stroke();
            };
            lines(32, style.getPropertyValue("--grid-fine"));
            lines(128, style.getPropertyValue("--grid"));
            return tile;
        },
    });
    return new Grid({ maxZoom: 24, className: "grid-layer" });
}

/**
 * Tiles, whose server is told the page's origin and nothing more: some, such as OpenStreetMap's, refuse who does not say
 * where it comes from, and the page itself says it to nobody.
 */
function makeTiles(L, { url, maxZoom }) {
    const Tiles = L.TileLayer.extend({
        createTile(coords, done) {
            const tile = L.TileLayer.prototype.createTile.call(this, coords, done);
            tile.referrerPolicy = "strict-origin";
            return tile;
        },
    });
    return new Tiles(url, { maxZoom: 24, maxNativeZoom: maxZoom ?? 19, className: "tile-layer" });
}

export class Background {
    #L;
    #map;
    #grid;

    constructor(L, map) {
        this.#L = L;
        this.#map = map;
        this.#grid = makeGrid(L).addTo(map);
    }

    /** @param {{tiles?: {url: string, attribution?: string, maxZoom?: number}}} settings */
    show({ tiles }) {
        if (typeof tiles?.url !== "string") return;
        makeTiles(this.#L, tiles).addTo(this.#map);
        if (!tiles.attribution) return;
        // Leaflet reads an attribution as HTML; this is text.
        const text = document.createElement("span");
        text.textContent = tiles.attribution;
        this.#map.attributionControl.addAttribution(text.innerHTML);
    }

    /** The theme has changed. */
    redraw() {
        this.#grid.redraw();
    }
}
