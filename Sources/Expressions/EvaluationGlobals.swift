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

    public static let none = EvaluationGlobals()
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

/// What a node may look at beside the feature, while it is evaluated. The feature is not among it: as a parameter of its
/// own it is handed on without being copied.
struct EvaluationContext {
    private let globalsPointer: UnsafePointer<EvaluationGlobals>
    private let bindingCache: Unmanaged<BindingCache>?

    /// Makes a context that lives only as long as what it points to.
    ///
    /// - Parameter bindings: `nil` where the expression binds no variables.
    static func with<Result>(
        globals: EvaluationGlobals, bindings: BindingCache?,
        _ body: (EvaluationContext) throws(EvaluationError) -> Result
    ) throws(EvaluationError) -> Result {
        try withUnsafePointer(to: globals) { (globals) throws(EvaluationError) in
            try withExtendedLifetime(bindings) { () throws(EvaluationError) in
                try body(
                    EvaluationContext(
                        globalsPointer: globals, bindingCache: bindings.map { Unmanaged.passUnretained($0) }))
            }
        }
    }

    var zoom: Double? { globalsPointer.pointee.zoom }
    var tile: TileIdentifier? { globalsPointer.pointee.tile }
    var bindings: BindingCache? { bindingCache?.takeUnretainedValue() }

    func hasImage(_ name: String) -> Bool { globalsPointer.pointee.availableImages?.contains(name) ?? false }
}

/// What the variables of `let` have been found to be in this evaluation. Each is evaluated when first used and once
/// only: nested bindings that use each other twice would take exponential time otherwise.
final class BindingCache {
    var values: [Value?]

    init(count: Int) { values = Array(repeating: nil, count: count) }
}
