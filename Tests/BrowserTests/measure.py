"""Frames a second and main-thread time of the map with many locations: Scripts/with-browser Tests/BrowserTests/measure.py [2000]"""

import json
import sys

from playwright.sync_api import sync_playwright

from stand import Stand, chromium

count = int(sys.argv[1]) if len(sys.argv) > 1 else 2_000
frames = """() => new Promise((done) => {
    let frames = 0, worst = 0, start = performance.now(), last = start;
    const step = (now) => {
        frames += 1;
        worst = Math.max(worst, now - last);
        last = now;
        if (now - start < 10_000) requestAnimationFrame(step);
        else done({
            framesPerSecond: Math.round(frames / (now - start) * 10_000) / 10, longestFrame: Math.round(worst),
            elements: document.querySelectorAll(".leaflet-marker-pane > *").length,
            messages: document.getElementById("rate").textContent,
        });
    };
    requestAnimationFrame(step);
})"""


def metrics(session):
    return {entry["name"]: entry["value"] for entry in session.send("Performance.getMetrics")["metrics"]}


def measure(page, session, name):
    before = metrics(session)
    figures = page.evaluate(frames)
    after = metrics(session)
    seconds = after["Timestamp"] - before["Timestamp"]
    for metric in ("TaskDuration", "ScriptDuration"):
        figures[f"{metric}Percent"] = round((after[metric] - before[metric]) / seconds * 100, 1)
    print(json.dumps({"view": name, **figures}), flush=True)


stand = Stand()
try:
    stand.simulate("--count", count, "--interval", "500ms", "--seed", 1)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.goto(stand.url)
        page.get_by_text(f"{count:,} of {count:,} locations").wait_for(timeout=120_000)
        page.locator("#fit").click()
        session = page.context.new_cdp_session(page)
        session.send("Performance.enable")
        measure(page, session, "the whole fleet")
        for _ in range(2):
            zoom = page.locator(".leaflet-control-zoom-in")
            zoom.click()
            page.locator("#map:not(.is-zooming)").wait_for()
        measure(page, session, "a part of it, two steps nearer")
        browser.close()
finally:
    stand.close()
