import GestureEngine
import Network

/// Returns the recorded outputs of the network, slot for slot, so that many streams over one clip compute them once.
///
/// For streams that run the network in every slot of frames at the same times. The frames themselves are not read.
final class RecordedUnit: ComputeUnit {
    let name = "recorded"
    let frontEnd: FrontEnd
    private let recording: GestureRecording
    private let unrecorded: Int
    private var columns = 0

    /// - unrecorded: slots before the recording's first.
    init(_ recording: GestureRecording, of frontEnd: FrontEnd, unrecorded: Int) {
        self.recording = recording
        self.frontEnd = frontEnd
        self.unrecorded = unrecorded
    }

    var classCount: Int { recording.classCount }
    var featureCount: Int { recording.featureCount }
    var isWarm: Bool { columns > unrecorded }

    /// Nil before the window is full, and past the recording's end.
    private var slot: Int? {
        let slot = columns - unrecorded - 1
        return (0..<recording.slotCount).contains(slot) ? slot : nil
    }

    func encode(_ input: Span<UInt8>) { columns += 1 }
    func repeatColumn() { columns += 1 }

    func advance(_ logits: inout MutableSpan<Float>) {
        // Past the end there are no logits: NaN, unlike null, is not a class.
        for index in logits.indices {
            logits[index] = slot.map { recording.logits[$0 * classCount + index] } ?? (isWarm ? .nan : 0)
        }
    }

    func copyFeatures(to output: inout MutableSpan<Float>) {
        guard let slot else { return }
        for index in output.indices { output[index] = recording.features[slot * featureCount + index] }
    }

    func reset() { columns = 0 }
}
