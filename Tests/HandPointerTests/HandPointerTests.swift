import HandPointer
import HandTracking
import TestSupport
import Testing
import Tracking
import Vocabulary

@Suite struct HandPointerTests {
    private let open = DrawnHand()

    @Test func aPinchPressesAndAnOpenHandReleases() throws {
        var script = try Script()
        script.show(open, frames: 10)
        script.show(.pinch, frames: 6)
        script.show(open, frames: 3)
        script.show(nil, frames: 6)
        #expect(script.words == ["entered", "pressed", "released:opened", "clicked", "left"])
        // The second frame of the pinch presses, and the first open one releases.
        #expect(script.results.firstIndex { $0.first.state == .pressed } == 11)
        #expect(script.results[15].first.state == .pressed && script.results[16].first.state == .hovering)
    }

    @Test func thePinchLastsAtAnyRate() throws {
        // The first frame at least 25 ms after the first that pinches; three frames at 120 a second are a nanosecond less.
        for (rate, frame) in [(10, 1), (30, 1), (60, 2), (120, 4)] {
            var script = try Script()
            script.interval = .nanoseconds(1_000_000_000 / rate)
            script.show(open, frames: rate)
            script.show(.pinch, frames: 8)
            #expect(script.results.firstIndex { $0.first.state == .pressed } == rate + frame, "\(rate) a second")
        }
    }

    @Test func aCornerOfTheRegionIsACornerOfTheScreen() throws {
        let region = HandPointer.Configuration.Region(x: 0.25, y: 0.125, width: 0.5, height: 0.25)
        for (isMirrored, x) in [(false, Float(0)), (true, 1)] {
            var script = try Script(HandPointer.Configuration(region: region, isMirrored: isMirrored))
            script.show(open.at(0.25, 0.125))
            script.show(nil, frames: 8)
            script.show(open.at(0.5, 0.25))
            script.show(nil, frames: 8)
            script.show(open.at(0.1, 0.9))
            #expect(script.results[0].first.position == SIMD2(x, 0))
            #expect(script.results[9].first.position == SIMD2(0.5, 0.5))
            #expect(script.results[18].first.position == SIMD2(x, 1))
        }
    }

    @Test func theFilterIsThatOfItsFormula() throws {
        var configuration = HandPointer.Configuration(isMirrored: false)
        configuration.smoothing = OneEuroParameters(minimumCutoff: 2, speedCoefficient: 0, speedCutoff: 1)
        configuration.region = HandPointer.Configuration.Region(x: 0, y: 0, width: 1, height: 1)
        var script = try Script(configuration)
        script.show(open.at(0.5, 0.5))
        script.show(open.at(0.6, 0.5))
        let share = 1 / (1 + 1 / (2 * Double.pi * 2 / 30))
        #expect(abs(Double(script.results[1].first.position.x) - (0.5 + 0.1 * share)) < 1e-5)
    }

    @Test func aClickDoesNotShiftThePosition() throws {
        var script = try Script()
        script.show(open, frames: 20)
        let before = script.results[19].first.position
        // The palm moves by 30 pixels of 1920 while the fingers close.
        let way: Float = 0.6 * 30 / 1920
        var closing = DrawnHand.pinch.at(0.5 + way / 2, 0.5)
        closing.gap = 0.5
        script.show(closing)
        script.show(DrawnHand.pinch.at(0.5 + way, 0.5), frames: 3)
        let press = try #require(script.results.first { $0.first.state == .pressed })
        #expect(press.first.position == before)
        // The same movement of an open hand does move it.
        var other = try Script()
        other.show(open, frames: 20)
        other.show(open.at(0.5 + way, 0.5), frames: 4)
        #expect(other.results.last.map { abs($0.first.position.x - before.x) > 10 / 1920 } == true)
    }

