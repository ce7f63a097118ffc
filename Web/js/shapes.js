// What belongs to a location beside its marker: the circle of its accuracy, its polygon, and the line to where its device
// had said it is. All on one canvas, under the markers.

import { placeOf, within } from "./appearance.js";
import { safeColour } from "./colour.js";

const defaultColour = "#3388ff";

export class ShapeLayer {
    #L;
    #map;
    #renderer;
    #shapes = new Map();
    #selected;

    /** @param {(key: string) => void} selected Told of clicks on polygons. */
    constructor(L, map, selected) {
        this.#L = L;
        this.#map = map;
        this.#selected = selected;
        const pane = map.createPane("shapes");
        pane.style.zIndex = 390;
        this.#renderer = L.canvas({ pane: "shapes", padding: 0.3 });
    }

    /**
     * @param {object|null} state null: nothing is drawn of it.
     * @param {{isAlone: boolean, isStacked: boolean}} how Whether its marker is in no cluster, and whether floors lie over each other.
     */
    draw(key, state, zoom, mode, { isAlone, isStacked }) {
        const display = state?.display;
        const place = display && display.visible !== false ? placeOf(state, mode) : null;
        const shapes = this.#shapes.get(key) ?? {};
        this.#set(shapes, "accuracy", isAlone && place && accuracyOf(state, place, zoom), (it) => this.#circle(it));
        this.#set(shapes, "line", isAlone && place && lineOf(place, display, zoom), (it) => this.#line(it));
        this.#set(shapes, "polygon", display && polygonOf(state, zoom, isStacked), (it) => this.#polygon(it, key));
        if (Object.keys(shapes).length > 0) this.#shapes.set(key, shapes);
        else this.#shapes.delete(key);
    }

    /** Draws anew only what is different, as its values say. */
    #set(shapes, name, values, make) {
        const old = shapes[name];
        if (!values) {
            old?.layer.remove();
            delete shapes[name];
            return;
        }
        const text = JSON.stringify(values);
        if (old?.text === text) return;
        if (old && name === "accuracy") {
            old.layer.setLatLng(values.center).setRadius(values.radius).setStyle(values.style);
            old.text = text;
            return;
        }
        old?.layer.remove();
        shapes[name] = { text, layer: make(values).addTo(this.#map) };
    }

    #circle({ center, radius, style }) {
        return this.#L.circle(center, { ...style, radius, renderer: this.#renderer, interactive: false });
    }

    #line({ points, style }) {
        return this.#L.polyline(points, { ...style, renderer: this.#renderer, interactive: false });
    }

    #polygon({ geometry, style }, key) {
        const polygon = this.#L.geoJSON(geometry, { style: { ...style, renderer: this.#renderer } });
        polygon.on("click", () => this.#selected(key));
        return polygon;
    }
}

function accuracyOf(state, place, zoom) {
    const display = state.display;
    const isShown = display.accuracyVisible === true && within(zoom, display.zoomFrom, display.zoomTo);
    if (!isShown || !(state.accuracy > 0)) return null;
    const color = safeColour(display.accuracyColor, defaultColour);
    return {
        center: [place.lat, place.lon], radius: state.accuracy,
        style: { color, weight: 1, opacity: 0.5, fillColor: color, fillOpacity: display.accuracyOpacity ?? 0.2 },
    };
}

function lineOf(place, display, zoom) {
    if (place.rawLat === undefined || !within(zoom, display.zoomFrom, display.zoomTo)) return null;
    return {
        points: [[place.rawLat, place.rawLon], [place.lat, place.lon]],
        style: { color: safeColour(display.iconColor, defaultColour), weight: 2, dashArray: "3 5", opacity: 0.8 },
    };
}

/** Of a location that is an area, such as a room. Of several floors at once, fills would mix to colours that nobody has set. */
function polygonOf(state, zoom, isStacked) {
    const { display, geometry } = state;
    if (geometry?.type !== "Polygon" && geometry?.type !== "MultiPolygon") return null;
    if (display.visible === false || display.polygonVisible === false) return null;
    if (!within(zoom, display.polygonZoomFrom, display.polygonZoomTo)) return null;
    return {
        geometry,
        style: {
            color: safeColour(display.polygonStrokeColor, defaultColour), weight: display.polygonStrokeWidth ?? 3,
            fillColor: safeColour(display.polygonFillColor, defaultColour), fillOpacity: isStacked ? 0.02 : display.polygonFillOpacity ?? 0.2,
        },
    };
}
