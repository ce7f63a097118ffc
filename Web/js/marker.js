// One marker on the map: its element is made once, and then changed only where it looks different.

import { element, setText } from "./dom.js";

/** Pixels of an icon of size 1. */
const iconPixels = 42;

const statusSigns = { stale: "…", lost: "?", offline: "×" };
const statusWords = { live: "", stale: "silent", lost: "position lost", offline: "offline" };

/** Leaflet's classes exist once its script has run, so these are made then. */
export function makeMarkerClass(L, icons) {
    /** Gives Leaflet the marker's own element. */
    const ElementIcon = L.Icon.extend({
        options: { iconSize: null },
        createIcon() {
            return this.options.marker.makeElement();
        },
        createShadow: () => null,
    });

    return L.Marker.extend({
        initialize(key, look) {
            L.Marker.prototype.initialize.call(this, [look.lat, look.lon], { keyboard: true, riseOnHover: true });
            this.key = key;
            this.look = look;
            this.options.icon = new ElementIcon({ marker: this });
        },

        makeElement() {
            this._image = element("img.fleet-icon", { alt: "", draggable: "false" });
            this._sign = element("span.fleet-sign", { "aria-hidden": "true" });
            this._label = element("span.fleet-label", { "aria-hidden": "true" });
            this._body = element("div.leaflet-marker-icon.fleet-marker", { role: "button" }, this._image, this._sign, this._label);
            this._shown = {};
            // Of the element before.
            this._zIndex = undefined;
            this._draw();
            return this._body;
        },

        show(look) {
            const isMoved = look.lat !== this.look.lat || look.lon !== this.look.lon;
            this.look = look;
            if (!this._icon) return;
            if (isMoved) this.update();
            this._draw();
        },

        /**
         * Where it is drawn. Its own place, `getLatLng`, is where the cluster tree knows it, which must not change behind
         * the tree's back. Spread out around its cluster it is where that puts it.
         */
        drawnLatLng() {
            return this._preSpiderfyLatlng ? this._latlng : L.latLng(this.look.lat, this.look.lon);
        },

        /** Its place is where it is drawn, from now on. Told to nobody: the tree would take it out and in by itself. */
        settle() {
            this._latlng = L.latLng(this.look.lat, this.look.lon);
            this.update();
        },

        update() {
            if (this._icon && this._map) this._setPos(this._map.latLngToLayerPoint(this.drawnLatLng()).round());
            return this;
        },

        _animateZoom({ zoom, center }) {
            this._setPos(this._map._latLngToNewLayerPoint(this.drawnLatLng(), zoom, center).round());
        },

        /** Leaflet moves each in three dimensions, which makes a layer of graphics memory of every marker. */
        _setPos(point) {
            this._icon._leaflet_pos = point;
            this._icon.style.transform = `translate(${point.x}px, ${point.y}px)`;
            const order = point.y + this.options.zIndexOffset;
            if (order === this._zIndex) return;
            this._zIndex = order;
            this._resetZIndex();
        },

        /** The icon's file has come. */
        refreshIcon() {
            if (!this._icon) return;
            this._shown.styleKey = null;
            this._draw();
        },

        _draw() {
            const { look, _shown: shown } = this;
            if (shown.rotation !== look.rotation) {
                shown.rotation = look.rotation;
                this._image.style.transform = look.rotation ? `rotate(${look.rotation}deg)` : "";
            }
            if (shown.styleKey === look.styleKey) return;
            shown.styleKey = look.styleKey;
            this._drawIcon(look);
            this._drawLabel(look);
            const status = look.isLast && look.status === "live" ? "lost" : look.status;
            this._body.dataset.status = status;
            this._body.classList.toggle("is-last", look.isLast);
            setText(this._sign, statusSigns[status] ?? "");
            this._body.setAttribute("aria-label", [look.title, statusWords[status]].filter(Boolean).join(", "));
        },

        _drawIcon(look) {
            const image = icons.image(look);
            const pixels = `${Math.round(iconPixels * look.size)}px`;
            this._body.style.setProperty("--size", pixels);
            this._image.hidden = !look.hasIcon;
            if (this._image.getAttribute("src") !== image.src) {
                this._image.src = image.src;
                if (image.srcset) this._image.srcset = image.srcset;
                else this._image.removeAttribute("srcset");
            }
            this._image.style.opacity = look.opacity;
            // A picture cannot be coloured, so it gets a ring.
            this._image.style.boxShadow = image.isTinted ? "" : `0 0 0 3px ${look.color}`;
            this._image.classList.toggle("is-picture", !image.isTinted);
            this._body.dataset.color = look.color;
        },

        _drawLabel(look) {
            setText(this._label, look.label);
            this._label.hidden = look.label === "";
            this._label.style.color = look.labelColor;
            this._label.classList.toggle("is-own-colour", look.labelColor !== "");
            this._label.style.maxWidth = look.labelMaxWidth > 0 ? `${look.labelMaxWidth}px` : "";
            this._label.classList.toggle("is-wrapped", look.labelMaxWidth > 0);
        },
    });
}
