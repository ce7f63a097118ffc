// Callouts from an HTML file with places for text. Nothing that a device says can become an element, an attribute that does
// something, or an address.
//
//   {{name}}, {{display.calloutTitle}}, {{properties.state}}   in texts, and in title, alt and aria-label
//   data-if="charge"        the element is there only where that is known and not empty
//   data-image="display.calloutImage"    an img that shows the icon of that name

const placeholder = /\{\{\s*([^{}]+?)\s*\}\}/g;
const textAttributes = ["title", "alt", "aria-label"];

/** A member by its path with dots; `undefined` where there is none. */
export function valueAt(values, path) {
    let value = values;
    for (const part of path.split(".")) {
        if (value === null || typeof value !== "object" || !Object.hasOwn(value, part)) return undefined;
        value = value[part];
    }
    return value;
}

/** A value as text; nothing for what is unknown. */
export function textOf(value) {
    if (value === undefined || value === null) return "";
    return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** A text with its placeholders filled in, once: what is filled in is not looked through again. */
export function fill(text, values) {
    return text.replaceAll(placeholder, (_, path) => textOf(valueAt(values, path)));
}

export class Template {
    #nodes;

    /** @param {string} html Of the file: of the bridge's owner, and yet without scripts. */
    constructor(html) {
        const body = new DOMParser().parseFromString(html, "text/html").body;
        for (const node of body.querySelectorAll("script, iframe, object, embed, link, meta, base")) node.remove();
        this.#nodes = body;
    }

    /**
     * @param {object} values
     * @param {(image: HTMLImageElement, name: string) => void} showImage
     * @returns {DocumentFragment}
     */
    render(values, showImage) {
        const fragment = document.createDocumentFragment();
        for (const node of this.#nodes.childNodes) fragment.append(document.importNode(node, true));
        for (const node of fragment.querySelectorAll("[data-if]")) {
            if (textOf(valueAt(values, node.dataset.if)) === "") node.remove();
        }
        const texts = document.createTreeWalker(fragment, NodeFilter.SHOW_TEXT);
        while (texts.nextNode()) texts.currentNode.data = fill(texts.currentNode.data, values);
        for (const node of fragment.querySelectorAll("*")) {
            for (const name of textAttributes) {
                if (node.hasAttribute(name)) node.setAttribute(name, fill(node.getAttribute(name), values));
            }
        }
        for (const image of fragment.querySelectorAll("img[data-image]")) {
            showImage(image, textOf(valueAt(values, image.dataset.image)));
        }
        return fragment;
    }
}
