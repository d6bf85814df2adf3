import Frames
import HandTracking
import Network
import Platform
import Scheduling
import Tracking
import Vocabulary

/// What a stream is made of for one front end: its compute units, the preferred one first.
struct FrontEndUnits {
    let frontEnd: FrontEnd
    let units: [any ComputeUnit]

    /// What columns are made of while this front end serves.
    var source: FrontEnd { units.contains { $0 is any PictureUnit } ? .landmarks : .pixels }
}

extension [FrontEndUnits] {
    /// What a stream's columns are made of; nil where that is to be chosen.
    var source: FrontEnd? { count == 1 ? self[0].source : nil }
}

/// The compute units of a stream: one answers, and another may be getting ready to.
///
/// A unit that is to take over first runs along for its window, until it is warm, and answers from then on. So no frame is
/// lost, its state is the one it would have had alone, and the cost of a switch is spread over the window instead of
/// falling on one frame.
struct UnitGroup {
    private let units: [any ComputeUnit]
    /// The units that read pictures, at their index.
    private let pictureUnits: [(any PictureUnit)?]
    private var selector: UnitSelector
    private let clock: StreamClock
    private var active = 0
    private var rising: Int?
    private var spare: [Float]
    /// The column behind the latest logits, of the same unit; empty where `featureCount` is 0.
    private(set) var features: [Float]

    init(
        _ units: [any ComputeUnit], selection: SchedulingConfiguration.UnitSelection, featureCount: Int = 0,
        clock: StreamClock
    ) throws(ConfigurationError) {
        self.units = units
        pictureUnits = units.map { $0 as? any PictureUnit }
        self.clock = clock
        selector = try UnitSelector(selection, unitCount: units.count)
        features = [Float](repeating: 0, count: featureCount)
        spare = [Float](repeating: 0, count: units.first?.classCount ?? 0)
        let blank = [UInt8](repeating: 0, count: GestureTCN.frameBytes)
        for unit in units {
            // The first step touches every page and table that a unit has.
            unit.encode(blank.elementSpan)
            Self.advance(unit, into: &spare)
            unit.reset()
        }
    }

    /// Whether columns cost what two units take, while one gets ready.
    var isSwitching: Bool { rising != nil }
    var isWarm: Bool { units[active].isWarm }
    var activeName: String { units[active].name }
    /// The hands that the unit which answers has seen.
    var hands: [TrackedHand] { pictureUnits[active]?.hands ?? [] }
    /// The part of null's probability that each held pose gets; see `HeldPose.shares`.
    var poseShares: SIMD8<Float> { pictureUnits[active]?.poseShares ?? SIMD8() }
    /// The pose that the hand goes on showing; see `KeptPose`.
    var keptPose: TrackedHand.Pose.Name? { pictureUnits[active]?.keptPose }
    /// What the latest picture took that unit; nil where it looks at none.
    var pictureTimes: PictureTimes? { pictureUnits[active]?.times }

    /// Says where hands may be in the pictures that follow.
    func look(near regions: [TrackedRegion]) {
        for unit in pictureUnits { unit?.look(near: regions) }
    }

    /// Computes the logits of the next column: of `frame`, or of the newest column again.
    /// Returns a switch if one begins.
    @inline(never)
    mutating func advance(
        _ frame: Span<UInt8>?, _ picture: PixelView?, at time: Int64, logits: inout MutableSpan<Float>
    ) -> SchedulerState.UnitSwitch? {
        let begun = clock.now()
        encode(active, frame, picture, at: time)
        units[active].advance(&logits)
        // Before another unit takes over below.
        if !features.isEmpty { Self.copyFeatures(of: units[active], to: &features) }
        let latency = clock.now() - begun
        if let next = rising {
            encode(next, frame, picture, at: time)
            Self.advance(units[next], into: &spare)
            if units[next].isWarm {
                active = next
                rising = nil
            }
            return nil
        }
        guard frame != nil else { return nil }
        let change = Self.areFinite(logits) ? selector.observe(latency: latency, at: time) : selector.fail(at: time)
        if let change {
            units[change.to].reset()
            rising = change.to
        }
        return change
    }

    mutating func reset() {
        active = rising ?? active
        rising = nil
        for unit in units { unit.reset() }
        selector.restart()
    }

    private func encode(
        _ unit: Int, _ frame: Span<UInt8>?, _ picture: PixelView?, at time: Int64
    ) {
        guard let frame else { return units[unit].repeatColumn() }
        if let pictureUnit = pictureUnits[unit], let picture {
            pictureUnit.encode(picture, at: time)
        } else {
            units[unit].encode(frame)
        }
    }

    private static func advance(_ unit: any ComputeUnit, into logits: inout [Float]) {
        var output = logits.mutableElementSpan
        unit.advance(&output)
    }

    private static func copyFeatures(of unit: any ComputeUnit, to features: inout [Float]) {
        var output = features.mutableElementSpan
        unit.copyFeatures(to: &output)
    }

    private static func areFinite(_ logits: borrowing MutableSpan<Float>) -> Bool {
        for index in logits.indices where !logits[index].isFinite { return false }
        return true
    }
}
