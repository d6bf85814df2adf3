import Frames
import Testing
import Vocabulary

/// Feeds a monitor and tells at which times, in milliseconds, a flag changed.
private struct Watch {
    var monitor: QualityMonitor
    let rate: Int
    var n = 0
    var changes: [(milliseconds: Int, flags: QualityFlags)] = []

    init(_ configuration: QualityConfiguration = QualityConfiguration(), rate: Int = 120) throws {
        monitor = try QualityMonitor(configuration)
        self.rate = rate
    }

    /// Shows frames for a time, one after the other and again from the first.
    mutating func show(_ frames: [[UInt8]], milliseconds: Int, subjectHeight: Double? = nil) {
        let measures = frames.map(\.measures)
        for _ in 0..<(milliseconds * rate / 1000) {
            let frame = n % frames.count
            let pixels = frames[frame]
            let gradients = pixels.gradients(n)
            let before = monitor.flags
            let flags = monitor.step(
                measures[frame], gradients: gradients, subjectHeight: subjectHeight, at: nanoseconds(n, rate: rate))
            if flags != before { changes.append((Int(nanoseconds(n, rate: rate) / 1_000_000), flags)) }
            n += 1
        }
    }
}

private let good = LumaPicture.leaves(seed: 1, codes: 30...200).noisy(2, seed: 4)

@Suite struct QualityMonitorTests {
    @Test(arguments: [30, 60, 120]) func darknessIsFlaggedAfterAWhile(rate: Int) throws {
        let never = QualityConfiguration.Threshold(set: 255, clear: 255)
        var watch = try Watch(QualityConfiguration(exposureDrift: never), rate: rate)
        let dark = [1, 2, 3].map { seed in good.map { $0 * 0.15 }.noisy(3, seed: seed).bytes }
        watch.show([good.bytes], milliseconds: 1000)
        watch.show(dark, milliseconds: 1000)
        watch.show([good.bytes], milliseconds: 1000)
        let frame = 1000 / rate + 1
        try #require(watch.changes.map(\.flags) == [.lowLight, []])
        #expect((1250...(1250 + frame)).contains(watch.changes[0].milliseconds), "\(watch.changes)")
        #expect((2500...(2500 + frame)).contains(watch.changes[1].milliseconds), "\(watch.changes)")
    }

    /// What an app can set leaves the rest as it is.
    @Test func theLockAloneIsChosen() {
        let usual = QualityConfiguration(onset: .milliseconds(250))
        #expect(QualityConfiguration() == usual)
        var locked = usual
        locked.exposureLockDuration = .seconds(5)
        #expect(QualityConfiguration(exposureLockDuration: .seconds(5)) == locked)
    }

    @Test func lightAndDarknessInTurnChangeNothing() throws {
        var watch = try Watch()
        let dark = good.map { $0 * 0.15 }.bytes
        for _ in 0..<10 {
            watch.show([dark], milliseconds: 200)
            watch.show([good.bytes], milliseconds: 100)
        }
        #expect(watch.changes.isEmpty)
    }

    /// Between the thresholds a flag stays as it is, set or not.
    @Test func betweenTheThresholdsNothingChanges() throws {
        let (below, between, above) = (plain(49), plain(55), plain(61))
        var watch = try Watch()
        watch.show([between], milliseconds: 1000)
        #expect(watch.changes.isEmpty)
        watch.show([below], milliseconds: 400)
        watch.show([between], milliseconds: 5000)
        #expect(watch.changes.map(\.flags) == [.lowLight])
        watch.show([above], milliseconds: 490)
        #expect(watch.changes.count == 1)
        watch.show([above], milliseconds: 50)
        #expect(watch.changes.map(\.flags) == [.lowLight, []])
    }

    @Test func aLitHandBeforeBlackIsNotDark() throws {
        let scene = LumaPicture { x, y in (80..<150).contains(x) && (60..<170).contains(y) ? 150 : 6 }
        var watch = try Watch()
        watch.show([scene.bytes], milliseconds: 1000)
        #expect(watch.changes.isEmpty)
    }

    @Test func clippedWhiteIsFlagged() throws {
        for (rows, isFlagged) in [(20, false), (30, false), (40, true), (224, true)] {
            var watch = try Watch()
            let frame = LumaPicture { x, y in y < rows ? 253 : good.codes[y * 224 + x] }
            watch.show([frame.bytes], milliseconds: 1000)
            #expect(watch.monitor.flags.contains(.overexposed) == isFlagged, "\(rows) rows")
        }
    }

    @Test(arguments: [0.0, 4, 8]) func blurIsFlagged(noise: Double) throws {
        for (sigma, isFlagged) in [(0.0, false), (0.7, false), (1.3, false), (3, true), (4, true)] {
            for seed: UInt64 in 1...3 {
                let picture = LumaPicture.leaves(seed: seed, codes: 30...200).blurred(sigma)
                let frames = (0..<3).map { picture.noisy(noise, seed: 10 * seed + $0).bytes }
                for rate in [30, 120] {
                    var watch = try Watch(rate: rate)
                    watch.show(frames, milliseconds: 2000)
                    let flags: QualityFlags = isFlagged ? .blurred : []
                    #expect(watch.monitor.flags == flags, "sigma \(sigma), seed \(seed), \(rate) Hz")
                    #expect(watch.changes.count == (isFlagged ? 1 : 0), "sigma \(sigma), seed \(seed), \(rate) Hz")
                }
            }
        }
    }

