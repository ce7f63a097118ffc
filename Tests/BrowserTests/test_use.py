"""What people do with the map page: choose, open, follow; by mouse, by keyboard, on phones."""

import re
import unittest

from playwright.sync_api import expect

from maptest import MapTest, green
from stand import pictures


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
        page.locator("#search").fill("nobody")
        expect(page.locator("#more")).to_have_text("No location is like that.")
        page.locator("#search").fill("")
        page.get_by_role("button", name="live 2").click()
        expect(page.locator(".fleet-marker")).to_have_count(0)

    def test_a_search_tells_what_is_on_other_floors_and_finds_names_first(self):
        for name, floor in [("Cart 2", 0), ("Lift 2 cart", 0), ("Cart 22", 10)]:
            self.stand.report(name.lower().replace(" ", ""), name=name, charge=50, floor=floor)
        self.stand.report("x", name="A lorry", charge=50, floor=0, type="cart 2")
        page = self.open()
        page.get_by_role("group", name="Floor").get_by_text("0", exact=True).click()
        page.locator("#search").fill("cart 2")
        expect(page.locator("#list .name")).to_have_text(["Cart 2", "Lift 2 cart", "A lorry"])
        expect(page.locator("#more")).to_have_text("1 location on other floors or in other buildings")

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
        expect(icon).to_contain_text("rule robots (type level, ")
        expect(icon).to_contain_text("overruled")
        expect(page.locator("#explanation .skipped")).to_contain_text("its condition does not hold")
        page.keyboard.press("Escape")
        expect(page.locator("#explain")).to_be_hidden()
        expect(callout).to_be_visible()
        # Also from the list.
        page.locator("#list button").focus()
        page.keyboard.press("Escape")
        expect(callout).to_have_count(0)

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
        order = lambda node: int(node.evaluate("node => node.style.zIndex"))
        self.assertGreater(order(self.marker("R0")), order(cluster))

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


if __name__ == "__main__":
    unittest.main(verbosity=2)
