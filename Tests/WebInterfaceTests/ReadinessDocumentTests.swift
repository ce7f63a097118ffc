import FleetEngine
import JSON
import Testing

@testable import WebInterface

@Suite("What /readyz says")
struct ReadinessDocumentTests {
    private func readiness(_ adjust: (inout Readiness) -> Void) throws -> Readiness {
        var readiness = try Board().engine.readiness
        (readiness.isConnected, readiness.isReading, readiness.roundTripAge) = (true, true, .seconds(1))
        adjust(&readiness)
        return readiness
    }

    private func reasons(_ readiness: Readiness) -> [String?] {
        let (isReady, document) = ReadinessDocument.make(readiness, withDetails: false)
        let reasons = document.object?["reasons"]?.array?.map { $0.object?["reason"]?.string } ?? []
        #expect(isReady == reasons.isEmpty)
        #expect(document.object?["ready"] == .bool(isReady))
        return reasons
    }

    @Test("Every reason has its word")
    func words() throws {
        #expect(try reasons(readiness { _ in }) == [])
        #expect(
            try reasons(readiness { ($0.isConnected, $0.isReading, $0.roundTripAge) = (false, false, nil) })
                == ["not-connected"])
        #expect(try reasons(readiness { $0.isReading = false }) == ["not-reading"])
        #expect(
            try reasons(readiness { $0.deniedFilters = ["a", "b"] }) == [
                "subscription-refused", "subscription-refused",
            ])
        #expect(try reasons(readiness { $0.roundTripAge = nil }) == ["no-round-trip"])
        #expect(try reasons(readiness { $0.roundTripAge = .seconds(15) }) == [])
        #expect(try reasons(readiness { $0.roundTripAge = .milliseconds(15_001) }) == ["no-round-trip"])
    }

    @Test("Details are only for those who may see the fleet")
    func details() throws {
        let denied = try readiness { $0.deniedFilters = ["secret/topic"] }
        #expect(!ReadinessDocument.make(denied, withDetails: false).document.text.contains("secret"))
        #expect(ReadinessDocument.make(denied, withDetails: true).document.text.contains("secret/topic"))
    }
}
