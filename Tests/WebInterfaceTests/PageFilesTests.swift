import Foundation
import HTTPServer
import JSON
import Testing

@testable import WebInterface

/// The page's files, own icons and settings, as a browser gets them.
@Suite("Files and settings of the page")
final class PageFilesTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "page-\(UUID().uuidString)")
    private lazy var page = folder.appending(path: "page")
    private lazy var own = folder.appending(path: "own")

    init() throws {
        try put("index.html", in: page)
        for name in ["marker.svg", "van.svg", "cup.png"] { try put("icons/\(name)", in: page) }
        try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func put(_ name: String, _ text: String = "page", in folder: URL) throws {
        let file = folder.appending(path: name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    private func answer(
        _ target: String, known: String? = nil, icons: Bool = true, settings: PageSettings = PageSettings()
    ) throws -> HTTPResponse {
        let interface = WebInterface(
            BoardStore(epoch: "e", maximumGone: 1), questions: QuestionBox {},
            policy: AccessPolicy(token: nil, isLoopback: true, hosts: []),
            folders: WebFolders(setting: page.path(), icons: icons ? own.path() : nil), settings: settings)
        var headers = [HTTPRequest.Header("Host", Array("localhost".utf8))]
        if let known { headers.append(HTTPRequest.Header("If-None-Match", Array(known.utf8))) }
        let request = HTTPRequest(try #require(HTTPTarget(target.utf8)), headers: headers)
        guard case .now(let response) = interface.answer(request) else { throw CocoaError(.featureUnsupported) }
        return response
    }

    private func settings(_ settings: PageSettings = PageSettings()) throws -> JSONObject {
        let response = try answer("/api/settings", settings: settings)
        #expect(response.status == 200 && response.header("Content-Type") == "application/json")
        return try #require(try JSONParser().parse(response.text).object)
    }

    @Test("Own icons count rather than the page's, byte for byte in their names, and any other is the page's")
    func ownIcons() throws {
        try put("marker.svg", "own", in: own)
        try put("50% off#1.png", "own", in: own)
        #expect(try answer("/icons/marker.svg").text == "own")
        #expect(try answer("/icons/marker.svg", icons: false).text == "page")
        #expect(try answer("/icons/van.svg").text == "page")
        let percent = try answer("/icons/50%25%20off%231.png")
        #expect(percent.status == 200 && percent.header("Content-Type") == "image/png")
        #expect(try answer("/icons/none.svg").status == 404)
        #expect(try answer("/icons/").status == 404)
        #expect(try answer("/icons").status == 404)
    }

    @Test("Nothing but images is served, and nothing from outside of the folder, whatever leads there")
    func confined() throws {
        try put("secret.svg", "secret", in: folder)
        try put("secret.svg", "secret", in: folder.appending(path: "own-too"))
        for name in [".hidden.svg", "note.txt", "script.js", "page.html"] { try put(name, "secret", in: own) }
        try put("inside/real.svg", "inside", in: own)
        let links = FileManager.default
        try links.createSymbolicLink(
            at: own.appending(path: "out.svg"), withDestinationURL: folder.appending(path: "secret.svg"))
        try links.createSymbolicLink(
            at: own.appending(path: "beside.svg"), withDestinationURL: folder.appending(path: "own-too/secret.svg"))
        try links.createSymbolicLink(at: own.appending(path: "folder"), withDestinationURL: folder)
        try links.createSymbolicLink(
            atPath: own.appending(path: "in.svg").path(), withDestinationPath: "inside/real.svg")
        try links.createSymbolicLink(atPath: own.appending(path: "round.svg").path(), withDestinationPath: "round.svg")
        try links.createDirectory(at: own.appending(path: "dir.svg"), withIntermediateDirectories: false)
        for name in [
            ".hidden.svg", "note.txt", "script.js", "page.html", "out.svg", "beside.svg", "round.svg", "dir.svg",
            "..%2Fsecret.svg", "%2E%2E/secret.svg", "../secret.svg", "folder/secret.svg", "folder%2Fsecret.svg",
            "inside%2Freal.svg", "%2e%2e%2fsecret.svg", "..", "%2E", "secret.svg",
        ] {
            let response = try answer("/icons/\(name)")
            #expect(response.status == 404 && !response.text.contains("secret\n"), "\(name)")
        }
        // As folders that are mounted into containers have it.
        #expect(try answer("/icons/in.svg").text == "inside")
    }

    @Test("A drawing that is opened by itself is a page that can do nothing, also where it was kept")
    func drawings() throws {
        try put("evil.svg", "<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>", in: own)
        for name in ["evil.svg", "van.svg"] {
            let response = try answer("/icons/\(name)")
            #expect(response.header("Content-Type") == "image/svg+xml")
            #expect(response.header("X-Content-Type-Options") == "nosniff")
            let kept = try answer("/icons/\(name)", known: response.header("ETag"))
            #expect(kept.status == 304 && kept.header("ETag") == response.header("ETag"))
            for policy in [response, kept].map({ $0.header("Content-Security-Policy") ?? "" }) {
                #expect(
                    policy.contains("sandbox") && policy.contains("default-src 'none'") && !policy.contains("script"))
            }
        }
        #expect(try answer("/icons/cup.png").header("Content-Security-Policy")?.contains("script-src 'self'") == true)
    }

    @Test("The page is told which files each icon has, own ones first, so that it asks for no other")
    func index() throws {
        for name in ["marker.png", "marker@2x.png", "agv.svg", "agv.png", "lone@2x.png", ".x.svg", ".svg", "a.txt"] {
            try put(name, in: own)
        }
        #expect(
            try settings()["icons"] == [
                "agv": ["agv.svg"], "cup": ["cup.png"], "lone@2x": ["lone@2x.png"],
                "marker": ["marker.png", "marker@2x.png"], "van": ["van.svg"],
            ])
    }

    @Test("The page is told what the bridge is called, where it has a name")
    func name() throws {
        #expect(try settings()["name"] == nil)
        #expect(try settings(PageSettings(name: "<b>Hall</b>"))["name"] == "<b>Hall</b>")
    }

    @Test("Without tiles nothing is said of them, and images come from the bridge alone; with them, from there, too")
    func tiles() throws {
        #expect(try settings()["tiles"] == nil)
        let policy = try answer("/").header("Content-Security-Policy") ?? ""
        #expect(policy.contains("img-src 'self' data: blob:;"))
        let url = "https://tiles.example:8443/{z}/{x}/{y}.png"
        let tiles = PageSettings.Tiles(
            url: url, origin: "https://tiles.example:8443", attribution: "© <b>We</b>", maxZoom: 18)
        #expect(
            try settings(PageSettings(tiles: tiles))["tiles"] == [
                "url": .string(url), "attribution": "© <b>We</b>", "maxZoom": 18,
            ])
        let wider = try answer("/", settings: PageSettings(tiles: tiles)).header("Content-Security-Policy") ?? ""
        #expect(wider == policy.replacingOccurrences(of: "blob:", with: "blob: https://tiles.example:8443"))
    }
}

extension HTTPResponse {
    fileprivate func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }

    fileprivate var text: String {
        guard case .bytes(let bytes) = body else { return "" }
        return String(decoding: bytes, as: UTF8.self)
    }
}
