"""The map page in a real browser, against the real bridge, broker and simulators."""

import json
import re
import unittest

from playwright.sync_api import expect, sync_playwright

from stand import Stand, chromium, pictures

red, yellow, green = "#ff0000", "#ffff00", "#008000"
expect.set_options(timeout=15_000)


class MapTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        pictures.mkdir(parents=True, exist_ok=True)
        cls.playwright = sync_playwright().start()
        cls.addClassCleanup(cls.playwright.stop)
        cls.browser = cls.playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        cls.addClassCleanup(cls.browser.close)

    def setUp(self):
        self.stand = self.make_stand()
        self.addCleanup(self.stand.close)
        self.errors = []

    def make_stand(self):
        return Stand()

    def open(self, prepare=None, **options):
        """Opens the page; `prepare` may answer some of its requests itself."""
        page = self.browser.new_page(**{"viewport": {"width": 1200, "height": 760}, **options})
        self.addCleanup(page.close)
        page.set_default_timeout(15_000)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", lambda message: self.errors.append(message.text) if "Security Policy" in message.text else None)
        if prepare:
            prepare(page)
        page.goto(self.stand.url)
        self.page = page
        return page

    def tearDown(self):
        if hasattr(self, "page"):
            self.page.screenshot(path=pictures / f"{self._testMethodName.removeprefix('test_')}.png")
        self.assertEqual(self.errors, [])

    def marker(self, name):
        return self.page.locator(f'.fleet-marker[aria-label^="{name}"]')

    def choose(self, name):
        """From the list, as people do who do not look for it on the map."""
        self.page.locator("#list button", has_text=name).click()
        expect(self.page.locator(".callout")).to_be_visible()


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


class Choosing(MapTest):
    def test_a_floor_shows_its_own(self):
        for floor in (0, 10):
            self.stand.report(f"f{floor}", name=f"Floor{floor}", floor=floor, charge=50, lon=9.9504 + floor * 0.0001)
        self.stand.report("none", name="Outside", charge=50, lat=57.0586)
        page = self.open()
        page.get_by_role("group", name="Floor").get_by_text("10", exact=True).click()
        expect(self.marker("Floor10")).to_be_visible()
        expect(self.marker("Outside")).to_be_visible()
        expect(self.marker("Floor0")).to_have_count(0)
        page.get_by_role("group", name="Floor").get_by_text("All").click()
        expect(self.marker("Floor0")).to_be_visible()

    def test_sources_statuses_and_a_search_filter(self):
        self.stand.report("a", name="Anna", charge=50, source="people")
        self.stand.report("b", name="Bot", charge=50, lon=9.9512)
        page = self.open()
        expect(page.locator(".fleet-marker")).to_have_count(2)
        page.locator("label.source", has_text="people").locator("input").uncheck()
        expect(self.marker("Anna")).to_have_count(0)
        page.locator("label.source", has_text="people").locator("input").check()
        page.locator("#search").fill("ann")
        expect(self.marker("Anna")).to_be_visible()
        expect(self.marker("Bot")).to_have_count(0)
        page.locator("#search").fill("")
        page.get_by_role("button", name="live 2").click()
        expect(page.locator(".fleet-marker")).to_have_count(0)

    def test_the_callout_follows_what_is_known_and_explains(self):
        self.stand.report("a", name="Anna", charge=20, note="second floor")
        page = self.open()
        self.marker("Anna").click()
        callout = page.locator(".callout")
        expect(callout.locator("h2")).to_have_text("Robot Anna")
        expect(callout).to_contain_text("second floor")
        expect(callout).to_contain_text("20 %")
        self.stand.report("a", name="Anna", charge=75, note="second floor")
        expect(callout).to_contain_text("75 %")
        callout.get_by_role("button", name="Why so?").click()
        color = page.locator("#explanation section", has_text="iconColor")
        expect(color).to_contain_text("main")
        expect(color).to_contain_text(green)
        expect(color).to_contain_text("charge = 75")
        icon = page.locator("#explanation section", has=page.get_by_text("icon", exact=True))
        expect(icon).to_contain_text("robots · type")
        expect(icon).to_contain_text("overruled")
        expect(page.locator("#explanation .skipped")).to_contain_text("its condition does not hold")
        page.keyboard.press("Escape")
        expect(page.locator("#explain")).to_be_hidden()

    def test_it_works_by_keyboard(self):
        self.stand.report("a", name="Anna", charge=20)
        page = self.open()
        self.marker("Anna").focus()
        page.keyboard.press("Enter")
        expect(page.locator(".callout h2")).to_have_text("Robot Anna")
        page.keyboard.press("Escape")
        expect(page.locator(".callout")).to_have_count(0)
        expect(self.marker("Anna")).to_be_focused()

    def test_a_cluster_opens_by_keyboard_and_what_is_selected_is_in_none(self):
        for number in range(3):
            self.stand.report(f"r{number}", lon=9.9504 + number * 0.00002, charge=50, name=f"R{number}")
        self.stand.report("far", lat=57.07, charge=90, name="Far")
        page = self.open()
        cluster = page.locator(".fleet-cluster")
        expect(cluster).to_have_text("3")
        cluster.focus()
        page.keyboard.press("Enter")
        expect(self.marker("R0")).to_be_visible()
        self.marker("R0").focus()
        page.keyboard.press("Enter")
        expect(page.locator(".callout h2")).to_have_text("Robot R0")
        page.locator("#fit").click()
        # The other two are together again.
        expect(cluster).to_have_text("2")
        expect(self.marker("R0")).to_have_class(re.compile("is-selected"))

    def test_floors_go_up_and_down_by_keyboard(self):
        for floor in (0, 10, 20):
            self.stand.report(f"f{floor}", name=f"Floor{floor}", floor=floor, charge=50, lon=9.9504 + floor * 0.0001)
        page = self.open()
        page.get_by_role("group", name="Floor").get_by_text("20", exact=True).focus()
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        expect(self.marker("Floor10")).to_be_visible()
        expect(self.marker("Floor20")).to_have_count(0)
        expect(page.locator('.floor[aria-pressed="true"]')).to_be_focused()

    def test_the_skip_link_leads_to_the_list_also_where_it_is_put_away(self):
        self.stand.report("a", name="Anna", charge=20)
        page = self.open(viewport={"width": 390, "height": 844})
        expect(self.marker("Anna")).to_be_visible()
        expect(page.locator("#panel")).to_be_hidden()
        page.keyboard.press("Tab")
        expect(page.locator(".skip")).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.locator("#search")).to_be_focused()

    def test_themes_are_those_of_the_system_or_chosen(self):
        self.stand.report("a", name="Anna", charge=20)
        page = self.open(color_scheme="dark")
        expect(page.locator("html")).to_have_attribute("data-theme", "dark")
        page.locator("#theme").click()
        expect(page.locator("html")).to_have_attribute("data-theme", "light")
        page.reload()
        expect(page.locator("html")).to_have_attribute("data-theme", "light")

    def test_a_phone_is_large_enough(self):
        self.stand.report("a", name="Anna", charge=20)
        page = self.open(viewport={"width": 360, "height": 640}, has_touch=True, is_mobile=True)
        expect(self.marker("Anna")).to_be_visible()
        self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), 360)
        page.locator("#panel-button").tap()
        self.choose("Anna")
        expect(page.locator("#panel")).to_be_hidden()
        box = page.locator(".callout").bounding_box()
        self.assertGreaterEqual(box["x"], 0)
        self.assertLessEqual(box["x"] + box["width"], 360)


