import Clips
import Foundation
import Frames
import KernelInterface
import Kernels
import Network
import PixelFrontEnd
import Platform
import ToolSupport
import WeightImport

/// Frames for calibration, from arrays and recorded video.
///
/// Files are read in every pass. Frames from a pipe are read in the first pass and kept on disk for the second.
final class CalibrationFrames {
    /// The calibration input has no frames.
    struct Empty: Explained {
        var sentence: String { "The calibration input has no frames." }
    }

    /// The frames of a stream.
    private final class Kept {
        let isArray: Bool
        var spool: FrameSpool

        init(isArray: Bool) throws(ClipError) {
            self.isArray = isArray
            spool = try FrameSpool(frameBytes: GestureTCN.frameBytes)
        }
    }

    private let paths: [String]
    private let source: ClipSource
    private let areReadAgain: Bool
    /// By the index of the path.
    private var kept: [Int: Kept] = [:]
    /// Tells which share of the path is read.
    private var done: (Double) -> Void = { _ in }

    /// - Parameter areReadAgain: whether there will be a second pass.
    init(paths: [String], source: ClipSource, areReadAgain: Bool) {
        self.paths = paths
        self.source = source
        self.areReadAgain = areReadAgain
    }

    /// Lends every frame, 224x224 luma bytes, in order, until a signal comes. In an array each 16 consecutive frames are
    /// a sequence; each clip is one.
    /// - Parameters:
    ///   - progress: of the paths; nil for none.
    ///   - body: receives the frame and the index of its sequence, counted over all inputs.
    func forEach(
        _ progress: WorkProgress?, _ body: (Span<UInt8>, _ sequence: Int) throws -> Void
    ) async throws {
        var nextSequence = 0
        for (place, path) in paths.enumerated() where !Interruption.hasCome {
            progress?.update(place)
            done = { share in progress?.update(Double(place) + share) }
            if let known = kept[place] {
                try read(known, &nextSequence, body)
                continue
            }
            switch try await source.openFootage(path) {
            case .array(let array):
                let copy = try array.isStream && areReadAgain ? Kept(isArray: true) : nil
                try read(array, &nextSequence, keepingIn: copy, body)
                kept[place] = copy
            case .clip(let clip):
                let copy = try clip.isStream && areReadAgain ? Kept(isArray: false) : nil
                try await read(clip, &nextSequence, keepingIn: copy, body)
                kept[place] = copy
            }
        }
        guard nextSequence > 0 || Interruption.hasCome else { throw Empty() }
    }

    private func read(
        _ known: Kept, _ nextSequence: inout Int, _ body: (Span<UInt8>, Int) throws -> Void
    ) throws {
        var frame = [UInt8](repeating: 0, count: GestureTCN.frameBytes)
        var index = 0
        try known.spool.rewind()
        while true {
            var span = frame.mutableSpan
            guard try known.spool.next(into: &span), !Interruption.hasCome else { return }
            if index % (known.isArray ? GestureTCN.windowLength : .max) == 0 { nextSequence += 1 }
            index += 1
            try body(frame.span, nextSequence - 1)
        }
    }

    private func read(
        _ array: consuming ArrayFile, _ nextSequence: inout Int, keepingIn copy: Kept?,
        _ body: (Span<UInt8>, Int) throws -> Void
    ) throws {
        let path = array.path
        var reader: NPYReader
        do throws(NPYError) {
            reader = try NPYReader(
                array, element: .uint8, rowShape: [GestureTCN.inputSide, GestureTCN.inputSide])
        } catch {
            throw ArrayFailure(path: path, error)
        }
        var frame = [UInt8](repeating: 0, count: GestureTCN.frameBytes)
        var index = 0
        while true {
            do throws(NPYError) {
                var row = frame.mutableSpan
                guard try reader.next(into: &row), !Interruption.hasCome else { return }
            } catch {
                throw ArrayFailure(path: path, error)
            }
            if index % GestureTCN.windowLength == 0 { nextSequence += 1 }
            index += 1
            try copy?.spool.append(frame.span)
            try body(frame.span, nextSequence - 1)
            done(Double(index) / Double(reader.rowCount))
        }
    }

    private func read(
        _ clip: Clip, _ nextSequence: inout Int, keepingIn copy: Kept?, _ body: (Span<UInt8>, Int) throws -> Void
    ) async throws {
        let sequence = nextSequence
        var preprocessor = Preprocessor(kernels: KernelRegistry.select().resize)
        var square = [UInt8](repeating: 0, count: GestureTCN.frameBytes)
        let count = try await clip.forEachFrame { frame in
            let view = try frame.pixelView()
            var destination = square.mutableSpan
            try preprocessor.resize(view, into: &destination)
            try copy?.spool.append(square.span)
            try body(square.span, sequence)
            if let count = clip.info.frameCount { done(Double(frame.index + 1) / Double(max(1, count))) }
            return true
        }
        if count > 0 { nextSequence += 1 }
    }
}
