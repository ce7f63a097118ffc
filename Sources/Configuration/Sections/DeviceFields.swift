internal import JSON
internal import Locations
internal import SettingsFile
internal import YAML

/// An entry of a source's `devices` as it was read.
struct DeviceDraft {
    var id: String
    var name: String?
    var type: String?
    var building: (value: String, node: YAMLNode)?
    var map: (value: String, node: YAMLNode)?

    var entry: DeviceEntry {
        DeviceEntry(name: name, type: type, building: building?.value, map: map.map { Identifier($0.value) })
    }

    static var mapping: Mapping<DeviceDraft> {
        Mapping(fields: [
            Field("name", .text, \.name, "The device's name."),
            Field("type", .text, \.type, "Its type."),
            Field("building", .text, "Its building.") { $0.building = ($1, $2) },
            Field("map", .text, "The map of its positions that name none.") { $0.map = ($1, $2) },
        ])
    }
}

extension ValueKind where Value == [DeviceDraft] {
    /// The mapping of device ids to what is known of them.
    static var devices: ValueKind {
        .named(
            "a mapping of device ids such as {\"356938035643809\": {name: Vacuum 3}}", key: "a device's id",
            DeviceDraft.mapping.schema
        ) { entry, context in
            var draft = DeviceDraft(id: entry.key)
            DeviceDraft.mapping.read(entry.value, into: &draft, context)
            return draft
        }
    }
}

extension ValueKind where Value == Derivation {
    /// `[heading, speed, averageSpeed]`
    static var derivation: ValueKind {
        let names: [(String, Derivation)] = [
            ("heading", .heading), ("speed", .speed), ("averageSpeed", .averageSpeed),
        ]
        return ValueKind<[(value: String, node: YAMLNode)]>.list(of: .word(of: names.map(\.0))).then { words, _, _ in
            Derivation(words.compactMap { word in names.first { $0.0 == word.value }?.1 })
        }
    }
}
