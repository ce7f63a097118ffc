// All markers, in clusters where they are close.
//
// The cluster tree is costly to change, and a fleet moves all the time: a marker on the map moves by itself at once, and its
// place in the tree follows in small batches, when it has gone some way.

import { makeClusterIcon } from "./cluster-icon.js";
import { makeMarkerClass } from "./marker.js";

/** Pixels that a marker may be away from its place in the tree. */
const tolerance = 30;
/** Markers whose places are mended in one go, and milliseconds between two. */
const batch = 40;
const mendEvery = 200;
const refreshEvery = 400;
/** More pixels than a screen is high. */
const aboveAll = 100_000;

export class MarkerLayer {
    #map;
    #group;
    #Marker;
    #entries = new Map();
    /** Of an icon's file that has not come. */
    #restyled = new Set();
    #mendQueue = [];
    /** Drawn by itself, never in a cluster: the one that is selected or followed. */
    #apart = new Set();
    /** A cluster is spread out: any change of the tree would fold it up. */
    #isSpread = false;
    #selected;
    #appeared;

    /**
     * @param {(key: string, byKeyboard?: boolean) => void} selected
     * @param {(key: string) => void} appeared A marker is seen by itself now, or is not any more.
     */
    constructor(L, map, icons, selected, appeared) {
        this.#map = map;
        this.#Marker = makeMarkerClass(L, icons);
        const Group = L.MarkerClusterGroup.extend({
            /** Markers nearly in view have an element. The library's own margin is a whole screen to each side. */
            _getExpandedVisibleBounds() {
                return this._checkBoundsMaxLat(this._map.getBounds().pad(0.1));
            },
        });
        this.#group = new Group({
            iconCreateFunction: makeClusterIcon(L),
            // No smaller than a cluster is drawn, so that two never cover each other by much.
            maxClusterRadius: 56,
            showCoverageOnHover: false,
            spiderLegPolylineOptions: { weight: 1.5, color: "#64748b", opacity: 0.6 },
            animate: false,
        });
        map.addLayer(this.#group);
        this.#selected = selected;
        this.#appeared = appeared;
        this.#group.on("spiderfied", () => (this.#isSpread = true));
        this.#group.on("unspiderfied", () => (this.#isSpread = false));
        setInterval(() => this.#mend(), mendEvery);
        setInterval(() => this.#refreshClusters(), refreshEvery);
    }

    /** How many are drawn, alone or in clusters. */
    get count() {
        return this.#entries.size;
    }

    /** How many markers and clusters have an element. */
    get visible() {
        return this.#map.getPane("markerPane").childElementCount;
    }

    marker(key) {
        return this.#entries.get(key)?.marker ?? null;
    }

    /** Whether it is drawn, and in no cluster. */
    isAlone(key) {
        return Boolean(this.marker(key)?._icon);
    }

    keys() {
        return this.#entries.keys();
    }

    /**
     * Draws what has changed.
     *
     * @param {Map<string, object|null>} looks By key; null: it is not drawn.
     */
    apply(looks) {
        const added = [];
        const removed = [];
        for (const [key, look] of looks) {
            const entry = this.#entries.get(key);
            if (!look) {
                if (entry) removed.push(entry);
            } else if (entry) {
                this.#change(entry, look);
            } else {
                added.push(this.#make(key, look));
            }
        }
        this.#remove(removed);
        this.#add(added);
    }

    /** Takes a marker out of the clusters, or puts it back. */
    setApart(keys) {
        for (const key of this.#apart) {
            if (keys.has(key)) continue;
            this.#apart.delete(key);
            const entry = this.#entries.get(key);
            if (!entry) continue;
            this.#map.removeLayer(entry.marker);
            entry.marker.setZIndexOffset(0);
            this.#add([entry]);
            entry.marker._icon?.classList.remove("is-selected");
        }
        for (const key of keys) {
            if (this.#apart.has(key)) continue;
            this.#apart.add(key);
            const entry = this.#entries.get(key);
            if (!entry) continue;
            this.#takeOut([entry]);
            this.#add([entry]);
        }
    }

    /** An icon's file has come. */
    iconLoaded(name) {
        for (const { marker } of this.#entries.values()) if (marker.look.icon === name) marker.refreshIcon();
    }

    #make(key, look) {
        const marker = new this.#Marker(key, look);
        marker.on("click", () => this.#selected(key));
        marker.on("add remove", () => this.#appeared(key));
        marker.on("keydown", ({ originalEvent: event }) => {
            if (event.key !== "Enter" && event.key !== " ") return;
            event.preventDefault();
            this.#selected(key, true);
        });
        const entry = { key, marker, isQueued: false };
        this.#entries.set(key, entry);
        return entry;
    }

    #change(entry, look) {
        const { marker } = entry;
        const isRestyled = marker.look.color !== look.color || marker.look.priority !== look.priority;
        const isMoved = marker.look.lat !== look.lat || marker.look.lon !== look.lon;
        marker.show(look);
        if (this.#apart.has(entry.key)) return;
        if (isRestyled) this.#restyled.add(marker);
        if (isMoved && !entry.isQueued) {
            entry.isQueued = true;
            this.#mendQueue.push(entry);
        }
    }

    #add(entries) {
        const clustered = [];
        for (const entry of entries) {
            const { marker } = entry;
            marker.settle();
            if (this.#apart.has(entry.key)) {
                // Nothing that lies lower on the screen covers it.
                marker.setZIndexOffset(aboveAll);
                this.#map.addLayer(marker);
                marker._icon?.classList.add("is-selected");
            } else {
                clustered.push(marker);
            }
        }
        if (clustered.length > 0) this.#group.addLayers(clustered);
    }

    #remove(entries) {
        this.#takeOut(entries);
        for (const { key, marker } of entries) {
            this.#entries.delete(key);
            this.#restyled.delete(marker);
        }
    }

    #takeOut(entries) {
        const clustered = [];
        for (const { marker } of entries) {
            if (this.#group.hasLayer(marker)) clustered.push(marker);
            else this.#map.removeLayer(marker);
        }
        if (clustered.length > 0) this.#group.removeLayers(clustered);
    }

    /** Puts those that have gone far to where they belong in the tree. */
    #mend() {
        if (this.#mendQueue.length === 0 || this.#isSpread || this.#map._animatingZoom) return;
        const far = [];
        for (const entry of this.#mendQueue.splice(0, 8 * batch)) {
            entry.isQueued = false;
            if (!this.#isFar(entry)) continue;
            if (far.length < batch) far.push(entry);
            else {
                entry.isQueued = true;
                this.#mendQueue.push(entry);
            }
        }
        if (far.length === 0) return;
        const focused = far.find(({ marker }) => marker._icon && marker._icon === document.activeElement);
        this.#takeOut(far);
        this.#add(far);
        // Its element is a new one: who has come to it by keyboard stays there.
        focused?.marker._icon?.focus({ preventScroll: true });
    }

    #isFar({ key, marker }) {
        if (this.#entries.get(key)?.marker !== marker || this.#apart.has(key)) return false;
        const from = this.#map.latLngToLayerPoint(marker.getLatLng());
        const to = this.#map.latLngToLayerPoint(marker.drawnLatLng());
        return Math.abs(from.x - to.x) > tolerance || Math.abs(from.y - to.y) > tolerance;
    }

    #refreshClusters() {
        if (this.#restyled.size === 0 || this.#map._animatingZoom) return;
        const markers = [...this.#restyled].filter((marker) => this.#group.hasLayer(marker));
        this.#restyled.clear();
        if (markers.length > 0) this.#group.refreshClusters(markers);
    }
}
