import Frames
import GestureEngine
import Scheduling
import TrackerInference

/// Returns the recorded outputs of the network, slot for slot, so that many streams over one clip compute them once.
///
/// For streams that run the network in every slot of frames at the same times. The frames themselves are not read.
final class RecordedNetwork: FrameNetwork {
    let activeUnit = "recorded"
    let isSwitching = false
    let activity: Float? = nil
    private let recording: GestureRecording
    private let unrecorded: Int
    private var columns = 0

    /// - unrecorded: slots before the recording's first.
    init(_ recording: GestureRecording, unrecorded: Int) {
        self.recording = recording
        self.unrecorded = unrecorded
    }

    var isWarm: Bool { columns > unrecorded }

    /// Nil before the window is full, and past the recording's end.
    private var slot: Int? {
        let slot = columns - unrecorded - 1
        return (0..<recording.slotCount).contains(slot) ? slot : nil
    }

    func advance(
        _ frame: PixelView?, at time: Int64, logits: inout MutableSpan<Float>
    ) -> SchedulerState.UnitSwitch? {
        columns += 1
        // Past the end there are no logits: NaN, unlike null, is not a class.
        for index in logits.indices {
            logits[index] = slot.map { recording.logits[$0 * recording.classCount + index] } ?? (isWarm ? .nan : 0)
        }
        return nil
    }

    func requireFeatures(_ count: Int) throws(EngineError) {
        guard recording.featureCount == count else {
            throw .unitFeatures(name: activeUnit, required: count, found: recording.featureCount)
        }
    }

    func copyFeatures(to output: inout MutableSpan<Float>) {
        guard let slot else { return }
        for index in output.indices { output[index] = recording.features[slot * recording.featureCount + index] }
    }

    func reset() { columns = 0 }
}
