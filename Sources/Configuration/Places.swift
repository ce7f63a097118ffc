internal import FleetEngine
internal import Geometry
internal import Locations
internal import SettingsFile
internal import YAML

/// Buildings and maps, and what the sources say of them: held against each other, and given to the sources.
struct Places {
    let buildings: [BuildingDraft]
    let maps: [MapDraft]
    let zones: [ZoneDraft]
    let context: Context

    /// Gives each source the maps, the buildings' floors, the rooms and zones, and the plans that its positions are held
    /// against.
    func fill(_ sources: inout [SourceDraft], _ areas: AreaSettings?, _ matchers: PositionMatchers) {
        let mapContext = context.entering("maps")
        let table = MapTable(maps.compactMap { draft in draft.map(buildings, mapContext).map { (draft.name, $0) } })
        let floors = Dictionary(
            buildings.compactMap { building in building.floors.map { (Identifier(building.name), $0) } }
        ) { first, _ in first }
        for map in maps { checkBuilding(map.building, mapContext.entering(map.name)) }
        for zone in zones { checkBuilding(zone.building, context.entering("zones").entering(zone.id)) }
        for index in sources.indices {
            let inner = context.entering("sources").entering(sources[index].id)
            checkMap(sources[index].map, inner)
            checkBuilding(sources[index].building, inner)
            for device in sources[index].devices {
                let inner = inner.entering("devices").entering(device.id)
                checkMap(device.map, inner)
                checkBuilding(device.building, inner)
            }
            sources[index].settings.maps = table
            sources[index].settings.buildingFloors = floors
            sources[index].settings.areas = areas
            sources[index].settings.matching = matchers.matching(of: sources[index], inner)
        }
    }

    private func checkMap(_ map: (value: String, node: YAMLNode)?, _ context: Context) {
        guard let map, !maps.contains(where: { $0.name.hasSameBytes(as: map.value) }) else { return }
        context.entering("map").error(
            map.node, "there is no map \(map.node.quoted)\(hint(map.value, maps.map(\.name)))")
    }

    /// Buildings need no entry: only a name that is nearly one of those is most likely a slip.
    private func checkBuilding(_ building: (value: String, node: YAMLNode)?, _ context: Context) {
        let names = buildings.map(\.name)
        guard let building, !names.contains(where: { $0.hasSameBytes(as: building.value) }) else { return }
        let hint = hint(building.value, names)
        guard !hint.isEmpty else { return }
        context.entering("building").warning(
            at: building.node.place, "there is no building \(building.node.quoted)\(hint)")
    }
}
