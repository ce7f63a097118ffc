internal import JSON
internal import Locations
internal import Wording

/// One feature as it stands in a file.
struct VenueFeature {
    var file: String
    var type: FeatureType
    /// Empty where it has none, which has been reported.
    var id: String
    var geometry: JSONValue?
    var properties: JSONObject
}

/// The feature types of IMDF, and one of our own. Those that are not read are known, so that a misspelt one is not taken for one of them.
enum FeatureType: String, CaseIterable {
    case level, unit, opening
    case address, amenity, anchor, building, detail, fixture, footprint, geofence, kiosk, occupant, relationship,
        section
    case venue
    /// Not IMDF's: see ``Route``.
    case route

    var isRead: Bool { [.level, .unit, .opening, .route].contains(self) }
}

/// Takes the features out of a GeoJSON file.
struct VenueFile {
    let name: String
    let report: (VenueFault) -> Void

    /// - Parameter type: Of features that do not name theirs.
    func features(_ bytes: [UInt8], type: FeatureType? = nil) -> [VenueFeature] {
        guard let json = parse(bytes) else { return [] }
        guard let features = json.object?["features"]?.array, json.object?["type"]?.string == "FeatureCollection" else {
            fault("", "expected a FeatureCollection with features of IMDF's feature types")
            return []
        }
        return features.enumerated().compactMap { feature($1, "feature \($0 + 1)", type) }
    }

    func parse(_ bytes: [UInt8]) -> JSONValue? {
        do throws(JSONError) {
            return try JSONParser().parse(bytes)
        } catch {
            let place = error.pointer.isEmpty ? "" : " at \(error.pointer)"
            let file = error.offset.map { "\(name):\(Self.lineAndColumn(ofByte: $0, in: bytes))" } ?? name
            report(VenueFault(file, "", "is not JSON\(place) (\(error.reason.rawValue)): \(error.detail)"))
            // With NaN as a text, what follows leads to the feature.
            return NonNumbers.quoted(bytes).flatMap { try? JSONParser().parse($0) }
        }
    }

    /// Both from 1, columns in characters.
    private static func lineAndColumn(ofByte offset: Int, in bytes: [UInt8]) -> String {
        let hasMark = bytes.starts(with: [0xEF, 0xBB, 0xBF])
        let before = bytes.dropFirst(hasMark ? 3 : 0).prefix(offset)
        let line = before.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        // Of a character beyond ASCII only the first byte counts.
        return "\(line.count):\((line.last ?? []).count { $0 & 0xC0 != 0x80 } + 1)"
    }

    private func feature(_ json: JSONValue, _ place: String, _ fallback: FeatureType?) -> VenueFeature? {
        guard let object = json.object, object["type"]?.string == "Feature" else {
            fault(place, "expected a Feature")
            return nil
        }
        let properties = object["properties"]?.object ?? JSONObject()
        let id = object["id"].name ?? ""
        let named = (object["feature_type"] ?? properties["feature_type"])?.string
        let shown = id.isEmpty ? place : "feature \"\(id)\""
        guard let type = named.map({ FeatureType(rawValue: $0) }) ?? fallback else {
            let known = FeatureType.allCases.map(\.rawValue)
            let hint = named.flatMap { Suggestion.closest(to: $0, among: known) }.map { "; did you mean \"\($0)\"?" }
            fault(
                shown,
                named.map { "\"\($0)\" is no feature_type of IMDF\(hint ?? "")" }
                    ?? "has no feature_type; expected level, unit, opening or another of IMDF's")
            return nil
        }
        guard type.isRead else { return nil }
        if id.isEmpty { fault("\(place) (\(type.rawValue))", "has no id") }
        // A room's becomes a level of topics.
        guard id.utf8.count <= Identifier.maximumLength, !id.utf8.contains(0) else {
            fault("\(place) (\(type.rawValue))", "its id has more than \(Identifier.maximumLength) bytes, or a NUL")
            return nil
        }
        return VenueFeature(
            file: name, type: type, id: id, geometry: object["geometry"], properties: properties)
    }

    private func fault(_ feature: String, _ message: String) { report(VenueFault(name, feature, message)) }
}

extension JSONValue? {
    /// An id: a text, or a number as it is written.
    var name: String? { self.flatMap { $0.string ?? $0.number.map { JSONNumber.text(of: $0) } } }
}

/// Numbers that JSON does not have, but some programs write.
enum NonNumbers {
    /// The text with NaN and infinities in quotes; `nil` where there are none.
    static func quoted(_ bytes: [UInt8]) -> [UInt8]? {
        let words = ["-Infinity", "Infinity", "NaN", "-nan", "nan"].map { Array($0.utf8) }
        var (result, found, isInText) = ([UInt8](), false, false)
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            if !isInText, let word = words.first(where: { bytes[index...].starts(with: $0) }) {
                result += [UInt8(ascii: "\"")] + word + [UInt8(ascii: "\"")]
                (index, found) = (index + word.count, true)
                continue
            }
            if byte == UInt8(ascii: "\"") { isInText.toggle() }
            result.append(byte)
            index += 1
            if isInText, byte == UInt8(ascii: "\\"), index < bytes.count {
                result.append(bytes[index])
                index += 1
            }
        }
        return found ? result : nil
    }
}
