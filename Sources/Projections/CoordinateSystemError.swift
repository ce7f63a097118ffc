/// Why there is no coordinate system for a definition.
public struct CoordinateSystemError: Error, Hashable {
    public enum Reason: Sendable {
        /// The program was built without PROJ.
        case unavailable
        /// PROJ does not find its own data.
        case noDatabase
        /// PROJ knows no coordinate reference system by that name.
        case unknown
        /// A system without a plane to draw on: heights, times, metres from the earth's centre.
        case notHorizontal
        /// Its axes run to the west or to the south.
        case otherAxes
        /// PROJ can relate it to WGS 84 only roughly, or not at all.
        case noTransformation
    }

    public var reason: Reason
    /// In PROJ's own words; empty where it says nothing.
    public var detail: String

    init(_ reason: Reason, _ detail: String = "") { (self.reason, self.detail) = (reason, detail) }

    /// What is wrong and what was expected: goes after the definition.
    public var message: String {
        let detail = detail.isEmpty ? "" : " (\(detail))"
        return switch reason {
        case .unavailable: "needs PROJ, and this program was built without it"
        case .noDatabase: "needs PROJ's database, proj.db, which is not found\(detail); Debian's package is proj-data"
        case .unknown:
            "is no coordinate reference system that PROJ knows\(detail); expected a code such as EPSG:25832, ESRI:54009 or"
                + " OGC:CRS84, or a definition"
        case .notHorizontal: "has no plane to draw on\(detail); expected a projected or a geographic system"
        case .otherAxes:
            "has axes that run to the west or to the south\(detail); expected a system with axes east and north"
        case .noTransformation:
            "is a system that PROJ can relate to WGS 84 only roughly or not at all\(detail); expected one with a known datum"
        }
    }
}
