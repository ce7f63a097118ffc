import FleetTestSupport
import JSON
import Testing

@Suite("JSON Schemas")
struct JSONSchemaTests {
    private func schemas(_ documents: [String: String]) throws -> JSONSchemas {
        try JSONSchemas(try documents.mapValues { try JSONParser().parse($0) })
    }

    /// The pointers to what is wrong with a value.
    private func faults(_ schema: String, _ value: String) throws -> [String] {
        try schemas(["a": schema]).violations(of: try JSONParser().parse(value), against: "a").map(\.pointer)
    }

    @Test(
        "A keyword holds for what it allows and names the place of what it does not",
        arguments: [
            ("true", #"{"a":1}"#, []),
            ("false", "1", [""]),
            (#"{"type":"integer"}"#, "1", []),
            (#"{"type":"integer"}"#, "1.0", []),
            (#"{"type":"integer"}"#, "9007199254740993", []),
            (#"{"type":"integer"}"#, "1.5", [""]),
            (#"{"type":"number"}"#, "1.5", []),
            (#"{"type":"number"}"#, #""1""#, [""]),
            (#"{"type":["object","null"]}"#, "null", []),
            (#"{"type":["object","null"]}"#, "false", [""]),
            (#"{"type":"boolean"}"#, "false", []),
            (#"{"type":"array"}"#, "{}", [""]),
            (#"{"const":{"a":[1,2]}}"#, #"{"a":[1,2.0]}"#, []),
            (#"{"const":1}"#, "true", [""]),
            (#"{"enum":["a",null]}"#, "null", []),
            (#"{"enum":["a",null]}"#, #""b""#, [""]),
            (#"{"minimum":0,"maximum":90}"#, "0", []),
            (#"{"minimum":0,"maximum":90}"#, "90", []),
            (#"{"minimum":0,"maximum":90}"#, "-0.1", [""]),
            (#"{"minimum":0,"maximum":90}"#, "90.1", [""]),
            (#"{"exclusiveMinimum":0,"exclusiveMaximum":360}"#, "0", [""]),
            (#"{"exclusiveMinimum":0,"exclusiveMaximum":360}"#, "360", [""]),
            (#"{"exclusiveMinimum":0,"exclusiveMaximum":360}"#, "359.9", []),
            (#"{"minimum":5}"#, #""no number""#, []),
            (#"{"minLength":2}"#, #""äö""#, []),
            (#"{"minLength":2}"#, #""ä""#, [""]),
            (#"{"pattern":"b"}"#, #""abc""#, []),
            (#"{"pattern":"^b$"}"#, #""abc""#, [""]),
            (#"{"pattern":"^b$"}"#, #""b\n""#, [""]),
            (#"{"items":{"type":"string"}}"#, #"["a",1,"b",null]"#, ["/1", "/3"]),
            (#"{"prefixItems":[{"type":"string"}],"items":{"type":"null"}}"#, #"["a",null,1]"#, ["/2"]),
            (#"{"minItems":1,"maxItems":2}"#, "[]", [""]),
            (#"{"minItems":1,"maxItems":2}"#, "[1,2]", []),
            (#"{"minItems":1,"maxItems":2}"#, "[1,2,3]", [""]),
            (#"{"required":["a","b"]}"#, #"{"a":null}"#, [""]),
            (#"{"minProperties":1}"#, "{}", [""]),
            (#"{"properties":{"a/b":{"properties":{"~":{"type":"null"}}}}}"#, #"{"a/b":{"~":1},"c":1}"#, ["/a~1b/~0"]),
            (#"{"properties":{"a":true},"additionalProperties":false}"#, #"{"a":1,"b":1}"#, ["/b"]),
            (#"{"properties":{"a":true},"additionalProperties":{"type":"null"}}"#, #"{"a":1,"b":null,"c":1}"#, ["/c"]),
            (
                #"{"patternProperties":{"^x-":{"type":"null"}},"additionalProperties":false}"#, #"{"x-a":1,"y":1}"#,
                ["/x-a", "/y"]
            ),
            (#"{"dependentSchemas":{"a":{"required":["b"]}}}"#, #"{"a":1}"#, [""]),
            (#"{"dependentSchemas":{"a":{"required":["b"]}}}"#, #"{"c":1}"#, []),
            (#"{"propertyNames":{"minLength":2}}"#, #"{"ab":1,"c":1}"#, ["/c"]),
            (#"{"not":{"enum":[1,2]}}"#, "2", [""]),
            (#"{"not":{"enum":[1,2]}}"#, "3", []),
            (#"{"anyOf":[{"type":"null"},{"minimum":3}]}"#, "3", []),
            (#"{"anyOf":[{"type":"null"},{"minimum":3}]}"#, "2", [""]),
            (#"{"allOf":[{"required":["a"]},{"required":["b"]}]}"#, #"{"a":1,"b":1}"#, []),
            (#"{"allOf":[{"required":["a"]},{"required":["b"]}]}"#, "{}", ["", ""]),
            (#"{"oneOf":[{"required":["a"]},{"required":["b"]}]}"#, #"{"a":1}"#, []),
            (#"{"oneOf":[{"required":["a"]},{"required":["b"]}]}"#, #"{"a":1,"b":1}"#, [""]),
            (#"{"oneOf":[{"required":["a"]},{"required":["b"]}]}"#, "{}", [""]),
            (#"{"if":{"required":["a"]},"then":{"required":["b"]}}"#, #"{"a":1}"#, [""]),
            (#"{"if":{"required":["a"]},"then":{"required":["b"]}}"#, "{}", []),
            (##"{"$defs":{"n":{"minimum":1}},"items":{"$ref":"#/$defs/n","maximum":2}}"##, "[0,1,2,3]", ["/0", "/3"]),
            (
                ##"{"properties":{"child":{"$ref":"#"}},"additionalProperties":false}"##,
                #"{"child":{"child":{"x":1}}}"#, ["/child/child/x"]
            ),
        ] as [(String, String, [String])])
    func keywords(schema: String, value: String, expected: [String]) throws {
        #expect(try faults(schema, value) == expected)
    }

    @Test("Schemas refer to each other by file name, and a part of one can be asked for")
    func files() throws {
        let schemas = try schemas([
            "a": #"{"properties":{"b":{"$ref":"b#/$defs/text"},"c":{"$ref":"b"}}}"#,
            "b": #"{"type":"null","$defs":{"text":{"type":"string"}}}"#,
        ])
        #expect(schemas.violations(of: ["b": "x", "c": nil], against: "a").isEmpty)
        #expect(schemas.violations(of: ["b": 1, "c": 1], against: "a").map(\.pointer) == ["/b", "/c"])
        #expect(schemas.violations(of: 1, against: "b#/$defs/text").count == 1)
        #expect(schemas.violations(of: 1, against: "nowhere").count == 1)
    }

    @Test(
        "A schema that this does not understand is an error, at its place",
        arguments: [
            (#"{"properties":{"a":{"minimun":1}}}"#, "a#/properties/a/minimun"),
            (#"{"format":"e-mail"}"#, "a#/format"),
            (#"{"type":"text"}"#, "a#/type"),
            (#"{"pattern":"("}"#, "a#/pattern"),
            (#"{"minLength":-1}"#, "a#/minLength"),
            (##"{"items":{"$ref":"#/$defs/missing"}}"##, "a#/items"),
            (#"{"$schema":"http://json-schema.org/draft-07/schema#"}"#, "a#/$schema"),
            (#"{"items":[1]}"#, "a#/items"),
            (#"{"required":"a"}"#, "a#/required"),
        ])
    func faults(schema: String, place: String) {
        #expect { try schemas(["a": schema]) } throws: { ($0 as? JSONSchemas.Fault)?.place == place }
    }
}
