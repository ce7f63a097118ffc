// Puts the page together: what comes in goes to the fleet, what has changed there is drawn in the next frame.

import { appearanceOf, placeOf, positionModes, titleOf } from "./appearance.js";
import { Background } from "./background.js";
import { Callout } from "./callout.js";
import { byId, setText } from "./dom.js";
import { ExplainPanel } from "./explain-panel.js";
import { Feed } from "./feed.js";
import { Filter, placesIn } from "./filter.js";
import { Fleet } from "./fleet.js";
import { FleetPanel } from "./fleet-panel.js";
import { FloorSelector } from "./floor-selector.js";
import { Follower } from "./follow.js";
import { FrameQueue } from "./frame.js";
import { Icons } from "./icons.js";
import { makeMap } from "./map.js";
import { MarkerLayer } from "./marker-layer.js";
import { FloorPlan } from "./plan.js";
import { loadSettings } from "./settings.js";
import { ShapeLayer } from "./shapes.js";
import { StatusBar } from "./status-bar.js";
import { Theme, recall, remember } from "./theme.js";

/** Lists, counts and ages change this often; who reads them cannot read faster. */
const refreshEvery = 500;

/** Markers on the screen above which they step rather than glide: each that glides is drawn anew in every frame. */
const mostGliding = 60;

