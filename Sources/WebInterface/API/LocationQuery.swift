internal import FleetEngine
internal import HTTPServer
internal import Locations

/// Why a request cannot be answered as it is.
struct BadRequest: Error, Equatable {
    var reason: String
}

/// Which locations somebody wants: `source`, `building`, `floor` and `status`, each also several times, and `bbox`. What is
/// not mentioned is open.
struct LocationQuery {
    private var sources: Set<Identifier> = []
    private var buildings: Set<Identifier> = []
    private var floors: Set<Int> = []
    private var statuses: Set<LocationStatus> = []
    private var box: BoundingBox?

    init(_ query: [HTTPTarget.Parameter]) throws(BadRequest) {
        for parameter in query {
            switch parameter.name {
            case "source": sources.insert(Identifier(parameter.value))
            case "building": buildings.insert(Identifier(parameter.value))
            case "floor":
                guard let floor = Int(parameter.value) else {
                    throw BadRequest(reason: "floor: \"\(parameter.value)\" is no whole number")
                }
                floors.insert(floor)
            case "status":
                guard let status = LocationStatus(rawValue: parameter.value) else {
                    let known = LocationStatus.allCases.map(\.rawValue).joined(separator: ", ")
                    throw BadRequest(reason: "status: \"\(parameter.value)\" is none of \(known)")
                }
                statuses.insert(status)
            case "bbox":
                guard box == nil else { throw BadRequest(reason: "bbox: stands there twice") }
                box = try BoundingBox(parameter.value)
            case "token": break
            default:
                throw BadRequest(
                    reason: "\"\(parameter.name)\" is no filter; known are source, building, floor, status, bbox")
            }
        }
    }

    func takes(_ location: Location) -> Bool {
        (sources.isEmpty || sources.contains(location.source))
            && (buildings.isEmpty || location.building.map { buildings.contains(Identifier($0)) } ?? false)
            && (floors.isEmpty || location.floor.map(floors.contains) ?? false)
            && (statuses.isEmpty || statuses.contains(location.status))
            && (box == nil || location.position.map { box?.contains($0) ?? true } ?? false)
    }
}
