internal import Geometry

extension Device {
    /// Holds the position that is known against another plan or floor, or against the same one after a restart.
    ///
    /// - Parameter keepsPlace: A position that was moved stays where a device can be there: whatever led to it still holds.
    func matchAgain(_ matching: PositionMatching?, keepsPlace: Bool = true) {
        guard let position = location.position else {
            movement?.stand(at: nil)
            return
        }
        let said = location.rawPosition ?? position
        guard let matching else {
            (location.position, location.rawPosition) = (said, nil)
            movement?.stand(at: nil)
            return
        }
        if keepsPlace, location.rawPosition != nil,
            let known = matching.matcher.places(within: MapMatching.precision, of: place(at: position)).first
        {
            movement?.stand(at: known)
            return
        }
        let accuracy = max(location.accuracy ?? 0, MapMatching.precision)
        let placed = MapMatching(matcher: matching.matcher)
            .placement(of: place(at: said), accuracy: accuracy, after: nil, way: nil)
        location.position = placed.position(accuracy: accuracy) ?? said
        location.rawPosition = location.position == said ? nil : said
        movement?.stand(at: placed.place)
    }
}
