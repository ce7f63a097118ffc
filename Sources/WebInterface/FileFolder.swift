internal import Glibc
internal import HTTPServer

/// Files of one folder and those below it, read when they are asked for.
struct FileFolder: Sendable {
    private static let largest = 16 << 20
    private static let types = [
        "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "mjs": "text/javascript; charset=utf-8", "json": "application/json", "geojson": "application/geo+json",
        "map": "application/json", "svg": "image/svg+xml", "png": "image/png", "jpg": "image/jpeg",
        "jpeg": "image/jpeg", "webp": "image/webp", "gif": "image/gif", "ico": "image/vnd.microsoft.icon",
        "woff2": "font/woff2", "txt": "text/plain; charset=utf-8",
    ]

    let path: String

    var exists: Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// A path that leads nowhere else: nothing of it is hidden, a step up or a path of its own.
    static func isPlain(_ segments: [String]) -> Bool {
        !segments.isEmpty
            && segments.allSatisfy { !$0.isEmpty && !$0.hasPrefix(".") && !$0.utf8.contains(UInt8(ascii: "/")) }
    }

    /// - Parameter known: The request's `If-None-Match`.
    /// - Returns: `nil` for a file that is not there or of no type that is served.
    func response(to segments: [String], known: String?) -> HTTPResponse? {
        guard Self.isPlain(segments), let name = segments.last, let dot = name.lastIndex(of: "."),
            let type = Self.types[name[name.index(after: dot)...].lowercased()]
        else { return nil }
        let file = open(([path] + segments).joined(separator: "/"), O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= Self.largest else {
            return nil
        }
        let tag = "\"\(status.st_mtim.tv_sec)-\(status.st_mtim.tv_nsec)-\(status.st_size)\""
        let headers = [("ETag", tag), ("Cache-Control", "no-cache")]
        let tags = known?.split(separator: ",").map { $0.drop { $0 == " " } } ?? []
        if tags.contains(where: { $0 == tag || $0 == "W/\(tag)" || $0 == "*" }) {
            return HTTPResponse(304, headers: headers)
        }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        var count = 0
        while count < bytes.count {
            let got = bytes.withUnsafeMutableBytes { read(file, $0.baseAddress! + count, $0.count - count) }
            guard got > 0 else { break }
            count += got
        }
        return HTTPResponse(200, headers: [("Content-Type", type)] + headers, .bytes(Array(bytes.prefix(count))))
    }
}