function start(L) {
    const map = makeMap(L, byId("map"));
    const filter = new Filter();
    let mode = positionModes.includes(recall("mode")) ? recall("mode") : "current";
    let connection = "connecting";
    /** The key of the selected location. */
    let chosen = null;
    let isFitted = false;

    const settings = loadSettings();
    const background = new Background(L, map);
    const icons = new Icons(settings, (name) => markers.iconLoaded(name));
    const plan = new FloorPlan(L, map);
    const shapes = new ShapeLayer(L, map, (key) => select(key));
    const markers = new MarkerLayer(L, map, icons, select, (key) => queue.add([key]));
    const fleet = new Fleet((keys) => queue.add(keys));
    const queue = new FrameQueue(draw);
    const follower = new Follower(map, showFollowing);
    const callout = new Callout(L, map, icons, byId("floors"), {
        followed: toggleFollowing,
        explained: (key) => explain.open(fleet.locations.get(key), titleOf(fleet.locations.get(key))),
        closed: () => {
            const hadFocus = byId("map").contains(document.activeElement);
            const key = chosen;
            chosen = null;
            setApart();
            // Who came by keyboard is back where they were.
            if (hadFocus) markers.marker(key)?.getElement()?.focus({ preventScroll: true });
        },
    });
    const explain = new ExplainPanel({
        panel: byId("explain"), title: byId("explain-title"), content: byId("explanation"), close: byId("explain-close"),
        again: byId("explain-again"),
    });
    const floors = new FloorSelector(byId("floors"), byId("building"), (change) => {
        Object.assign(filter, change);
        drawAll();
    });
    const panel = new FleetPanel(
        { search: byId("search"), sources: byId("sources"), statuses: byId("statuses"), list: byId("list"), more: byId("more") },
        filter, drawAll, goTo);
    const bar = new StatusBar({
        connection: byId("connection"), sources: byId("source-status"), rate: byId("rate"), lag: byId("lag"), locations: byId("count"),
    });
    new Theme(byId("theme"), () => background.redraw());

    // Drawing

    function draw(keys) {
        // Leaflet moves the markers itself while it zooms.
        if (map._animatingZoom) {
            queue.add(keys);
            return;
        }
        const zoom = map.getZoom();
        const looks = new Map();
        const shown = new Map();
        for (const key of keys) {
            const state = stateOf(key);
            const isShown = state !== undefined && filter.takes(state);
            looks.set(key, isShown ? appearanceOf(state, zoom, mode) : null);
            shown.set(key, isShown ? state : null);
        }
        markers.apply(looks);
        const isStacked = filter.floor === null && plan.hasFloors;
        for (const [key, state] of shown) shapes.draw(key, state, zoom, mode, { isAlone: markers.isAlone(key), isStacked });
        map.getContainer().classList.toggle("is-gliding", markers.visible <= mostGliding);
        if (!isFitted && fleet.isComplete) fit();
        if (chosen !== null && keys.has(chosen)) showChosen();
        if (follower.key !== null && keys.has(follower.key)) {
            if (looks.get(follower.key)) follower.moved(follower.key, markers.marker(follower.key).drawnLatLng());
            else follower.stop();
        }
    }

    /** The filter, the zoom or the mode has changed. */
    function drawAll() {
        draw(new Set([...fleet.locations.keys(), ...markers.keys()]));
        refresh();
    }

    function refresh() {
        plan.show(filter.building, filter.floor, namedAreas());
        floors.show(placesIn(fleet.locations.values(), filter, plan.places), filter, plan.floorName);
        panel.show(fleet, chosen, plan.floorName);
        bar.show(connection, fleet, markers.count);
        if (chosen !== null) showChosen();
    }

    /** Areas that have their names from locations which stand for them. */
    function namedAreas() {
        const isNamed = (state) => state.display?.label && (state.geometry ?? plan.geometryOf(state)) && filter.takes(state);
        return [...fleet.locations.values()].filter(isNamed).map(({ id }) => id).sort();
    }

    /** A room has its area from the plan, where its state does not bring one. */
    function stateOf(key) {
        const state = fleet.locations.get(key);
        if (!state || state.geometry) return state;
        const geometry = plan.geometryOf(state);
        return geometry ? { ...state, geometry } : state;
    }

    // One location

    function select(key, byKeyboard = false) {
        const state = fleet.locations.get(key);
        if (!state) return;
        chosen = key;
        setApart();
        callout.setFollowing(follower.key === key);
        callout.open(key, state, latLngOf(key, state), plan.floorName);
        if (byKeyboard) callout.focus();
    }

    /** From the list: it may be anywhere. */
    function goTo(key) {
        const state = fleet.locations.get(key);
        if (!state) return;
        const latLng = latLngOf(key, state);
        if (latLng) {
            follower.stop();
            map.setView(latLng, Math.max(map.getZoom(), 19, state.display?.zoomFrom ?? 0), { animate: false });
        }
        if (matchMedia("(max-width: 700px)").matches) showPanel(false);
        select(key, true);
    }

    function showChosen() {
        const state = fleet.locations.get(chosen);
        if (!state) callout.close();
        else callout.update(state, latLngOf(chosen, state), plan.floorName);
    }

    function latLngOf(key, state) {
        const marker = markers.marker(key);
        if (marker) return marker.drawnLatLng();
        const place = placeOf(state, mode);
        return place ? L.latLng(place.lat, place.lon) : map.getCenter();
    }

    function setApart() {
        markers.setApart(new Set([chosen, follower.key].filter((key) => key !== null)));
    }

    function toggleFollowing(key) {
        if (follower.key === key) follower.stop();
        else follower.start(key, markers.marker(key)?.drawnLatLng());
    }

    function showFollowing(key) {
        setApart();
        callout.setFollowing(key !== null && key === callout.key);
        byId("following").hidden = key === null;
        if (key !== null) setText(byId("following-name"), `Following ${titleOf(fleet.locations.get(key))}`);
    }

    // The page

    function fit() {
        const latLngs = [...fleet.locations.values()].filter((state) => filter.takes(state)).map((state) => placeOf(state, mode))
            .filter(Boolean).map(({ lat, lon }) => [lat, lon]);
        const bounds = latLngs.length > 0 ? L.latLngBounds(latLngs) : plan.bounds;
        if (!bounds) return;
        isFitted = true;
        // Nearer where there is a plan: a building may be small.
        map.fitBounds(bounds, { padding: [60, 60], maxZoom: plan.isThere ? 21 : 20, animate: false });
    }

    /** Of one bridge among several. */
    function showName(name) {
        if (typeof name !== "string") return;
        document.title = `${name} – ${document.title}`;
        setText(byId("name"), name);
    }

    function showPanel(isShown) {
        document.body.classList.toggle("has-panel", isShown);
        byId("panel-button").setAttribute("aria-expanded", String(isShown));
    }

    map.on("zoomend", drawAll);
    byId("fit").addEventListener("click", () => {
        follower.stop();
        fit();
    });
    byId("unfollow").addEventListener("click", () => follower.stop());
    document.querySelector(".skip").addEventListener("click", () => {
        showPanel(true);
        byId("search").focus();
    });
    byId("panel-button").addEventListener("click", () => showPanel(!document.body.classList.contains("has-panel")));
    byId("mode").value = mode;
    byId("mode").addEventListener("change", ({ target }) => {
        mode = target.value;
        remember("mode", mode);
        drawAll();
    });
    showPanel(!matchMedia("(max-width: 700px)").matches);
    settings.then((values) => {
        background.show(values);
        showName(values.name);
    });
    plan.load().then((isThere) => isThere && drawAll());
    callout.loadTemplate();
    setInterval(refresh, refreshEvery);
    new Feed((kind, data) => fleet.take(kind, data), (state) => {
        connection = state;
        bar.show(connection, fleet, markers.count);
    }).start();
}

if (window.L?.markerClusterGroup) {
    start(window.L);
} else {
    const missing = window.L ? "Leaflet.markercluster" : "Leaflet";
    const message = byId("message");
    message.textContent = `${missing} is missing, so there is no map. On the bridge's machine: ` +
        "apt-get install libjs-leaflet libjs-leaflet.markercluster, then load this page again.";
    message.hidden = false;
}
