/// What is the same for all features of one evaluation.
public struct EvaluationGlobals: Sendable {
    public var zoom: Double?
    /// The images that `image` finds; `nil` when no list is known, then no image counts as available.
    public var availableImages: ImageNames?
    /// The tile that the features were cut for: `within` and `distance` then round to its grid, as a map client does.
    /// `nil` for exact coordinates.
    public var tile: TileIdentifier?

    public init(zoom: Double? = nil, availableImages: ImageNames? = nil, tile: TileIdentifier? = nil) {
        self.zoom = zoom
        self.availableImages = availableImages
        self.tile = tile
    }

}

/// A tile of the Web Mercator pyramid.
public struct TileIdentifier: Sendable, Hashable {
    /// 0…30.
    public let z: Int
    public let x, y: Int

    /// `nil` for a zoom that no pyramid has. Columns and rows beyond the pyramid's edge are taken as they are.
    public init?(z: Int, x: Int, y: Int) {
        guard (0...30).contains(z) else { return nil }
        self.z = z
        self.x = x
        self.y = y
    }
}

/// What a node may look at beside the feature, while it is evaluated. The feature is not among it: as a parameter of
/// its own it is handed on without being copied.
struct EvaluationContext {
    private let globals: UnsafePointer<EvaluationGlobals>?

    /// Makes a context that lives only as long as what it points to.
    static func with<Result>(
        globals: EvaluationGlobals, _ body: (EvaluationContext) throws(EvaluationError) -> Result
    ) throws(EvaluationError) -> Result {
        try withUnsafePointer(to: globals) { (globals) throws(EvaluationError) in
            try body(EvaluationContext(globals: globals))
        }
    }

    /// Without any globals: they would be copied for each evaluation.
    static var none: EvaluationContext { EvaluationContext(globals: nil) }

    var zoom: Double? { globals?.pointee.zoom }
    var tile: TileIdentifier? { globals?.pointee.tile }

    func hasImage(_ name: String) -> Bool { globals?.pointee.availableImages?.contains(name) ?? false }
}