    @Test func aPressThatMovesDrags() throws {
        var script = try Script(HandPointer.Configuration(isMirrored: false))
        script.show(open, frames: 10)
        script.show(.pinch, frames: 4)
        for step in 0..<12 { script.show(DrawnHand.pinch.at(0.5 + 0.02 * Float(step), 0.5)) }
        #expect(script.results.last?.first.state == .dragging)
        #expect(script.results.last?.first.events.contains(.dragged) == true)
        script.show(open.at(0.72, 0.5))
        #expect(script.words == ["entered", "pressed", "released:opened"])
    }

    @Test func twoClicksAreADoubleClick() throws {
        for (pause, words) in [(4, ["clicked", "clicked", "doubleClicked"]), (30, ["clicked", "clicked"])] {
            var script = try Script()
            script.show(open, frames: 10)
            for _ in 0..<2 {
                script.show(.pinch, frames: 4)
                script.show(open, frames: pause)
            }
            #expect(script.words.filter { $0.lowercased().contains("clicked") } == words)
        }
    }

    @Test func aPressOutlivesALostHandFor150Milliseconds() throws {
        for (lost, words) in [
            (4, ["entered", "pressed", "released:opened", "clicked"]),
            (5, ["entered", "pressed", "released:lost", "left", "entered"]),
        ] {
            var script = try Script()
            script.show(open, frames: 10)
            script.show(.pinch, frames: 4)
            script.show(nil, frames: lost)
            script.show(.pinch, frames: 2)
            script.show(open, frames: 2)
            #expect(script.words == words, "\(lost) frames")
        }
    }

    @Test func theConfidenceFallsWhileTheHandIsNotSeen() throws {
        var script = try Script()
        script.show(open, frames: 3)
        script.show(nil, frames: 5)
        let confidences = script.results.map(\.first.confidence)
        #expect(confidences[2] == 0.9 && confidences.last == 0)
        #expect(zip(confidences.dropFirst(2), confidences.dropFirst(3)).allSatisfy(>))
    }

    @Test(arguments: [
        "a hand that comes with a pinch", "a hand that pinches at once", "a fist", "a hand from its edge",
        "a pinch outside the frame", "an index finger that opens", "one frame",
    ])
    func nothingElsePresses(_ name: String) throws {
        var script = try Script()
        switch name {
        case "a hand that comes with a pinch": script.show(.pinch, frames: 20)
        case "a hand that pinches at once":
            script.show(open, frames: 2)
            script.show(.pinch, frames: 2)
        case "a fist":
            script.show(open, frames: 10)
            // Thumb and index finger touch on the way.
            for step in 1...6 {
                let share = Float(step) / 6
                script.show(DrawnHand(gap: 0.8 - 0.6 * share, index: 1.8 - share, others: 1.8 - 1.05 * share))
            }
            script.show(DrawnHand(gap: 0.2, index: 0.8, others: 0.75), frames: 10)
        case "a hand from its edge":
            script.show(open, frames: 10)
            script.show(DrawnHand(gap: 0.1, index: 1.7), frames: 10)
        case "a pinch outside the frame":
            script.show(open.at(0.97, 0.5), frames: 10)
            script.show(DrawnHand.pinch.at(1.01, 0.5), frames: 10)
        case "an index finger that opens":
            script.show(.fist, frames: 10)
            script.show(DrawnHand(gap: 0.1, index: 1.15, others: 0.75), frames: 6)
        default:
            script.show(open, frames: 10)
            script.show(.pinch)
            script.show(open, frames: 10)
        }
        #expect(script.results.allSatisfy { !$0.first.state.isPressed })
    }

    @Test func aPinchOfAFoldedHandPresses() throws {
        var script = try Script()
        let folded = DrawnHand(gap: 0.8, index: 1.7, others: 0.6)
        script.show(folded, frames: 10)
        script.show(DrawnHand(gap: 0.1, index: 1.2, others: 0.6), frames: 4)
        #expect(script.words == ["entered", "pressed"])
    }

