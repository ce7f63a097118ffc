internal import Glibc

/// Where the page's files are.
public struct WebFolders: Sendable {
    /// Debian's package libjs-leaflet, with libjs-leaflet.markercluster in the same folder.
    static let leaflet = "/usr/share/javascript/leaflet"

    let page: FileFolder?
    let leaflet: FileFolder?
    let icons: IconFolders
    /// What is missing, for people.
    public let faults: [String]

    /// - Parameters:
    ///   - setting: The folder that the configuration names; `nil`: the one that comes with the bridge, beside the installed
    ///     program or in the source tree that it was built in.
    ///   - icons: A folder of icons that count rather than the page's.
    public init(setting: String?, icons: String? = nil) {
        let candidates = setting.map { [$0] } ?? Self.candidates
        page = candidates.map { FileFolder(path: $0) }.first { FileFolder(path: $0.path).hasPage }
        self.icons = IconFolders(own: icons, page: page)
        let leaflet = FileFolder(path: Self.leaflet)
        self.leaflet = leaflet.exists ? leaflet : nil
        var faults: [String] = []
        if page == nil {
            faults.append(
                "there is no index.html in \(candidates.joined(separator: ", ")); http.webFolder names another folder")
        }
        if self.leaflet == nil { faults.append(Self.leafletIsMissing) }
        self.faults = faults
    }

    static let leafletIsMissing =
        "Leaflet is not installed, so there is no map: apt-get install libjs-leaflet libjs-leaflet.markercluster"

    private static var candidates: [String] {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = readlink("/proc/self/exe", &buffer, buffer.count)
        let path = String(decoding: buffer.prefix(max(0, length)).map(UInt8.init(bitPattern:)), as: UTF8.self)
        let folders = path.split(separator: "/").dropLast()
        func folder(up levels: Int, _ name: String) -> String {
            "/" + (folders.dropLast(levels) + [Substring(name)]).joined(separator: "/")
        }
        // bin/ of an installation; the program's own folder; .build/release and .build/TRIPLE/release of a source tree.
        return [folder(up: 1, "share/fleet-bridge/web"), folder(up: 0, "Web")]
            + [2, 3].map { folder(up: $0, "Web") }
    }
}

extension FileFolder {
    var hasPage: Bool {
        var status = stat()
        return stat(path + "/index.html", &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }
}
