"""The map page in a real browser, against the real bridge, broker and simulators."""

import json
import re
import unittest

from playwright.sync_api import expect

from maptest import MapTest, green, red, yellow
from stand import Stand, pictures, root, rules


class Drawing(MapTest):
    def test_markers_have_the_colours_of_their_charge(self):
        for number, (charge, color) in enumerate([(10, red), (45, yellow), (90, green)]):
            self.stand.report(f"r{number}", lon=9.9504 + number * 0.0004, charge=charge, name=f"R{number}")
        page = self.open()
        for name, color in [("R0", red), ("R1", yellow), ("R2", green)]:
            expect(self.marker(name)).to_have_attribute("data-color", color)
        expect(page.locator("#count")).to_have_text("3 of 3 locations")
        expect(page.locator("#connection")).to_have_text("connected")
        # Who has the same colour has the same picture.
        pictures_of = lambda name: self.marker(name).locator("img")
        expect(pictures_of("R2")).to_have_attribute("src", re.compile("^data:image/png"))
        self.assertNotEqual(pictures_of("R0").get_attribute("src"), pictures_of("R2").get_attribute("src"))
        self.stand.report("r0", charge=95, name="R0")
        expect(self.marker("R0")).to_have_attribute("data-color", green)
        expect(pictures_of("R0")).to_have_attribute("src", pictures_of("R2").get_attribute("src"))

    def test_icons_turn_with_the_heading_and_have_no_direction_without(self):
        self.stand.report("a", name="Turned", charge=50, heading=90)
        self.stand.report("b", name="Plain", charge=50, lon=9.9512)
        self.open()
        turned, plain = (self.marker(name).locator("img") for name in ("Turned", "Plain"))
        expect(turned).to_have_attribute("style", re.compile(r"rotate\(90deg\)"))
        expect(plain).not_to_have_attribute("style", re.compile("rotate"))
        for image in (turned, plain):
            expect(image).to_have_attribute("src", re.compile("^data:image/png"))
        self.assertNotEqual(turned.get_attribute("src"), plain.get_attribute("src"))
        # The same picture as soon as it has a direction, too.
        self.stand.report("b", name="Plain", charge=50, lon=9.9512, heading=10)
        expect(plain).to_have_attribute("src", turned.get_attribute("src"))

    def test_stale_lost_and_offline_are_shown_as_such(self):
        self.stand.report("a", name="Lost", charge=50)
        self.stand.report("b", name="Gone", charge=50, lon=9.9512)
        self.open()
        expect(self.marker("Lost")).to_have_attribute("data-status", "live")
        before = self.marker("Lost").bounding_box()
        self.stand.publish("fleet/robots/a/telemetry", '{"lat":null,"lon":null}')
        self.stand.publish("fleet/robots/b/connection", "offline", "-r")
        expect(self.marker("Lost")).to_have_attribute("data-status", "lost")
        expect(self.marker("Lost")).to_have_class(re.compile("is-last"))
        expect(self.marker("Lost")).to_have_attribute("aria-label", "Lost, position lost")
        expect(self.marker("Gone")).to_have_attribute("data-status", "offline")
        self.assertEqual(self.marker("Lost").bounding_box(), before)

    def test_the_simulated_fleet_moves(self):
        self.stand.simulate("--count", 16, "--seed", 7)
        page = self.open()
        expect(page.locator("#count")).to_have_text("16 of 16 locations")
        expect(page.locator("#rate")).to_have_text(re.compile(r"\d+ messages/s"))
        moving = page.locator(".fleet-marker").first
        name = moving.get_attribute("aria-label")
        place = moving.get_attribute("style")
        expect(page.locator(f'.fleet-marker[aria-label="{name}"]')).not_to_have_attribute("style", place)

    def test_clusters_show_the_worst_in_them_and_open(self):
        for number, charge in enumerate([90, 45, 80]):
            self.stand.report(f"r{number}", lon=9.9504 + number * 0.00002, charge=charge, name=f"R{number}")
        self.stand.report("far", lat=57.07, charge=90, name="Far")
        page = self.open()
        cluster = page.locator(".fleet-cluster")
        expect(cluster).to_have_text("3")
        expect(cluster).to_have_attribute("data-color", yellow)
        self.stand.report("r2", lon=9.95044, charge=5, name="R2")
        expect(cluster).to_have_attribute("data-color", red)
        page.screenshot(path=pictures / "cluster.png")
        cluster.click()
        expect(self.marker("R2")).to_be_visible()
        expect(self.marker("R0")).to_be_visible()

    def test_removed_locations_vanish(self):
        self.stand.report("a", name="Stays", charge=50)
        self.stand.report("b", name="Goes", charge=50, lon=9.9512)
        page = self.open()
        expect(self.marker("Goes")).to_be_visible()
        self.stand.publish("fleet/robots/b/telemetry", "")
        expect(self.marker("Goes")).to_have_count(0)
        expect(page.locator("#count")).to_have_text("1 of 1 location")


