// A cluster as a disc in the colour of the worst in it, with a ring that has all their colours.

import { bandsOf, ringOf } from "./band.js";
import { contrastOn } from "./colour.js";
import { element } from "./dom.js";

export function makeClusterIcon(L) {
    const ClusterIcon = L.Icon.extend({
        createIcon() {
            const { worst, bands, count } = this.options;
            const core = element("span.cluster-core", { text: String(count) });
            const body = element("div.leaflet-marker-icon.fleet-cluster", { role: "button", "aria-label": `${count} locations together` }, core);
            body.dataset.color = worst;
            body.classList.add(count < 10 ? "is-small" : count < 100 ? "is-medium" : "is-large");
            body.style.background = ringOf(bands);
            core.style.backgroundColor = worst;
            core.style.color = contrastOn(worst);
            return body;
        },
        createShadow: () => null,
    });
    return (cluster) => {
        const looks = cluster.getAllChildMarkers().map((marker) => marker.look);
        return new ClusterIcon({ ...bandsOf(looks), count: looks.length });
    };
}
