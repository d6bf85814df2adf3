public import Frames
import Kernels
import Network
import Pacing
import Recognition

/// One camera's way from frames to events, synchronous: `push` does all of a frame's work and returns its events.
///
/// Not for use from two threads at once; `LiveGestureStream` is. After the first frame of a geometry a push allocates
/// nothing, unless the caller keeps the array of an earlier push's events.
public final class GestureStream {
    private let labels: [String]
    private let rate: NominalRate
    private var grid: FrameGrid
    private var input: FrameInput
    private let unit: any ComputeUnit
    private var recognizer: Recognizer
    private var logits: [Float]
    private var events: [GestureEvent] = []
    private var latestSlot: Int64 = 0

    /// Most events of one push: an end and a begin in each of 16 slots, and the end before a reset.
    private static let eventLimit = 33

    init(engine: GestureEngine, configuration: Configuration) throws(GestureEngineError) {
        labels = engine.labels
        rate = configuration.pacing.nominalRate
        do {
            grid = try FrameGrid(configuration.pacing)
        } catch {
            throw .pacing(error)
        }
        do {
            recognizer = try Recognizer(
                labels: engine.labels, nullIndex: engine.nullIndex,
                configuration: configuration.recognition ?? engine.defaultRecognition)
        } catch {
            throw .recognition(error)
        }
        do {
            input = try FrameInput(
                geometry: configuration.geometry,
                kernels: KernelRegistry.select(excluding: configuration.excludedTiers))
        } catch {
            throw .ring(error)
        }
        unit = try engine.makeUnit(configuration)
        logits = [Float](repeating: 0, count: engine.labels.count)
        events.reserveCapacity(Self.eventLimit)
    }

    /// What became of all frames so far.
    public var counts: FrameCounts { grid.counts }

    /// Label of the gesture that has begun and not ended.
    public var activeGesture: String? { recognizer.activeClass.map { labels[$0] } }

    /// Takes one frame in.
    ///
    /// - frame: the pixels; nothing of them is kept when this returns.
    /// - time: when it was taken, on any clock that does not run backward. Frames are laid on the grid of the declared
    ///   rate by it; one that does not continue the stream is dropped with its reason and changes nothing.
    public func push(_ frame: borrowing PixelView, at time: Duration) -> FrameResult {
        events.removeAll(keepingCapacity: true)
        switch grid.admit(time.saturatedNanoseconds) {
        case .dropped(let reason): return FrameResult(outcome: .dropped(reason), events: [], prediction: nil)
        case .surplus: return FrameResult(outcome: .surplus, events: [], prediction: nil)
        case .run(let run):
            if run.reset { forget() }
            for missing in stride(from: run.repeats, to: 0, by: -1) {
                unit.repeatColumn()
                _ = step(at: run.slotTime - rate.nanoseconds(ofSlots: Int64(missing)))
            }
            input.write(frame)
            input.encodeNewest(by: unit)
            let prediction = step(at: run.slotTime)
            return FrameResult(
                outcome: .encoded(repeats: run.repeats, afterReset: run.reset), events: events,
                prediction: prediction)
        }
    }

    /// Ends the gesture that is active, if one is, and forgets every frame: at the end of a recording, or before the
    /// camera starts again.
    public func finish() -> [GestureEvent] {
        events.removeAll(keepingCapacity: true)
        forget()
        grid.restart()
        return events
    }

    /// Advances the network by the column that was just added and recognition by its logits.
    private func step(at slotTime: Int64) -> Prediction? {
        latestSlot = slotTime
        var output = logits.mutableSpan
        unit.advance(&output)
        guard unit.isWarm else { return nil }
        let result = recognizer.step(logits: logits.span, at: slotTime)
        if let end = result.end { events.append(GestureEvent(end, labels: labels)) }
        if let begin = result.begin { events.append(GestureEvent(begin, labels: labels)) }
        return result.top.map { Prediction(classIndex: $0.classIndex, confidence: $0.confidence) }
    }

    private func forget() {
        if let end = recognizer.flush(at: latestSlot) { events.append(GestureEvent(end, labels: labels)) }
        unit.reset()
        input.reset()
    }
}

extension GestureEvent {
    init(_ event: RecognizedEvent, labels: [String]) {
        let kind: Kind =
            switch event.kind {
            case .begin: .begin
            case .end(let cause): .end(cause)
            }
        self.init(
            kind: kind, label: labels[event.classIndex], classIndex: event.classIndex, confidence: event.confidence,
            onset: .nanoseconds(event.onset), decision: .nanoseconds(event.decision), sequence: event.sequence)
    }
}

extension Duration {
    /// Whole nanoseconds, rounded toward zero, at the ends of Int64 where they do not fit.
    var saturatedNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, overflowOfSum) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
        guard overflow || overflowOfSum else { return sum }
        return seconds < 0 ? .min : .max
    }
}
