internal import Glibc

/// What the system knows of the process, under the names that Prometheus' own clients use.
struct ProcessFigures {
    /// Bytes.
    var residentMemory: Double?
    var virtualMemory: Double?
    var cpuSeconds: Double?
    var openDescriptors: Double?

    static func now() -> ProcessFigures {
        var figures = ProcessFigures()
        if let text = read("/proc/self/statm") {
            let pages = text.split(separator: " ").compactMap { Double($0) }
            let size = Double(sysconf(Int32(_SC_PAGESIZE)))
            if pages.count > 1 { (figures.virtualMemory, figures.residentMemory) = (pages[0] * size, pages[1] * size) }
        }
        var time = timespec()
        if clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0 {
            figures.cpuSeconds = Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        }
        if let folder = opendir("/proc/self/fd") {
            var count = 0
            while readdir(folder) != nil { count += 1 }
            closedir(folder)
            figures.openDescriptors = Double(count - 3)  // without . and .. and the one that looks
        }
        return figures
    }

    func add(to text: inout MetricsText) {
        func add(_ name: String, _ kind: MetricsText.Kind, _ help: String, _ value: Double?) {
            if let value { text.add(name, kind, help, value) }
        }
        add("process_resident_memory_bytes", .gauge, "Resident memory in bytes.", residentMemory)
        add("process_virtual_memory_bytes", .gauge, "Virtual memory in bytes.", virtualMemory)
        add("process_cpu_seconds_total", .counter, "CPU time in seconds.", cpuSeconds)
        add("process_open_fds", .gauge, "Open file descriptors.", openDescriptors)
    }

    private static func read(_ path: String) -> String? {
        guard let file = fopen(path, "re") else { return nil }
        defer { fclose(file) }
        var buffer = [UInt8](repeating: 0, count: 4_096)
        let count = fread(&buffer, 1, buffer.count, file)
        return String(decoding: buffer.prefix(count), as: UTF8.self)
    }
}
