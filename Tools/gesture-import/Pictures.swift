import Clips
import Frames
import KernelInterface
import Kernels
import Platform
import ToolSupport
import Tracking

/// Pictures for the input of a graph.
struct Pictures {
    /// The contents of the paths do not fit the graph.
    enum Failure: Explained {
        /// Recorded images fit only an input of `[1, side, side, 3]`.
        case inputShape([Int])

        var sentence: String {
            switch self {
            case .inputShape(let shape):
                "Images and clips need a graph whose input is a square with three channels. "
                    + "This one's is \(shape): give arrays."
            }
        }
    }

    /// The input's shape without the batch.
    let shape: [Int]
    /// The input's values for the darkest and the brightest value of an image.
    let range: ClosedRange<Float>

    /// Lends every image as numbers of the input, row-major: the rows of arrays (.npy, uint8 or float32), and every
    /// frame of clips, images and directories of images, upright in the middle of a black square; until a signal comes.
    /// - progress: of the paths.
    func forEach(
        _ paths: [String], _ progress: WorkProgress, _ body: ([Float]) throws -> Void
    ) async throws {
        for (place, path) in paths.enumerated() where !Interruption.hasCome {
            progress.update(place)
            func done(_ share: Double) { progress.update(Double(place) + share) }
            switch try await ClipSource().openFootage(path) {
            case .array(let array): try read(array, done, body)
            case .clip(let clip): try await read(clip, done, body)
            }
        }
    }

    /// Lends every row of a float32 array.
    /// - done: receives the share of the rows that were lent.
    static func forEachFloat(
        _ path: String, rowShape: [Int], _ done: (Double) -> Void = { _ in }, _ body: ([Float]) throws -> Void
    ) throws {
        do {
            var reader = try NPYReader(path, element: .float32, rowShape: rowShape)
            var picture = [Float](repeating: 0, count: reader.rowLength)
            var count = 0
            while true {
                var row = picture.mutableSpan
                guard try reader.next(into: &row), !Interruption.hasCome else { return }
                try body(picture)
                count += 1
                done(Double(count) / Double(reader.rowCount))
            }
        } catch let error as NPYError {
            throw ArrayFailure(path: path, error)
        }
    }

    private func read(
        _ array: consuming ArrayFile, _ done: (Double) -> Void, _ body: ([Float]) throws -> Void
    ) throws {
        let path = array.path
        do {
            var reader = try NPYReader(array, element: .uint8, rowShape: shape)
            let step = (range.upperBound - range.lowerBound) / 255
            var bytes = [UInt8](repeating: 0, count: reader.rowLength)
            var count = 0
            while true {
                var row = bytes.mutableSpan
                guard try reader.next(into: &row), !Interruption.hasCome else { return }
                try body(bytes.map { range.lowerBound + Float($0) * step })
                count += 1
                done(Double(count) / Double(reader.rowCount))
            }
        } catch NPYError.elementType(_, let found) where found == NPYElement.float32.rawValue {
            try Self.forEachFloat(path, rowShape: shape, done, body)
        } catch let error as NPYError {
            throw ArrayFailure(path: path, error)
        }
    }

    private func read(
        _ clip: Clip, _ done: (Double) -> Void, _ body: ([Float]) throws -> Void
    ) async throws {
        guard shape.count == 3, shape[0] == shape[1], shape[2] == 3, shape[0] <= ImageBuffer.maximumSide else {
            throw Failure.inputShape(shape)
        }
        let crop = RotatedCrop(kernels: KernelRegistry.select().crop)
        let width = range.upperBound - range.lowerBound
        var picture = [Float](repeating: 0, count: shape[0] * shape[1] * shape[2])
        try await clip.forEachFrame { frame in
            let view = try frame.colorView()
            let size = FrameSize(width: view.width, height: view.height)
            // The buffer lies in the array, of side x side pixels of three, for as long as the crop writes to it.
            _ = unsafe picture.withUnsafeMutableBufferPointer { pixels in
                unsafe crop.write(
                    view, TrackedRegion(around: size), border: .black,
                    into: ImageBuffer(pixels.baseAddress.unsafelyUnwrapped, side: shape[0]))
            }
            try body(picture.map { range.lowerBound + $0 * width })
            if let count = clip.info.frameCount { done(Double(frame.index + 1) / Double(max(1, count))) }
            return true
        }
    }
}
