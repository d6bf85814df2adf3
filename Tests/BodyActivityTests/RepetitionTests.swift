import BodyActivity
import BodyTracking
import Testing
import Vocabulary

/// Every repetition of generated exercise is counted, and nothing else.
@Suite struct RepetitionTests {
    private static let rates = [30.0, 15, 10]

    /// A camera and a person of a seed's.
    private func scene(_ routine: Routine, _ seed: UInt64) -> (Camera, Mannequin) {
        var random = SplitMix64(seed: seed &* 977)
        var camera = Camera()
        camera.yaw = routine.yaw + 60 * random.unit() - 30
        camera.scale = 0.3 + 0.6 * random.unit()
        camera.noise = 0.008
        camera.isMirrored = seed % 2 == 1
        var mannequin = Mannequin()
        let size = 0.8 + 0.4 * random.unit()
        mannequin.trunk *= size
        mannequin.shoulderWidth *= size
        mannequin.hipWidth *= size
        mannequin.upperArm *= size
        mannequin.forearm *= size
        mannequin.thigh *= size * (0.95 + 0.1 * random.unit())
        mannequin.shin *= size * (0.95 + 0.1 * random.unit())
        return (camera, mannequin)
    }

    private func check(_ routine: Routine, _ camera: Camera, _ mannequin: Mannequin, rate: Double, seed: UInt64) throws
    {
        let count = 8
        var tracker = try BodyActivityTracker(routine.activity)
        routine.exercise(count, seed: seed).play(to: &tracker, camera, rate: rate, mannequin, seed: seed)
        let counts = tracker.statistics.movements.map(\.count)
        let each = count / routine.activity.movements.count
        #expect(
            counts == Array(repeating: each, count: counts.count),
            "\(routine) at \(rate), seed \(seed), yaw \(camera.yaw), hidden \(camera.hidden.sorted())")
    }

    @Test(arguments: Routine.all, rates) func countsAtEveryRate(_ routine: Routine, _ rate: Double) throws {
        for seed in 1...20 as ClosedRange<UInt64> {
            let (camera, mannequin) = scene(routine, seed)
            try check(routine, camera, mannequin, rate: rate, seed: seed)
        }
    }

    @Test(arguments: Routine.all, rates) func countsWithAThirdHiddenAtRandom(_ routine: Routine, _ rate: Double) throws
    {
        for seed in 1...20 as ClosedRange<UInt64> {
            var (camera, mannequin) = scene(routine, seed)
            camera.randomlyHidden = 11
            try check(routine, camera, mannequin, rate: rate, seed: seed)
        }
    }

    @Test(arguments: Routine.all, rates) func countsWithAThirdHiddenAlways(_ routine: Routine, _ rate: Double) throws {
        for seed in 1...20 as ClosedRange<UInt64> {
            var (camera, mannequin) = scene(routine, seed)
            var random = SplitMix64(seed: seed)
            while camera.hidden.count < 11 { camera.hidden.insert(Int(random.next(below: 33))) }
            try check(routine, camera, mannequin, rate: rate, seed: seed)
        }
    }
}
