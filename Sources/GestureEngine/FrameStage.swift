import Frames
import KernelInterface
import Kernels
import Platform
import Preprocessing
import Scheduling
import Vocabulary

/// The half of a front end that runs on the thread that pushes a frame: keeps what the other half, the `ColumnSource`,
/// reads of it later, and measures the frame.
///
/// Pixels are read as 224 x 224 luma. Landmarks are read in the caller's frame, or in a copy of it in a live stream.
/// Only stillness and keyframes need luma beside landmarks.
struct FrameStage: ~Copyable {
    private let orientation: ImageOrientation
    private let isPixels: Bool
    private let watchesActivity: Bool
    /// Nil in a stream of landmarks that needs none.
    private var luma: LumaStage?
    /// Nil unless a live stream of landmarks.
    private var copies: StagedFrames?
    /// The quality of the frames of landmarks; that of pixels is measured in `luma`.
    private var conditions: FrameConditions?
    private var sample: KeyframeSample?
    /// Faults of the latest frames.
    private(set) var quality: QualityFlags = []

    /// - copyingFrames: whether frames of landmarks are read after the push.
    init(
        _ configuration: GestureEngine.Configuration, for frontEnd: FrontEnd, watchingActivity: Bool,
        copyingFrames: Bool
    ) throws(GestureEngineError) {
        isPixels = frontEnd == .pixels
        orientation = configuration.orientation
        watchesActivity = watchingActivity
        let capacity = configuration.advanced.keyframeCapacity
        sample = capacity == 0 ? nil : try GestureEngineError.checked(KeyframeSample(capacity: capacity))
        let exposure = isPixels ? configuration.advanced.exposure : nil
        let conditions = try GestureEngineError.checked(
            FrameConditions(exposure: exposure, quality: configuration.advanced.quality))
        self.conditions = isPixels ? nil : conditions
        copies = copyingFrames && !isPixels ? StagedFrames() : nil
        guard isPixels || watchesActivity || capacity > 0 else {
            luma = nil
            return
        }
        do {
            luma = try LumaStage(
                geometry: configuration.geometry,
                kernels: KernelRegistry.select(excluding: configuration.advanced.excludedTiers).resize,
                conditions: isPixels ? conditions : nil)
        } catch {
            throw .frameMemory(code: error.code)
        }
    }

    /// The keyframes in the order of time.
    var keyframes: [GestureStream.Keyframe] { sample?.frames ?? [] }

    /// Stages and measures a frame, whatever becomes of it.
    /// - time: time of its slot in nanoseconds.
    /// - Returns: how much it differs from the newest frame, if activity is watched and there is one.
    mutating func stage(_ frame: borrowing PixelView, at time: Int64) -> FrameDifference? {
        luma?.stage(frame, at: time)
        conditions?.examine(frame, orientation, at: time)
        quality = isPixels ? luma?.quality ?? [] : conditions?.flags ?? []
        return watchesActivity ? luma?.difference : nil
    }

    /// Makes the staged frame the waiting one, instead of one that waited before.
    mutating func keep(_ frame: borrowing PixelView, at time: Int64) {
        copies?.keep(copyOf: frame)
        luma?.keep()
        luma?.withWaiting { sample?.offer($0, at: time) }
    }

    /// Makes the waiting frame the newest.
    /// - Returns: the newest frame, unchanged until the next call; nil if landmarks are read in the caller's frame.
    mutating func publish() -> StagedFrame? {
        let newest = luma?.publish()
        return isPixels ? newest : copies?.publish()
    }

    /// Forgets every frame. None may be read meanwhile.
    mutating func reset() {
        copies?.release()
        luma?.reset()
        conditions?.reset()
        quality = []
    }
}
