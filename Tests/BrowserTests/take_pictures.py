"""Takes the pictures of README.md from a real run: Scripts/with-browser Tests/BrowserTests/take_pictures.py"""

import re

from playwright.sync_api import expect, sync_playwright

from stand import Stand, chromium, root

configuration = """
buildings:
  Stigsborgvej:
    floors: {Ground: 0, First: 10, Second: 20, Third: 30}
maps:
  hall: {building: Stigsborgvej, floor: Ground, origin: {lat: 57.0582502, lon: 9.9504788}}
sources:
  vacuums:
    topics: ["fleet/vacuums/{device}/telemetry", "fleet/vacuums/{device}/connection"]
    type: robot-vacuum
  agvs:
    format: vda5050
    topics: ["uagv/v2/{manufacturer}/{serial}/state", "uagv/v2/{manufacturer}/{serial}/connection"]
    type: agv
  people:
    topics: ["fleet/people/{device}/telemetry", "fleet/people/{device}/connection"]
    type: person
displayRules:
  - name: main
    set: {icon: marker, label: [get, name], iconRotation: [get, heading], calloutTitle: [get, name]}
  - name: battery
    when: [has, charge]
    set: {iconColor: [step, [get, charge], "#d92d20", 30, "#f59e0b", 60, "#15803d"]}
  - {name: vacuums, match: {type: robot-vacuum}, set: {icon: robot-vacuum, calloutDetail: [get, state]}}
  - {name: vehicles, match: {type: agv}, set: {icon: agv}}
  - name: people
    match: {type: person}
    set: {icon: user, iconColor: "#7c3aed", iconRotation: null, accuracyVisible: true, accuracyColor: "#7c3aed"}
  - name: nobody knows where it is
    when: ["!=", [get, status], live]
    set: {iconOpacity: 0.6}
"""

stand = Stand(configuration)
try:
    stand.simulate("--count", 12, "--seed", 11)
    stand.simulate("--format", "vda5050", "--count", 4, "--map", "hall", "--seed", 5)
    for name, lat, lon, more in [
        ("Ida", 57.05842, 9.95035, {"accuracy": 4}), ("Noah", 57.05808, 9.95074, {"accuracy": 6}), ("Liv", 57.05818, 9.95002, {"accuracy": 3}),
    ]:
        stand.report(name.lower(), lat, lon, source="people", name=name, type="person", floor=0, building="Stigsborgvej", **more)
    stand.publish("fleet/people/liv/telemetry", '{"lat":null,"lon":null}')
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for name, options in [
            ("map", {"viewport": {"width": 1280, "height": 720}}),
            ("map-phone", {"viewport": {"width": 390, "height": 700}, "color_scheme": "dark", "is_mobile": True, "has_touch": True}),
        ]:
            page = browser.new_page(**options)
            page.goto(stand.url)
            expect(page.locator("#count")).to_have_text("19 of 19 locations", timeout=60_000)
            expect(page.locator("#rate")).to_have_text(re.compile(r"^[1-9]\d+ messages/s"), timeout=60_000)
            page.locator("#fit").click()
            if name == "map":
                page.locator("#list button", has_text="Vacuum 5").click()
                page.get_by_role("button", name="Why so?").click()
                expect(page.locator("#explanation section").first).to_be_visible()
                # Where the panel has made it narrower.
                page.locator("#fit").click()
            # The icons' files have come.
            expect(page.locator(".fleet-marker img").first).to_have_attribute("src", re.compile("^data:"))
            page.screenshot(path=root / "docs" / f"{name}.png")
        browser.close()
finally:
    stand.close()
