// How statuses, reasons and times are said to people.

export const statuses = ["live", "stale", "lost", "offline"];

const reasons = {
    "silent": "nothing heard for a while",
    "age-unknown": "only a stored message, of unknown age",
    "no-fix": "it has no position",
    "position-too-old": "its position is too old",
    "position-stuck": "its position does not change though it moves",
    "connection-offline": "it is not connected",
    "source-offline": "its source is offline",
};

/** Such as "lost: it has no position". */
export function statusText({ status = "live", statusReason }) {
    const reason = reasons[statusReason];
    return reason ? `${status}: ${reason}` : status;
}

/** How long ago, coarsely. @param {number} now Milliseconds since 1970. */
export function ageText(time, now) {
    const then = Date.parse(time ?? "");
    if (Number.isNaN(then)) return "";
    const seconds = Math.max(0, Math.round((now - then) / 1000));
    if (seconds < 2) return "now";
    if (seconds < 100) return `${seconds} s ago`;
    if (seconds < 100 * 60) return `${Math.round(seconds / 60)} min ago`;
    if (seconds < 48 * 3600) return `${Math.round(seconds / 3600)} h ago`;
    return `${Math.round(seconds / 86400)} days ago`;
}

export function count(number, word) {
    return `${number.toLocaleString("en")} ${word}${number === 1 ? "" : "s"}`;
}
