// Icons by name, from the folder icons/: NAME.svg, or NAME.png with NAME@2x.png for dense displays. Which of them there are
// the bridge has told, so none is asked for in vain.
//
// Of each name, colour and whether it has a direction, one image is made and shared by all markers that look so.

import { iconKey } from "./appearance.js";
import { contrastOn } from "./colour.js";

/** Where no icon of a name is there. */
const roundSymbol = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48" width="48" height="48">
<circle cx="24" cy="24" r="15" fill="currentColor" stroke="#fff" stroke-width="3"/>
<path id="heading" d="M13.4 13.4 24 .9 34.6 13.4" fill="currentColor" stroke="#fff" stroke-width="2.5"/></svg>`;

/** Colours that follow a charge without steps could make thousands. */
const mostImages = 2_000;

/**
 * An SVG in a colour. In the file `currentColor` stands for it, `contrastColor` for black or white on it, and what has the id
 * `heading` is shown only where there is one.
 */
export function paintSVG(text, color, hasHeading) {
    let drawing = new DOMParser().parseFromString(text, "image/svg+xml");
    if (drawing.querySelector("parsererror")) drawing = new DOMParser().parseFromString(roundSymbol, "image/svg+xml");
    if (!hasHeading) drawing.getElementById("heading")?.remove();
    const painted = new XMLSerializer()
        .serializeToString(drawing)
        .replaceAll("currentColor", color)
        .replaceAll("contrastColor", contrastOn(color));
    return `data:image/svg+xml,${encodeURIComponent(painted)}`;
}

/** The address of a file in the folder. */
export function iconPath(file) {
    return `icons/${encodeURIComponent(file)}`;
}

export class Icons {
    #files = new Map();
    #images = new Map();
    #loaded;
    /** A promise of the files of each icon, by its name. */
    #index;

    /**
     * @param {Promise<{icons?: Object<string, string[]>}>} settings
     * @param {(name: string) => void} loaded Told when an icon that was asked for has come.
     */
    constructor(settings, loaded) {
        this.#index = settings.then(({ icons }) => new Map(Object.entries(icons ?? {})));
        this.#loaded = loaded;
    }

    /**
     * @param {{icon, color, rotation, iconKey?}} look
     * @returns {{src: string, srcset?: string, isTinted: boolean}} `isTinted`: the image has the colour already. Until a file
     *     has come, the round symbol.
     */
    image(look) {
        const file = this.#file(look.icon);
        if (file === undefined) return this.#paint(`\n${look.color}\n${look.rotation !== null}`, roundSymbol, look);
        if (file.png) return file.png;
        return this.#paint(look.iconKey ?? iconKey(look), file.svg, look);
    }

    /** An image by name, for callouts. */
    async source(name) {
        const file = this.#file(name) ?? (await this.#files.get(name));
        if (file.png) return window.devicePixelRatio > 1 ? file.png.denseSrc : file.png.src;
        return file.svg === roundSymbol ? null : paintSVG(file.svg, "#3388ff", false);
    }

    #paint(key, svg, look) {
        let image = this.#images.get(key);
        if (!image) {
            if (this.#images.size >= mostImages) this.#images.clear();
            image = { src: paintSVG(svg, look.color, look.rotation !== null), isTinted: true };
            this.#images.set(key, image);
            rasterize(image).then(() => this.#loaded(look.icon));
        }
        return image;
    }

    #file(name) {
        if (!this.#files.has(name)) {
            const loading = this.#load(name);
            this.#files.set(name, loading);
            loading.then((file) => {
                this.#files.set(name, file);
                this.#loaded(name);
            });
        }
        const file = this.#files.get(name);
        return file instanceof Promise ? undefined : file;
    }

    async #load(name) {
        const [file, dense] = (await this.#index).get(name) ?? [];
        if (file?.endsWith(".png")) return { png: picture(iconPath(file), dense && iconPath(dense)) };
        const svg = file && (await textAt(iconPath(file)));
        return { svg: svg || roundSymbol };
    }
}

/** @param {string|undefined} dense The address for displays with two pixels a point, where there is one. */
function picture(src, dense) {
    return { src, denseSrc: dense ?? src, srcset: dense && `${src} 1x, ${dense} 2x`, isTinted: false };
}

async function textAt(path) {
    try {
        const response = await fetch(path);
        return response.ok ? await response.text() : null;
    } catch {
        return null;
    }
}

/** Pixels of an icon's bitmap, enough for a large one on a dense display. */
const bitmapPixels = 128;

/**
 * Makes a bitmap of an SVG. Otherwise the browser draws its shapes anew for each marker whenever one of them moves.
 *
 * @param image Keeps its SVG where no bitmap can be made.
 */
async function rasterize(image) {
    const drawing = new Image(bitmapPixels, bitmapPixels);
    drawing.src = image.src;
    try {
        await drawing.decode();
        const canvas = document.createElement("canvas");
        canvas.width = canvas.height = bitmapPixels;
        canvas.getContext("2d").drawImage(drawing, 0, 0, bitmapPixels, bitmapPixels);
        image.src = canvas.toDataURL();
    } catch {
        return;
    }
}
