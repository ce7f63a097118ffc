import Expressions
import JSON
import Testing

struct FailureTests {
    @Test(
        "An error in a part that is evaluated ends the whole: nothing catches it",
        arguments: [
            (
                #"["case", ["<", ["get", "charge"], 20], "low", "fine"]"#,
                "[1]: Expected value to be of type number, but found null instead."
            ),
            (
                #"["coalesce", ["number", ["get", "charge"]], 0]"#,
                "[1]: Expected value to be of type number, but found null instead."
            ),
            (
                #"["any", ["boolean", ["get", "on"]], true]"#,
                "[1]: Expected value to be of type boolean, but found null instead."
            ),
            (#"["+", ["get", "charge"], 1]"#, "[1]: Expected value to be of type number, but found null instead."),
            (#"["concat", "a", ["at", 3, ["literal", [1]]]]"#, nil),
            (#"["error", "unavailable"]"#, ": unavailable"),
        ])
    func ends(json: String, message: String?) throws {
        if let message {
            #expect(try failure(json) == message)
        } else {
            // All parts are constant, so this error is found while compiling.
            #expect(try faults(json) == ["[2]: Array index out of bounds: 3 > 0."])
        }
    }

    @Test("A part that is not needed may fail")
    func unneeded() throws {
        #expect(try evaluate(#"["all", false, ["boolean", ["get", "x"]]]"#) == .bool(false))
        #expect(try evaluate(#"["case", true, "a", ["string", ["get", "x"]]]"#) == .string("a"))
        #expect(try evaluate(#"["coalesce", "a", ["string", ["get", "x"]]]"#) == .string("a"))
        #expect(try evaluate(#"["let", "x", ["number", ["get", "x"]], 1]"#) == .number(1))
    }

    @Test("The first part that fails is reported, from the left")
    func first() throws {
        #expect(
            try failure(#"["-", ["number", ["get", "a"]], ["number", ["get", "b"]]]"#)
                == "[1]: Expected value to be of type number, but found null instead.")
        #expect(
            try failure(#"["*", 2, ["+", 1, ["get", "b"]]]"#, ["b": "x"])
                == "[2][2]: Expected value to be of type number, but found string instead.")
    }

    @Test("A typed slot asserts and does not convert")
    func asserts() throws {
        let step = #"["step", ["get", "charge"], "red", 30, "yellow", 60, "green"]"#
        #expect(
            try failure(step, ["charge": "45"], as: .color)
                == "[1]: Expected value to be of type number, but found string instead.")
        #expect(try evaluate(step, ["charge": 45], as: .color) == .color(Color(red: 1, green: 1, blue: 0)))
        #expect(
            try failure(#"["!", ["get", "on"]]"#, ["on": 1])
                == "[1]: Expected value to be of type boolean, but found number instead.")
    }

    @Test("A missing property is an error in an order and in arithmetic, but only unequal in ==")
    func missing() throws {
        #expect(try evaluate(#"["==", ["get", "state"], "idle"]"#) == .bool(false))
        #expect(try evaluate(#"["!=", ["get", "state"], "idle"]"#) == .bool(true))
        #expect(try evaluate(#"["==", ["get", "state"], null]"#) == .bool(true))
        #expect(try evaluate(#"["has", "state"]"#) == .bool(false))
        #expect(try evaluate(#"["has", "state"]"#, ["state": nil]) == .bool(true))
        #expect(
            try failure(#"["<", ["get", "a"], ["get", "b"]]"#, ["b": 1])
                == #": Expected arguments for "<" to be (string, string) or (number, number), "#
                + "but found (null, number) instead."
        )
    }

    @Test("Null and NaN are no errors, but are missing")
    func nothing() throws {
        #expect(try evaluate(#"["get", "x"]"#).isMissing)
        #expect(try evaluate(#"["/", 0, 0]"#).isMissing)
        #expect(try evaluate(#"["/", 1, 0]"#) == .number(.infinity))
        #expect(try !evaluate(#"["/", -1, 0]"#).isMissing)
    }

    @Test(
        "NaN chooses no stop",
        arguments: [#"["step", ["/", 0, 0], 1, 2, 3]"#, #"["interpolate", ["linear"], ["/", 0, 0], 1, 2, 3, 4]"#])
    func notANumber(json: String) throws {
        #expect(try faults(json) == [": Input is not a number."])
    }
}