class CalloutAndFloors(MapTest):
    """No button lies over an open callout, whatever the window's size and wherever the map is panned to."""

    def overlapping(self):
        return self.page.evaluate("""() => {
            const callout = document.querySelector(".leaflet-popup").getBoundingClientRect();
            const inCallout = (x, y) => document.elementFromPoint(x, y)?.closest(".leaflet-popup, header, footer");
            return [...document.querySelectorAll(".floor")].filter((button) => {
                const box = button.getBoundingClientRect();
                const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
                const isOver = x > callout.left && x < callout.right && y > callout.top && y < callout.bottom;
                return isOver && !inCallout(x, y);
            }).length;
        }""")

    def look(self, name, width, height, **options):
        for number, floor in enumerate([-10, 0, 10, 20, 30, 40]):
            lon = 9.9504 + (number % 3) * 0.0004
            self.stand.report(f"r{number}", lat=57.0582 + number * 0.00012, lon=lon, charge=50, name=f"Robot {number}", floor=floor)
        page = self.open(viewport={"width": width, "height": height}, **options)
        expect(page.locator("#floors button")).to_have_count(7)
        self.marker("Robot 4").click()
        callout, floors = page.locator(".leaflet-popup"), page.locator("#floors")
        expect(callout).to_have_css("opacity", "1")
        expect(page.locator(".leaflet-pan-anim")).to_have_count(0)
        box = callout.bounding_box()
        self.assertGreaterEqual(box["x"], 0)
        self.assertLessEqual(box["x"] + box["width"], width)
        self.assertEqual(self.overlapping(), 0)
        page.screenshot(path=pictures / f"callout-{name}.png")
        # Under the buttons, and back. By keyboard: a drag would slide on.
        page.locator("#map").focus()
        steps = 0
        while box["x"] + box["width"] < width - 30:
            page.keyboard.press("ArrowLeft")
            expect(page.locator(".leaflet-pan-anim")).to_have_count(0)
            box, steps = callout.bounding_box(), steps + 1
        self.assertEqual(self.overlapping(), 0)
        page.screenshot(path=pictures / f"callout-{name}-panned.png")
        page.keyboard.press("Escape")
        expect(callout).to_have_count(0)
        expect(floors).to_be_visible()
        return steps

    def test_on_a_desk(self):
        self.assertGreater(self.look("desk", 1280, 800), 0)

    def test_on_a_phone(self):
        self.look("phone", 390, 844, has_touch=True, is_mobile=True)

    def test_on_a_dark_phone(self):
        self.look("phone-dark", 390, 844, has_touch=True, is_mobile=True, color_scheme="dark")

    def test_on_the_smallest(self):
        self.look("small", 320, 480, has_touch=True, is_mobile=True)


