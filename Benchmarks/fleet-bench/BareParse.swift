import CJSONC
import MQTTModel

/// json-c alone, with its tokener kept: what reading the same payloads costs at least.
final class BareParse {
    private let tokener = json_tokener_new()

    deinit { json_tokener_free(tokener) }

    func run(_ messages: [Message]) {
        for message in messages {
            json_tokener_reset(tokener)
            let root = message.payload.withUnsafeBytes { bytes in
                json_tokener_parse_ex(
                    tokener, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count))
            }
            precondition(root != nil, "the payload is JSON")
            json_object_put(root)
        }
    }
}
