internal import JSON
internal import SettingsFile
internal import YAML

/// The icons that maps have.
enum IconSetting {
    case names([String])
    /// A folder of images, which the map page shows beside its own.
    case folder(path: String, names: [String])

    /// Where the images are; `nil` where only names are known.
    var folder: String? {
        if case .folder(let path, _) = self { path } else { nil }
    }

    /// Which names stand for an image.
    ///
    /// - Parameter page: Whether the bridge serves its page, which has icons of its own.
    func known(withPage page: HTTPDraft?, _ context: Context) -> [String] {
        switch self {
        case .names(let names): return names
        case .folder(_, let names):
            guard let page else { return names }
            return names + (page.settings.webFolder.map { Self.icons(in: $0, context) } ?? Self.ofThePage)
        }
    }

    /// The page that comes with the bridge has these.
    static let ofThePage = [
        "agv", "arrow", "dot", "home", "marker", "phone", "robot-mower", "robot-vacuum", "room", "tag", "user", "van",
    ]

    private static func icons(in webFolder: String, _ context: Context) -> [String] {
        guard case .success(let files) = context.surroundings.list(webFolder + "/icons") else { return [] }
        return names(of: files)
    }

    /// `robot.svg`, `user.png` and `user@2x.png` are the icons robot and user.
    static func names(of files: [String]) -> [String] {
        let all = Set(files)
        return files.compactMap { file in
            guard !file.hasPrefix("."), file.hasSuffix(".svg") || file.hasSuffix(".png") else { return nil }
            let name = String(file.dropLast(4))
            let isDense = name.hasSuffix("@2x") && file.hasSuffix(".png") && all.contains("\(name.dropLast(3)).png")
            // One that is there as both counts once.
            let isSecond = file.hasSuffix(".png") && all.contains("\(name).svg")
            return name.isEmpty || isDense || isSecond ? nil : name
        }
    }
}

extension ValueKind where Value == IconSetting {
    /// A list of names, or a folder whose images count by their names.
    static var icons: ValueKind {
        let list = ValueKind<[(value: String, node: YAMLNode)]>.list(of: .text)
        let folder = ValueKind<String>.text
        return ValueKind(schema: ["anyOf": [folder.schema, list.schema]]) { node, context in
            if node.sequence != nil { return list.read(node, context).map { .names($0.map(\.value)) } }
            guard let name = folder.read(node, context) else { return nil }
            let path = context.path(ofFile: name)
            switch context.surroundings.list(path) {
            case .success(let files):
                let names = IconSetting.names(of: files)
                if names.isEmpty { context.warning(at: node.place, "no *.svg or *.png is in \(node.quoted)") }
                return .folder(path: path, names: names)
            case .failure(let error):
                context.error(node, "the folder \(node.quoted) cannot be read: \(error.message)")
                return nil
            }
        }
    }
}
