// Colours as the bridge publishes them: #rrggbb or #rrggbbaa.

const hex = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})?$/i;

/** @returns {{r: number, g: number, b: number, a: number}|null} 0 to 255, a 0 to 1; null where it is no such colour. */
export function parseColour(text) {
    const parts = hex.exec(text ?? "");
    if (!parts) return null;
    const [r, g, b] = parts.slice(1, 4).map((part) => parseInt(part, 16));
    return { r, g, b, a: parts[4] ? parseInt(parts[4], 16) / 255 : 1 };
}

/** The colour, or another one where it is none: nothing else gets into an icon or a style. */
export function safeColour(text, otherwise) {
    return parseColour(text) ? text.toLowerCase() : otherwise;
}

/** Relative luminance as WCAG 2 has it, 0 (black) to 1. */
function luminance({ r, g, b }) {
    const linear = [r, g, b].map((value) => {
        const part = value / 255;
        return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
}

/** What reads well on it. White wins over mid tones, where black would be harsh. */
export function contrastOn(colour) {
    const parsed = parseColour(colour);
    return parsed && luminance(parsed) > 0.4 ? "#16202c" : "#ffffff";
}

/**
 * How bad a colour looks to people, 0 (grey) to 1 (pure red): red, then orange, yellow, green; what is no colour of a
 * traffic light, such as blue, is next to grey. It ranks bands where no rule sets clusterPriority.
 */
export function severity(colour) {
    const parsed = parseColour(colour);
    if (!parsed) return 0;
    const { r, g, b } = parsed;
    const most = Math.max(r, g, b);
    const range = most - Math.min(r, g, b);
    if (range < 24) return 0;
    let sixth;
    if (most === r) sixth = ((g - b) / range + 6) % 6;
    else if (most === g) sixth = (b - r) / range + 2;
    else sixth = (r - g) / range + 4;
    const hue = sixth * 60;
    const fromRed = Math.min(hue, 360 - hue);
    const isTrafficLight = hue <= 165 || hue >= 330;
    return isTrafficLight ? 1 - (fromRed / 165) * 0.8 : 0.1;
}
