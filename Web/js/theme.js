// Light, dark, or as the system has it.

const choices = ["system", "light", "dark"];
const names = { system: "Theme: as the system", light: "Theme: light", dark: "Theme: dark" };

export class Theme {
    #button;
    #changed;
    #choice;

    /** @param {() => void} changed What is drawn by code has to be drawn anew. */
    constructor(button, changed) {
        this.#button = button;
        this.#changed = changed;
        this.#choice = choices.includes(recall("theme")) ? recall("theme") : "system";
        button.addEventListener("click", () => {
            this.#choice = choices[(choices.indexOf(this.#choice) + 1) % choices.length];
            remember("theme", this.#choice);
            this.#apply();
        });
        matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.#apply());
        this.#apply();
    }

    #apply() {
        const isDark = this.#choice === "dark" ||
            (this.#choice === "system" && matchMedia("(prefers-color-scheme: dark)").matches);
        document.documentElement.dataset.theme = isDark ? "dark" : "light";
        this.#button.title = names[this.#choice];
        this.#button.setAttribute("aria-label", names[this.#choice]);
        this.#button.dataset.choice = this.#choice;
        this.#changed();
    }
}

/** Where a browser keeps nothing, nothing is remembered. */
export function remember(name, value) {
    try {
        localStorage.setItem(`fleet-bridge.${name}`, value);
    } catch {
        return;
    }
}

export function recall(name) {
    try {
        return localStorage.getItem(`fleet-bridge.${name}`);
    } catch {
        return null;
    }
}
