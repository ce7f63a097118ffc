// The Leaflet map itself.

export function makeMap(L, container) {
    const map = L.map(container, { zoomControl: false, maxZoom: 24, minZoom: 1, zoomSnap: 0.5, wheelPxPerZoomLevel: 90 });
    map.setView([20, 0], 2);
    map.attributionControl.setPrefix("Leaflet");
    L.control.zoom({ position: "bottomright" }).addTo(map);
    L.control.scale({ position: "bottomleft", imperial: false }).addTo(map);
    // Between two updates a marker glides; while the map zooms it must not.
    const still = () => container.classList.add("is-zooming");
    const moving = () => requestAnimationFrame(() => requestAnimationFrame(() => container.classList.remove("is-zooming")));
    map.on("zoomstart", still);
    map.on("zoomend", moving);
    new ResizeObserver(() => map.invalidateSize({ pan: false })).observe(container);
    return map;
}
