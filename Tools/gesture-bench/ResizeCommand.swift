import ArgumentParser
import Frames
import KernelInterface
import Kernels
import PixelFrontEnd
import ToolSupport

/// Times preprocessing alone, on the frame sizes used for comparison with other libraries.
struct ResizeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resize",
        abstract: "Time the resize to 224x224 luma from several sources, for every tier.",
        discussion: """
            Every frame as the mean of all its pixels, then as four pixels of it for each of the result. Tiers are \
            alternated, source by source; times are medians of one thread.
            """)

    @Option(help: "Rounds over all tiers for each source, 5...10000.") var rounds = 101
    @Flag(help: "Print one JSON object, of the tier the engine picks, instead of a table.") var json = false
    @OptionGroup var progress: ProgressOptions

    func validate() throws {
        guard (5...10_000).contains(rounds) else {
            throw ValidationError("--rounds must be from 5 to 10000, not \(rounds)")
        }
    }

    func run() async throws {
        try await Terminal.reporting("gesture-bench") {
            let tiers = KernelRegistry.available
            let sources = Source.all
            let times = try measure(tiers, sources)
            if json {
                let picked = KernelRegistry.select().tier
                let own = tiers.firstIndex { $0.tier == picked } ?? 0
                try Terminal.print(
                    try Terminal.json(
                        ResizeReport(
                            tier: picked,
                            sources: sources.indices.map {
                                .init(source: sources[$0].name, p50_us: times[own][$0])
                            })))
                return
            }
            var table = TextTable([("source", .left)] + tiers.map { ($0.tier + " us", .right) })
            for index in sources.indices {
                table.add([sources[index].name] + tiers.indices.map { decimals(times[$0][index], 1) })
            }
            try Terminal.print((["CPU \(Machine.cpuModel), 1 thread"] + table.lines).joined(separator: "\n"))
        }
    }

    /// Microseconds by tier and source.
    private func measure(_ tiers: [KernelTable], _ sources: [Source]) throws -> [[Double]] {
        let benches = tiers.map { ResizeBench($0.resize) }
        let shown = progress.progress("resize", total: sources.count, unit: "sources")
        let bySource = try sources.enumerated().map { index, source in
            shown.update(index)
            return try Stopwatch.medians(of: tiers.count, rounds: rounds) { try benches[$0].run(source) }
        }
        return tiers.indices.map { tier in bySource.map { $0[tier] / 1000 } }
    }

    /// One frame to resize.
    private struct Source {
        let name: String
        let width: Int
        let height: Int
        let format: PixelView.Format
        let geometry: FrameGeometry
        let plane: [UInt8]

        init(_ name: String, _ width: Int, _ height: Int, _ format: PixelView.Format, antialiased: Bool) {
            self.name = name + (antialiased ? "" : ", four pixels")
            (self.width, self.height, self.format) = (width, height, format)
            geometry = FrameGeometry(antialiased: antialiased)
            plane = (0..<width * height * format.bytesPerPixel).map {
                UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13)
            }
        }

        static let all = [true, false].flatMap { antialiased in
            [
                Source("luma 1920x1080", 1920, 1080, .gray8, antialiased: antialiased),
                Source("luma 1280x720", 1280, 720, .gray8, antialiased: antialiased),
                Source("luma 640x480", 640, 480, .gray8, antialiased: antialiased),
                Source("BGRA 640x480", 640, 480, .bgra, antialiased: antialiased),
                Source("NV12 1280x720", 1280, 720, .nv12(.video), antialiased: antialiased),
                Source("YUYV 640x480", 640, 480, .yuyv(.video), antialiased: antialiased),
            ]
        }
    }

    /// A preprocessor with its result.
    private final class ResizeBench {
        private var preprocessor: Preprocessor
        private var result = [UInt8](repeating: 0, count: Preprocessor.frameBytes)

        init(_ kernels: ResizeKernels) { preprocessor = Preprocessor(kernels: kernels) }

        func run(_ source: Source) throws(PixelView.FrameError) {
            let view = try PixelView(
                source.plane.span, format: source.format, width: source.width, height: source.height,
                bytesPerRow: source.width * source.format.bytesPerPixel)
            var destination = result.mutableSpan
            try preprocessor.resize(view, geometry: source.geometry, into: &destination)
        }
    }
}

/// The report of `resize`; property names are the JSON keys.
private struct ResizeReport: Encodable {
    struct Entry: Encodable {
        let source: String
        let p50_us: Double
    }

    let tier: String
    let sources: [Entry]
}
