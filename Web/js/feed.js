// Reads /events, and goes on for ever: EventSource itself gives up where the server answers with an error.

const retryAfter = 3_000;
/** The bridge tells its figures each second or so: silence that long is a connection that has died unnoticed. */
const silenceAfter = 45_000;

export class Feed {
    #source = null;
    #lastEventId = "";
    #heard = 0;
    #take;
    #stateChanged;

    /**
     * @param {(kind: string, data: object) => void} take
     * @param {(state: "connecting"|"open"|"broken") => void} stateChanged
     */
    constructor(take, stateChanged) {
        this.#take = take;
        this.#stateChanged = stateChanged;
    }

    start() {
        this.#open();
        setInterval(() => this.#look(), 1_000);
    }

    #open() {
        this.#source?.close();
        this.#heard = performance.now();
        this.#stateChanged("connecting");
        const query = this.#lastEventId ? `?lastEventId=${encodeURIComponent(this.#lastEventId)}` : "";
        const source = new EventSource(`events${query}`);
        this.#source = source;
        source.onopen = () => this.#stateChanged("open");
        source.onerror = () => {
            if (source !== this.#source) return;
            this.#stateChanged("broken");
            if (source.readyState === EventSource.CLOSED) this.#retryLater();
        };
        for (const kind of ["snapshot", "delta"]) {
            source.addEventListener(kind, (event) => {
                this.#heard = performance.now();
                this.#lastEventId = event.lastEventId;
                this.#take(kind, JSON.parse(event.data));
            });
        }
    }

    #retryLater() {
        this.#source = null;
        setTimeout(() => this.#open(), retryAfter);
    }

    #look() {
        if (this.#source?.readyState === EventSource.OPEN && performance.now() - this.#heard > silenceAfter) this.#open();
    }
}
