internal import HTTPServer
internal import JSON
internal import Locations

/// Where icons come from: a folder of the owner's, and that of the page for names that are not in it.
struct IconFolders: Sendable {
    private let own: FileFolder?
    private let page: FileFolder?

    init(own: String?, page: FileFolder?) {
        self.own = own.map { FileFolder(path: $0, isConfined: true, endings: ["svg", "png"]) }
        self.page = page.map { FileFolder(path: $0.path + "/icons", endings: ["svg", "png"]) }
    }

    /// - Parameter known: The request's `If-None-Match`.
    func response(to name: String, known: String?) -> HTTPResponse? {
        own?.response(to: [name], known: known) ?? page?.response(to: [name], known: known)
    }

    /// The files of each icon, so that the page asks for none that is not there: `{"van": ["van.png", "van@2x.png"]}`. A
    /// drawing counts rather than a picture of the same name, and everything of one's own rather than anything else.
    var index: JSONValue {
        var files = page?.iconFiles ?? [:]
        files.merge(own?.iconFiles ?? [:]) { $1 }
        return .object(
            JSONObject(
                files.sorted { $0.key < $1.key }.map { name, files in
                    (name.text, .array(files.map { .string($0) }))
                }))
    }
}

extension FileFolder {
    /// By the icon's name: its drawing, or its picture and, where there is one, that for dense displays.
    fileprivate var iconFiles: [Identifier: [String]] {
        // Compared by their bytes, as a file system does.
        let names = names.filter { Self.isPlain([$0]) && $0.utf8.count > 4 }
        let all = Set(names.map { Identifier($0) })
        var icons: [Identifier: [String]] = [:]
        for file in names where file.hasSuffix(".svg") { icons[Identifier(String(file.dropLast(4)))] = [file] }
        for file in names where file.hasSuffix(".png") {
            let name = String(file.dropLast(4))
            let isDense = name.hasSuffix("@2x") && all.contains(Identifier("\(name.dropLast(3)).png"))
            if isDense || icons[Identifier(name)] != nil { continue }
            let dense = "\(name)@2x.png"
            icons[Identifier(name)] = all.contains(Identifier(dense)) ? [file, dense] : [file]
        }
        return icons
    }
}
