import Expressions
import JSON
import Testing

struct CompileTests {
    @Test("Constants are folded: colours are parsed once, conditions are known")
    func folding() throws {
        #expect(try compile(#""red""#, as: .color).constantValue == .color(Color(red: 1, green: 0, blue: 0)))
        #expect(try compile(#"["==", "status", "idle"]"#, as: .boolean).constantValue == .bool(false))
        #expect(try compile(#"["==", ["get", "status"], "idle"]"#, as: .boolean).constantValue == nil)
        #expect(try compile(#""marker""#, as: .image).constantValue?.text == "marker")
    }

    @Test("An unknown operator is an error at its name, with the nearest one")
    func suggestion() throws {
        #expect(throws: CompileErrors.self) { try compile(#"["case", ["bolean", true], 1, 2]"#) }
        do {
            _ = try compile(#"["case", ["bolean", true], 1, 2]"#)
        } catch let errors as CompileErrors {
            #expect(errors.errors.map(\.path) == [[1, 0]])
            #expect(errors.errors.map(\.suggestion) == ["boolean"])
        }
        #expect(Spelling.nearest(to: "xyzzy", among: ["boolean", "case"]) == nil)
        #expect(Spelling.nearest(to: "iconColour", among: ["iconColor", "labelColor"]) == "iconColor")
        #expect(Spelling.nearest(to: "itnerpolate", among: ["interpolate", "in"]) == "interpolate")
    }

    @Test(
        "An error has the place of the very element, also where upstream gives another index",
        arguments: [
            (#"["match", ["get", "x"], 1, "a", 2, ["nope"], "b"]"#, [.index(5), .index(0)]),
            (#"["format", "a", {"text-color": ["nope"]}]"#, [.index(2), .member("text-color"), .index(0)]),
            (#"["number-format", 1, {"locale": ["nope"]}]"#, [.index(2), .member("locale"), .index(0)]),
            (#"["+", 1, ["-", "a"]]"#, [.index(2), .index(1)]),
        ] as [(String, [CompileError.Step])])
    func place(json: String, place: [CompileError.Step]) throws {
        do {
            _ = try compile(json)
            #expect(Bool(false))
        } catch let errors as CompileErrors {
            #expect(errors.errors.map(\.place) == [place])
        }
    }

    @Test("A line that is no JSON is answered too")
    func line() {
        let answer = ExpressionProbe.answer(toLine: "[", parser: JSONParser())
        #expect(answer.hasPrefix(#"{"compiled":{"result":"error","errors":[{"key":"","error":"invalid-json: "#))
    }

    @Test("Conditions must be boolean")
    func conditions() throws {
        #expect(try faults(#"["+", 1, 2]"#, as: .boolean) == [": Expected boolean but found number instead."])
        #expect(
            try faults(#"["case", 1, "a", "b"]"#) == ["[1]: Expected boolean but found number instead."])
    }

    @Test(
        "Stop functions are refused with the way out",
        arguments: [
            #"{"stops": [[0, "red"], [10, "blue"]]}"#, #"{"property": "x", "type": "identity"}"#,
            #"{"type": "identity", "property": "x", "default": 1}"#,
        ])
    func stopFunctions(json: String) throws {
        let messages = try faults(json, as: .color)
        #expect(messages.count == 1)
        #expect(messages[0].contains("Stop functions") && messages[0].contains("interpolate"))
    }

    @Test("An operator that has no place here is an error that says what to do")
    func unavailable() throws {
        let environment = CompileEnvironment(unavailableOperators: ["zoom": "The zoom is the client's: set zoomFrom."])
        #expect(
            try faults(#"["step", ["zoom"], 1, 17, 2]"#, in: environment) == [
                "[1][0]: The zoom is the client's: set zoomFrom."
            ])
    }

    @Test("The global state is bound when compiled")
    func globalState() throws {
        let environment = CompileEnvironment(globalState: ["night": true])
        #expect(
            try evaluate(#"["case", ["global-state", "night"], "dark", "light"]"#, in: environment) == .string("dark"))
    }

    @Test("Images are looked up in the list that is known when compiled, else in the one given later")
    func images() throws {
        let json = #"["coalesce", ["image", "robot"], ["image", "marker"]]"#
        let known = CompileEnvironment(availableImages: ImageNames(["marker"]))
        #expect(try evaluate(json, as: .image, in: known).text == "marker")
        #expect(
            try evaluate(json, as: .image, globals: EvaluationGlobals(availableImages: ImageNames(["robot"]))).text
                == "robot")
        // None is there: the name that was wanted most.
        #expect(try evaluate(json, as: .image).text == "robot")
    }

    @Test("What an expression reads is known")
    func inputs() throws {
        let inputs = try compile(
            #"["case", ["has", "error"], "red", [">", ["get", "charge"], ["coalesce", ["get", "low"], 20]], "green", "#
                + #"["get", "color"]]"#
        ).inputs
        #expect(inputs.properties == ["error", "charge", "low", "color"])
        #expect(!inputs.readsAnyProperty && !inputs.readsGeometry)
        #expect(try compile(#"["get", ["concat", "a", ["id"]]]"#).inputs.readsAnyProperty)
        #expect(try compile(#"["let", "x", ["get", "y"], ["+", ["var", "x"], 1]]"#).inputs.properties == ["y"])
        #expect(
            try compile(#"["within", {"type": "Polygon", "coordinates": [[[0,0],[1,0],[1,1],[0,0]]]}]"#).inputs
                .readsGeometry)
    }

    @Test("The boundaries of the steps over a property are known")
    func boundaries() throws {
        let expression = try compile(
            #"["case", ["has", "x"], ["step", ["get", "charge"], 1, 30, 2, 60, 3], "#
                + #"["step", ["number", ["get", "charge"], 0], 1, 10, ["step", ["get", "y"], 1, 5, 2]]]"#
        )
        #expect(expression.stepBoundaries(over: "charge") == [10, 30, 60])
        #expect(expression.stepBoundaries(over: "y") == [5])
        #expect(expression.stepBoundaries(over: "x").isEmpty)
    }

    @Test("A feature is asked by the number of its field")
    func slots() throws {
        struct Robot: ExpressionFeature {
            let charge = 45.0
            func property(_ name: PropertyName) -> Value? { name.slot == 7 ? .number(charge) : nil }
            var properties: JSONObject { ["charge": .number(charge)] }
        }
        let environment = CompileEnvironment(slots: ["charge": 7])
        let expression = try compile(#"["+", ["get", "charge"], ["get", ["concat", "char", "ge"]]]"#, in: environment)
        #expect(try expression.evaluate(Robot()) == .number(90))
        let other = try compile(#"["get", "other"]"#, in: environment)
        #expect(try other.evaluate(Robot()) == .null)
    }

    @Test("A variable is seen only in its own let, and an inner one hides an outer one")
    func scopes() throws {
        #expect(
            try faults(#"["+", ["let", "a", 1, ["var", "a"]], ["var", "a"]]"#).map { $0.prefix(6) } == ["[2][1]"])
        #expect(try evaluate(#"["let", "a", 1, ["let", "a", ["+", ["var", "a"], 1], ["var", "a"]]]"#) == .number(2))
        #expect(try faults(#"["let", "a", 1, "b", ["var", "a"], 1]"#).count == 1)
    }

    @Test("Bezier curves ease as CSS has it", arguments: [(0, 0), (25, 12.916), (50, 50), (75, 87.084), (100, 100)])
    func bezier(x: Double, y: Double) throws {
        let json = #"["interpolate", ["cubic-bezier", 0.42, 0, 0.58, 1], ["get", "x"], 0, 0, 100, 100]"#
        guard case .number(let value) = try evaluate(json, ["x": .number(x)]) else { return #expect(Bool(false)) }
        #expect((value - y).magnitude < 0.001)
    }
}
