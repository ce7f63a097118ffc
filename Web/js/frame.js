// Gathers what has changed and hands it over once a frame, however often it changes.

export class FrameQueue {
    #keys = new Set();
    #isAsked = false;
    #draw;
    #request;

    /**
     * @param {(keys: Set<string>) => void} draw
     * @param request Calls back in the next frame; requestAnimationFrame but in tests.
     */
    constructor(draw, request = (callback) => requestAnimationFrame(callback)) {
        this.#draw = draw;
        this.#request = request;
    }

    add(keys) {
        for (const key of keys) this.#keys.add(key);
        if (this.#isAsked || this.#keys.size === 0) return;
        this.#isAsked = true;
        this.#request(() => {
            this.#isAsked = false;
            const keys = this.#keys;
            this.#keys = new Set();
            this.#draw(keys);
        });
    }
}