class Following(MapTest):
    def middle(self):
        box = self.page.locator("#map").bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def assert_centred(self, name):
        """Within some pixels: the icon is drawn around its place."""
        x, y = self.middle()
        script = """([label, x, y]) => {
            const box = document.querySelector(`.fleet-marker[aria-label^="${label}"] img`)?.getBoundingClientRect();
            return box && Math.hypot(box.x + box.width / 2 - x, box.y + box.height / 2 - y);
        }"""
        for _ in range(600):
            distance = self.page.evaluate(script, [name, x, y])
            if distance is not None and distance < 12:
                return
            self.page.evaluate("new Promise((done) => setTimeout(done, 50))")
        self.fail(f"{name} is {distance} px from the middle")

    def at_rest(self, node):
        """Its style, once it does not change any more: the map slides on after a drag."""
        style = None
        for _ in range(100):
            before, style = style, node.get_attribute("style")
            if style == before:
                return style
            self.page.evaluate("new Promise((done) => setTimeout(done, 100))")
        self.fail("it never rests")

    def test_it_pans_at_the_edge_and_leaves_off_when_somebody_pans(self):
        self.stand.report("a", name="Anna", charge=50)
        page = self.open()
        expect(self.marker("Anna")).to_be_visible()
        self.choose("Anna")
        page.get_by_role("button", name="Follow", exact=True).click()
        expect(page.locator("#following")).to_contain_text("Following Anna")
        # Far out of what the map shows.
        self.stand.report("a", name="Anna", charge=50, lat=57.0592, lon=9.9534)
        self.assert_centred("Anna")
        x, y = self.middle()
        page.mouse.move(x - 200, y + 150)
        page.mouse.down()
        page.mouse.move(x - 120, y + 190, steps=5)
        page.mouse.up()
        expect(page.locator("#following")).to_be_hidden()
        # It moves away, and the map does not.
        pane = page.locator(".leaflet-map-pane")
        place = self.at_rest(pane)
        self.stand.report("a", name="Anna", charge=50, lat=57.0602, lon=9.9564)
        self.stand.report("b", name="Bert", charge=50, lat=57.0592, lon=9.9534)
        expect(page.locator("#count")).to_have_text("2 of 2 locations")
        self.assertEqual(pane.get_attribute("style"), place)


    def test_arrow_keys_pan_and_so_it_leaves_off(self):
        self.stand.report("a", name="Anna", charge=50)
        page = self.open()
        self.marker("Anna").focus()
        page.keyboard.press("Enter")
        page.keyboard.press("Enter")
        expect(page.locator("#following")).to_contain_text("Following Anna")
        # Neither nearer nor further is it panned.
        page.locator("#map").focus()
        page.keyboard.press("+")
        expect(page.locator("#following")).to_be_visible()
        page.keyboard.press("ArrowRight")
        expect(page.locator("#following")).to_be_hidden()

    def test_it_leaves_off_when_what_is_followed_is_gone(self):
        self.stand.report("a", name="Anna", charge=50)
        page = self.open()
        self.choose("Anna")
        page.get_by_role("button", name="Follow", exact=True).click()
        expect(page.locator("#following")).to_be_visible()
        self.stand.publish("fleet/robots/a/telemetry", "")
        expect(self.marker("Anna")).to_have_count(0)
        expect(page.locator("#following")).to_be_hidden()
        expect(page.locator(".callout")).to_have_count(0)


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
             "position": {"lat": 57.05815, "lon": 9.9506}, "display": {"icon": "room", "polygonFillColor": "#ff0000"}}]
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


if __name__ == "__main__":
    unittest.main(verbosity=2)
