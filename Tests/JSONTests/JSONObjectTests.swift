import JSON
import Testing

struct JSONObjectTests {
    private static func object(_ keys: some Sequence<Int>, changing changed: Int? = nil) -> JSONObject {
        JSONObject(keys.map { ("key\($0)", $0 == changed ? "another" : .number(Double($0))) })
    }

    @Test("Objects with the same members are equal in whatever order", arguments: [1, 2, 16, 17, 40])
    func order(count: Int) {
        #expect(Self.object(0..<count) == Self.object(0..<count))
        #expect(Self.object(0..<count) == Self.object((0..<count).reversed()))
        #expect(Self.object(0..<count).hashValue == Self.object((0..<count).reversed()).hashValue)
    }

    @Test("One different value, key or count makes them different", arguments: [1, 2, 16, 17, 40])
    func difference(count: Int) {
        let object = Self.object(0..<count)
        for changed in 0..<count {
            #expect(object != Self.object(0..<count, changing: changed))
            #expect(object != Self.object((0..<count).reversed(), changing: changed))
        }
        #expect(object != Self.object(1..<(count + 1)))
        #expect(object != Self.object(0..<(count + 1)))
    }

    @Test("Keys are compared by their bytes")
    func bytes() {
        let (composed, decomposed) = (JSONObject([("caf\u{E9}", 1)]), JSONObject([("cafe\u{301}", 1)]))
        #expect(composed != decomposed)
        #expect(composed["cafe\u{301}"] == nil)
    }

    @Test("Comparing large objects takes time in proportion to their size", .timeLimit(.minutes(5)))
    func large() {
        // Member by member this would be ten thousand million comparisons.
        #expect(Self.object(0..<100_000) == Self.object((0..<100_000).reversed()))
    }
}
