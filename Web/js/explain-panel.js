// Why a location looks as it does: of each property the rule that set it, and those that did not.

import { parseColour } from "./colour.js";
import { element, swatch } from "./dom.js";

const outcomes = {
    "used": "used",
    "overruled": "overruled",
    "null": "gave no value",
    "inherited": "says null: inherited",
    "failed": "failed",
    "not-applied": "does not apply",
};

export class ExplainPanel {
    /** The state that is explained, and null while closed. */
    #location = null;
    #panel;
    #title;
    #content;
    #asked = 0;

    /** @param {{panel, title, content, close, again}} nodes */
    constructor(nodes) {
        this.#panel = nodes.panel;
        this.#title = nodes.title;
        this.#content = nodes.content;
        nodes.close.addEventListener("click", () => this.close());
        nodes.again.addEventListener("click", () => this.#ask());
        nodes.panel.addEventListener("keydown", (event) => {
            if (event.key !== "Escape") return;
            event.preventDefault();  // the callout stays open
            this.close();
        });
    }

    open(state, title) {
        this.#location = { source: state.source, id: state.id };
        this.#title.textContent = title;
        this.#content.replaceChildren(element("p.note", { text: "Asking the bridge …" }));
        this.#panel.hidden = false;
        this.#panel.focus();
        return this.#ask();
    }

    close() {
        this.#location = null;
        this.#panel.hidden = true;
    }

    async #ask() {
        if (!this.#location) return;
        const { source, id } = this.#location;
        const turn = ++this.#asked;
        const answer = await fetchExplanation(source, id);
        // Meanwhile another one may have been asked for.
        if (turn !== this.#asked || !this.#location) return;
        this.#content.replaceChildren(...(answer.error ? [element("p.note", { text: answer.error })] : explanation(answer)));
    }
}

async function fetchExplanation(source, id) {
    try {
        const response = await fetch(`api/locations/${encodeURIComponent(source)}/${encodeURIComponent(id)}/explain`);
        const answer = await response.json();
        return response.ok ? answer : { error: answer.error ?? `The bridge answers with ${response.status}.` };
    } catch {
        return { error: "The bridge does not answer." };
    }
}

/** @returns {Element[]} */
function explanation({ properties = [], rules = [] }) {
    const skipped = rules.filter((rule) => !rule.applies);
    // What only rules would set that do not apply says little about how it is drawn.
    const isUnset = ({ value, candidates = [] }) => value === null && candidates.every(({ outcome }) => outcome === "not-applied");
    const nodes = properties.filter((it) => !isUnset(it)).map(propertyNode);
    if (nodes.length === 0) nodes.push(element("p.note", { text: "No rule sets anything." }));
    const unset = properties.filter(isUnset);
    if (unset.length > 0) {
        const summary = element("summary", { text: `Properties that are not set (${unset.length})` });
        nodes.push(element("details.unset", {}, summary, ...unset.map(propertyNode)));
    }
    if (skipped.length > 0) {
        const list = element("ul.rules", {}, ...skipped.map(skippedNode));
        nodes.push(element("details.skipped", {}, element("summary", { text: `Rules that do not apply (${skipped.length})` }), list));
    }
    return nodes;
}

function propertyNode({ property, value, rule, level, file, line, inputs, fallback, candidates = [] }) {
    const head = element(
        "div.explained-head", {}, element("code.property", { text: property }), valueNode(value));
    const by = rule !== undefined
        ? element("p.by", {}, ...ruleNodes(rule, level, file, line), inputsNode(inputs))
        : fallback ? element("p.by", { text: "the default, since every rule failed" }) : null;
    // Of what does not apply there is a list of its own; here it matters where nothing else does.
    const others = candidates.filter(({ outcome }) => outcome !== "used" && (rule === undefined || outcome !== "not-applied"));
    const list = others.length > 0
        ? element("ul.candidates", {}, ...others.map(candidateNode))
        : null;
    return element("section.explained", {}, head, by, list);
}

function candidateNode({ rule, level, file, line, outcome, value, error }) {
    const item = element(
        "li", {}, ...ruleNodes(rule, level, file, line), `: ${outcomes[outcome] ?? outcome}`);
    if (outcome === "overruled" && value !== undefined) item.append(" ", valueNode(value));
    if (error) item.append(element("div.error", { text: `${error.message} (${place(error.file, error.line)})` }));
    return item;
}

function skippedNode({ rule, level, file, line, reason, mismatches, inputs, error }) {
    const why = {
        "no-match": (mismatches ?? []).map(({ key, expected, found }) => `${key} is ${text(found)}, not ${text(expected)}`).join("; "),
        "condition-false": "its condition does not hold",
        "condition-failed": `its condition failed: ${error?.message ?? ""}`,
    };
    return element(
        "li", {}, ...ruleNodes(rule, level, file, line), `: ${why[reason] ?? reason}`, inputsNode(inputs));
}

function ruleNodes(rule, level, file, line) {
    return ["rule ", element("strong", { text: rule }), ` (${level} level, ${place(file, line)})`];
}

function inputsNode(inputs) {
    const entries = Object.entries(inputs ?? {});
    if (entries.length === 0) return null;
    return element("span.inputs", { text: ` from ${entries.map(([key, value]) => `${key} = ${text(value)}`).join(", ")}` });
}

function valueNode(value) {
    const node = element("span.value", { text: value === null ? "not set" : text(value) });
    if (typeof value === "string" && parseColour(value)) node.prepend(swatch(value));
    return node;
}

/** The file by its name alone: its folder is the same for all. */
function place(file, line) {
    const name = String(file ?? "").split("/").at(-1);
    return line === undefined ? name : `${name}:${line}`;
}

function text(value) {
    if (value === null || value === undefined) return "unknown";
    if (Array.isArray(value)) return value.map(text).join(" or ");
    return typeof value === "object" ? JSON.stringify(value) : String(value);
}
