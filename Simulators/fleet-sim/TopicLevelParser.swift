import CommandLineTool
import Wording

extension ValueParser where Value == String {
    /// One level of a topic name, which wildcards and separators would turn into something else (MQTT 5.0, §4.7).
    static var topicLevel: ValueParser {
        word { text throws(UsageError) in
            let forbidden = text.unicodeScalars.contains { "/+#$".unicodeScalars.contains($0) || $0.value < 0x20 }
            guard !text.isEmpty, !forbidden, text.utf8.count <= 1_000 else {
                throw UsageError("'\(Escape.text(text))' is no id: one topic level without / + # $")
            }
            return text
        }
    }
}
