import Foundation

/// A file of a test's own, removed with the value.
final class GPXFile {
    let path: String

    init(_ bytes: [UInt8]) throws {
        path = FileManager.default.temporaryDirectory.appending(path: "gpx-\(UUID().uuidString).gpx").path
        try Data(bytes).write(to: URL(filePath: path))
    }

    convenience init(_ text: String) throws { try self.init(Array(text.utf8)) }

    /// A GPX 1.1 file with something in it.
    convenience init(body: String) throws { try self.init(Self.text(body: body)) }

    /// A track of segments, each of points.
    convenience init(segments: [[String]]) throws {
        let segments = segments.map { "<trkseg>\($0.joined())</trkseg>" }.joined()
        try self.init(body: "<trk>\(segments)</trk>")
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    static func text(body: String) -> String {
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<gpx xmlns=\"http://www.topografix.com/GPX/1/1\" version=\"1.1\" creator=\"test\">\(body)</gpx>"
    }

    /// A point at noon and so many seconds, a step north for each of them unless said otherwise.
    static func point(_ second: Int, lat: String? = nil, lon: String = "9.95", inside: String = "") -> String {
        let time = "2026-11-29T\(12 + second / 3_600):\(pad(second / 60 % 60)):\(pad(second % 60))Z"
        let latitude = lat ?? "\(57 + Double(second) / 100_000)"
        return "<trkpt lat=\"\(latitude)\" lon=\"\(lon)\"><time>\(time)</time>\(inside)</trkpt>"
    }

    private static func pad(_ number: Int) -> String { (number < 10 ? "0" : "") + "\(number)" }
}
