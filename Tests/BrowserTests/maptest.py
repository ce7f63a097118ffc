"""What tests of the map page have in common: a page in a real browser, against a bridge and a broker of its own."""

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