class Circles(MapTest):
    def make_stand(self):
        return Stand(rules.replace("icon: marker", "icon: marker\n      accuracyVisible: true"))

    def test_a_circle_of_accuracy_goes_with_its_marker_into_a_cluster(self):
        # All of the canvas that is not transparent.
        painted = """async (canvas) => {
            await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
            return canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.some((value) => value > 0);
        }"""
        self.stand.report("a", name="Anna", charge=50, accuracy=3)
        self.stand.report("far", name="Far", charge=50, lat=57.07)
        page = self.open()
        expect(self.marker("Anna")).to_be_visible()
        canvas = page.locator(".leaflet-shapes-pane canvas")
        self.choose("Anna")
        self.assertTrue(canvas.evaluate(painted))
        page.keyboard.press("Escape")
        self.stand.report("b", name="Bert", charge=50, lon=9.95041)
        page.locator("#fit").click()
        expect(page.locator(".fleet-cluster")).to_have_text("2")
        self.assertFalse(canvas.evaluate(painted))


class Connecting(MapTest):
    def test_it_goes_on_after_the_bridge_was_killed(self):
        self.stand.report("a", name="Anna", charge=20)
        page = self.open()
        expect(self.marker("Anna")).to_be_visible()
        self.stand.kill_bridge()
        expect(page.locator("#connection")).to_have_text(re.compile("no connection"))
        expect(self.marker("Anna")).to_be_visible()
        page.screenshot(path=pictures / "no-connection.png")
        self.stand.start_bridge()
        expect(page.locator("#connection")).to_have_text("connected")
        self.stand.report("a", name="Anna", charge=90)
        self.stand.report("b", name="Bert", charge=90, lon=9.9506)
        expect(self.marker("Anna")).to_have_attribute("data-color", green)
        expect(self.marker("Bert")).to_be_visible()

    def test_without_leaflet_it_says_what_to_install(self):
        page = self.open(lambda page: page.route("**/leaflet/*.js", lambda route: route.fulfill(status=404)))
        expect(page.get_by_role("alert")).to_contain_text("apt-get install libjs-leaflet libjs-leaflet.markercluster")


class Names(MapTest):
    hostile = "<img src=x onerror=document.title='owned'>"

    def test_names_are_text(self):
        self.stand.report("a", name=self.hostile, charge=20, note=f"{self.hostile}{{{{id}}}}", building=self.hostile)
        self.stand.report("b", source="<b>x</b>", name="Other", charge=50, lon=9.9512, building="North")
        page = self.open()
        label = page.locator(".fleet-label", has_text="onerror")
        expect(label).to_have_text(self.hostile)
        self.choose("onerror")
        expect(page.locator(".callout h2")).to_have_text(f"Robot {self.hostile}")
        expect(page.locator(".callout")).to_contain_text(self.hostile + "{{id}}")
        page.get_by_role("button", name="Follow", exact=True).click()
        expect(page.locator("#following")).to_contain_text(self.hostile)
        page.get_by_role("button", name="Why so?").click()
        expect(page.locator("#explanation")).to_contain_text(self.hostile)
        expect(page.locator('img[src="x"]')).to_have_count(0)
        expect(page.locator("#sources b")).to_have_count(0)
        self.assertEqual(page.title(), "Fleet Bridge")

    def test_an_own_template_has_text_only_placeholders(self):
        template = (
            "<script>document.title='owned'</script><p id=own title='{{name}}' onclick=\"document.title='owned'\">"
            "Own: {{name}}, {{display.iconColor}}</p><p data-if=nothing>never</p><a href='{{name}}'>plain</a>")
        self.stand.report("a", name=self.hostile, charge=20)
        page = self.open(lambda page: page.route(
            "**/callout.html", lambda route: route.fulfill(content_type="text/html", body=template)))
        self.choose("onerror")
        own = page.locator("#own")
        expect(own).to_have_text(f"Own: {self.hostile}, {red}")
        expect(own).to_have_attribute("title", self.hostile)
        expect(page.locator(".callout")).not_to_contain_text("never")
        expect(page.locator(".callout a[href*=onerror]")).to_have_count(0)
        own.click()
        self.assertEqual(page.title(), "Fleet Bridge")
        # The browser has refused the template's handler, and said so.
        self.errors = [error for error in self.errors if "Security Policy" not in error]


