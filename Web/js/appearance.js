// How a location is to be drawn: a styled state, the zoom and the wanted position in; plain values out. Draws nothing itself.

import { safeColour } from "./colour.js";

export const defaultColour = "#3388ff";

/** Which of its positions a location is drawn at. */
export const positionModes = ["current", "raw", "matched"];

/**
 * Where to draw a state.
 *
 * @returns {{lat, lon, floor, isLast: boolean, rawLat?, rawLon?}|null} `isLast`: it is not there any more, as far as is known;
 *     `raw…`: where the device had said it is, for a line to it.
 */
export function placeOf(state, mode = "current") {
    const raw = isPlace(state.rawPosition) ? state.rawPosition : null;
    let place = isPlace(state.position) ? state.position : null;
    if (place && raw && mode === "raw") place = raw;
    if (place) {
        const line = raw && mode === "matched" ? { rawLat: raw.lat, rawLon: raw.lon } : {};
        return { lat: place.lat, lon: place.lon, floor: place.floor ?? state.floor, isLast: false, ...line };
    }
    const last = state.lastPosition;
    if (!isPlace(last)) return null;
    return { lat: last.lat, lon: last.lon, floor: last.floor ?? state.floor, isLast: true };
}

function isPlace(place) {
    return Number.isFinite(place?.lat) && Number.isFinite(place?.lon);
}

/**
 * @param {object} state A styled state, as /events has it.
 * @param {number} zoom Of the map.
 * @returns {object|null} null: it is not to be drawn as a marker here.
 */
export function appearanceOf(state, zoom, mode = "current") {
    const display = state.display ?? {};
    if (display.visible === false || !within(zoom, display.zoomFrom, display.zoomTo)) return null;
    const place = placeOf(state, mode);
    if (!place) return null;
    const icon = within(zoom, display.iconZoomFrom, display.iconZoomTo);
    const label = within(zoom, display.labelZoomFrom, display.labelZoomTo) ? (display.label ?? "") : "";
    if (!icon && !label) return null;
    const look = {
        ...place,
        hasIcon: icon,
        icon: display.icon ?? "marker",
        color: safeColour(display.iconColor, defaultColour),
        opacity: number(display.iconOpacity, 1),
        size: number(display.iconSize, 1),
        // Unknown: the icon without its direction, rather than pointing north.
        rotation: Number.isFinite(display.iconRotation) ? display.iconRotation : null,
        label: String(label),
        labelColor: display.labelColor ? safeColour(display.labelColor, "") : "",
        labelMaxWidth: number(display.labelMaxWidth, 0),
        priority: number(display.clusterPriority, 0),
        status: state.status ?? "live",
        title: titleOf(state),
    };
    look.iconKey = iconKey(look);
    look.styleKey = styleKey(look);
    return look;
}

/** Whose icon looks the same has the same key; the angle is not in it, it is a transformation. */
export function iconKey({ icon, color, rotation }) {
    return [icon, color, rotation === null ? "" : "heading"].join("\n");
}

/** Everything but the position and the angle: where it is the same, the marker is only moved. */
export function styleKey(look) {
    return [
        look.iconKey, look.hasIcon, look.opacity, look.size, look.label, look.labelColor, look.labelMaxWidth, look.status,
        look.isLast, look.title, look.priority,
    ].join("\n");
}

/** What it is called where it is listed. */
export function titleOf(state) {
    return String(state.name || state.display?.label || state.id);
}

/** A range of zooms; what is absent does not limit. */
export function within(zoom, from, to) {
    return zoom >= number(from, 0) && zoom <= number(to, Infinity);
}

function number(value, otherwise) {
    return Number.isFinite(value) ? value : otherwise;
}
