import Frames
import TestSupport
import Testing
import Tracking

private let millisecond: Int64 = 1_000_000
private let frame30: Int64 = 33_333_333

@Suite struct DetectionScheduleTests {
    /// A gray picture, and a brighter square of 60 pixels.
    private struct Scene {
        var width = 320
        var square: (x: Int, y: Int)?
        /// By how much all of it is brighter.
        var light: UInt8 = 0

        func withFrame<Result>(_ body: (borrowing PixelView) throws -> Result) throws -> Result {
            var picture = OrientedPicture(width, 240) { _, _ in SIMD3<UInt8>(repeating: 60 + light) }
            if let square { picture.fillSquare(square.x, square.y, side: 60, SIMD3(repeating: 130 + light)) }
            return try picture.withView(.up, body)
        }
    }

    /// A tracker that finds nothing: it asks as those of hands and bodies do.
    private struct Search {
        var schedule: DetectionSchedule
        private(set) var looks = 0
        private(set) var restarts = 0

        init(interval: Int = 100, stillInterval: Duration? = nil, stillness: Double? = 3) {
            schedule = DetectionSchedule(
                interval: .milliseconds(interval), stillInterval: stillInterval, stillness: stillness)
        }

        /// Takes in a frame. Returns whether the detector runs in it.
        @discardableResult
        mutating func see(
            _ scene: Scene, at time: Int64, sceneChanged: Bool? = nil, limit: Int64 = .max
        ) throws -> Bool {
            let size = FrameSize(width: scene.width, height: 240)
            if schedule.advance(to: time, size, sceneChanged: sceneChanged) { restarts += 1 }
            guard schedule.isDue(limit: limit) else { return false }
            guard
                try scene.withFrame({
                    schedule.isPending(in: $0, orientation: .up, blocks: nil, sceneChanged: sceneChanged)
                })
            else { return false }
            schedule.noteDetection()
            looks += 1
            return true
        }
    }

