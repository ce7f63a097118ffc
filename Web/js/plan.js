// The floor plan: rooms and floors of the venues that the bridge knows, as GeoJSON with `building`, `floor`, `name`, `kind`.

import { element } from "./dom.js";

/** Below this zoom rooms have no names. */
const namesFrom = 19;

export class FloorPlan {
    #L;
    #map;
    #features = [];
    #areas = new Map();
    #floorNames = new Map();
    #outlines;
    #names;
    #shown = "";
    /** Whether floors lie over each other where all are shown. */
    hasFloors = false;

    constructor(L, map) {
        this.#L = L;
        this.#map = map;
        const pane = map.createPane("plan");
        pane.style.zIndex = 350;
        // Above all areas: within one pane Leaflet puts the one over the other by where they are on the screen.
        map.createPane("plan-names").style.zIndex = 395;
        this.#outlines = L.layerGroup().addTo(map);
        this.#names = L.layerGroup();
        map.on("zoomend", () => this.#showNames());
    }

    /** The floors and buildings that the plan has. */
    get places() {
        return this.#features.map(({ properties }) => ({ building: properties.building, floor: properties.floor }));
    }

    get isThere() {
        return this.#features.length > 0;
    }

    get bounds() {
        return this.isThere ? this.#L.geoJSON(this.#features).getBounds() : null;
    }

    /** The area of a location that stands for a room or a zone: it has the area's id. */
    geometryOf({ id, building }) {
        const feature = this.#areas.get(id);
        const isHere = building === undefined || feature?.properties.building === undefined || feature.properties.building === building;
        return feature && isHere ? feature.geometry : null;
    }

    /** What people call a floor, where the plan says so. */
    floorName = (floor) => this.#floorNames.get(floor) ?? String(floor);

    /** @returns {Promise<boolean>} Whether there is a plan. */
    async load() {
        try {
            const response = await fetch("api/venues");
            if (!response.ok) return false;
            const collection = await response.json();
            const isArea = ({ geometry }) => ["Polygon", "MultiPolygon", "LineString", "MultiLineString"].includes(geometry?.type);
            this.#features = (collection.features ?? []).filter(isArea).map((it) => ({ ...it, properties: it.properties ?? {} }));
        } catch {
            return false;
        }
        this.hasFloors = new Set(this.#features.map(({ properties }) => properties.floor)).size > 1;
        for (const feature of this.#features) {
            const { id, floor, floorName } = feature.properties;
            if (feature.id ?? id) this.#areas.set(String(feature.id ?? id), feature);
            if (typeof floorName === "string") this.#floorNames.set(floor, floorName);
        }
        return this.isThere;
    }

    /**
     * Draws a floor; `null`: all of them, on top of each other.
     *
     * @param {string[]} named Ids of areas whose names others draw.
     */
    show(building, floor, named) {
        const wanted = JSON.stringify([building, floor, named]);
        if (wanted === this.#shown || this.#features.length === 0) return;
        this.#shown = wanted;
        this.#outlines.clearLayers();
        this.#names.clearLayers();
        const others = new Set(named);
        for (const feature of this.#features) {
            const { properties } = feature;
            if (building !== null && properties.building !== undefined && properties.building !== building) continue;
            if (floor !== null && properties.floor !== undefined && properties.floor !== floor) continue;
            const kind = String(properties.kind ?? properties.type ?? "room").replaceAll(/[^\w-]/g, "");
            const area = this.#L.geoJSON(feature, {
                pane: "plan", interactive: false, style: { className: `plan-area plan-${kind}`, weight: 1.5 },
            });
            this.#outlines.addLayer(area);
            // Names of rooms that lie over each other cannot be read.
            const name = textIn(properties.name);
            if (name && floor !== null && !others.has(String(feature.id ?? properties.id))) this.#addName(area, name);
        }
        this.#showNames();
    }

    #addName(area, name) {
        const label = element("span.plan-name", { text: name });
        const icon = this.#L.divIcon({ html: label, className: "plan-label", iconSize: [0, 0] });
        this.#names.addLayer(this.#L.marker(area.getBounds().getCenter(), { icon, interactive: false, keyboard: false, pane: "plan-names" }));
    }

    #showNames() {
        if (this.#map.getZoom() >= namesFrom) this.#map.addLayer(this.#names);
        else this.#map.removeLayer(this.#names);
    }
}

/** A text, or that of the first language, as IMDF has names: `{"en": "Kitchen"}`. */
function textIn(name) {
    const text = name !== null && typeof name === "object" ? Object.values(name)[0] : name;
    return typeof text === "string" ? text : "";
}