class Plans(MapTest):
    """What the bridge in the test does not have, answered in its place."""

    def test_floor_plans_rooms_and_raw_positions(self):
        def area(lon, name, floor):
            ring = [[lon, 57.058], [lon + 0.0004, 57.058], [lon + 0.0004, 57.0583], [lon, 57.0583], [lon, 57.058]]
            return {
                "type": "Feature", "id": name.lower(), "geometry": {"type": "Polygon", "coordinates": [ring]},
                "properties": {"name": {"en": name}, "floor": floor, "floorName": f"Level {floor // 10}", "building": "North", "kind": "room"}}

        venues = {"type": "FeatureCollection", "features": [area(9.95, "Kitchen", 0), area(9.9504, "Hall", 0), area(9.95, "Attic", 10)]}
        states = [
            {"id": "a", "source": "s", "name": "Anna", "floor": 0, "building": "North", "status": "live", "charge": None,
             "position": {"lat": 57.0581, "lon": 9.9502}, "rawPosition": {"lat": 57.0581, "lon": 9.9506}, "accuracy": 4,
             "display": {"icon": "user", "label": "Anna", "accuracyVisible": True}},
            {"id": "hall", "source": "rooms", "name": "Hall", "floor": 0, "building": "North", "status": "live", "charge": None,
             "position": {"lat": 57.05815, "lon": 9.9506}, "display": {"icon": "room", "label": "Hall", "polygonFillColor": "#ff0000"}}]
        event = {"complete": True, "locations": states, "removed": [], "sources": [], "removedSources": [], "bridge": {}}

        def prepare(page):
            page.route("**/api/venues", lambda route: route.fulfill(json=venues))
            page.route("**/events*", lambda route: route.fulfill(
                content_type="text/event-stream", body=f"retry: 600000\n\nevent: snapshot\nid: 1\ndata: {json.dumps(event)}\n\n"))

        page = self.open(prepare)
        expect(self.marker("Anna")).to_be_visible()
        page.get_by_role("group", name="Floor").get_by_text("Level 0").click()
        expect(page.locator(".plan-area")).to_have_count(2)
        expect(page.locator(".plan-name", has_text="Kitchen")).to_be_visible()
        expect(page.locator(".plan-name", has_text="Attic")).to_have_count(0)
        # Its location says its name.
        expect(page.locator(".plan-name", has_text="Hall")).to_have_count(0)
        # Above all areas, wherever it is on the screen.
        layers = page.evaluate("""() => ["plan-names", "shapes", "plan"].map((name) =>
            Number(getComputedStyle(document.querySelector(`.leaflet-${name}-pane`)).zIndex))""")
        self.assertEqual(layers, sorted(layers, reverse=True))
        anna = self.marker("Anna")
        shapes = lambda: page.locator(".leaflet-shapes-pane canvas").evaluate("canvas => canvas.toDataURL()")
        # Canvases are drawn in the next frame.
        drawn = lambda: page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        matched, without_line = anna.get_attribute("style"), shapes()
        page.locator("#mode").select_option("raw")
        expect(anna).not_to_have_attribute("style", matched)
        page.locator("#mode").select_option("matched")
        expect(anna).to_have_attribute("style", matched)
        drawn()
        self.assertNotEqual(shapes(), without_line)
        page.screenshot(path=pictures / "matched.png")
        # As it was chosen, it stays, and the callout is where the marker is.
        page.reload()
        expect(page.locator("#mode")).to_have_value("matched")
        page.locator("#mode").select_option("current")
        anna.click()
        callout = page.locator(".leaflet-popup")
        expect(callout).to_have_css("opacity", "1")
        at = callout.bounding_box()["x"]
        page.locator("#mode").select_option("raw")
        self.assertGreater(callout.bounding_box()["x"], at + 20)


class MatchedPositions(MapTest):
    """A robot that says that it is outside, 18 m west of the building, and is matched with the building's plan."""

    def make_stand(self):
        floors = "floors: {Ground: 0, Mezzanine: 1, First: 10, Second: 20, Third: 30}"
        plan = f"buildings: {{Stigsborgvej: {{{floors}, venue: {root / 'examples' / 'venue.geojson'}}}}}"
        source = 'sources: {robots: {topics: ["fleet/robots/{device}/telemetry"], building: Stigsborgvej, match: walkable}}'
        return Stand(f"{plan}\n{source}\n{rules}")

    def test_what_the_device_says_and_where_it_is_instead(self):
        self.stand.report("a", name="Anna", charge=50, floor=0, lat=57.0578, lon=9.9495)
        # Of which nothing is to be moved.
        self.stand.report("b", name="Bert", charge=50, floor=0, lat=57.0578, lon=9.9500)
        page = self.open()
        anna, bert = self.marker("Anna"), self.marker("Bert")
        expect(anna).to_be_visible()
        # Where it glides to.
        place = lambda marker: marker.evaluate("marker => new DOMMatrix(marker.style.transform).e")
        matched, other = place(anna), place(bert)
        page.locator("#mode").select_option("raw")
        self.assertLess(place(anna), matched - 50)
        self.assertEqual(place(bert), other)
        page.locator("#mode").select_option("matched")
        self.assertEqual(place(anna), matched)
        page.screenshot(path=pictures / "matched-by-plan.png")


if __name__ == "__main__":
    unittest.main(verbosity=2)
