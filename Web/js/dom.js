// Elements from code. Text is only ever text: nothing that a device says is read as HTML.

/**
 * @param {string} name Of the element, with classes: "p.note".
 * @param {object} attributes `on…` are listeners, `text` is the text; false and null leave out.
 */
export function element(name, attributes = {}, ...children) {
    const [tag, ...classes] = name.split(".");
    const node = document.createElement(tag);
    if (classes.length > 0) node.className = classes.join(" ");
    for (const [key, value] of Object.entries(attributes)) {
        if (value === null || value === undefined || value === false) continue;
        if (key === "text") node.textContent = value;
        else if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
        else node.setAttribute(key, value === true ? "" : value);
    }
    node.append(...children.filter((child) => child !== null && child !== undefined));
    return node;
}

/** Changes a text only where it differs: screen readers and selections are left alone. */
export function setText(node, text) {
    if (node.textContent !== text) node.textContent = text;
}

/** A spot in a colour. Its style is set by code, since the page allows no inline ones. */
export function swatch(color) {
    const node = element("span.swatch", { "aria-hidden": "true" });
    node.style.backgroundColor = color;
    return node;
}

export function byId(id) {
    return document.getElementById(id);
}
