import Geometry
import Timestamps

/// Finds GPX in an XML document: elements count by namespace and name at their exact place in the tree, whatever their
/// prefixes; what looks like them elsewhere does not.
final class GPXElementReader: XMLElementHandler {
    private enum Element {
        case ignored, gpx, track, segment, trackPoint, route, routePoint, waypoint, extensions, garminExtension
        case field(Field)
    }

    private enum Field { case name, time, elevation, course, speed, accuracy, dilution }

    /// What was found and not yet taken.
    private(set) var items: [GPXItem] = []
    /// The root element, if it is another than GPX's.
    private(set) var foreignRoot: (name: String, namespace: String?, place: TextPlace)?
    /// Track points whose start was seen.
    private(set) var trackPoints = 0

    private var stack: [Element] = []
    private var point: PointText?
    private var name: String?
    private var text: [UInt8] = []
    private var isCapturing = false
    private var isTooLong = false

    /// Bytes of a number or a time; what is longer is none.
    private static let longestValue = 128
    private static let longestName = 4_096
    /// Metres of error that a dilution of 1 stands for, as receivers' makers reckon.
    private static let metresOfDilution = 5.0

    func takeItems() -> [GPXItem] {
        defer { items.removeAll(keepingCapacity: true) }
        return items
    }

    /// Where the track point begins that the document ends in.
    var openTrackPoint: TextPlace? {
        stack.contains { if case .trackPoint = $0 { true } else { false } } ? point?.place : nil
    }

    var isInSegment: Bool {
        stack.contains { if case .segment = $0 { true } else { false } }
    }

    // MARK: XML

    func start(_ tag: XMLStartTag) {
        isCapturing = false
        let element = element(tag)
        stack.append(element)
        switch element {
        case .track:
            name = nil
            items.append(.trackStart)
        case .segment: items.append(.segmentStart)
        case .route:
            name = nil
            items.append(.routeStart)
        case .trackPoint:
            trackPoints += 1
            point = PointText(place: tag.place, position: Self.position(tag))
        case .routePoint, .waypoint: point = PointText(place: tag.place, position: Self.position(tag))
        case .field:
            text.removeAll(keepingCapacity: true)
            (isCapturing, isTooLong) = (true, false)
        case .ignored, .gpx, .extensions, .garminExtension: break
        }
    }

    func end() {
        switch stack.popLast() {
        case .track: items.append(.trackEnd(name: name))
        case .segment: items.append(.segmentEnd)
        case .route: items.append(.routeEnd(name: name))
        case .trackPoint: if let point = takePoint() { items.append(.trackPoint(point)) }
        case .routePoint: if let point = takePoint() { items.append(.routePoint(point)) }
        case .waypoint: if let point = takePoint() { items.append(.waypoint(point)) }
        case .field(let field):
            if isCapturing { text.withUnsafeBufferPointer { take(field, $0) } }
        case .ignored, .gpx, .extensions, .garminExtension, nil: break
        }
        isCapturing = false
    }

    func text(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard isCapturing else { return }
        if text.count + bytes.count > Self.longestName { isTooLong = true } else { text += bytes }
    }

    private func takePoint() -> PointText? {
        defer { point = nil }
        return point
    }

    // MARK: Elements

    private func element(_ tag: XMLStartTag) -> Element {
        guard let parent = stack.last else {
            if tag.isNamed("gpx"), isGPX(tag) { return .gpx }
            foreignRoot = (tag.name, tag.namespace, tag.place)
            return .ignored
        }
        switch parent {
        case .extensions:
            if let field = Self.extensionField(tag) { return .field(field) }
            return tag.isNamed("TrackPointExtension") ? .garminExtension : .ignored
        case .garminExtension: return Self.extensionField(tag).map { .field($0) } ?? .ignored
        case .ignored, .field: return .ignored
        default: return isGPX(tag) ? child(of: parent, tag) : .ignored
        }
    }

    private func isGPX(_ tag: XMLStartTag) -> Bool {
        tag.isIn(namespace: "http://www.topografix.com/GPX/1/1")
            || tag.isIn(namespace: "http://www.topografix.com/GPX/1/0")
    }

