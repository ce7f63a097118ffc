import Configuration
import MQTTModel
import SettingsFile
import Testing

@Suite("Values from the environment")
struct EnvironmentTests {
    private let variables = [
        "HOST": "h", "PORT": "1884", "RATE": "5", "EMPTY": "", "USER": "0815", "EVIL": "x}, http: {y",
    ]

    @Test(
        "A variable stands for its value, in a whole or a part",
        arguments: [
            ("\"mqtt://${HOST}:${PORT}\"", "mqtt://h:1884"), ("mqtt://${HOST}", "mqtt://h:1883"),
            ("\"mqtt://${NONE:-other}\"", "mqtt://other:1883"), ("\"mqtt://${EMPTY:-other}\"", "mqtt://other:1883"),
            ("\"mqtt://h${EMPTY}\"", "mqtt://h:1883"), ("\"mqtt://${HOST:-other}:1\"", "mqtt://h:1"),
            ("\"mqtt://${NONE:-a-b}\"", "mqtt://a-b:1883"),
        ])
    func substituted(value: String, url: String) throws {
        let result = try configuration("broker:\n  url: \(value)", surroundings(variables: variables))
        #expect(result.broker.address.url == url)
    }

    @Test("A number may come from a variable, also in the quotes that braces need; text may look like a number")
    func typed() throws {
        let text =
            """
            broker: {username: "${USER}"}
            sources: {a: {topics: [a], maxLocations: "${RATE}", maxRate: "${RATE}", staleAfter: "${RATE}s"}}
            """
        let result = try configuration(text, surroundings(variables: variables))
        #expect(result.broker.username == "0815")
        #expect(result.engine.sources[0].settings.maxLocations == 5)
        #expect(result.engine.sources[0].settings.maxRate == 5)
        #expect(result.engine.sources[0].settings.staleAfter == .seconds(5))
    }

    @Test("A value brings in no settings")
    func noInjection() throws {
        let result = try configuration("broker: {username: \"${EVIL}\"}", surroundings(variables: variables))
        #expect(result.broker.username == "x}, http: {y")
    }

    @Test("$ is an ordinary character, and $${ stands for ${")
    func literal() throws {
        #expect(try configuration("broker: {username: \"a$b$$c$${d}\"}").broker.username == "a$b$$c${d}")
    }

    @Test(
        "What cannot be filled in is an error at its place",
        arguments: [
            ("${NONE}", "NONE is not set"), ("a${NONE}b", "NONE is not set"), ("${HOST", "not closed"),
            ("${}", "neither"),
            ("${1A}", "neither"), ("${A B}", "neither"), ("${HOST-x}", "neither"), ("${HÖST}", "neither"),
        ])
    func faults(value: String, word: String) {
        expect("broker:\n  username: \"\(value)\"", [("2:13", ["error", word])], surroundings(variables: variables))
    }

    @Test("Keys are left alone")
    func keys() {
        expect("\"${HOST}\": 1", [("1:1", ["unknown setting \"${HOST}\""])], surroundings(variables: variables))
    }

    @Test("What came from the environment is not shown in messages")
    func hidden() {
        let variables = ["SECRET": "Zx9-unique-secret"]
        for line in [
            "broker: {url: \"${SECRET}\"}", "broker: {url: \"mqtt://u:${SECRET}@h\"}",
            "broker: {keepAlive: \"${SECRET}\"}",
            "topics: {prefix: \"${SECRET}/\"}", "broker: {qos: \"${SECRET}\"}", "maxOutput: \"${SECRET}\"",
            "broker: {protocol: \"${SECRET}\"}", "broker: {username: u, passwordFile: \"${SECRET}\"}",
        ] {
            let found = outcome(line, surroundings(variables: variables)).diagnostics
            #expect(found.count == 1, "\(line)")
            #expect(!found.contains { $0.description.contains("Zx9") }, "\(found)")
        }
    }
}

@Suite("The password")
struct PasswordTests {
    private let text = "broker: {username: u, passwordFile: secret}"

    private func password(_ content: String, variables: [String: String] = [:]) -> (Secret?, [String]) {
        let outcome = outcome(text, surroundings(variables: variables, files: ["secret": file(content)]))
        return (outcome.configuration?.broker.password, outcome.diagnostics.map(\.description))
    }

