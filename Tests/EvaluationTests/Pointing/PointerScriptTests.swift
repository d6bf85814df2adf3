import Evaluation
import HandTracking
import Testing
import Tracking

/// A frame with a hand whose points are all in the middle, apart from those that are given, in shares of the frame.
func pointing(_ time: Double, _ places: [TrackedHand.Joint: SIMD2<Float>] = [:]) -> PointerRecording.Frame {
    var points = TrackedHand.Points(repeating: SIMD3(0.5, 0.5, 0))
    for (joint, place) in places { points[joint] = SIMD3(place, 0) }
    let hand = TrackedHand(
        identity: 0, presence: 0.9, rightHandedness: 1, landmarks: points, worldLandmarks: points,
        region: TrackedRegion(centerX: 0.5, centerY: 0.5, side: 0.3))
    return PointerRecording.Frame(time: time, hand: hand)
}

/// Every expected number was computed by hand from the scripts' formulas.
@Suite struct PointerScriptTests {
    private func run(_ script: some PointerScript, _ frames: [PointerRecording.Frame]) -> [PointerSample] {
        var script = script
        return frames.map { script.step($0) }
    }

    private func isNear(_ found: [Float], _ expected: [Float]) -> Bool {
        found.count == expected.count && zip(found, expected).allSatisfy { abs($0 - $1) < 1e-5 }
    }

    @Test func handsfreeFollowsThePalmByAnAnimationOfASecond() {
        func palm(_ time: Double, _ x: Float) -> PointerRecording.Frame {
            let joints = [0, 1, 2, 5, 9, 13, 17].compactMap { TrackedHand.Joint(rawValue: $0) }
            return pointing(time, Dictionary(uniqueKeysWithValues: joints.map { ($0, SIMD2(x, 0.4)) }))
        }
        let found = run(
            HandsfreeScript(), [palm(0, 0.2), palm(0.1, 0.6), palm(0.2, 0.6), palm(0.3, 0.6), palm(1.8, 0.6)])
        // A tenth of the animation covers 1 - 0.9 * 0.9 = 0.19 of the way.
        #expect(isNear(found.compactMap(\.position?.x), [0.2, 0.2, 0.276, 0.33756, 0.6]))
        #expect(isNear(found.compactMap(\.position?.y), [0.4, 0.4, 0.4, 0.4, 0.4]))
        #expect(isNear(found.compactMap(\.target?.x), [0.2, 0.6, 0.6, 0.6, 0.6]))
    }

    @Test func handsfreePressesBelowAGapAndKeepsItsStateWithoutAHand() {
        func gap(_ time: Double, _ x: Float, _ y: Float) -> PointerRecording.Frame {
            pointing(time, [.thumbTip: SIMD2(0.5 + x, 0.5 + y)])
        }
        // The limit is 50 / 720 = 0.0694; the diagonals are 0.0693 and 0.0707.
        let found = run(
            HandsfreeScript(),
            [
                gap(0, 0.07, 0), gap(1, 0.069, 0), PointerRecording.Frame(time: 2, hand: nil), gap(3, 0.05, 0.05),
                gap(4, 0.049, 0.049),
            ])
        #expect(found.map(\.isPressed) == [false, true, true, false, true])
        #expect(found.map { $0.position == nil } == [false, false, true, false, false])
    }

    @Test func gestureControlledMouseMovesByMultiplesOfTheMovement() {
        func knuckle(_ time: Double, _ x: Float) -> PointerRecording.Frame {
            pointing(time, [.middleKnuckle: SIMD2((x + 0.5) / 1920, 540.5 / 1080)])
        }
        // By 5, 10 and 60 pixels: by none, by 0.7 and by 2.1 of it. After a frame without a hand the way begins anew.
        let found = run(
            GestureControlledMouseScript(),
            [
                knuckle(0, 960), knuckle(1, 965), knuckle(2, 975), knuckle(3, 1035),
                PointerRecording.Frame(time: 4, hand: nil), knuckle(5, 100), knuckle(6, 90),
            ])
        #expect(
            isNear(
                found.compactMap { $0.position.map { $0.x * 1920 } }.map { $0.rounded() },
                [960, 960, 967, 1093, 1093, 1086]))
        #expect(found.allSatisfy { $0.target == nil })
    }

    @Test func gestureControlledMousePinchesInTheSixthFrame() {
        func hand(_ time: Double, gap: Float, othersOpen: Bool = true) -> PointerRecording.Frame {
            var places: [TrackedHand.Joint: SIMD2<Float>] = [
                .wrist: SIMD2(0.5, 0.9), .indexTip: SIMD2(0.4, 0.5), .thumbTip: SIMD2(0.4 + gap, 0.5),
                .indexKnuckle: SIMD2(0.4, 0.6),
            ]
            for (tip, knuckle) in [
                (TrackedHand.Joint.middleTip, TrackedHand.Joint.middleKnuckle), (.ringTip, .ringKnuckle),
                (.littleTip, .littleKnuckle),
            ] {
                places[knuckle] = SIMD2(0.5, 0.6)
                // 0.2 above the knuckle or below it; the way from the wrist is 0.3.
                places[tip] = SIMD2(0.5, othersOpen ? 0.4 : 0.8)
            }
            return pointing(time, places)
        }
        let closed = (0..<7).map { hand(Double($0), gap: 0.049) }
        let open = (7..<14).map { hand(Double($0), gap: 0.051) }
        let found = run(GestureControlledMouseScript(), closed + open).map(\.isPressed)
        #expect(found == [Bool](repeating: false, count: 5) + [Bool](repeating: true, count: 7) + [false, false])
        let fist = (0..<9).map { hand(Double($0), gap: 0.01, othersOpen: false) }
        #expect(run(GestureControlledMouseScript(), fist).allSatisfy { !$0.isPressed })
    }

    @Test func virtualMouseAveragesTheFingertip() {
        let tip = SIMD2<Float>(320.5 / 640, 240.5 / 480)
        func gap(_ time: Double, _ pixels: Float) -> PointerRecording.Frame {
            pointing(time, [.indexTip: tip, .thumbTip: SIMD2((320.5 + pixels) / 640, tip.y)])
        }
        let found = run(
            VirtualMouseScript(), [gap(0, 39), gap(1, 40), PointerRecording.Frame(time: 2, hand: nil), gap(3, 0)])
        // (320 - 100) / 440 = 0.5; a seventh of it, then a seventh of what is left, and so on.
        #expect(isNear(found.compactMap(\.position?.x), [0.0714286, 0.1326531, 0.1851312]))
        #expect(isNear(found.compactMap(\.target?.y), [0.5, 0.5, 0.5]))
        #expect(found.map(\.isPressed) == [true, false, false, true])
    }
}
