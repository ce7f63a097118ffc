"""What the bridge's owner sets for the page: tiles and icons. In a real browser, against the real bridge."""

import http.server
import pathlib
import struct
import tempfile
import threading
import unittest
import zlib

from playwright.sync_api import expect

from maptest import MapTest
from stand import Stand, pictures, rules


def png(size, color):
    """A square in one colour, as a file."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = (b"\0" + bytes(color) * size) * size
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", size, size, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


class OtherServer:
    """A server of somebody else's, which remembers who asked it for what."""

    def __init__(self):
        self.requests = requests = []
        tile = png(256, (200, 225, 205))

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                requests.append((self.path, self.headers.get("Referer"), self.headers.get("Cookie")))
                self.send_response(200)
                self.send_header("Content-Type", "image/png")
                self.send_header("Content-Length", str(len(tile)))
                self.end_headers()
                self.wfile.write(tile)

            def log_message(self, *arguments):
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        # A browser that needs a tile no more hangs up.
        self._server.handle_error = lambda *arguments: None
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever)
        self._thread.start()

    def close(self):
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class PageTest(MapTest):
    def setUp(self):
        self.other = OtherServer()
        self.addCleanup(self.other.close)
        super().setUp()

    def open(self, prepare=None, **options):
        self.requested, self.complaints = [], []

        def watch(page):
            page.on("request", lambda request: self.requested.append(request.url))
            page.on("console", lambda message: self.complaints.append(message.text) if message.type == "error" else None)
            if prepare:
                prepare(page)

        return super().open(watch, **options)


class Tiles(PageTest):
    attribution = "© <b>Tiles</b> & <img src=x>"

    def make_stand(self):
        return Stand(http=f', tiles: {{url: "{self.other.url}/{{z}}/{{x}}/{{y}}.png", attribution: "{self.attribution}", maxZoom: 17}}')

    def test_tiles_are_shown_under_the_fleet(self):
        self.stand.report("a", name="Anna", charge=20)
        page = self.open()
        expect(self.marker("Anna")).to_be_visible()
        tile = page.locator(".tile-layer img.leaflet-tile-loaded").first
        expect(tile).to_be_visible()
        self.assertEqual(tile.evaluate("image => image.naturalWidth"), 256)
        expect(tile).to_have_css("opacity", "1")
        expect(page.locator(".leaflet-control-attribution")).to_contain_text(self.attribution)
        expect(page.locator(".leaflet-control-attribution :is(b, img)")).to_have_count(0)
        # A single location is shown at zoom 20, nearer than there are tiles.
        zooms = {int(path.split("/")[1]) for path, _, _ in self.other.requests}
        self.assertEqual(max(zooms), 17)
        # The page's origin, and neither its address nor anything it knows by.
        self.assertEqual({(referrer, cookie) for _, referrer, cookie in self.other.requests}, {(self.stand.url, None)})
        self.assertEqual(self.complaints, [])

    def test_a_tile_server_that_is_away_leaves_the_map_as_it_is(self):
        self.other.close()
        self.stand.report("a", name="Anna", charge=20)
        page = self.open()
        expect(self.marker("Anna")).to_be_visible()
        expect(page.locator(".grid-layer canvas").first).to_be_visible()


class NoTiles(PageTest):
    def test_without_tiles_nobody_but_the_bridge_is_asked_and_nothing_in_vain(self):
        self.stand.report("a", name="Anna", charge=20)
        page = self.open()
        expect(self.marker("Anna")).to_be_visible()
        self.marker("Anna").click()
        expect(page.locator(".callout")).to_be_visible()
        elsewhere = [url for url in self.requested if not url.startswith((self.stand.url, "data:", "blob:"))]
        self.assertEqual(elsewhere, [])
        self.assertIn(f"{self.stand.url}api/settings", self.requested)
        self.assertEqual(self.complaints, [])


class Named(PageTest):
    name = "<img src=x onerror=document.title='owned'> Hall"

    def make_stand(self):
        return Stand(f'instance: "{self.name}"\n{rules}')

    def test_a_bridge_with_a_name_has_it_in_the_title_and_above_the_map_as_text(self):
        page = self.open()
        expect(page.get_by_role("heading", level=1)).to_have_text(self.name)
        expect(page).to_have_title(f"{self.name} – Fleet Bridge")
        expect(page.locator('img[src="x"]')).to_have_count(0)
        self.assertEqual(self.complaints, [])