    private func child(of parent: Element, _ tag: XMLStartTag) -> Element {
        switch parent {
        case .gpx:
            tag.isNamed("trk") ? .track : tag.isNamed("rte") ? .route : tag.isNamed("wpt") ? .waypoint : .ignored
        case .track: tag.isNamed("trkseg") ? .segment : tag.isNamed("name") ? .field(.name) : .ignored
        case .segment: tag.isNamed("trkpt") ? .trackPoint : .ignored
        case .route: tag.isNamed("rtept") ? .routePoint : tag.isNamed("name") ? .field(.name) : .ignored
        default:
            if tag.isNamed("time") {
                .field(.time)
            } else if tag.isNamed("ele") {
                .field(.elevation)
            } else if tag.isNamed("extensions") {
                .extensions
            } else if tag.isNamed("course") {  // GPX 1.0, as speed
                .field(.course)
            } else if tag.isNamed("speed") {
                .field(.speed)
            } else if tag.isNamed("hdop") {
                .field(.dilution)
            } else if tag.isNamed("name") {
                .field(.name)
            } else {
                .ignored
            }
        }
    }

    /// By their names alone: everybody has a namespace of their own for them.
    private static func extensionField(_ tag: XMLStartTag) -> Field? {
        if tag.isNamed("speed") { return .speed }
        if tag.isNamed("course") || tag.isNamed("heading") || tag.isNamed("bearing") { return .course }
        return tag.isNamed("accuracy") ? .accuracy : nil
    }

    // MARK: Values

    private static func position(_ tag: XMLStartTag) -> Result<Position, PointFault> {
        let written = (tag.attribute("lat"), tag.attribute("lon"))
        guard let latitude = written.0.flatMap(DecimalNumber.read),
            let longitude = written.1.flatMap(DecimalNumber.read)
        else { return .failure(PointFault(.noNumber, description(written))) }
        guard let position = Position(latitude: latitude, longitude: longitude) else {
            return .failure(PointFault(.outOfRange, description(written)))
        }
        if latitude == 0, longitude == 0 { return .failure(PointFault(.nullIsland)) }
        return .success(position)
    }

    private static func description(_ written: (UnsafeBufferPointer<UInt8>?, UnsafeBufferPointer<UInt8>?)) -> String {
        let quoted = { (name: String, bytes: UnsafeBufferPointer<UInt8>?) in
            bytes.map { "\(name)=\"\(short($0))\"" } ?? "no \(name)"
        }
        return quoted("lat", written.0) + " " + quoted("lon", written.1)
    }

    private static func short(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        String(decoding: bytes.prefix(40), as: UTF8.self) + (bytes.count > 40 ? "…" : "")
    }

    /// The first of equal elements counts; an empty one is as good as none.
    private func take(_ field: Field, _ bytes: UnsafeBufferPointer<UInt8>) {
        let value = DecimalNumber.trimmed(bytes)
        guard !value.isEmpty else { return }
        guard var point else {
            if name == nil, !isTooLong { name = String(decoding: value, as: UTF8.self) }
            return
        }
        let number = isTooLong || value.count > Self.longestValue ? nil : DecimalNumber.read(value)
        switch field {
        case .name: if point.name == nil, !isTooLong { point.name = String(decoding: value, as: UTF8.self) }
        case .time:
            if case .failure(let fault) = point.time, fault.reason == .noTime { point.time = time(value) }
        case .elevation: point.elevation = point.elevation ?? number
        case .course: point.course = point.course ?? number.flatMap(Self.direction)
        case .speed: point.speed = point.speed ?? number.flatMap { $0 >= 0 ? $0 : nil }
        case .accuracy: if let number, number >= 0 { point.accuracy = number }
        case .dilution:
            if let number, number > 0 { point.accuracy = point.accuracy ?? number * Self.metresOfDilution }
        }
        self.point = point
    }

    private func time(_ value: UnsafeBufferPointer<UInt8>) -> Result<Timestamp, PointFault> {
        guard !isTooLong, value.count <= Self.longestValue,
            let time = Timestamp(iso8601: String(decoding: value, as: UTF8.self))
        else { return .failure(PointFault(.unreadableTime, Self.short(value))) }
        return .success(time)
    }

    private static func direction(_ degrees: Double) -> Double? {
        guard abs(degrees) <= 360 else { return nil }
        let positive = degrees < 0 ? degrees + 360 : degrees
        return positive < 360 ? positive : 0
    }
}
