public import Enrolment
public import Frames
import HandTracking
import Network
import Platform
import Scheduling
import Streams
public import TrackerInference
import Vocabulary

/// Makes recordings for `GestureEngine.enrol`. It takes frames as a stream does and records the network's features and
/// logits of each slot, and with landmarks the hand's embedding, by which poses are told apart.
///
/// Use it from one thread at a time. Every slot gets a column, whatever `GestureEngine.Configuration.scheduling` says.
public final class GestureRecorder {
    private var intake: StreamIntake
    private let network: SlotNetwork
    private var column: [Float]
    private var logits: [Float]
    private var features: [Float] = []
    private var scores: [Float] = []
    /// Nil with pixels.
    private var hand: HandTrace?
    private let rate: PacingConfiguration.Rate
    private var hasColumn = false
    /// Slots since the last recording that only filled the network's window.
    private var leadingSlots = 0
    private var changes: [StreamChange] = []

    /// The most slots of one recording, 34 seconds at 120 Hz; later slots are not recorded.
    public static let slotLimit = 4096

    init(engine: GestureEngine, configuration: GestureEngine.Configuration) throws(EngineError) {
        network = try engine.makeNetwork(
            configuration, isRecording: true, minimumColumns: GestureTCN.windowLength, clock: .system)
        rate = configuration.rate
        intake = try StreamIntake(
            configuration, for: engine.frontEnd, scheduling: .everySlot, clock: .system)
        if engine.frontEnd == .landmarks { hand = HandTrace(rate: configuration.rate.rawValue) }
        column = [Float](repeating: 0, count: GestureTCN.temporalWidth)
        logits = [Float](repeating: 0, count: engine.labels.count)
    }

    /// Slots recorded since the last recording was finished. The first slots after a start or a gap only fill the
    /// network's window and are not counted: 15 slots, and with landmarks 31 at 60 Hz and 63 at 120 Hz.
    public var slotCount: Int { scores.count / logits.count }

    /// Takes one frame in, as `GestureStream.push` does. If the gap before it is so long that a stream would forget
    /// everything, the recording begins anew.
    @discardableResult
    public func push(_ frame: borrowing PixelView, at time: Duration) -> FrameResult.Outcome {
        let (outcome, work) = intake.accept(frame, at: time.saturatedNanoseconds, changes: &changes)
        changes.removeAll(keepingCapacity: true)
        guard let work else { return outcome }
        if work.reset { forget() }
        for slot in 0..<work.slotCount {
            let isOfFrame = work.isOfFrame(slot)
            hasColumn = hasColumn || isOfFrame
            // Slots before the first frame have nothing to repeat.
            if hasColumn { advance(isOfFrame ? copy frame : nil, at: work.time(ofSlot: slot, at: rate)) }
        }
        return outcome
    }

    /// Ends the recording, returns it, and prepares for the next one.
    /// - Parameter gesture: the slots that show the gesture; with nil they are searched for.
    public func finish(gesture: Range<Int>? = nil) throws(EngineError) -> GestureRecording {
        defer {
            intake.forget()
            forget()
        }
        do {
            return try GestureRecording(
                features: features, logits: scores, featureCount: column.count, classCount: logits.count,
                gesture: gesture, hand: hand, rate: rate.rawValue, leadingSlots: leadingSlots)
        } catch {
            throw .enrolment(error)
        }
    }

    private func advance(_ frame: PixelView?, at time: Int64) {
        Self.advance(network, frame, at: time, logits: &logits, column: &column)
        guard network.isWarm else {
            leadingSlots += 1
            return
        }
        guard slotCount < Self.slotLimit else { return }
        features += column
        scores += logits
        if let landmarks = network.landmarks {
            let pose = landmarks.gesturing.hand(of: landmarks.hands)?.pose?.scores
            hand?.add(landmarks.embedding, palm: landmarks.palm, poses: pose ?? SIMD8())
        }
    }

    private static func advance(
        _ network: SlotNetwork, _ frame: PixelView?, at time: Int64, logits: inout [Float], column: inout [Float]
    ) {
        var scores = logits.mutableElementSpan
        _ = network.advance(frame, at: time, logits: &scores)
        var values = column.mutableElementSpan
        network.copyFeatures(to: &values)
    }

    private func forget() {
        network.reset()
        hasColumn = false
        leadingSlots = 0
        features = []
        scores = []
        hand = hand.map { HandTrace(rate: $0.rate) }
    }
}