class OwnIcons(PageTest):
    def make_stand(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "fork lift.png").write_bytes(png(42, (10, 20, 200)))
        (self.folder / "fork lift@2x.png").write_bytes(png(84, (200, 20, 10)))
        (self.folder / "plain.png").write_bytes(png(42, (10, 200, 20)))
        # The project has this one as a drawing.
        (self.folder / "agv.png").write_bytes(png(42, (1, 2, 3)))
        (self.folder / "evil.svg").write_text(f"""<svg xmlns="http://www.w3.org/2000/svg"
            xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 48 48" width="48" height="48"
            onload="document.title='owned';fetch('{self.other.url}/onload')">
            <script>document.title = "owned"; parent.document.title = "owned"; fetch("{self.other.url}/script")</script>
            <script href="{self.other.url}/script.js"/>
            <style>@import url("{self.other.url}/style.css"); rect {{ fill: url("{self.other.url}/fill") }}</style>
            <image href="{self.other.url}/image.png" width="48" height="48"/>
            <use xlink:href="{self.other.url}/use.svg#x"/>
            <foreignObject width="48" height="48"><body xmlns="http://www.w3.org/1999/xhtml">
                <img src="{self.other.url}/html.png" onerror="top.document.title='owned'"/><iframe src="{self.other.url}/frame"/></body></foreignObject>
            <rect width="48" height="48" fill="currentColor"/></svg>""")
        looks = "icon: [get, look]\n      calloutImage: [get, look]"
        return Stand(f"icons: {self.folder}" + rules.replace("icon: marker", looks).replace("{icon: robot-vacuum}", "{}"))

    def put(self, name, look, lon, **more):
        self.stand.report(name.lower(), name=name, look=look, lon=lon, charge=90, **more)

    def picture(self, name):
        """What the browser has taken of what it was offered, once it is there."""
        image = self.marker(name).locator("img")
        expect(image).to_have_js_property("complete", True)
        return image.evaluate("image => [decodeURIComponent(image.currentSrc.split('/').pop()), image.naturalWidth]")

    def expect_picture(self, name, file):
        expect(self.marker(name).locator("img")).to_have_class("fleet-icon is-picture")
        self.assertEqual(self.picture(name)[0], file)

    def test_own_icons_count_rather_than_the_projects_and_dense_displays_get_dense_ones(self):
        for number, look in enumerate(["fork lift", "plain", "agv", "tag", "nothing-of-the-kind"]):
            self.put(f"R{number}", look, 9.9504 + number * 0.0004)
        page = self.open()
        expect(page.locator("#count")).to_have_text("5 of 5 locations")
        for name, file in [("R0", "fork lift.png"), ("R1", "plain.png"), ("R2", "agv.png")]:
            self.expect_picture(name, file)
        # A picture has a ring in the colour; drawings have it themselves, as has the round symbol for what there is no icon of.
        expect(self.marker("R0").locator("img")).to_have_css("box-shadow", "rgb(0, 128, 0) 0px 0px 0px 3px")
        for name in ("R3", "R4"):
            expect(self.marker(name).locator("img")).to_have_class("fleet-icon")
        sources = [self.marker(name).locator("img").get_attribute("src") for name in ("R3", "R4")]
        self.assertNotEqual(*sources)
        self.marker("R0").click()
        expect(page.locator(".callout-image")).to_have_attribute("src", "icons/fork%20lift.png")
        page.screenshot(path=pictures / "own-icons.png")
        self.assertEqual(self.complaints, [])

        page.close()
        page = self.open(device_scale_factor=2)
        expect(page.locator("#count")).to_have_text("5 of 5 locations")
        for name, file in [("R0", "fork lift@2x.png"), ("R1", "plain.png")]:
            self.expect_picture(name, file)
        self.marker("R0").click()
        expect(page.locator(".callout-image")).to_have_attribute("src", "icons/fork%20lift%402x.png")
        self.assertEqual(self.complaints, [])

    def test_a_drawing_runs_and_fetches_nothing_neither_on_the_map_nor_opened_by_itself(self):
        self.put("Evil", "evil", 9.9504)
        page = self.open()
        self.marker("Evil").click()
        expect(page.locator(".callout-image")).to_be_visible()
        expect(self.marker("Evil").locator("img")).to_have_js_property("complete", True)
        self.assertGreater(self.picture("Evil")[1], 0)
        self.assertEqual(page.title(), "Fleet Bridge")
        self.assertEqual(self.other.requests, [])
        # As a page of its own it is refused all of it, which the browser says.
        response = page.goto(f"{self.stand.url}icons/evil.svg")
        self.assertEqual(response.headers["content-type"], "image/svg+xml")
        expect(page.locator("rect")).to_be_visible()
        self.assertNotEqual(page.title(), "owned")
        self.assertEqual(self.other.requests, [])
        self.errors = [error for error in self.errors if "Security Policy" not in error and "sandboxed" not in error]

    def test_nothing_outside_of_the_folder_is_served(self):
        page = self.open()
        secret = self.folder.parent / f"{self.folder.name}-secret.svg"
        secret.write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
        self.addCleanup(secret.unlink)
        (self.folder / "link.svg").symlink_to(secret)
        for path in ["link.svg", f"..%2F{secret.name}", "%2e%2e/evil.svg", "..%2Ficons%2Fevil.svg", "evil.svg%00.png"]:
            status = page.evaluate("path => fetch(`icons/${path}`).then((response) => response.status)", path)
            self.assertIn(status, (400, 404), path)
        self.assertEqual(page.evaluate("fetch('icons/evil.svg').then((response) => response.status)"), 200)


if __name__ == "__main__":
    unittest.main(verbosity=2)
