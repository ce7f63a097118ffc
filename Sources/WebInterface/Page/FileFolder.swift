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

    private static let policyOfDrawings =
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox"

    let path: String
    /// Whether a symbolic link that leads out of the folder is no file of it.
    var isConfined = false
    /// The endings of names that are served; `nil`: all that have a type.
    var endings: Set<String>?

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
        guard Self.isPlain(segments), let name = segments.last, let dot = name.lastIndex(of: ".") else { return nil }
        let ending = name[name.index(after: dot)...].lowercased()
        guard let type = Self.types[ending], endings?.contains(ending) ?? true, let file = file(segments) else {
            return nil
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= Self.largest else {
            return nil
        }
        let tag = "\"\(status.st_mtim.tv_sec)-\(status.st_mtim.tv_nsec)-\(status.st_size)\""
        var headers = [("ETag", tag), ("Cache-Control", "no-cache")]
        // Opened by itself, a drawing is a page: it runs nothing and fetches nothing, whoever has drawn it.
        if ending == "svg" { headers.append(("Content-Security-Policy", Self.policyOfDrawings)) }
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

    /// Opens a file for reading.
    private func file(_ segments: [String]) -> Int32? {
        var path = ([path] + segments).joined(separator: "/")
        var flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK
        if isConfined {
            guard let folder = Self.resolved(self.path), let target = Self.resolved(path),
                target.utf8.starts(with: "\(folder == "/" ? "" : folder)/".utf8)
            else { return nil }
            // Resolved, so it is no link unless it became one just now.
            (path, flags) = (target, flags | O_NOFOLLOW)
        }
        let file = open(path, flags)
        return file >= 0 ? file : nil
    }

    private static func resolved(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// The names in it, by their bytes; none where it cannot be read.
    var names: [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
                name.withMemoryRebound(to: CChar.self, capacity: 256) { String(validatingCString: $0) }
            }
            if let name { names.append(name) }
        }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
}
