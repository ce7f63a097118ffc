// What a click on a marker shows: the callout of its display, in the template, kept up to date while it is open.

import { titleOf } from "./appearance.js";
import { overlap, panToShow } from "./callout-place.js";
import { element } from "./dom.js";
import { Template } from "./template.js";
import { ageText, statusText } from "./words.js";

/** Where callout.html is not there. */
const plainTemplate = '<h2 class="callout-title">{{title}}</h2><p>{{statusText}}</p>';

/** Widths of its text, in pixels, and what is around it: the popup's own margin, and that to the map's edges. */
const [narrowest, widestOnScreen, widthAround] = [210, 300, 60];

export class Callout {
    /** The key of the location that it shows. */
    key = null;

    #map;
    #icons;
    #floors;
    #popup;
    #body = element("div.callout-body");
    #follow;
    #closed;
    #template = new Template(plainTemplate);
    #html = "";
    /** Addresses by name, so that a picture does not blink with each update. */
    #sources = new Map();

    /**
     * @param {HTMLElement} floors Stands over the map, and gives way to an open callout.
     * @param {{followed: (key) => void, explained: (key) => void, closed: () => void}} actions
     */
    constructor(L, map, icons, floors, actions) {
        this.#map = map;
        this.#icons = icons;
        this.#floors = floors;
        this.#closed = actions.closed;
        this.#follow = element("button.button", {
            type: "button", "aria-pressed": "false", text: "Follow", onclick: () => actions.followed(this.key),
        });
        const why = element("button.button", { type: "button", text: "Why so?", onclick: () => actions.explained(this.key) });
        why.title = "Which display rule set what";
        const content = element(
            "div.callout", { role: "dialog", "aria-label": "Location" }, this.#body,
            element("div.callout-actions", {}, this.#follow, why));
        this.#popup = L.popup({ autoPan: false, minWidth: narrowest, maxWidth: widestOnScreen, offset: [0, -14], className: "fleet-popup" });
        this.#popup.setContent(content);
        // Also while the list that opened it has the focus.
        document.addEventListener("keydown", (event) => {
            if (event.key === "Escape" && !event.defaultPrevented) this.close();
        });
        map.on("resize", () => this.key !== null && this.#makeVisible());
        map.on("move zoomend", () => this.#giveWay());
        map.on("popupclose", ({ popup }) => {
            if (popup !== this.#popup || this.key === null) return;
            this.key = null;
            this.#giveWay();
            this.#closed();
        });
    }

    async loadTemplate() {
        try {
            const response = await fetch("callout.html");
            if (response.ok) this.#template = new Template(await response.text());
        } catch {
            // The plain one does.
        }
    }

    /** @param {(floor: number) => string} floorName */
    open(key, state, latLng, floorName) {
        this.key = key;
        this.#html = "";
        this.update(state, latLng, floorName);
        // It must not be in the way of what opened it twice.
        if (!this.#map.hasLayer(this.#popup)) this.#popup.openOn(this.#map);
        this.#makeVisible();
    }

    close() {
        this.#map.closePopup(this.#popup);
    }

    /** Only what reads differently is made anew. */
    update(state, latLng, floorName) {
        if (latLng) {
            this.#popup.setLatLng(latLng);
            this.#giveWay();
        }
        const values = {
            ...state, title: state.display?.calloutTitle || titleOf(state), statusText: statusText(state),
            age: ageText(state.time, Date.now()), floorName: state.floor === undefined ? "" : floorName(state.floor),
        };
        const fragment = this.#template.render(values, (image, name) => this.#show(image, name));
        const text = element("div", {}, fragment.cloneNode(true)).innerHTML;
        if (text === this.#html) return;
        this.#html = text;
        this.#body.replaceChildren(fragment);
        if (this.#map.hasLayer(this.#popup)) this.#popup.update();
    }

    setFollowing(isFollowing) {
        this.#follow.setAttribute("aria-pressed", String(isFollowing));
        this.#follow.textContent = isFollowing ? "Following" : "Follow";
    }

    focus() {
        this.#follow.focus({ preventScroll: true });
    }

    #show(image, name) {
        const known = this.#sources.get(name);
        image.hidden = !known;
        if (known) image.src = known;
        if (this.#sources.has(name)) return;
        this.#sources.set(name, null);
        this.#icons.source(name).then((source) => {
            this.#sources.set(name, source);
            if (source) this.#html = "";
        });
    }

    /** Once, when it opens; afterwards it goes with its marker. */
    #makeVisible() {
        const popup = this.#popup.getElement();
        if (!popup) return;
        this.#fit();
        const map = this.#map.getContainer().getBoundingClientRect();
        const offset = panToShow(popup.getBoundingClientRect(), map, this.#floors.getBoundingClientRect());
        if (offset) this.#map.panBy(offset);
        this.#giveWay();
    }

    /** No wider than the map has room for. */
    #fit() {
        const widest = Math.max(narrowest, Math.min(widestOnScreen, this.#map.getSize().x - widthAround));
        if (widest === this.#popup.options.maxWidth) return;
        this.#popup.options.maxWidth = widest;
        this.#popup.update();
    }

    /** Buttons over an open callout would hide what it says, and be pressed in its place. */
    #giveWay() {
        const popup = this.key === null ? null : this.#popup.getElement();
        const isCovered = Boolean(popup) && overlap(popup.getBoundingClientRect(), this.#floors.getBoundingClientRect());
        this.#floors.classList.toggle("gives-way", isCovered);
    }
}
