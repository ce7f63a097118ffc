import Configuration
import Testing

@Suite("The settings of the map's tiles")
struct TileSettingsTests {
    private func tiles(_ settings: String) throws -> TileSettings? {
        try configuration("http: {\(settings)}").http?.tiles
    }

    @Test("There are none unless they are set; the nearest zoom is 19 unless it is said")
    func defaults() throws {
        #expect(try tiles("") == nil)
        let plain = try #require(try tiles("tiles: {url: 'https://tiles.example/{z}/{x}/{y}.png'}"))
        #expect(plain.url == "https://tiles.example/{z}/{x}/{y}.png")
        #expect(plain.origin == "https://tiles.example" && plain.attribution == nil && plain.maxZoom == 19)
        let full = try tiles("tiles: {url: 'https://t.example/{z}/{x}/{y}', attribution: © <b>We</b>, maxZoom: 22}")
        #expect(full?.attribution == "© <b>We</b>" && full?.maxZoom == 22)
    }

    @Test(
        "The origin is what browsers are allowed to fetch from",
        arguments: [
            ("HTTP://Tiles.Example:8080/a/{z}/{x}/{y}.png", "http://tiles.example:8080"),
            ("https://tiles.example:443/{z}/{x}/{-y}{r}.png?key=a%20b", "https://tiles.example"),
            ("http://127.0.0.1:80/{z}/{x}/{y}", "http://127.0.0.1"),
            ("https://tiles.example?x={x}&y={y}&z={z}", "https://tiles.example"),
        ])
    func origin(url: String, origin: String) throws {
        #expect(try tiles("tiles: {url: '\(url)'}")?.origin == origin)
    }

    @Test(
        "What is no address of tiles is refused, and said why",
        arguments: [
            ("ftp://tiles.example/{z}/{x}/{y}", "neither http:// nor https://"),
            ("tiles.example/{z}/{x}/{y}", "is no address"),
            ("/tiles/{z}/{x}/{y}.png", "is no address"),
            ("https:///{z}/{x}/{y}", "is no address"),
            ("https://tiles.example/{z}/{x}/{y} .png", "is no address"),
            ("https://tiles.example/{z}/{x}/{y}/{", "is no address"),
            ("https://tiles.example/{z}/{x}.png", "has no {y}"),
            ("https://tiles.example/{x}/{y}.png", "has no {z}"),
            ("https://tiles.example/", "has no {z}"),
            ("https://{s}.tiles.example/{z}/{x}/{y}.png", "write one host"),
            ("https://tiles.example/{z}/{x}/{y}?k={accessToken}", "{accessToken}"),
            ("https://{z}.example/{x}/{y}", "within its host"),
            ("https://anna:secret@tiles.example/{z}/{x}/{y}", "password"),
            ("https://anna@tiles.example/{z}/{x}/{y}", "password"),
            ("https://tiles.example/{z}/{x}/{y}#there", "has a #"),
            ("https://[::1]/{z}/{x}/{y}", "cannot be allowed by name"),
            ("https://tiles.example;script-src/{z}/{x}/{y}", "cannot be allowed by name"),
            ("https://tiles.example:99999/{z}/{x}/{y}", "port"),
        ])
    func refused(url: String, words: String) {
        expect("http:\n  tiles: {url: '\(url)'}", [("2:16", ["http.tiles.url", words])])
    }

    @Test("Faults of the section have their places")
    func faults() {
        expect("http:\n  tiles: {maxZoom: 25}", [("2:10", ["\"url\" is missing"]), ("2:20", ["from 0 to 24"])])
        expect("http: {tiles: https://tiles.example/z/x/y}", [("1:15", ["http.tiles", "a mapping"])])
        expect(
            "http:\n  tiles: {url: 'https://t.example/{z}/{x}/{y}', atribution: x}", [("2:49", ["attribution"])])
        expect("http: {tiles: {url: 'https://t.example/{z}/{x}/{y}', attribution: ''}}", [("1:67", ["text"])])
    }
}
