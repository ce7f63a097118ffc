import CommandLineTool
import GPX
import MotionModels
import Synchronization
import Wording

/// A GPX file as a player reads it: streamed, never whole in memory. Its copies share the place.
final class TrackFile: TrackStepSource {
    private struct State {
        var steps: TrackSteps?
        var isBroken = false
    }

    private let path: String
    private let options: TrackSteps.Options
    private let state: Mutex<State>

    init(path: String, options: TrackSteps.Options) {
        self.path = path
        self.options = options
        state = Mutex(State())
    }

    func next() -> TrackStep? {
        state.withLock { state in
            guard !state.isBroken else { return nil }
            do {
                let steps = try state.steps ?? TrackSteps(path: path, options: options)
                state.steps = steps
                return try steps.next()
            } catch {
                // It was read to its end before the replay began: somebody has changed it since.
                state.isBroken = true
                Output.standardError.write("fleet-sim: \(Escape.text("\(error)"))\n")
                return nil
            }
        }
    }

    func rewind() {
        state.withLock { $0.steps = nil }
    }
}