    @Test(
        "It is the file's line without its break",
        arguments: [
            ("pw", "pw"), ("pw\n", "pw"), ("pw\r\n", "pw"), (" p w \n", " p w "), ("pø\n", "pø"),
            ("pw\r", "pw\r"), ("\tpw", "\tpw"), ("p@:/#%+\"',\n", "p@:/#%+\"',"),
        ])
    func content(content: String, expected: String) {
        #expect(password(content).0 == Secret(expected))
    }

    @Test("A file without a password is an error", arguments: ["", "\n", "\r\n", "a\nb\n", "a\n\n", "a\0b"])
    func unusable(content: String) {
        let (password, found) = password(content)
        #expect(password == nil)
        #expect(found.count == 1)
        #expect(found.first?.hasPrefix("fleet.yaml:1:37: error: broker.passwordFile: expected a password") == true)
    }

    @Test("It is bytes, in whatever encoding")
    func illFormed() {
        let files = ["secret": Surroundings.FileContent(bytes: [0x70, 0xF8, 0x0A], isReadableByOthers: false)]
        #expect(outcome(text, surroundings(files: files)).configuration?.broker.password == Secret([0x70, 0xF8]))
        var bytes = surroundings()
        bytes.variable = { $0 == "FLEET_BRIDGE_PASSWORD" ? [0xFF] : nil }
        #expect(outcome("broker: {username: u}", bytes).configuration?.broker.password == Secret([0xFF]))
        bytes.variable = { _ in [0xFF] }
        expect("broker: {clientId: \"${NAME}\"}", [("1:9", ["warning"]), ("1:20", ["NAME is not UTF-8"])], bytes)
    }

    @Test("A file that is not there is an error with the system's reason")
    func missing() {
        expect(text, [("1:37", ["error", "\"secret\" cannot be read: No such file"])])
    }

    @Test("A file that others can read is a warning")
    func open() {
        let files = ["secret": file("pw", isReadableByOthers: true)]
        expect(text, [("1:37", ["warning", "readable by other users"])], surroundings(files: files))
        #expect(outcome(text, surroundings(files: files)).configuration?.broker.password == Secret("pw"))
    }

    @Test("A relative name starts at the configuration's folder")
    func folder() {
        let files = ["/etc/bridge/secret": file("pw"), "/run/secret": file("other")]
        let reader = ConfigurationReader(surroundings: surroundings(files: files))
        func password(_ text: String) -> Secret? {
            reader.read(Array(text.utf8), path: "/etc/bridge/fleet.yaml").configuration?.broker.password
        }
        #expect(password(text) == Secret("pw"))
        #expect(password("broker: {username: u, passwordFile: /run/secret}") == Secret("other"))
    }

    @Test("FLEET_BRIDGE_PASSWORD overrules the file")
    func variable() {
        #expect(password("pw", variables: ["FLEET_BRIDGE_PASSWORD": "env"]).0 == Secret("env"))
        #expect(password("pw", variables: ["FLEET_BRIDGE_PASSWORD": ""]).0 == Secret("pw"))
        let files = ["secret": file("pw")]
        #expect(outcome(text, surroundings(files: files)).configuration?.broker.passwordFile == "secret")
        let both = surroundings(variables: ["FLEET_BRIDGE_PASSWORD": "env"], files: files)
        #expect(outcome(text, both).configuration?.broker.passwordFile == nil)
        expect(
            "broker: {qos: 1}", [("1:9", ["warning", "FLEET_BRIDGE_PASSWORD", "username"])],
            surroundings(variables: ["FLEET_BRIDGE_PASSWORD": "Zx9"]))
    }

    @Test("A password needs a user")
    func user() {
        expect(
            "broker: {passwordFile: secret}", [("1:24", ["error", "username"])],
            surroundings(files: ["secret": file("pw")]))
    }

    @Test("A configuration prints no password")
    func printed() throws {
        let outcome = outcome(text, surroundings(files: ["secret": file("Zx9")]))
        let configuration = try #require(outcome.configuration)
        var dumped = "\(configuration)"
        dump(configuration, to: &dumped)
        #expect(!dumped.contains("Zx9"))
    }
}
