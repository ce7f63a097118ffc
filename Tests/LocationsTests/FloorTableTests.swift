import Testing

@testable import Locations

struct FloorTableTests {
    private var settings: SourceSettings {
        var settings = SourceSettings()
        settings.buildingFloors = ["Works": FloorTable([("Ground", 0), ("First", 10), ("2", 20)])]
        return settings
    }

    @Test(
        "Without a table of the source, the building's counts",
        arguments: [
            (.text("First"), 10), (.number(10), 10), (.text("10"), 10), (.number(2), 20), (.number(30), nil),
            (.text("first"), nil), (.text(""), nil),
        ] as [(ReportedFloor, Int?)])
    func building(floor: ReportedFloor, index: Int?) {
        #expect(settings.index(of: floor, building: "Works") == index)
    }

    @Test("The source's table is looked in first, the building's then")
    func both() {
        var settings = settings
        settings.floors = FloorTable([("Ground", 1), ("Roof", 90)])
        #expect(settings.index(of: .text("Ground"), building: "Works") == 1)
        #expect(settings.index(of: .text("Roof"), building: "Works") == 90)
        #expect(settings.index(of: .text("First"), building: "Works") == 10)
        #expect(settings.index(of: .text("First"), building: "Elsewhere") == nil)
    }

    @Test("Where no table is, any whole number is a floor", arguments: [nil, "Elsewhere"] as [String?])
    func none(building: String?) {
        #expect(settings.index(of: .number(-10), building: building) == -10)
        #expect(settings.index(of: .text("7"), building: building) == 7)
        #expect(settings.index(of: .number(1.5), building: building) == nil)
        #expect(!settings.hasFloorTable(building))
        #expect(settings.hasFloorTable("Works"))
    }
}
