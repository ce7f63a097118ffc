internal import Locations
internal import Timestamps

/// How the snapshots of sources come to their topics.
extension StateOutput {
    var snapshotsDue: Duration? { publisher.isOpen ? rounds?.deadline : nil }

    /// Publishes the chunks that have changed, when it is time.
    func advanceSnapshots(to now: Instant) {
        guard let rounds, let due = snapshotsDue, due <= now.monotonic else { return }
        rounds.begin(at: now.monotonic)
        rounds.limit = publisher.outputLimit - SourceSnapshot.frame
        for (source, snapshot) in changedSnapshots {
            let (changed, surplus) = snapshot.beginRound(at: now.wall)
            for chunk in surplus { publisher.clear(topics.chunk(chunk, source: source), at: now.monotonic) }
            for chunk in changed {
                publisher.put(snapshot, chunk, on: topics.chunk(chunk, source: source), at: now.monotonic)
            }
        }
    }
}
