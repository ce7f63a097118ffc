internal import Geometry
internal import JSON
internal import Locations

/// Reads the plan of a building from GeoJSON with IMDF's property names (Apple's Indoor Mapping Data Format 1.0, OGC 20-094):
/// one FeatureCollection, or the files of an IMDF archive.
public final class VenueReader {
    /// The files of an IMDF folder that are read, and whether there must be one.
    public static let files: [(name: String, isRequired: Bool)] = [
        ("level.geojson", true), ("unit.geojson", true), ("opening.geojson", false),
        ("route.geojson", false),
    ]

    private let building: String
    private let floorIndex: (String) -> Int?
    private var features: [VenueFeature] = []
    private var files: [String] = []
    /// Everything that is wrong, in the order in which it was found.
    public private(set) var faults: [VenueFault] = []

    /// - Parameters:
    ///   - building: Its name in the configuration.
    ///   - floorIndex: The index of a floor by its name, where the building has a table of floors with that name.
    public init(building: String, floorIndex: @escaping (String) -> Int?) {
        (self.building, self.floorIndex) = (building, floorIndex)
    }

    /// Reads a file.
    ///
    /// - Parameter name: Names it in faults. In a file called as IMDF calls it, features need not name their type.
    public func read(_ bytes: [UInt8], name: String) {
        files.append(name)
        var faults: [VenueFault] = []
        let last = name.split(separator: "/").last.map(String.init) ?? name
        let type = FeatureType.allCases.first { "\($0.rawValue).geojson" == last }
        features += VenueFile(name: name) { faults.append($0) }.features(bytes, type: type)
        self.faults += faults
    }

    /// What the files come to; `nil` where there are faults other than warnings.
    public func finish() -> Venue? {
        checkIDs()
        let levels = features.filter { $0.type == .level }.map { ($0, level($0)) }
        let known = Set(levels.map { Identifier($0.0.id) })
        if known.isEmpty, faults.isEmpty { faults.append(VenueFault(files.first ?? building, "", "has no level")) }
        let byID = Dictionary(levels.compactMap { $1 }.map { (Identifier($0.id), $0) }) { first, _ in first }
        var outlines: [(feature: VenueFeature, level: VenueLevel?, outline: GeographicArea)] = []
        var lines: [(feature: VenueFeature, level: VenueLevel?, lines: [[Position]])] = []
        for feature in features where feature.type != .level {
            checkLevel(feature, known)
            let level = byID[Identifier(feature.levelID ?? "")]
            let reader = GeometryReader { self.report(feature, $0) }
            switch feature.type {
            case .unit:
                if let outline = reader.area(feature.geometry) { outlines.append((feature, level, outline)) }
            case .route:
                if let found = reader.lines(feature.geometry) { lines.append((feature, level, found)) }
            default:
                if let line = reader.line(feature.geometry) { lines.append((feature, level, [line])) }
            }
        }
        let all = levels.compactMap { $1?.outline } + outlines.map(\.outline)
        guard let middle = Position.middle(of: all.compactMap { $0.polygons.first?.first?.first }) else { return nil }
        let frame = MapFrame(origin: middle)
        for (feature, level) in levels { _ = level?.outline.checked(in: frame) { report(feature, $0) } }
        let units = outlines.compactMap { unit($0.feature, $0.level, $0.outline, frame) }
        let openings = lines.filter { $0.feature.type == .opening }.compactMap { line in
            opening(line.feature, line.level, line.lines[0], frame).map { (feature: line.feature, opening: $0) }
        }
        checkPlaces(of: openings, among: units)
        let routes = lines.filter { $0.feature.type == .route }.compactMap { line in
            route(line.feature, line.level, line.lines, frame).map { (feature: line.feature, route: $0) }
        }
        checkEnds(of: routes)
        guard !faults.contains(where: { !$0.isWarning }) else { return nil }
        let sorted = levels.compactMap { $1 }.enumerated().sorted {
            ($0.element.floor, $0.offset) < ($1.element.floor, $1.offset)
        }
        return Venue(
            building: building, frame: frame, levels: sorted.map(\.element), units: units,
            openings: openings.map(\.opening), routes: routes.map(\.route))
    }

    // MARK: Features

    private func level(_ feature: VenueFeature) -> VenueLevel? {
        let outline = GeometryReader { self.report(feature, $0) }.area(feature.geometry)
        let properties = feature.properties
        let names = properties["name"].labels + properties["short_name"].labels
        var ordinal: Int?
        if let value = properties["ordinal"], !value.isNull {
            ordinal = value.number.flatMap { Int(exactly: $0) }
            if ordinal.map({ (-1_000...1_000).contains($0) }) != true {
                ordinal = nil
                report(feature, "its ordinal is \(value.text.prefix(40)); expected a whole number from -1000 to 1000")
                return nil
            }
        }
        guard let floor = names.lazy.compactMap({ self.floorIndex($0) }).first ?? ordinal.map({ $0 * 10 }) else {
            report(feature, "has no ordinal, and no name that is one of the building's floors")
            return nil
        }
        return outline.map {
            VenueLevel(
                id: feature.id, name: properties["name"].labels.first, shortName: properties["short_name"].labels.first,
                ordinal: ordinal, floor: floor, outline: $0)
        }
    }

