// What the bridge's owner has set for the page: {tiles: {url, attribution, maxZoom}}.

/** Nothing is set where the bridge has no such settings. */
export async function loadSettings() {
    try {
        const response = await fetch("api/settings");
        return response.ok ? await response.json() : {};
    } catch {
        return {};
    }
}
