import Glibc

/// What a fleet costs in memory: every location known, styled and published once.
enum Memory {
    /// Measures one fleet as it grows.
    ///
    /// - Parameter sizes: Numbers of locations, ascending, whole thousands.
    /// - Returns: For each size by how many bytes a location the process has grown.
    static func residentBytesPerLocation(at sizes: [Int]) throws -> [Double] {
        let before = residentBytes()
        let pipeline = try Pipeline()
        var known = 0
        return sizes.map { size in
            for first in stride(from: known, to: size, by: 1_000) {
                let telemetry = NativeTelemetry(count: 1_000, from: first, devices: sizes.max() ?? size)
                pipeline.run(telemetry.messages, at: telemetry.end)
            }
            known = size
            precondition(pipeline.publishes >= size, "every location is published")
            return Double(residentBytes() - before) / Double(size)
        }
    }

    private static func residentBytes() -> Int {
        guard let file = fopen("/proc/self/statm", "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        guard fgets(&line, Int32(line.count), file) != nil else { return 0 }
        let fields = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self).split(
            separator: " ")
        return fields.count > 1 ? (Int(fields[1]) ?? 0) * Int(getpagesize()) : 0
    }
}
