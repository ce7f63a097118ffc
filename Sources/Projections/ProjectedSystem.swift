#if PROJ
    internal import CPROJ
    internal import Foundation
    internal import Geometry
    internal import Synchronization

    /// A coordinate reference system by PROJ.
    final class ProjectedSystem: CoordinateSystem {
        /// Metres from the system's origin that no map has; what a projection makes of its own edge is there.
        private static let farthest = 1e8
        /// Degrees by which the way back may miss the position: 0.1 m. Not every way is exact in both directions.
        private static let tolerance = 1e-6

        private let definition: String
        private let name: String
        /// Parts of the unit that are told: a millimetre at most.
        private let parts: Double
        /// In the system's unit.
        private let limit: Double
        private let way: Mutex<Way>

        /// PROJ's objects are used by one thread at a time, under a lock.
        private struct Way: @unchecked Sendable {
            let object: PROJObject
        }

        init(_ definition: String) throws(CoordinateSystemError) {
            let context = try PROJContext()
            let target = try Self.horizontalSystem(definition, in: context)
            guard let source = PROJObject("EPSG:4326", in: context) else {
                throw CoordinateSystemError(.noDatabase, context.takeComplaint())
            }
            guard let object = PROJObject.way(from: source, to: target.system) else {
                throw CoordinateSystemError(.noTransformation, context.takeComplaint())
            }
            context.stopLogging()
            self.definition = definition
            name = target.system.code ?? definition
            let metres = target.axis.isAngular ? target.axis.factor * 6_378_137 : target.axis.factor
            parts = pow(10, max(0, (log10(metres) + 3).rounded(.up)))
            limit = target.axis.isAngular ? .infinity : Self.farthest / metres
            way = Mutex(Way(object: object))
        }

        private static func horizontalSystem(
            _ definition: String, in context: PROJContext
        ) throws(CoordinateSystemError) -> (system: PROJObject, axis: PROJObject.Axis) {
            // A PROJ string is an operation unless it says that it is a system.
            let isUntyped = definition.contains("+proj=") && !definition.contains("type=crs")
            guard var system = PROJObject(isUntyped ? definition + " +type=crs" : definition, in: context) else {
                throw CoordinateSystemError(.unknown, context.takeComplaint())
            }
            if system.type == PJ_TYPE_COMPOUND_CRS, let part = system.horizontalPart { system = part }
            guard let base = system.type == PJ_TYPE_BOUND_CRS ? system.base : system else {
                throw CoordinateSystemError(.unknown)
            }
            let types = [PJ_TYPE_PROJECTED_CRS, PJ_TYPE_GEOGRAPHIC_2D_CRS, PJ_TYPE_GEOGRAPHIC_3D_CRS]
            let axes = base.axes
            guard types.contains(base.type), axes.count == 2, axes.allSatisfy({ $0.factor > 0 }) else {
                throw CoordinateSystemError(.notHorizontal)
            }
            let directions = axes.map(\.direction)
            // Around a pole all directions are the same.
            guard [["east", "north"], ["north", "north"], ["south", "south"]].contains(directions.sorted()) else {
                throw CoordinateSystemError(.otherAxes, directions.joined(separator: ", "))
            }
            return (system, axes[0])
        }

        func project(_ position: Position) -> ProjectedPosition? {
            way.withLock { way in
                Self.place(of: position, by: way.object, limit: limit)
            }.map { ProjectedPosition(crs: name, x: rounded($0.x), y: rounded($0.y)) }
        }

        /// PROJ yields numbers also far outside of where a projection is one, so what does not lead back is no place.
        private static func place(
            of position: Position, by way: PROJObject, limit: Double
        ) -> (x: Double, y: Double)? {
            let point = (position.longitude, position.latitude)
            guard let place = way.transform(point, .forward), abs(place.x) <= limit, abs(place.y) <= limit else {
                return nil
            }
            if leadsBack(place, to: position, by: way) { return place }
            // Of several ways another one may be taken back than there.
            guard let again = way.transform(point, .forward), let used = way.lastUsed,
                leadsBack(again, to: position, by: used)
            else { return nil }
            return again
        }

        private static func leadsBack(
            _ place: (x: Double, y: Double), to position: Position, by way: PROJObject
        ) -> Bool {
            guard let back = way.transform(place, .back) else { return false }
            let east = (back.x - position.longitude).remainder(dividingBy: 360) * cos(position.latitude * .pi / 180)
            return max(abs(east), abs(back.y - position.latitude)) <= tolerance
        }

        private func rounded(_ value: Double) -> Double { (value * parts).rounded() / parts + 0 }  // no -0

        func isSame(as other: any CoordinateSystem) -> Bool {
            guard let other = other as? ProjectedSystem else { return false }
            return definition.utf8.elementsEqual(other.definition.utf8)
        }
    }
#endif
