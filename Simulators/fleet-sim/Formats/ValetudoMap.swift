import Compression
import JSON
import Randomness

/// A robot's map as Valetudo packs it: JSON in a zlib stream. Entities are in centimetres from the image's top left, y down;
/// angles in degrees clockwise from up; layers in pixels.
struct ValetudoMap: Sendable {
    /// Centimetres: a square around the plan's origin that the devices never leave.
    private static let size = 8_000
    private static let pixelSize = 5
    /// Points of the robot's way that are drawn.
    private static let pathAtMost = 200

    /// The floor, as runs of pixels: x, y, count.
    private static let floor: [UInt8] = {
        let (first, count) = (180, 1_240)
        return Array((0..<count).map { "\(first),\(first + $0),\(count)" }.joined(separator: ",").utf8)
    }()

    private struct Point: Hashable {
        var x: Int
        var y: Int
    }

    private let plan: LocalPlan
    private let charger: Point?
    private let nonce: String
    private var path: [Point] = []
    private var told: [Int?]?

    init(device: DeviceIdentity, plan: LocalPlan) {
        self.plan = plan
        nonce = StableHash.digits(of: "\(device.source)/\(device.id)", count: 16)
        charger = device.dock.map { dock in
            let (x, y) = plan.point(dock)
            return Self.pixel(x, y)
        }
    }

    /// Tells the next map whatever it shows.
    mutating func forget() { told = nil }

    /// - Returns: The packed map; `nil` where nothing in it has changed.
    mutating func update(_ reading: Reading) -> [UInt8]? {
        let robot = reading.motion.position.map { position in
            let (x, y) = plan.point(position)
            return Self.pixel(x, y)
        }
        let angle = Int((reading.motion.heading ?? 0).rounded()) % 360
        let shown = [robot?.x, robot?.y, robot == nil ? nil : angle]
        guard shown != told else { return nil }
        told = shown
        if let robot, path.last != robot {
            path.append(robot)
            if path.count > Self.pathAtMost { path.removeFirst() }
        }
        return Deflate.zlib(json(robot, angle: angle))
    }

    private static func pixel(_ x: Double, _ y: Double) -> Point {
        Point(x: size / 2 + Int((x * 100).rounded()), y: size / 2 - Int((y * 100).rounded()))
    }

    private func json(_ robot: Point?, angle: Int) -> [UInt8] {
        var json = JSONWriter()
        func entity(_ kind: String, _ type: String, _ points: [Point], angle: Int? = nil) {
            json.beginObject()
            json.key("__class")
            json.string(kind)
            json.key("metaData")
            json.value(angle.map { ["angle": .number(Double($0))] } ?? [:])
            json.key("points")
            json.value(.array(points.flatMap { [.number(Double($0.x)), .number(Double($0.y))] }))
            json.key("type")
            json.string(type)
            json.endObject()
        }
        json.beginObject()
        json.key("__class")
        json.string("ValetudoMap")
        json.key("metaData")
        json.value(["version": 2, "nonce": .string(nonce)])
        json.key("size")
        json.value(["x": .number(Double(Self.size)), "y": .number(Double(Self.size))])
        json.key("pixelSize")
        json.integer(Self.pixelSize)
        json.key("layers")
        json.beginArray()
        json.beginObject()
        json.key("__class")
        json.string("MapLayer")
        json.key("metaData")
        json.value([:])
        json.key("type")
        json.string("floor")
        json.key("pixels")
        json.value([])
        json.key("compressedPixels")
        json.raw(Array("[".utf8) + Self.floor + Array("]".utf8))
        json.endObject()
        json.endArray()
        json.key("entities")
        json.beginArray()
        if let charger { entity("PointMapEntity", "charger_location", [charger], angle: 0) }
        if let robot { entity("PointMapEntity", "robot_position", [robot], angle: angle) }
        if path.count > 1 { entity("PathMapEntity", "path", path) }
        json.endArray()
        json.endObject()
        return json.bytes
    }
}
