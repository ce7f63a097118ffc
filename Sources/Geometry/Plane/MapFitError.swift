/// Why control points give no map frame. Numbers of points are indices.
public enum MapFitError: Error, Hashable, Sendable {
    public enum Side: Sendable { case plan, earth }

    case tooFew(needed: Int)
    /// Two points have one place on the plan, or are less than a centimetre apart on the earth.
    case samePlace(Int, Int, Side)
    /// Farther apart than a map reaches.
    case tooFarApart(Int, Int, isSwapped: Bool)
    /// All points lie on one line, or nearly: nothing tells what is across it.
    case onOneLine(Side)
    /// The plan's y axis points the other way, as an image's does: no turning makes it fit.
    case mirrored
    /// With latitude and longitude of all points exchanged they would fit.
    case allSwapped
    /// One point does not fit to the others.
    case outlier(Int, residual: Double, Hint?)
    /// The points do not fit together; this one least.
    case contradicting(Int, residual: Double)

    /// What was most likely exchanged.
    public enum Hint: Sendable { case degrees, axes }

    /// Points nearer to one line than this part of its length count as on it.
    static let line = 0.01
    /// Metres.
    static let nearest = 0.01
}

extension MapFitError {
    /// - Returns: What is wrong with points that were fitted; `nil` where they agree.
    static func contradiction(
        _ points: [ControlPoint], _ pairs: [PlaneTransform.Pair], _ residuals: [Double], _ extent: Double,
        _ transform: MapFit.Transform
    ) -> MapFitError? {
        let (worst, index) = residuals.enumerated().map { ($1, $0) }.max { $0.0 < $1.0 } ?? (0, 0)
        if transform == .similarity, worst > max(0.1, 0.01 * extent) {
            // A corridor fits nearly as well the wrong way round, so what counts is how much better the other one is.
            let mirrored = PlaneTransform(similarityOf: pairs, mirrored: true)
            if pairs.allSatisfy({ mirrored.residual($0) * 4 < worst }) { return .mirrored }
        }
        guard worst > MapFit.contradiction * extent else { return nil }
        let swapped = points.compactMap(\.swapped)
        if swapped.count == points.count, fits(swapped, transform) { return .allSwapped }
        for (index, point) in points.enumerated() {
            let axes = ControlPoint(x: point.y, y: point.x, position: point.position)
            for (changed, hint) in [(point.swapped, Hint.degrees), (axes, Hint.axes)] {
                guard let changed else { continue }
                var others = points
                others[index] = changed
                if fits(others, transform) { return .outlier(index, residual: residuals[index], hint) }
            }
        }
        // Whether the others fit together says something only where they could do otherwise.
        if points.count > transform.pointsNeeded + 1 {
            for index in residuals.indices.sorted(by: { residuals[$0] > residuals[$1] }) {
                var others = points
                others.remove(at: index)
                if fits(others, transform) { return .outlier(index, residual: residuals[index], nil) }
            }
        }
        return .contradicting(index, residual: worst)
    }

    /// Whether points agree well; there are more of them than a fit takes.
    private static func fits(_ points: [ControlPoint], _ transform: MapFit.Transform) -> Bool {
        let plane = MapFit.plane(of: points)
        let pairs = points.map { MapFit.pair($0, on: plane) }
        guard let found = MapFit.transform(pairs, transform) else { return false }
        let limit = MapFit.suspicion * MapFit.extent(pairs)
        return pairs.allSatisfy { found.residual($0) <= limit }
    }
}
