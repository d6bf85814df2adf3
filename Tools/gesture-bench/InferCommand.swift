import ArgumentParser
import Clips
import FileOutput
import GestureEngine
import Network
import PixelFrontEnd
import Platform
import ToolSupport

/// Raw logits of a file of frames, for comparison with another engine.
struct InferCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "infer",
        abstract: "Compute the raw logits of each full window of frames.",
        discussion: """
            Input: .npy uint8 [N, 224, 224], frames in time order, N at least 16. Output: .npy float32 [N-15, classes], \
            before median and softmax; with --columns float32 [N, 128], the encoder's column of each frame, from which \
            training fits the temporal layers.
            """)

    @OptionGroup var model: ModelOptions

    @Option(help: "The frames, uint8 [N, 224, 224].") var frames: String
    @Option(help: "Where the logits go, float32 [N-15, classes], or the columns, float32 [N, 128].") var output: String

    @Flag(help: "Recompute each window of 16 frames instead of streaming; the numbers must not change in int8.")
    var window = false

    @Flag(help: "Write the encoder's feature columns instead of logits.")
    var columns = false

    @OptionGroup var progress: ProgressOptions

    func validate() throws {
        guard !(window && columns) else {
            throw ValidationError("--window and --columns cannot be used together: a window has no column of its own.")
        }
    }

    func run() async throws {
        try await Terminal.reporting("gesture-bench") { try work() }
    }

    private func work() throws {
        Interruption.listen()
        let target = try OutputTarget(output, besides: InputFiles([frames] + model.files))
        let engine = try model.makeEngine()
        let side = GestureTCN.inputSide
        do {
            try compute(engine.makeUnit(model.configuration, backend: model.backend), side: side, into: target)
        } catch NPYError.output(let error) {
            throw error
        } catch let error as NPYError {
            throw ArrayFailure(path: frames, error)
        }
    }

    private func compute(_ unit: NetworkUnit, side: Int, into target: OutputTarget) throws {
        var reader = try NPYReader(frames, element: .uint8, rowShape: [side, side])
        let least = columns ? 1 : GestureTCN.windowLength
        guard reader.rowCount >= least else {
            throw BenchFailure.tooFewFrames(found: reader.rowCount, needed: least)
        }
        let width = columns ? GestureTCN.featureCount : unit.classCount
        var writer = try NPYWriter(
            target, element: .float32, rowShape: [width], rowCount: reader.rowCount - least + 1)
        let shown = progress.progress("infer", total: reader.rowCount, unit: "frames")
        if columns {
            try encode(unit, &reader, &writer, shown)
        } else if window {
            try recompute(unit, &reader, &writer, shown)
        } else {
            try stream(unit, &reader, &writer, shown)
        }
        shown.finish()
        // An array of some of the rows would be another one; what is not finished is removed.
        if !Interruption.hasCome { try writer.finish() }
    }

    private func stream(
        _ unit: NetworkUnit, _ reader: inout NPYReader, _ writer: inout NPYWriter, _ shown: WorkProgress
    ) throws {
        var frame = [UInt8](repeating: 0, count: GestureTCN.frameBytes)
        var logits = [Float](repeating: 0, count: unit.classCount)
        while try Self.read(&reader, &frame) {
            shown.update(reader.rowsRead)
            unit.encode(frame.span)
            Self.advance(unit, &logits)
            if unit.isWarm { try writer.append(logits.span) }
        }
    }

    private func encode(
        _ unit: NetworkUnit, _ reader: inout NPYReader, _ writer: inout NPYWriter, _ shown: WorkProgress
    ) throws {
        var frame = [UInt8](repeating: 0, count: GestureTCN.frameBytes)
        var column = [Float](repeating: 0, count: GestureTCN.featureCount)
        while try Self.read(&reader, &frame) {
            shown.update(reader.rowsRead)
            unit.encode(frame.span)
            Self.copyColumn(unit, &column)
            try writer.append(column.span)
        }
    }

    private func recompute(
        _ unit: NetworkUnit, _ reader: inout NPYReader, _ writer: inout NPYWriter, _ shown: WorkProgress
    ) throws {
        var frame = [UInt8](repeating: 0, count: GestureTCN.frameBytes)
        var frames: [UInt8] = []
        var logits = [Float](repeating: 0, count: unit.classCount)
        while try Self.read(&reader, &frame) {
            shown.update(reader.rowsRead)
            frames += frame
            guard frames.count == GestureTCN.windowLength * GestureTCN.frameBytes else { continue }
            Self.compute(unit, frames, &logits)
            try writer.append(logits.span)
            frames.removeFirst(GestureTCN.frameBytes)
        }
    }

    private static func read(_ reader: inout NPYReader, _ frame: inout [UInt8]) throws -> Bool {
        var span = frame.mutableSpan
        return try !Interruption.hasCome && reader.next(into: &span)
    }

    private static func copyColumn(_ unit: NetworkUnit, _ column: inout [Float]) {
        var span = column.mutableSpan
        unit.copyColumn(to: &span)
    }

    private static func advance(_ unit: NetworkUnit, _ logits: inout [Float]) {
        var span = logits.mutableSpan
        unit.advance(&span)
    }

    private static func compute(_ unit: NetworkUnit, _ frames: [UInt8], _ logits: inout [Float]) {
        var span = logits.mutableSpan
        unit.window(frames.span, logits: &span)
    }
}