    private func unit(
        _ feature: VenueFeature, _ level: VenueLevel?, _ outline: GeographicArea, _ frame: MapFrame
    ) -> VenueUnit? {
        guard let area = outline.checked(in: frame, { report(feature, $0) }), let level else { return nil }
        if let category = feature.category, let meant = UnitCategory.meant(by: category) {
            warn(feature, "its category \"\(category)\" is none of IMDF's; did you mean \"\(meant)\"?")
        }
        var displayPoint: Position?
        if let point = feature.properties["display_point"], !point.isNull {
            displayPoint = GeometryReader { self.report(feature, "display_point: \($0)") }.point(point)
            if let place = displayPoint.flatMap({ frame.point(of: $0) }), !area.contains(place) {
                displayPoint = nil
                warn(feature, "its display_point is outside of it")
            }
        }
        let label = area.labelPoint
        guard let place = displayPoint ?? frame.position(x: label.x, y: label.y) else { return nil }
        return VenueUnit(
            id: feature.id, name: feature.properties["name"].labels.first, category: feature.category,
            levelID: level.id, floor: level.floor, outline: outline, area: area, displayPoint: place)
    }

    private func opening(
        _ feature: VenueFeature, _ level: VenueLevel?, _ line: [Position], _ frame: MapFrame
    ) -> Opening? {
        guard let points = points(of: line, feature, frame) else { return nil }
        return level.map {
            Opening(
                id: feature.id, name: feature.properties["name"].labels.first, category: feature.category,
                levelID: $0.id, floor: $0.floor, line: line, points: points)
        }
    }

    private func route(
        _ feature: VenueFeature, _ level: VenueLevel?, _ lines: [[Position]], _ frame: MapFrame
    ) -> Route? {
        let found = lines.compactMap { points(of: $0, feature, frame) }
        guard found.count == lines.count else { return nil }
        return level.map {
            Route(
                id: feature.id, name: feature.properties["name"].labels.first, levelID: $0.id, floor: $0.floor,
                points: found)
        }
    }

    private func points(of line: [Position], _ feature: VenueFeature, _ frame: MapFrame) -> [PlanePoint]? {
        let points = line.compactMap { frame.point(of: $0) }
        if points.count == line.count { return points }
        report(feature, "is more than \(Int(MapFrame.reach / 1_000)) km away from the middle of the others")
        return nil
    }

    // MARK: Checks

    private func checkIDs() {
        var seen: [Identifier: VenueFeature] = [:]
        for feature in features where !feature.id.isEmpty {
            guard let first = seen[Identifier(feature.id)] else {
                seen[Identifier(feature.id)] = feature
                continue
            }
            let place = first.file == feature.file ? "" : " of \(first.file)"
            report(feature, "its id is that of another feature, a \(first.type.rawValue)\(place)")
        }
    }

    private func checkLevel(_ feature: VenueFeature, _ known: Set<Identifier>) {
        guard let id = feature.levelID else { return report(feature, "has no level_id") }
        if !known.contains(Identifier(id)) { report(feature, "its level_id \"\(id)\" is the id of no level") }
    }

    /// Openings that are in nobody's wall: whoever is held against walls cannot go through them.
    private func checkPlaces(of openings: [(feature: VenueFeature, opening: Opening)], among units: [VenueUnit]) {
        for (floor, openings) in Dictionary(grouping: openings, by: \.opening.floor).sorted(by: { $0.key < $1.key }) {
            let areas = units.filter { $0.floor == floor }.map(\.area)
            let (grid, borders) = (AreaGrid(areas), EdgeGrid(areas.flatMap(\.edges)))
            for (feature, opening) in openings {
                guard let middle = opening.middle, grid.smallestArea(at: middle) == nil,
                    borders.edges(within: DoorGraph.wall, of: middle).isEmpty
                else { continue }
                warn(feature, "there is no unit of floor \(floor) within half a metre of its middle: it leads nowhere")
            }
        }
    }

    /// Routes that end just beside another one, as lines do that were drawn without snapping: no way leads on there.
    private func checkEnds(of routes: [(feature: VenueFeature, route: Route)]) {
        for (floor, routes) in Dictionary(grouping: routes, by: \.route.floor).sorted(by: { $0.key < $1.key }) {
            let lines = routes.flatMap { (feature, route) in route.points.map { (feature, $0) } }
            let edges = lines.enumerated().flatMap { number, line in
                PlaneEdge.edges(along: line.1).map { (number, $0) }
            }
            let grid = EdgeGrid(edges.map(\.1))
            for (number, (feature, line)) in lines.enumerated() {
                for end in [line.first, line.last].compactMap(\.self) {
                    let near = grid.edges(within: RouteFloor.suspiciousGap, of: end).filter {
                        edges[$0.index].0 != number
                    }
                    .map { (edges[$0.index].0, $0.nearest.distance(to: end)) }
                    guard let (other, gap) = near.min(by: { $0.1 < $1.1 }), gap > RouteFloor.tolerance else { continue }
                    let centimetres = Int((gap * 100).rounded())
                    warn(
                        feature,
                        "ends \(centimetres) cm beside \(lines[other].0.shown) on floor \(floor): no way leads on there"
                    )
                }
            }
        }
    }

    private func warn(_ feature: VenueFeature, _ message: String) {
        faults.append(VenueFault(feature.file, feature.shown, message, isWarning: true))
    }

    private func report(_ feature: VenueFeature, _ message: String) {
        faults.append(VenueFault(feature.file, feature.shown, message))
    }
}

extension VenueFeature {
    var shown: String { id.isEmpty ? "a \(type.rawValue) without an id" : "\(type.rawValue) \"\(id)\"" }
    var levelID: String? { properties["level_id"].name }
    var category: String? { properties["category"]?.string }
}

extension JSONValue? {
    /// IMDF's labels, an object of texts by language, in the order of the file; or one text.
    fileprivate var labels: [String] {
        guard let self else { return [] }
        let texts = self.string.map { [$0] } ?? self.object?.members.compactMap(\.value.string) ?? []
        return texts.filter { !$0.isEmpty }
    }
}
