public import Enrolment
public import Frames
import HandTracking
import Network
import Platform
import Scheduling
import Streams
import Vocabulary

/// Makes recordings for `GestureEngine.enrol`. It takes frames as a stream does and records the network's features and
/// logits of each slot, and with landmarks the hand's embedding, by which poses are told apart.
///
/// Use it from one thread at a time. Every slot gets a column, whatever `GestureEngine.Configuration.scheduling` says.
public final class GestureRecorder {
    private var intake: StreamIntake
    private let source: ColumnSource
    private let unit: any ComputeUnit
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

    init(engine: GestureEngine, configuration: GestureEngine.Configuration) throws(GestureEngineError) {
        source = try engine.makeSource(configuration, keepsEmbedding: true, clock: .system)
        unit = try engine.makeUnit(configuration)
        rate = configuration.rate
        intake = try StreamIntake(
            configuration, for: engine.frontEnd, scheduling: .everySlot, clock: .system)
        if engine.frontEnd == .landmarks { hand = HandTrace(rate: configuration.rate.rawValue) }
        column = [Float](repeating: 0, count: unit.featureCount)
        logits = [Float](repeating: 0, count: unit.classCount)
    }

    /// Slots recorded since the last recording was finished. The first slots after a start or a gap only fill the
    /// network's window and are not counted: 15 slots, and with landmarks 31 at 60 Hz and 63 at 120 Hz.
    public var slotCount: Int { scores.count / logits.count }

    /// Takes one frame in, as `GestureStream.push` does. If the gap before it is so long that a stream would forget
    /// everything, the recording begins anew.
    @discardableResult
    public func push(_ frame: borrowing PixelView, at time: Duration) -> FrameResult.Outcome {
        let outcome = intake.accept(frame, at: time.saturatedNanoseconds, changes: &changes)
        changes.removeAll(keepingCapacity: true)
        guard let (work, staged) = intake.take() else { return outcome }
        if work.reset { forget() }
        for slot in 0..<work.slotCount {
            if work.isOfFrame(slot) {
                hasColumn = true
                encode(frame, staged, at: work.time(ofSlot: slot, at: rate))
            } else if hasColumn {
                unit.repeatColumn()
            } else {
                // Slots before the first frame have nothing to repeat.
                continue
            }
            advance()
        }
        return outcome
    }

    private func encode(_ frame: borrowing PixelView, _ staged: StagedFrame?, at time: Int64) {
        switch source {
        case .landmarks(let landmarks):
            landmarks.see(frame, at: time)
            unit.encode(landmarks.column.elementSpan)
        case .pixels: staged?.withView { unit.encode($0.bytes) }
        }
    }

    /// Ends the recording, returns it, and prepares for the next one.
    /// - Parameter gesture: the slots that show the gesture; with nil they are searched for.
    public func finish(gesture: Range<Int>? = nil) throws(GestureEngineError) -> GestureRecording {
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

    private func advance() {
        Self.read(unit, logits: &logits, column: &column)
        guard unit.isWarm else {
            leadingSlots += 1
            return
        }
        guard slotCount < Self.slotLimit else { return }
        features += column
        scores += logits
        if let landmarks = source.landmarks {
            let pose = landmarks.gesturing.hand(of: landmarks.hands)?.pose?.scores
            hand?.add(landmarks.embedding, palm: landmarks.palm, poses: pose ?? SIMD8())
        }
    }

    private static func read(_ unit: any ComputeUnit, logits: inout [Float], column: inout [Float]) {
        var scores = logits.mutableElementSpan
        unit.advance(&scores)
        var values = column.mutableElementSpan
        unit.copyFeatures(to: &values)
    }

    private func forget() {
        source.landmarks?.reset()
        unit.reset()
        hasColumn = false
        leadingSlots = 0
        features = []
        scores = []
        hand = hand.map { HandTrace(rate: $0.rate) }
    }
}