    @Test func aFistThatMovesScrollsAndThePositionStays() throws {
        var script = try Script(HandPointer.Configuration(isMirrored: false))
        script.show(open, frames: 10)
        script.show(.fist, frames: 10)
        let before = try #require(script.results.last?.first.position)
        for step in 1...10 { script.show(DrawnHand.fist.at(0.5, 0.5 + 0.02 * Float(step))) }
        #expect(script.results.last?.first.position == before)
        var sum = SIMD2<Float>()
        for event in script.results.flatMap({ Array($0.first.events) }) {
            if case .scrolled(let way) = event { sum += way }
        }
        // A third of the screen, less the filter's lag.
        #expect(sum.x == 0 && sum.y > 0.28 && sum.y < 0.34)
        var still = try Script(HandPointer.Configuration(scrolls: false))
        still.show(open, frames: 10)
        for step in 1...20 { still.show(DrawnHand.fist.at(0.5, 0.5 + 0.01 * Float(step))) }
        #expect(!still.words.contains("scrolled"))
    }

    @Test func twoPressedHandsZoomAndRotate() throws {
        var script = try Script(HandPointer.Configuration(isMirrored: false, screenAspect: 2))
        script.show([open.at(0.4, 0.5).named(3), open.at(0.6, 0.5).named(5)], frames: 10)
        script.show([DrawnHand.pinch.at(0.4, 0.5).named(3), DrawnHand.pinch.at(0.6, 0.5).named(5)], frames: 4)
        let begin = try #require(script.results.last?.pair)
        #expect(abs(begin.distance - 1.0 / 3) < 1e-4 && begin.angle == 0 && begin.zoom == 1 && begin.rotation == 0)
        // A quarter turn clockwise, with half the distance between them.
        for step in 1...60 {
            let share = Float(min(step, 30)) / 30
            let second = SIMD2<Float>(0.6 - 0.2 * share, 0.5 + 0.2 * share)
            script.show([
                DrawnHand.pinch.at(0.4, 0.5).named(3), DrawnHand.pinch.at(second.x, second.y).named(5),
            ])
        }
        let end = try #require(script.results.last?.pair)
        #expect(abs(end.rotation - .pi / 2) < 0.01 && abs(end.zoom - 0.5) < 0.02)
        // Without the first hand the second one becomes the first.
        script.show([open.at(0.4, 0.7).named(5)], frames: 10)
        #expect(script.results.last?.first.identity == 5 && script.results.last?.second.state == .absent)
        #expect(script.results.last?.pair == nil)
    }

    @Test func aResetReleasesAndTimesMayBeginAnew() throws {
        var script = try Script()
        script.show(open, frames: 10)
        script.show(.pinch, frames: 4)
        script.pointer.reset()
        script.time = .zero
        script.show(.pinch, frames: 3)
        #expect(script.words == ["entered", "pressed", "released:reset", "left", "entered"])
    }

    @Test func unusableValuesAreNamed() {
        func fault(_ change: (inout HandPointer.Configuration) -> Void) -> String? {
            var configuration = HandPointer.Configuration()
            change(&configuration)
            do throws(ConfigurationError) { try configuration.validate() } catch { return error.parameter }
            return nil
        }
        let name = "HandPointer.Configuration."
        #expect(fault { _ in } == nil)
        #expect(fault { $0.region = .init(x: 0, y: 0, width: 1, height: 1) } == nil)
        #expect(fault { $0.region.x = .nan } == name + "region.x")
        #expect(fault { $0.region.width = 0.9 } == name + "region.width")
        #expect(fault { $0.region.height = 0 } == name + "region.height")
        #expect(fault { $0.smoothing.minimumCutoff = 0 } == name + "smoothing.minimumCutoff")
        #expect(fault { $0.pressGap = 0 } == name + "pressGap")
        #expect(fault { $0.releaseGap = 0.2 } == name + "releaseGap")
        #expect(fault { $0.lostHandTime = .seconds(3) } == name + "lostHandTime")
        #expect(fault { $0.dragDistance = -1 } == name + "dragDistance")
        #expect(fault { $0.doubleClickTime = .seconds(-1) } == name + "doubleClickTime")
        #expect(fault { $0.screenAspect = .infinity } == name + "screenAspect")
    }
}
