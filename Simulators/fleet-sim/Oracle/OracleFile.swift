import Glibc
import JSON
import Wording

/// What a right consumer must end with, as a file: for each device what its last state says.
enum OracleFile {
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    /// Tries whether the file can be written, so that this is not found out only at the end of a long run.
    static func prepare(_ path: String) throws {
        guard let file = fopen(path, "ae") else { throw failure(path) }
        fclose(file)
    }

    static func write(_ links: [Link], seed: UInt64, to path: String) throws {
        let agents = links.flatMap(\.agents).sorted {
            ($0.identity.source, $0.identity.id) < ($1.identity.source, $1.identity.id)
        }
        let devices = agents.compactMap { agent in agent.oracle.map { $0.json(agent.identity) } }
        let header: JSONValue = ["seed": .number(Double(seed))]
        // A device a line, for people and for diff.
        let text =
            String(header.text.dropLast()) + ",\"devices\":[\n" + devices.map(\.text).joined(separator: ",\n")
            + "\n]}\n"
        guard let file = fopen(path, "we") else { throw failure(path) }
        let isWritten = fputs(text, file) >= 0
        guard fclose(file) == 0, isWritten else { throw failure(path) }
    }

    private static func failure(_ path: String) -> Failure {
        Failure(description: "--oracle \(Escape.text(path)): \(String(cString: strerror(errno)))")
    }
}
