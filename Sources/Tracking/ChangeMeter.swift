package import Frames
import Platform

/// The one answer to "does anything move?": each frame of a stream is read once, on a coarse grid (`LumaGrid`, upright).
///
/// - `numbers` say where the frame changes. The temporal layers read them, to follow a movement after the tracker has
///   lost the hand, and `ArmSource` takes a frame with little change as still.
/// - `activity` is how much the frame changes, for the pace of the stream (`ActivityMonitor`).
/// - `blocks` are what a `DetectionSchedule` compares with those of its latest detection.
///
/// The numbers come from a comparison with the latest grid that is at least 24 ms older: two frames before at 60 a
/// second, three at 120. A grid that equals the one before it is the same frame again and is ignored.
///
/// - The change of a cell is the amount by which its difference exceeds the median of all differences plus the noise. W
///   is the sum of all changes in luma values of a pixel.
/// - The movement of the whole frame is removed. If the change is spread over the frame, the shift of all cells is
///   estimated by Lucas and Kanade's least squares in three rounds; the second and third weigh a cell less the worse it
///   fits. The older grid is then moved by the shift. If less than nine tenths of W remain, the shift counts, and W is
///   the rest.
///
/// The definition, which training shares, is `Tools/lab/training/handtrain/motion.py`: integers are exact in both, the
/// shift and all that depends on it agree to within rounding.
///
/// The caller passes the time. Allocates nothing after initialisation.
@safe
package struct ChangeMeter: ~Copyable {
    /// The numbers of a frame. Positions, extents and shifts are normalised: 0...1 of the upright frame's sides.
    package struct Numbers: Sendable, Equatable {
        /// W / (W + 400).
        package fileprivate(set) var amount: Float = 0
        /// The change's centroid; the middle of the frame if there is almost no change.
        package fileprivate(set) var moveX: Float = 0.5, moveY: Float = 0.5
        /// The change's standard deviations about it.
        package fileprivate(set) var wideX: Float = 0, wideY: Float = 0
        /// The share of cells that change.
        package fileprivate(set) var area: Float = 0
        /// The movement of the whole frame.
        package fileprivate(set) var shiftX: Float = 0, shiftY: Float = 0
        /// The share of W in a square around the hand's last position, up to 2.5 palm sizes from it.
        package fileprivate(set) var nearby: Float = 0
        /// The hand's last position; the middle if there was no hand.
        package fileprivate(set) var lastX: Float = 0.5, lastY: Float = 0.5
        /// The time t since the last hand, in seconds, as t / (t + 0.5); 1 if there was no hand.
        package fileprivate(set) var age: Float = 1

        /// The numbers of a stream before its first frame.
        package init() {}
    }

    /// A hand's palm in a frame.
    package struct Palm: Sendable, Equatable {
        /// Its position in the upright frame, normalised, 0...1.
        package var x, y: Float
        /// Its size in heights of the upright frame.
        package var size: Float

        package init(x: Float, y: Float, size: Float) {
            self.x = x
            self.y = y
            self.size = size
        }

        fileprivate var isFinite: Bool { x.isFinite && y.isFinite && size.isFinite }
    }

    /// A grid is compared with one that is at least this much older, in nanoseconds.
    static let minimumAge: Int64 = 24_000_000
    /// Grids that are kept.
    private static let remembered = 8
    /// One luma value of a pixel in units of a grid: the samples of a cell.
    private static let lumaStep = Float(LumaGrid.samples * LumaGrid.samples)
    private static let noise = 6 * lumaStep
    /// Changes below this, in luma values, have no position.
    private static let minimumChange: Float = 24
    /// The shift is estimated only if the change is at least this wide and high.
    private static let spread = 0.15
    /// A shift counts only if it leaves less than this share of the change.
    private static let kept: Float = 0.9
    /// Half the side of the square that is near a palm, in palm sizes.
    private static let near: Float = 2.5
    /// The time since the last hand that gives an `age` of a half, in seconds.
    private static let halfAge: Float = 0.5

    /// When a grid was taken and whether it is wide.
    private struct Entry {
        var time: Int64 = 0
        var isWide = true
    }

    /// Grids: a ring with room for one more, the one being written; then the differences, the moved older grid, and the
    /// latest changes.
    private let memory: UnsafeMutablePointer<Float>
    private let owner = MemoryOwner(byteCount: floats * MemoryLayout<Float>.stride)
    private static let entryCount = remembered + 1
    private static let differences = entryCount
    private static let moved = entryCount + 1
    private static let changes = entryCount + 2
    private static let floats = (entryCount + 3) * LumaGrid.count

    private var entries = [Entry](repeating: Entry(), count: entryCount)
    private var count = 0
    private var newest = 0
    /// Nil until two grids have been compared.
    private var extent: ChangeExtent?
    private var last: (palm: Palm, time: Int64)?

    package private(set) var numbers = Numbers()
    /// How much the latest frame differs from one 24 ms or more before it: `Numbers.amount`, 0 for the same frame again,
    /// and 1 if the whole frame moves. Nil for a frame that was compared with none.
    package private(set) var activity: Float?
    /// Width over height of the latest frame.
    private var aspect: Float = 1

    package init() {
        unsafe memory = owner.base.initializeMemory(as: Float.self, repeating: 0, count: Self.floats)
    }

    /// Forgets all frames and hands.
    package mutating func reset() {
        count = 0
        extent = nil
        last = nil
        numbers = Numbers()
        activity = nil
    }

    /// Measures the next frame. Call `follow` afterwards, when its hand is known.
    /// - Parameters:
    ///   - frame: only its region is used.
    ///   - orientation: how the frame is stored.
    ///   - time: nanoseconds of any clock.
    package mutating func measure(_ frame: borrowing PixelView, orientation: ImageOrientation, at time: Int64) {
        let next = (newest + 1) % Self.entryCount
        // The memory has room for this many grids.
        var cells = unsafe MutableSpan(_unsafeStart: grid(next), count: LumaGrid.count)
        let isWide = LumaGrid.write(frame, orientation: orientation, to: &cells)
        let isAlike = count > 0 && entries[newest].isWide == isWide
        let isRepeated = unsafe isAlike && Cells.areEqual(grid(next), grid(newest))
        let size = FrameSize(frame.region, orientation)
        aspect = Float(size.width / size.height)
        guard !isRepeated else {
            activity = 0
            return
        }
        activity = nil
        let older = latest(before: time)
        entries[next] = Entry(time: time, isWide: isWide)
        newest = next
        count = min(count + 1, Self.remembered)
        guard let older, entries[older].isWide == isWide else { return }
        compare(with: older)
        activity = numbers.shiftX != 0 || numbers.shiftY != 0 ? 1 : numbers.amount
    }

    /// The latest frame as blocks.
    package var blocks: SceneBlocks {
        // A grid of the memory, which lives as long as this value.
        let cells = unsafe Span(_unsafeStart: grid(newest), count: LumaGrid.count)
        return SceneBlocks(cells, isWide: entries[newest].isWide)
    }

    @unsafe
    private func grid(_ index: Int) -> UnsafeMutablePointer<Float> { unsafe memory + index * LumaGrid.count }

    /// The latest grid that is old enough.
    private func latest(before time: Int64) -> Int? {
        for age in 0..<count {
            let index = (newest + Self.entryCount - age) % Self.entryCount
            if time &- entries[index].time >= Self.minimumAge { return index }
        }
        return nil
    }

    /// Compares the newest grid with an older one of the same shape.
    private mutating func compare(with older: Int) {
        // All are grids of the memory.
        let (now, before) = unsafe (grid(newest), grid(older))
        let (differences, moved) = unsafe (grid(Self.differences), grid(Self.moved))
        let shape = GridShape(isWide: entries[newest].isWide)
        unsafe Cells.difference(before, now, into: differences)
        var found = unsafe measure(differences, above: Cells.median(differences) + Self.noise, shape)
        var shift = SIMD2<Double>.zero
        if min(found.wide, found.high) >= Self.spread {
            shift = unsafe ShiftSolver(shape).shift(from: before, to: now, moved: moved)
        }
        if shift != .zero {
            unsafe Cells.move(before, by: shift, shape, into: moved)
            unsafe Cells.difference(moved, now, into: differences)
            let limit = unsafe Cells.median(differences) + Self.noise
            if unsafe Cells.sum(differences, above: limit) < Self.kept * found.sum {
                unsafe found = measure(differences, above: limit, shape)
            } else {
                shift = .zero
            }
        }
        extent = found
        let steps = Double(found.sum / Self.lumaStep)
        numbers.amount = Float(steps / (steps + 400))
        (numbers.moveX, numbers.moveY) = (Float(found.x), Float(found.y))
        (numbers.wideX, numbers.wideY) = (Float(found.wide), Float(found.high))
        numbers.area = Float(found.cells) / Float(LumaGrid.count)
        numbers.shiftX = Float(shift.x / Double(shape.width))
        numbers.shiftY = Float(shift.y / Double(shape.height))
    }

    /// Writes the amounts by which differences exceed a limit to the changes, and returns their extent.
    @unsafe
    private func measure(_ differences: UnsafePointer<Float>, above limit: Float, _ shape: GridShape) -> ChangeExtent {
        unsafe Cells.change(
            differences, above: limit, shape, least: Self.minimumChange * Self.lumaStep, into: grid(Self.changes))
    }

    /// Updates the numbers of the hand and of the changes near it.
    /// - Parameters:
    ///   - palm: of the hand in the latest frame. A palm with a number that is not finite counts as no palm.
    ///   - time: of that frame.
    package mutating func follow(_ palm: Palm?, at time: Int64) {
        let palm = palm.flatMap { $0.isFinite ? $0 : nil }
        // The changes near the palm of this frame, or else of the last one.
        numbers.nearby = 0
        if let extent, let palm = palm ?? last?.palm, extent.sum >= Self.minimumChange * Self.lumaStep {
            let reach = SIMD2(Self.near * palm.size / aspect, Self.near * palm.size)
            // The changes are a grid of the extent's shape.
            let sum = unsafe Cells.sum(
                grid(Self.changes), extent.shape, around: SIMD2(palm.x, palm.y), within: reach)
            numbers.nearby = sum / extent.sum
        }
        if let palm {
            last = (palm, time)
            (numbers.lastX, numbers.lastY) = (palm.x, palm.y)
        }
        if let last {
            let age = Float(max(0, Double(time &- last.time) / 1e9))
            numbers.age = age / (age + Self.halfAge)
        }
    }
}
