// What the bridge tells the page at its start: {name?, tiles?: {url, attribution?, maxZoom}, icons: {NAME: [FILE, …]}}.

const retryAfter = 3_000;

/** Asks until the bridge answers: the page has just come from there, so it is away for a moment at most. */
export async function loadSettings() {
    for (;;) {
        try {
            const response = await fetch("api/settings");
            if (response.ok) return await response.json();
        } catch {
            // It is asked again.
        }
        await new Promise((done) => setTimeout(done, retryAfter));
    }
}
