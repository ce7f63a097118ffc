internal import Geometry
internal import Projections
internal import SettingsFile
internal import YAML

extension ValueKind where Value == any CoordinateSystem {
    /// A system that PROJ knows.
    static var coordinateSystem: ValueKind {
        ValueKind<String>.line(
            atMost: 1_000, or: "expected a code such as EPSG:25832, or a definition in one line of at most 1000 bytes"
        ).then { text, node, context in
            do throws(CoordinateSystemError) {
                return try CoordinateSystems.system(text)
            } catch {
                context.error(node, "\(node.quoted) \(error.message)")
                return nil
            }
        }
    }
}
