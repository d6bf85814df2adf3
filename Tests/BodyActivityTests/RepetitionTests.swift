import BodyPose
import BodyTracking
import Testing
import Vocabulary

/// Every repetition of generated exercise is counted, and nothing else.
@Suite struct RepetitionTests {
    /// A camera and a person of a seed's.
    private func scene(_ routine: Routine, _ seed: UInt64) -> (Camera, Mannequin) {
        var random = SplitMix64(seed: seed &* 977)
        var camera = Camera(yaw: routine.yaw + 60 * random.unit() - 30, noise: 0.008, isMirrored: seed % 2 == 1)
        camera.scale = 0.3 + 0.6 * random.unit()
        var mannequin = Mannequin()
        let size = 0.8 + 0.4 * random.unit()
        for length in [\Mannequin.trunk, \.shoulderWidth, \.hipWidth, \.upperArm, \.forearm] {
            mannequin[keyPath: length] *= size
        }
        mannequin.thigh *= size * (0.95 + 0.1 * random.unit())
        mannequin.shin *= size * (0.95 + 0.1 * random.unit())
        return (camera, mannequin)
    }

    /// Points that a camera hides: none, a third of them at random in each frame, or always the same third.
    enum Hidden: CaseIterable { case none, atRandom, always }

    @Test(arguments: Routine.all, Hidden.allCases) func everyRepetitionCounts(_ routine: Routine, _ hidden: Hidden)
        throws
    {
        let each = 8 / routine.activity.movements.count
        for seed in 1...20 as ClosedRange<UInt64> {
            var (camera, mannequin) = scene(routine, seed)
            var random = SplitMix64(seed: seed)
            if hidden == .atRandom { camera.randomlyHidden = 11 }
            while hidden == .always, camera.hidden.count < 11 { camera.hidden.insert(Int(random.next(below: 33))) }
            for rate in [30.0, 15, 10] {
                let counts = try routine.exercise(8, seed: seed).tempo(
                    of: routine.activity, camera, rate: rate, mannequin, seed: seed
                ).map(\.count)
                #expect(
                    counts == Array(repeating: each, count: counts.count),
                    "\(rate) Hz, seed \(seed), yaw \(camera.yaw), hidden \(camera.hidden.sorted())")
            }
        }
    }
}
