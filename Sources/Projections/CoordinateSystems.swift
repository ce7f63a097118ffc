public import Geometry

/// The coordinate reference systems that PROJ knows.
public enum CoordinateSystems {
    /// Whether the program was built with PROJ.
    public static var isAvailable: Bool {
        #if PROJ
            true
        #else
            false
        #endif
    }

    /// Finds a system.
    ///
    /// - Parameter definition: A code of a registry (`EPSG:25832`, `ESRI:54009`, `OGC:CRS84`), a name, a PROJ string, WKT or
    ///   PROJJSON. Of a system with heights the part without them counts.
    public static func system(_ definition: String) throws(CoordinateSystemError) -> any CoordinateSystem {
        #if PROJ
            try ProjectedSystem(definition)
        #else
            throw CoordinateSystemError(.unavailable)
        #endif
    }
}
