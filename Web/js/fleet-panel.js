// The panel with search, sources, statuses and the list of locations.

import { titleOf } from "./appearance.js";
import { safeColour } from "./colour.js";
import { element, setText, swatch } from "./dom.js";
import { floorOf, matchesName } from "./filter.js";
import { count, statuses } from "./words.js";

/** Rows that are made; who wants others searches. */
const mostRows = 150;
const byName = new Intl.Collator(undefined, { numeric: true });

export class FleetPanel {
    #nodes;
    #filter;
    #changed;
    #selected;
    #rows = new Map();
    #sources = "";
    #statuses = "";

    /**
     * @param {{search, sources, statuses, list, more}} nodes
     * @param {Filter} filter Changed here.
     * @param {() => void} changed
     * @param {(key: string) => void} selected
     */
    constructor(nodes, filter, changed, selected) {
        this.#nodes = nodes;
        this.#filter = filter;
        this.#changed = changed;
        this.#selected = selected;
        nodes.search.addEventListener("input", () => {
            filter.search = nodes.search.value;
            changed();
        });
    }

    /**
     * @param {Fleet} fleet
     * @param {string|null} chosen The key of the selected location.
     */
    show(fleet, chosen, floorName) {
        this.#showSources(fleet);
        this.#showStatuses(fleet);
        const { search } = this.#filter;
        const found = [];
        let elsewhere = 0;
        for (const [key, state] of fleet.locations) {
            if (this.#filter.takes(state)) found.push([key, state, !search || matchesName(state, search) ? 0 : 1]);
            else if (search && this.#filter.isElsewhere(state)) elsewhere += 1;
        }
        found.sort(([, a, rankOfA], [, b, rankOfB]) => rankOfA - rankOfB || byName.compare(titleOf(a), titleOf(b)));
        this.#showRows(found.slice(0, mostRows), chosen, floorName);
        const rest = found.length - mostRows;
        const notes = [
            rest > 0 ? `and ${count(rest, "more location")}` : found.length === 0 ? "No location is like that." : "",
            elsewhere > 0 ? `${count(elsewhere, "location")} on other floors or in other buildings` : "",
        ];
        setText(this.#nodes.more, notes.filter(Boolean).join("; "));
    }

    #showSources({ sources }) {
        const rows = [...sources.values()].sort((a, b) => a.source.localeCompare(b.source));
        const text = JSON.stringify([rows.map((it) => [it.source, it.status]), [...this.#filter.hiddenSources]]);
        if (text === this.#sources) return;
        this.#sources = text;
        const hadFocus = this.#nodes.sources.contains(document.activeElement) ? document.activeElement.dataset.source : null;
        this.#nodes.sources.replaceChildren(...rows.map((it) => this.#sourceRow(it)));
        for (const box of this.#nodes.sources.querySelectorAll("input")) if (box.dataset.source === hadFocus) box.focus();
    }

    #sourceRow({ source, status }) {
        const box = element("input", { type: "checkbox", "data-source": source });
        box.checked = !this.#filter.hiddenSources.has(source);
        box.addEventListener("change", () => this.#toggle(this.#filter.hiddenSources, source, box.checked));
        const total = Object.values(status?.locations ?? {}).reduce((sum, number) => sum + number, 0);
        const word = status?.status ?? "initialising";
        const reason = status?.reason ? `${word}: ${status.reason}` : word;
        return element(
            "label.source", { title: reason }, box, element("span.name", { text: source }),
            element(`span.state.is-${word}`, { text: word === "available" ? "" : word }), element("span.number", { text: total }));
    }

    #showStatuses({ locations }) {
        const numbers = Object.fromEntries(statuses.map((status) => [status, 0]));
        for (const { status = "live" } of locations.values()) numbers[status] += 1;
        const text = JSON.stringify([numbers, [...this.#filter.hiddenStatuses]]);
        if (text === this.#statuses) return;
        this.#statuses = text;
        const focused = this.#nodes.statuses.contains(document.activeElement) ? document.activeElement.dataset.status : null;
        this.#nodes.statuses.replaceChildren(...statuses.map((status) => element("button.chip", {
            type: "button", text: `${status} ${numbers[status]}`, "data-status": status,
            "aria-pressed": String(!this.#filter.hiddenStatuses.has(status)),
            onclick: () => this.#toggle(this.#filter.hiddenStatuses, status, this.#filter.hiddenStatuses.has(status)),
        })));
        if (focused) this.#nodes.statuses.querySelector(`[data-status="${focused}"]`)?.focus();
    }

    #toggle(hidden, name, isShown) {
        if (isShown) hidden.delete(name);
        else hidden.add(name);
        this.#changed();
    }

    /** Rows are kept and changed, so that neither focus nor scroll jumps. */
    #showRows(found, chosen, floorName) {
        const keys = new Set(found.map(([key]) => key));
        for (const [key, row] of this.#rows) {
            if (keys.has(key)) continue;
            row.remove();
            this.#rows.delete(key);
        }
        let before = this.#nodes.list.firstElementChild;
        for (const [key, state] of found) {
            let row = this.#rows.get(key);
            if (!row) {
                row = this.#makeRow(key);
                this.#rows.set(key, row);
            }
            this.#fillRow(row, state, key === chosen, floorName);
            if (row === before) before = before.nextElementSibling;
            else this.#nodes.list.insertBefore(row, before);
        }
    }

    #makeRow(key) {
        const button = element(
            "button.row", { type: "button", onclick: () => this.#selected(key) }, swatch("#888888"), element("span.name"),
            element("span.detail"));
        return element("li", {}, button);
    }

    #fillRow(row, state, isChosen, floorName) {
        const button = row.firstElementChild;
        const [spot, name, detail] = button.children;
        const color = safeColour(state.display?.iconColor, "#3388ff");
        if (spot.dataset.color !== color) {
            spot.dataset.color = color;
            spot.style.backgroundColor = color;
        }
        setText(name, titleOf(state));
        const floor = floorOf(state);
        const parts = [
            state.status === "live" ? null : state.status, state.charge === null || state.charge === undefined ? null : `${state.charge} %`,
            floor === undefined ? null : floorName(floor),
        ];
        setText(detail, parts.filter(Boolean).join(" · "));
        if (button.dataset.status !== state.status) button.dataset.status = state.status;
        if (isChosen !== (button.getAttribute("aria-current") === "true")) button.setAttribute("aria-current", String(isChosen));
    }
}
