import Dispatch
package import ModelFile

/// A state that one thread changes, work after work, while the caller prepares the next.
///
/// Unchecked: works alone touch `state` and `failure`, one after another on `queue`, until `wait` has seen the last.
final class WorkLane<State: ~Copyable>: @unchecked Sendable {
    private let queue = DispatchQueue(label: "import", qos: .userInitiated)
    private let room: DispatchSemaphore
    private var state: State
    private var failure: ImportError?

    /// - waiting: works that may wait; the caller of `add` waits for room.
    init(_ state: consuming State, waiting: Int) {
        self.state = state
        room = DispatchSemaphore(value: waiting)
    }

    /// Does a work after those before it, unless one of them has failed.
    func add(_ work: @escaping @Sendable (inout State) throws(ImportError) -> Void) {
        room.wait()
        queue.async {
            defer { self.room.signal() }
            guard self.failure == nil else { return }
            do throws(ImportError) { try work(&self.state) } catch { self.failure = error }
        }
    }

    /// Waits for all works, and hands out the state. No work may be added meanwhile.
    /// - Throws: the first error of a work.
    func wait<Result>(
        _ body: (inout State) throws(ImportError) -> Result
    ) throws(ImportError) -> Result {
        queue.sync {}
        if let failure { throw failure }
        return try body(&state)
    }
}

/// A measurement over frames, of which parts can be made apart and put together.
package protocol FrameMeasure: ~Copyable {
    /// Takes in a frame of a sequence; the first frame of one starts anew.
    mutating func push(_ frame: Span<UInt8>, startsSequence: Bool) throws(ImportError)
    /// Adds what another has measured of other sequences.
    mutating func merge(_ other: borrowing Self)
}

/// Measures sequences of frames on two cores: every second sequence on each. The result depends on the frames alone,
/// not on the machine.
package final class SequenceLanes<Measure: FrameMeasure & SendableMetatype & ~Copyable> {
    private let lanes: [WorkLane<Measure>]
    private var sequences = 0
    private var batch: [(frame: [UInt8], startsSequence: Bool)] = []
    private let frameCount: Int

    private static var batchLimit: Int { 32 }

    /// - Parameters:
    ///   - frameCount: the bytes of a frame.
    ///   - make: a measure of nothing yet; called once for each core.
    package init(frameCount: Int, _ make: () throws(ImportError) -> Measure) throws(ImportError) {
        self.frameCount = frameCount
        lanes = [WorkLane(try make(), waiting: 2), WorkLane(try make(), waiting: 2)]
    }

    /// Keeps a copy of the frame until it is measured. Errors of measuring come from `finish`.
    package func push(_ frame: Span<UInt8>, startsSequence: Bool) throws(ImportError) {
        guard frame.count == frameCount else { throw .frameSize(found: frame.count) }
        if startsSequence || sequences == 0 {
            flush()
            sequences += 1
        }
        batch.append((frame.indices.map { frame[$0] }, startsSequence))
        if batch.count == Self.batchLimit { flush() }
    }

    /// Waits for both cores, and hands out what they have measured. Call it once.
    package func finish<Result>(
        _ body: (borrowing Measure) throws(ImportError) -> Result
    ) throws(ImportError) -> Result {
        flush()
        return try lanes[1].wait { (second: inout Measure) throws(ImportError) -> Result in
            try lanes[0].wait { (first: inout Measure) throws(ImportError) -> Result in
                first.merge(second)
                return try body(first)
            }
        }
    }

    private func flush() {
        guard !batch.isEmpty else { return }
        let frames = batch
        batch.removeAll(keepingCapacity: true)
        lanes[(sequences - 1) % 2].add { (measure: inout Measure) throws(ImportError) in
            for (frame, startsSequence) in frames { try measure.push(frame.span, startsSequence: startsSequence) }
        }
    }
}

/// Measures the pictures for an int8 graph on two cores.
package final class QuantiserLanes {
    private let lanes: [WorkLane<GraphQuantiser>]
    private var pictures = 0

    package init(_ file: GraphFile, inputRange: ClosedRange<Float>) {
        lanes = (0..<2).map { _ in WorkLane(GraphQuantiser(file, inputRange: inputRange), waiting: 2) }
    }

    /// As `GraphQuantiser.measure`; errors come from `quantised`.
    package func measure(_ inputs: [[Float]]) {
        lanes[pictures % 2].add { (quantiser: inout GraphQuantiser) throws(ImportError) in
            try quantiser.measure(inputs)
        }
        pictures += 1
    }

    /// Waits for both cores. Throws as `GraphQuantiser.quantised`, and the errors of measuring.
    package func quantised() throws(ImportError) -> GraphFile {
        let second = try lanes[1].wait { (quantiser: inout GraphQuantiser) throws(ImportError) in quantiser }
        return try lanes[0].wait { (quantiser: inout GraphQuantiser) throws(ImportError) in
            quantiser.merge(second)
            return try quantiser.quantised()
        }
    }
}
