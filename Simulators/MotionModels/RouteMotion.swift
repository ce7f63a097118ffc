public import Geometry

/// Goes along a line at a constant speed. Distances are geodesics on the ellipsoid: the same at any latitude, and the short way
/// across the 180° meridian.
public struct RouteMotion: MotionModel {
    /// What happens at the line's end.
    public enum End: String, Sendable, CaseIterable {
        /// It stays there.
        case stop
        /// It goes on to the line's start, straight where that is elsewhere, and round again.
        case loop
        /// It turns back.
        case reverse
    }

    private struct Piece: Sendable {
        var start, end: Position
        /// Metres along the line.
        var offset, length: Double
        var bearing: Double
    }

    private let pieces: [Piece]
    private let first: Position
    private let speed: Double
    private let end: End
    private let offset: Double
    private var elapsed = Duration.zero
    /// Metres, with the way back to the start in a loop.
    public let length: Double

    /// - Parameters:
    ///   - speed: Metres a second, 0 or more.
    ///   - start: The part of the line that is behind it at first, 0…1.
    /// - Returns: `nil` without points, or with a speed that is none.
    public init?(along points: [Position], speed: Double, end: End, start: Double = 0) {
        guard let first = points.first, speed >= 0, speed.isFinite, (0...1).contains(start) else { return nil }
        var pieces: [Piece] = []
        var length = 0.0
        let line = end == .loop ? points + [first] : points
        for (from, to) in zip(line, line.dropFirst()) {
            let distance = from.distance(to: to)
            guard distance > 0 else { continue }
            pieces.append(
                Piece(start: from, end: to, offset: length, length: distance, bearing: from.bearing(to: to)))
            length += distance
        }
        (self.pieces, self.first, self.speed, self.end, self.length) = (pieces, first, speed, end, length)
        offset = length * start
    }

    public mutating func advance(by time: Duration) -> MotionState {
        elapsed += max(time, .zero)
        return state
    }

    public var state: MotionState {
        let (distance, isBackwards) = place
        guard let piece = piece(at: distance) else {
            return MotionState(position: first, heading: nil, speed: 0, accuracy: RandomMotion.accuracy(speed: 0))
        }
        let onPiece = min(max(distance - piece.offset, 0), piece.length)
        let between = piece.start.destination(distance: onPiece, bearing: piece.bearing) ?? piece.start
        let position = onPiece >= piece.length ? piece.end : onPiece > 0 ? between : piece.start
        // A geodesic's direction changes along the way; at its very end there is nothing ahead to look at.
        let rest = piece.length - onPiece
        let ahead =
            rest > 0.001
            ? position.bearing(to: piece.end) : normalizedDirection(piece.end.bearing(to: piece.start) + 180)
        let isMoving = speed > 0 && !(end == .stop && distance >= length)
        return MotionState(
            position: position, heading: isBackwards ? normalizedDirection(ahead + 180) : ahead,
            speed: isMoving ? speed : 0,
            accuracy: RandomMotion.accuracy(speed: isMoving ? speed : 0))
    }

    /// Metres from the line's start, and whether on the way back.
    private var place: (distance: Double, isBackwards: Bool) {
        let travelled = offset + speed * (elapsed / .seconds(1))
        guard length > 0 else { return (0, false) }
        switch end {
        case .stop: return (min(travelled, length), false)
        case .loop: return (travelled.truncatingRemainder(dividingBy: length), false)
        case .reverse:
            let rest = travelled.truncatingRemainder(dividingBy: 2 * length)
            return rest < length ? (rest, false) : (2 * length - rest, true)
        }
    }

    private func piece(at distance: Double) -> Piece? {
        var (low, high) = (0, pieces.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if pieces[middle].offset <= distance { low = middle } else { high = middle }
        }
        return pieces.isEmpty ? nil : pieces[low]
    }
}
