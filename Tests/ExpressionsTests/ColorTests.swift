import Expressions
import JSON
import Testing

struct ColorTests {
    @Test(
        "Colours are read as CSS writes them",
        arguments: [
            ("red", "#ff0000"), ("  ReD ", "#ff0000"), ("rebeccapurple", "#663399"), ("transparent", "#00000000"),
            ("#f0c", "#ff00cc"), ("#F0C8", "#ff00cc88"), ("#3388ff", "#3388ff"), ("#3388ff80", "#3388ff80"),
            ("rgb(51,136,255)", "#3388ff"), ("rgb(51 136 255)", "#3388ff"), ("rgba(51, 136, 255, 0.5)", "#3388ff80"),
            ("rgb(20% 40% 60% / 50%)", "#33669980"), ("rgb(300, -5, 255)", "#ff00ff"), ("rgb(255 0 0 / 7)", "#ff0000"),
            ("hsl(120, 100%, 25%)", "#008000"), ("hsl(480deg 100% 25%)", "#008000"),
            ("hsl(-240 100% 25% / .5)", "#00800080"),
            ("hsl(0 150% 50%)", "#ff0000"), ("rgb(1e2 0 0)", "#640000"),
        ])
    func css(text: String, hex: String) throws {
        #expect(Color(css: text)?.hexText == hex)
    }

    @Test(
        "Anything else is no colour",
        arguments: [
            "", "#", "#ff", "#fffff", "#ggg", "rgb(1,2)", "rgb(1,2,3,4,5)", "rgb(1 2,3)", "rgb(1%,2,3)",
            "rgb(1,2,3 / 4)",
            "rgb(1 2 3 4)", "hsl(0,1,1)", "hsl(0 100 50)", "rgb(1,2,3", "rgb 1,2,3", "bleu", "rgb(--1,2,3)",
            "hwb(0 0% 0%)",
            "__proto__", "réd",
        ])
    func noColor(text: String) {
        #expect(Color(css: text) == nil)
    }

    @Test("Every text of a colour reads back as the same colour")
    func roundTrip() {
        for red in stride(from: 0, through: 255, by: 17) {
            let color = Color(red: Double(red) / 255, green: 0.2, blue: 0.4, alpha: Double(red) / 255)
            #expect(Color(css: color.hexText)?.hexText == color.hexText)
        }
    }

    @Test("Fading keeps the colour: parts are mixed before they are multiplied by alpha")
    func fading() throws {
        let json =
            ##"["interpolate", ["linear"], ["get", "x"], 0, ["to-color", "red"], 10, ["to-color", "rgba(0,0,255,0)"]]"##
        let value = try evaluate(json, ["x": 5])
        #expect(value == .color(Color(red: 0.5, green: 0, blue: 0.5, alpha: 0.5)))
        guard case .color(let color) = value else { return }
        #expect(color.premultiplied == (0.25, 0, 0.25))
    }

    @Test("The ends of an interpolation are the outputs themselves")
    func ends() throws {
        for operation in ["interpolate", "interpolate-lab", "interpolate-hcl"] {
            let json =
                "[\"\(operation)\", [\"linear\"], [\"get\", \"x\"], "
                + ##"0, ["to-color", "#123456"], 10, ["to-color", "#abcdef"]]"##
            #expect(try evaluate(json, ["x": -1]) == .color(Color(css: "#123456")!))
            #expect(try evaluate(json, ["x": 10]) == .color(Color(css: "#abcdef")!))
        }
    }

    @Test("A hue goes the shorter way round")
    func hue() throws {
        let json =
            ##"["interpolate-hcl", ["linear"], ["get", "x"], 0, ["to-color", "#ff0040"], 10, ["to-color", "#ff4000"]]"##
        guard case .color(let color) = try evaluate(json, ["x": 5]) else { return }
        #expect(color.red > 0.9 && color.green < 0.2 && color.blue < 0.2)
    }

    @Test("rgb and rgba refuse parts out of range")
    func range() throws {
        #expect(
            try faults(#"["rgb", 256, 0, 0]"#)
                == [": Invalid rgba value [256, 0, 0, 1]: 'r', 'g', and 'b' must be between 0 and 255."])
        #expect(
            try faults(#"["rgba", 0, 0, 0, 2]"#) == [": Invalid rgba value [0, 0, 0, 2]: 'a' must be between 0 and 1."])
    }
}
