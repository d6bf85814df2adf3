import GestureEngine
import Network
import Platform
import Scheduling
import Streams
import TrackerInference
import Vocabulary

/// The compute units of a stream: one gives the logits, and another may be preparing to take over.
///
/// A unit that will take over first runs beside the active one until its window is full, and gives the logits from then
/// on. So no frame is lost, the unit has the state that it would have had alone, and the cost of a switch is spread
/// over the window.
struct UnitGroup {
    private let units: [any ComputeUnit]
    private var selector: UnitSelector
    private let clock: StreamClock
    private var active = 0
    private var warmingUp: Int?
    private var discardedLogits: [Float]
    /// The unit of the latest logits. Another may have taken over since.
    private var latest = 0

    init(_ units: [any ComputeUnit], selection: UnitSelection, clock: StreamClock) throws(ConfigurationError) {
        self.units = units
        self.clock = clock
        selector = try UnitSelector(selection, unitCount: units.count)
        discardedLogits = [Float](repeating: 0, count: units.first?.classCount ?? 0)
        let blank = [UInt8](repeating: 0, count: FrontEnd.pixels.inputCount)
        for unit in units {
            // The first step touches every page and table that a unit has.
            unit.encode(blank.elementSpan)
            Self.advance(unit, into: &discardedLogits)
            unit.reset()
        }
    }

    /// Whether two units run for each column, because one prepares to take over.
    var isSwitching: Bool { warmingUp != nil }
    var isWarm: Bool { units[active].isWarm }
    var activeName: String { units[active].name }

    /// Computes the logits after the next column, which is made from the image `input`. With nil the
    /// newest column is repeated. Returns a switch if one begins.
    @inline(never)
    mutating func advance(
        _ input: Span<UInt8>?, at time: Int64, logits: inout MutableSpan<Float>
    ) -> SchedulerState.UnitSwitch? {
        let begun = clock.now()
        encode(active, input)
        units[active].advance(&logits)
        latest = active
        let latency = clock.now() - begun
        if let next = warmingUp {
            encode(next, input)
            Self.advance(units[next], into: &discardedLogits)
            if units[next].isWarm {
                active = next
                warmingUp = nil
            }
            return nil
        }
        guard input != nil else { return nil }
        let change = Self.areFinite(logits) ? selector.observe(latency: latency, at: time) : selector.fail(at: time)
        if let change {
            units[change.to].reset()
            warmingUp = change.to
        }
        return change
    }

    /// Writes the features behind the latest logits.
    func copyFeatures(to output: inout MutableSpan<Float>) { units[latest].copyFeatures(to: &output) }

    /// Throws unless every unit has so many features.
    func requireFeatures(_ count: Int) throws(EngineError) {
        for unit in units where unit.featureCount != count {
            throw .unitFeatures(name: unit.name, required: count, found: unit.featureCount)
        }
    }

    mutating func reset() {
        active = warmingUp ?? active
        warmingUp = nil
        for unit in units { unit.reset() }
        selector.restart()
    }

    private func encode(_ unit: Int, _ input: Span<UInt8>?) {
        guard let input else { return units[unit].repeatColumn() }
        units[unit].encode(input)
    }

    private static func advance(_ unit: any ComputeUnit, into logits: inout [Float]) {
        var output = logits.mutableElementSpan
        unit.advance(&output)
    }

    private static func areFinite(_ logits: borrowing MutableSpan<Float>) -> Bool {
        for index in logits.indices where !logits[index].isFinite { return false }
        return true
    }
}
