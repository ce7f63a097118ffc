internal import JSON

/// `distance`: metres from the feature to the nearest point of a geometry; NaN for a feature without geometry.
final class Distance: NumberNode {
  let key: String
  private let parts: [GeometryPart]

  private init(_ parts: [GeometryPart], key: String) {
    self.parts = parts
    self.key = key
  }

  var traits: Traits { .feature }
  var folding: Folding { .never }
  var children: [any Node] { [] }

  func number(_ context: EvaluationContext) throws(EvaluationError) -> Double {
    guard var geometry = context.feature.geometry else { return .nan }
    if context.globals.tile != nil {
      geometry = geometry.map(MercatorGrid(context.globals.tile).snapped)
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

  static func parse(_ arguments: Arguments, _ context: ParsingContext) -> (any Node)? {
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
