extension Position {
    /// The middle of some places that are near to each other: the median of their latitudes and of their longitudes, which a
    /// single one far away does not move. `nil` for none.
    public static func middle(of positions: [Position]) -> Position? {
        guard let first = positions.first else { return nil }
        let latitudes = positions.map(\.latitude).sorted()
        // As differences, since degrees jump at the 180° meridian.
        let longitudes = positions.map { wrapped($0.longitude - first.longitude) }.sorted()
        let middle = positions.count / 2
        return Position(
            latitude: latitudes[middle], longitude: wrapped(first.longitude + longitudes[middle]))
    }
}
