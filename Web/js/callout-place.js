// Where an open callout has room: beside the floor buttons, or in their place where the map is too narrow for both.

/** Pixels between a callout and the map's edge. */
const space = 12;

/**
 * How far the map has to pan so that a callout can be seen whole. Where it does not fit, its upper left corner can.
 *
 * @param {{left, top, right, bottom, width}} box The callout's.
 * @param {{left, top, right, bottom, width}} map
 * @param {{left, width}} floors What stands at the map's right; without a width, nothing does.
 * @returns {[number, number]|null} null: it is seen whole.
 */
export function panToShow(box, map, floors) {
    const taken = floors.width > 0 ? map.right - floors.left : 0;
    const isRoomForBoth = box.width + taken + 2 * space <= map.width;
    const right = map.right - space - (isRoomForBoth ? taken : 0);
    const x = shift(box.left, box.right, map.left + space, right);
    const y = shift(box.top, box.bottom, map.top + space, map.bottom - space);
    return x || y ? [Math.round(x), Math.round(y)] : null;
}

/** Of a stretch that has to be between two bounds; of these the first is the one that is kept at any rate. */
function shift(from, to, least, most) {
    const over = Math.max(0, to - most);
    return from - over < least ? from - least : over;
}

export function overlap(a, b) {
    const isEmpty = a.width === 0 || b.width === 0;
    return !isEmpty && a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}