    @Test func focusComesBack() throws {
        var watch = try Watch()
        watch.show([good.bytes], milliseconds: 500)
        watch.show([good.blurred(4).bytes], milliseconds: 2000)
        watch.show([good.bytes], milliseconds: 2000)
        #expect(watch.changes.map(\.flags) == [.blurred, []])
    }

    @Test func subjectsBelowAThirdOfTheHeightAreTooSmall() throws {
        for (height, isFlagged) in [
            (Double?.none, false), (.nan, false), (1.0 / 3, false), (0.3333, true), (0, true), (-1, true),
            (-.infinity, true), (.infinity, false), (1, false),
        ] {
            var watch = try Watch()
            watch.show([good.bytes], milliseconds: 400, subjectHeight: height)
            #expect(watch.monitor.flags == (isFlagged ? .subjectTooSmall : []), "\(String(describing: height))")
        }
        var watch = try Watch()
        watch.show([good.bytes], milliseconds: 400, subjectHeight: 0.2)
        watch.show([good.bytes], milliseconds: 2000, subjectHeight: 0.35)
        #expect(watch.monitor.flags == .subjectTooSmall)
        watch.show([good.bytes], milliseconds: 20)
        #expect(watch.monitor.flags == [])
        watch.show([good.bytes], milliseconds: 200, subjectHeight: 0.2)
        #expect(watch.monitor.flags == [])
    }

    /// The mean of the first two seconds is the measure.
    @Test(arguments: [0.55, 1.7]) func driftIsFlagged(factor: Double) throws {
        let picture = good.map { $0 * 0.75 }
        for change in [1, 1.2, 0.8, factor] {
            var watch = try Watch()
            watch.show([picture.bytes], milliseconds: 2200)
            watch.show([picture.map { $0 * change }.bytes], milliseconds: 2000)
            #expect(watch.monitor.flags == (change == factor ? .exposureDrift : []), "times \(change)")
            watch.show([picture.bytes], milliseconds: 2000)
            #expect(watch.monitor.flags == [] && watch.changes.count == (change == factor ? 2 : 0), "times \(change)")
        }
        // Within the first two seconds nothing drifts: that is when the camera finds its exposure.
        var watch = try Watch()
        watch.show([picture.map { $0 * factor }.bytes], milliseconds: 300)
        watch.show([picture.bytes], milliseconds: 4000)
        #expect(watch.changes.isEmpty)
    }

    @Test func timesOfEveryKind() throws {
        var monitor = try QualityMonitor(QualityConfiguration())
        let measures = plain(0).measures
        for time in [Int64.max, .min, 0, -1, .min, .max, 5, 5, 4, .max] {
            _ = monitor.step(measures, gradients: nil, subjectHeight: nil, at: time)
        }
        #expect(monitor.flags == .lowLight && monitor.sharpness == nil)
        monitor.reset()
        #expect(monitor.flags == [])
        for n in 0..<30 {
            _ = monitor.step(measures, gradients: nil, subjectHeight: nil, at: nanoseconds(n, rate: 120))
        }
        #expect(monitor.flags == [])
    }

    @Test func faultsAreNamed() throws {
        func fault(_ change: (inout QualityConfiguration) -> Void) -> ConfigurationError? {
            var configuration = QualityConfiguration()
            change(&configuration)
            do {
                _ = try QualityMonitor(configuration)
                return nil
            } catch { return error }
        }
        #expect(QualityConfiguration().exposureLockDuration == .seconds(2))
        #expect(fault { _ in } == nil)
        #expect(
            fault { $0.lowLight = QualityConfiguration.Threshold(set: 60, clear: 50) }
                == ConfigurationError("QualityConfiguration.lowLight.set", 60.0, mustBe: "at most clear, which is 50.0")
        )
        #expect(
            fault { $0.overexposed = QualityConfiguration.Threshold(set: 0.1, clear: 0.2) }
                == ConfigurationError(
                    "QualityConfiguration.overexposed.set", 0.1, mustBe: "at least clear, which is 0.2"))
        #expect(
            fault { $0.subjectTooSmall.clear = 1.5 }
                == ConfigurationError("QualityConfiguration.subjectTooSmall.clear", 1.5, allowed: 0...1))
        #expect(
            fault { $0.exposureDrift.clear = 0.9 }
                == ConfigurationError("QualityConfiguration.exposureDrift.clear", 0.9, allowed: 1...255))
        #expect(
            fault { $0.onset = .seconds(-2) }
                == ConfigurationError(
                    "QualityConfiguration.onset", Duration.seconds(-2), mustBe: "from 0 to 1 hour"))
        #expect(
            fault { $0.release = .seconds(4000) }
                == ConfigurationError(
                    "QualityConfiguration.release", Duration.seconds(4000), mustBe: "from 0 to 1 hour"))
        #expect(fault { $0.blurred.set = .nan } != nil)
        #expect(fault { $0.onset = .zero } == nil)
    }
}
