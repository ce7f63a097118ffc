// Which building and floor is shown.

import { element } from "./dom.js";

export class FloorSelector {
    #floors;
    #building;
    #changed;
    #shown = "";

    /**
     * @param {HTMLElement} floors Gets a button for each floor.
     * @param {HTMLSelectElement} building
     * @param {(change: {floor?: number|null, building?: string|null}) => void} changed
     */
    constructor(floors, building, changed) {
        this.#floors = floors;
        this.#building = building;
        this.#changed = changed;
        building.addEventListener("change", () => {
            const index = building.selectedIndex;
            changed({ building: index <= 0 ? null : building.options[index].value, floor: null });
        });
        // Up and down go from floor to floor, as in a lift.
        floors.addEventListener("keydown", (event) => {
            const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
            if (!step) return;
            event.preventDefault();
            const buttons = [...floors.querySelectorAll("button")];
            buttons[buttons.indexOf(document.activeElement) + step]?.focus();
        });
    }

    /**
     * @param {{floors: Map<number, number>, buildings: Map<string, number>}} places
     * @param {(floor: number) => string} floorName
     */
    show({ floors, buildings }, filter, floorName) {
        const text = JSON.stringify([[...floors], [...buildings], filter.floor, filter.building, [...floors.keys()].map(floorName)]);
        if (text === this.#shown) return;
        this.#shown = text;
        this.#showFloors(floors, filter.floor, floorName);
        this.#showBuildings(buildings, filter.building);
    }

    #showFloors(floors, chosen, floorName) {
        const focused = document.activeElement?.dataset?.floor;
        const hadFocus = this.#floors.contains(document.activeElement);
        this.#floors.hidden = floors.size < 2 && chosen === null;
        const all = this.#button("All", null, chosen, "All floors");
        const buttons = [...floors].map(([floor, count]) =>
            this.#button(floorName(floor), floor, chosen, `Floor ${floorName(floor)}, ${count} locations`));
        this.#floors.replaceChildren(all, ...buttons);
        if (hadFocus) this.#floors.querySelector(`[data-floor="${CSS.escape(focused ?? "")}"]`)?.focus();
    }

    #button(text, floor, chosen, label) {
        return element("button.floor", {
            type: "button", text, "data-floor": String(floor), "aria-label": label, title: label,
            "aria-pressed": String(floor === chosen), onclick: () => this.#changed({ floor }),
        });
    }

    #showBuildings(buildings, chosen) {
        this.#building.hidden = buildings.size < 2;
        const options = [...buildings].map(([name, count]) => element("option", { value: name, text: `${name} (${count})` }));
        this.#building.replaceChildren(element("option", { text: "All buildings" }), ...options);
        this.#building.selectedIndex = chosen === null ? 0 : [...buildings.keys()].indexOf(chosen) + 1;
    }
}
