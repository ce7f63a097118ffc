// What a click on a marker shows: the callout of its display, in the template, kept up to date while it is open.

import { titleOf } from "./appearance.js";
import { element } from "./dom.js";
import { Template } from "./template.js";
import { ageText, statusText } from "./words.js";

/** Where callout.html is not there. */
const plainTemplate = '<h2 class="callout-title">{{title}}</h2><p>{{statusText}}</p>';

export class Callout {
    /** The key of the location that it shows. */
    key = null;

    #map;
    #icons;
    #popup;
    #body = element("div.callout-body");
    #follow;
    #closed;
    #template = new Template(plainTemplate);
    #html = "";
    /** Addresses by name, so that a picture does not blink with each update. */
    #sources = new Map();

    /** @param {{followed: (key) => void, explained: (key) => void, closed: () => void}} actions */
    constructor(L, map, icons, actions) {
        this.#map = map;
        this.#icons = icons;
        this.#closed = actions.closed;
        this.#follow = element("button.button", {
            type: "button", "aria-pressed": "false", text: "Follow", onclick: () => actions.followed(this.key),
        });
        const why = element("button.button", { type: "button", text: "Why so?", onclick: () => actions.explained(this.key) });
        why.title = "Which display rule set what";
        const content = element(
            "div.callout", { role: "dialog", "aria-label": "Location" }, this.#body,
            element("div.callout-actions", {}, this.#follow, why));
        this.#popup = L.popup({ autoPan: false, minWidth: 210, maxWidth: 300, offset: [0, -14], className: "fleet-popup" });
        this.#popup.setContent(content);
        map.getContainer().addEventListener("keydown", (event) => {
            if (event.key === "Escape") this.close();
        });
        map.on("resize", () => this.key !== null && this.#makeVisible());
        map.on("popupclose", ({ popup }) => {
            if (popup !== this.#popup || this.key === null) return;
            this.key = null;
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
        if (latLng) this.#popup.setLatLng(latLng);
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
        const map = this.#map.getContainer().getBoundingClientRect();
        const box = popup.getBoundingClientRect();
        const space = 12;
        // The floors are to the right.
        const right = space + 60;
        const x = Math.min(0, box.left - map.left - space) + Math.max(0, box.right - map.right + right);
        const y = Math.min(0, box.top - map.top - space) + Math.max(0, box.bottom - map.bottom + space);
        if (x || y) this.#map.panBy([Math.round(x), Math.round(y)]);
    }
}
