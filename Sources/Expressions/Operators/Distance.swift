internal import JSON

/// `distance`: metres from the feature to the nearest point of a geometry; NaN for a feature without geometry.
final class Distance: NumberNode {
    private let parts: [GeometryPart]

    private init(_ parts: [GeometryPart], key: String) {
        self.parts = parts
        super.init(.number, key: key, children: [], traits: .feature)
    }

    override var folding: Folding { .never }

    override func number(
        _ feature: any ExpressionFeature, _ context: EvaluationContext
    ) throws(EvaluationError) -> Double {
        guard var geometry = feature.geometry else { return .nan }
        if context.tile != nil {
            geometry = geometry.map(MercatorGrid(context.tile).snapped)
        }
        guard let first = geometry.first else { return .nan }
        let ruler = LocalRuler(latitude: first.latitude)
        var shortest = Double.infinity
        for part in geometry.parts {
            for other in parts {
                shortest = min(shortest, part.distance(to: other, ruler))
                if shortest == 0 { return 0 }
            }
        }
        return shortest
    }

    static func parse(_ arguments: Arguments, _ context: ParsingContext) -> Node? {
        guard arguments.count == 1 else {
            return context.error(
                "'distance' expression requires exactly one argument, but found \(arguments.count) instead."
            )
        }
        guard let geometries = GeoJSON.geometries(arguments[1]) else {
            return context.error(
                "'distance' expression requires valid geojson object that contains polygon geometry type.")
        }
        return Distance(geometries.flatMap(\.parts), key: context.key)
    }
}