    /// A scene in which something moves all the time.
    @Test(arguments: [(0, 120), (100, 10), (250, 4), (1_000, 1)]) func looksAtABoundedRate(
        _ interval: Int, _ perSecond: Int
    ) throws {
        var search = Search(interval: interval)
        var latest: Int64?
        for step in 0..<240 {
            let time = Int64(step) * 1_000 * millisecond / 120
            guard try search.see(Scene(square: (20 + 70 * (step % 4), 100)), at: time) else { continue }
            if let latest { #expect(time - latest >= Int64(interval) * millisecond) }
            latest = time
        }
        // The first frames of 120 Hz after each interval.
        #expect(search.looks <= 2 * perSecond && search.looks >= 2 * perSecond * 9 / 10)
    }

    /// The interval is over to the nanosecond; a limit makes it shorter, and never longer.
    @Test(arguments: [(Int64.max, 100 * millisecond), (30 * millisecond, 30 * millisecond)])
    func theIntervalEnds(_ limit: Int64, _ interval: Int64) throws {
        var search = Search(stillness: nil)
        try search.see(Scene(), at: 0)
        #expect(try search.see(Scene(), at: interval - 1, limit: limit) == false)
        #expect(try search.see(Scene(), at: interval, limit: limit) == true)
    }

    @Test func aStillSceneIsNotLookedAt() throws {
        var search = Search()
        var scene = Scene(square: (200, 100))
        func run(_ steps: Range<Int>, sceneChanged: Bool? = nil) throws {
            for step in steps {
                // Light that changes evenly is no movement.
                scene.light = 20 * UInt8(step % 2)
                try search.see(scene, at: Int64(step) * frame30, sceneChanged: sceneChanged)
            }
        }
        try run(0..<60)
        #expect(search.looks == 1)
        // Something moved, and then stood still before the next look was due.
        scene.square = (100, 100)
        try run(60..<61)
        #expect(search.looks == 2)
        scene.square = (120, 130)
        try run(61..<120)
        #expect(search.looks == 3)
        // What the app says counts.
        scene.square = (220, 130)
        try run(120..<150, sceneChanged: false)
        #expect(search.looks == 3)
        try run(150..<151, sceneChanged: true)
        #expect(search.looks == 4)
        try run(151..<180, sceneChanged: false)
        #expect(search.looks == 4)
    }

    /// A change counts above the threshold, and not at it.
    @Test func aChangeExceedsTheStillness() throws {
        let (before, after) = (Scene(), Scene(square: (200, 100)))
        let reference = try before.withFrame { SceneBlocks(of: $0, orientation: .up) }
        let change = try after.withFrame { SceneBlocks(of: $0, orientation: .up).change(since: reference) }
        for (stillness, isNews) in [(change, false), (change.nextDown, true)] {
            var search = Search(stillness: stillness)
            try search.see(before, at: 0)
            #expect(try search.see(after, at: 100 * millisecond) == isNews)
        }
    }

    /// Frames are compared with that of the latest detection, not with the one before.
    @Test func slowChangesAddUp() throws {
        var search = Search(stillness: 50)
        let looks = try (0..<30).filter { step in
            try search.see(Scene(square: (100 + step, 100)), at: Int64(step) * 100 * millisecond)
        }
        #expect((3...15).contains(looks.count) && !looks.contains(1), "\(looks)")
    }

    /// A change that is not followed by a detection stays news when it is gone.
    @Test func newsWaitForADetection() throws {
        var search = Search()
        let still = Scene()
        try search.see(still, at: 0)
        func isPending(_ scene: Scene) throws -> Bool {
            try scene.withFrame { search.schedule.isPending(in: $0, orientation: .up, blocks: nil, sceneChanged: nil) }
        }
        #expect(try isPending(still) == false)
        #expect(try isPending(Scene(square: (200, 100))) == true)
        #expect(try isPending(still) == true)
        search.schedule.noteDetection()
        #expect(try isPending(still) == false)
    }

    /// What the app reports before the interval is over counts when it is.
    @Test func aReportIsKept() throws {
        var search = Search()
        try search.see(Scene(), at: 0)
        try search.see(Scene(), at: 20 * millisecond, sceneChanged: true)
        #expect(try search.see(Scene(), at: 99 * millisecond, sceneChanged: false) == false)
        #expect(try search.see(Scene(), at: 100 * millisecond, sceneChanged: false) == true)
    }

    /// Unless the app reports a still scene.
    @Test func aStillSceneIsLookedAtFromTimeToTime() throws {
        var search = Search(stillInterval: .milliseconds(500))
        let looks = try (0..<120).filter { step in
            try search.see(
                Scene(square: (200, 100)), at: Int64(step) * frame30, sceneChanged: step < 90 ? nil : false)
        }
        // 15 frames of 33.333333 ms are a hair less than half a second.
        #expect(looks == [0, 16, 32, 48, 64, 80])
    }

    /// The frame of such a look is the one that later frames are compared with; a change is not waited for that long.
    @Test func whatIsSeenFromTimeToTimeIsRemembered() throws {
        var search = Search(stillInterval: .milliseconds(500))
        try search.see(Scene(), at: 0)
        let moved = Scene(square: (200, 100))
        #expect(try search.see(moved, at: 500 * millisecond) == true)
        #expect(try search.see(moved, at: 600 * millisecond) == false)
        #expect(try search.see(Scene(), at: 610 * millisecond) == true)
    }

    /// The same time again and again counts once; one that runs backward is waited for no longer than any other.
    @Test func timesOutOfOrder() throws {
        var search = Search(stillness: nil)
        let second = 1_000 * millisecond
        for step in 0..<20 { try search.see(Scene(), at: 5 * second - Int64(step / 10) * Int64(step)) }
        #expect(search.looks == 1)
        // From the time that is there now, and from a clock that was set back.
        for (time, isLook) in [
            (5 * second + 100 * millisecond, true), (second, false), (second + 50 * millisecond, false),
            (second + 100 * millisecond, true), (.min, false), (.max, true), (.min, false), (0, true),
        ] {
            #expect(try search.see(Scene(), at: time) == isLook, "\(time)")
        }
    }

    @Test func stillnessCanBeIgnored() throws {
        var search = Search(stillness: nil)
        for step in 0..<30 { try search.see(Scene(), at: Int64(step) * 50 * millisecond) }
        #expect(search.looks == 15)
        for step in 30..<60 { try search.see(Scene(), at: Int64(step) * 50 * millisecond, sceneChanged: false) }
        #expect(search.looks == 15)
    }

    /// After a loss a still scene is looked at: when the interval is over, or at once.
    @Test(arguments: [false, true]) func aLossIsAChange(_ isUrgent: Bool) throws {
        var search = Search()
        try search.see(Scene(), at: 0)
        search.schedule.noteLoss(isUrgent: isUrgent)
        #expect(try search.see(Scene(), at: 50 * millisecond) == isUrgent)
        #expect(try search.see(Scene(), at: 100 * millisecond) == !isUrgent)
        #expect(try search.see(Scene(), at: 300 * millisecond) == false)
    }

    /// The first frame, one of another size and the first after a reset are looked at, even if the app reports a still scene. The
    /// clock goes on from where it was.
    @Test func startsAnew() throws {
        var search = Search()
        #expect(try search.see(Scene(), at: 0, sceneChanged: false) == true)
        try search.see(Scene(), at: 10)
        #expect(search.schedule.size == FrameSize(width: 320, height: 240) && search.schedule.now == 10)
        #expect(try search.see(Scene(width: 400), at: 20, sceneChanged: false) == true)
        #expect(search.restarts == 1 && search.schedule.size == FrameSize(width: 400, height: 240))
        search.schedule.reset()
        #expect(search.schedule.size == nil)
        #expect(try search.see(Scene(), at: 21, sceneChanged: false) == true)
        #expect(search.restarts == 1 && search.schedule.now == 10)
    }
}
