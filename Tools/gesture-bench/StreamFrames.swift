import Clips
import Foundation
import Frames
import ToolSupport

/// Frames for live streams, in memory: of a hand for gestures, of a person for bodies.
struct StreamFrames: Sendable {
    /// Frames that are kept of each clip.
    private static let most = 90

    private let hands: [KeptFrame]
    private let people: [KeptFrame]

    /// - Parameters:
    ///   - clip: a clip that shows a hand; nil for the package's.
    ///   - bodyClip: a clip that shows a person; nil for the package's.
    init(_ clip: String?, bodyClip: String?, _ clips: ClipOptions) async throws {
        hands = try await Self.read(try clip ?? DemoClip.find(), clips)
        people = try await Self.read(try bodyClip ?? DemoClip.find(DemoClip.bodyPath), clips)
    }

    private static func read(_ path: String, _ clips: ClipOptions) async throws -> [KeptFrame] {
        var frames: [KeptFrame] = []
        try await clips.source(for: "gesture-bench").open(path).forEachFrame { frame in
            frames.append(try KeptFrame(frame))
            return frames.count < most
        }
        guard !frames.isEmpty else { throw BenchFailure.tooFewFrames(found: 0, needed: 1) }
        return frames
    }

    /// Pushes frame `index`. The frames run forwards and backwards in turn, so that nothing jumps.
    func push(_ index: Int, to stream: CountedStream, at time: Duration) throws {
        let frames = stream.kind == .bodies ? people : hands
        let period = max(1, 2 * frames.count - 2)
        let place = index % period
        let frame = frames[place < frames.count ? place : period - place]
        stream.push(try frame.pixelView(), at: time)
    }
}

/// Runs work that blocks its thread on a thread of its own, because the listeners of streams need those of the pool.
func onOwnThread<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        Thread { continuation.resume(with: Swift.Result { try work() }) }.start()
    }
}
