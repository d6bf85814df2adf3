import ArgumentParser
import Frames
import GestureEngine
import Scheduling
import ToolSupport

/// Counts the heap allocations of pushed frames, with every part of the frame's way on that can be.
struct AllocationsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "allocations",
        abstract: "Count heap allocations a frame on the synchronous path; status 1 if there are any.",
        discussion: """
            Frames are 1280x720 NV12, some late, some with a time that is refused, after a warm-up of 200. Events are \
            read and not kept.
            """)

    @Option(help: "Frames to count in each configuration, 100 or more.") var frames = 3000

    func validate() throws {
        guard frames >= 100 else { throw ValidationError("--frames is 100 or more, not \(frames)") }
    }

    func run() async throws {
        try await Terminal.reporting("gesture-bench") { try work() }
    }

    private func work() throws {
        let engine = try GestureEngine()
        let images = SyntheticFrames(width: 1280, height: 720)
        var worst = 0
        for (name, configuration) in Self.configurations {
            let stream = try engine.makeStream(configuration)
            var counted = 0
            for index in 0..<200 + frames {
                // Every 50th frame is missing, every 70th comes with a time before the last.
                guard !index.isMultiple(of: 50) else { continue }
                let time = index.isMultiple(of: 70) ? 0 : index * 1_000_000_000 / 120
                let view = try images.view(index)
                guard let before = heapAllocations else { throw BenchFailure.allocationsUncounted }
                _ = stream.push(view, at: .nanoseconds(time))
                if index >= 200, let after = heapAllocations { counted += after - before }
            }
            worst = max(worst, counted)
            print("\(name): \(counted) allocations in \(frames) frames")
        }
        guard worst == 0 else { throw BenchFailure.allocations(count: worst) }
    }

    private static var configurations: [(String, Configuration)] {
        var all = Configuration(
            units: ["int8", "float"], scheduling: SchedulingConfiguration(), exposure: ExposureConfiguration(),
            directions: .upMirrored)
        all.geometry = FrameGeometry(crop: .fit, orientation: .right, mirrored: true)
        return [
            ("defaults", Configuration()), ("float", Configuration(backend: .float)),
            ("all on: schedule, two units, exposure, quality, directions, turned and fitted", all),
        ]
    }
}
