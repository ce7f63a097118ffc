import CommandLineTool
import Wording

/// One level of a topic name, which wildcards and separators would turn into something else (MQTT 5.0, §4.7).
enum TopicLevelText {
    static func check(_ text: String) throws(UsageError) -> String {
        let forbidden = text.unicodeScalars.contains { "/+#$".unicodeScalars.contains($0) || $0.value < 0x20 }
        guard !text.isEmpty, !forbidden, text.utf8.count <= 1_000 else {
            throw UsageError("'\(Escape.text(text))' is no id: one topic level without / + # $")
        }
        return text
    }
}

extension ValueParser where Value == String {
    static var topicLevel: ValueParser { word(TopicLevelText.check) }
}
