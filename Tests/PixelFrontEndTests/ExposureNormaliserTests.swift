import Foundation
import Frames
import PixelFrontEnd
import Testing
import Vocabulary

/// Drawn to one level wherever the picture is.
private let level = ExposureConfiguration(targetMean: 100...100)

/// A normaliser and what it did.
private struct Run {
    var normaliser: ExposureNormaliser
    var maps: [ToneMap] = []

    init(_ configuration: ExposureConfiguration) throws {
        normaliser = try ExposureNormaliser(configuration)
    }

    @discardableResult
    mutating func step(_ frame: [UInt8], at time: Int64) -> ToneMap {
        maps.append(normaliser.step(frame.measures, at: time))
        return maps[maps.count - 1]
    }
}

/// A picture whose mean is 100 codes.
private func scene(_ seed: UInt64) -> LumaPicture {
    let picture = LumaPicture.leaves(seed: seed, codes: 20...180)
    let factor = 100 / picture.mean
    return picture.map { $0 * factor }
}

@Suite struct ExposureNormaliserTests {
    /// Exposure rises from 0.4 to 1.6 within three seconds.
    @Test(arguments: [30, 60, 120]) func aRampOfExposureIsHeld(rate: Int) throws {
        let scene = scene(1)
        var run = try Run(level)
        var (mapped, raw): ([Double], [Double]) = ([], [])
        for n in 0...(3 * rate) {
            let gain = 0.4 + 1.2 * Double(n) / Double(3 * rate)
            let frame = scene.map { $0 * gain }.noisy(2, seed: UInt64(n)).bytes
            let map = run.step(frame, at: nanoseconds(n, rate: rate))
            raw.append(frame.meanCode)
            mapped.append(frame.mapped(map).meanCode)
        }
        // At first the gain is at its limit of 2, which leaves 80 of 100.
        #expect(mapped.allSatisfy { (78...125).contains($0) }, "\(mapped.min() ?? 0)...\(mapped.max() ?? 0)")
        #expect(raw[0] < 45 && raw[3 * rate] > 145)
        // Flicker: no frame differs from the next by more than the ramp and one step of the gain.
        let steps = zip(mapped, mapped.dropFirst()).map { abs($0 - $1) }
        let ramps = zip(raw, raw.dropFirst()).map { abs($0 - $1) }
        #expect(
            zip(steps, ramps).allSatisfy { $0 <= 2.2 * $1 + 1.2 },
            "\(zip(steps, ramps).map { $0 - 2.2 * $1 }.max() ?? 0)")
        #expect(run.normaliser.cuts == 0)
    }

    /// The same drift, sampled at other rates, ends in the same gains.
    @Test func timeCountsNotFrames() throws {
        let scene = scene(2)
        let gains = try [24, 30, 60, 120].map { rate in
            var run = try Run(level)
            var marks: [Double] = []
            for n in 0...(5 * rate) {
                let seconds = Double(n) / Double(rate)
                let frame = scene.map { $0 * (1 + 0.35 * sin(seconds)) }.bytes
                let map = run.step(frame, at: nanoseconds(n, rate: rate))
                if n > 0, n % rate == 0 { marks.append(Double(map.gain)) }
            }
            return marks
        }
        for mark in 0..<5 {
            let values = gains.map { $0[mark] }
            #expect(try #require(values.max()) - (try #require(values.min())) <= 3, "after \(mark + 1) s: \(values)")
        }
    }

    @Test(arguments: [0, 1, 2, 8, 30, 60, 99, 126, 200, 254, 255])
    func aConstantPictureHasAConstantMap(code: UInt8) throws {
        for configuration in [
            ExposureConfiguration(), level, ExposureConfiguration(targetContrast: 36),
        ] {
            var run = try Run(configuration)
            for n in 0..<600 { run.step(plain(code), at: nanoseconds(n, rate: 60)) }
            #expect(run.maps.allSatisfy { $0 == run.maps[0] }, "code \(code)")
        }
    }

    /// Noise of its own in each frame, and the beat of mains light with the camera.
    @Test(arguments: [0.0, 0.1]) func noiseAndMainsDoNotReachTheMap(mains: Double) throws {
        let scene = scene(3).map { $0 * 0.7 }
        var run = try Run(level)
        for n in 0..<720 {
            let phase: Double = 2 * .pi * 20 * Double(n) / 120
            let gain: Double = 1 + mains * sin(phase)
            run.step(scene.map { $0 * gain }.noisy(4, seed: UInt64(n)).bytes, at: nanoseconds(n, rate: 120))
        }
        let settled = run.maps[360...]
        #expect(settled.allSatisfy { $0 == settled[360] }, "\(Set(settled.map(\.gain)))")
        let gain = Double(settled[360].gain) / 128
        #expect(abs(gain - 1 / 0.7) < 0.06)
    }

    /// The map changes with the light, in the same frame, and the picture goes on.
    @Test(arguments: [0.55, 1.5]) func aSwitchedLight(factor: Double) throws {
        let scene = scene(4)
        var run = try Run(level)
        var means: [Double] = []
        for n in 0..<600 {
            let frame = scene.map { $0 * (n < 400 ? 1 : factor) }.bytes
            means.append(frame.mapped(run.step(frame, at: nanoseconds(n, rate: 120))).meanCode)
        }
        #expect(run.normaliser.cuts == 1)
        #expect(means.allSatisfy { (94...104).contains($0) }, "\(means.min() ?? 0)...\(means.max() ?? 0)")
        #expect(run.maps[399] != run.maps[400] && run.maps[400...].allSatisfy { $0 == run.maps[400] })
    }

    /// A lamp that takes 60 ms to glow.
    @Test func aSlowLamp() throws {
        let scene = scene(5)
        var run = try Run(level)
        var means: [Double] = []
        for n in 0..<480 {
            let glow = min(max(Double(n - 360) / 7, 0), 1)
            let frame = scene.map { $0 * (0.55 + 0.65 * glow) }.bytes
            means.append(frame.mapped(run.step(frame, at: nanoseconds(n, rate: 120))).meanCode)
        }
        #expect(run.normaliser.cuts >= 1)
        #expect(means[380...].allSatisfy { (80...125).contains($0) }, "\(means[380...].max() ?? 0)")
    }

    /// A large bright hand sweeps over half of the frame within a fifth of a second and is gone.
    @Test func aHandIsNoChangeOfLight() throws {
        let scene = scene(6)
        var run = try Run(level)
        for n in 0..<480 {
            let edge = n < 360 ? 0 : max(0, 112 - abs(n - 372) * 9)
            var frame = scene
            for y in 0..<224 {
                for x in 0..<edge { frame.codes[y * 224 + x] = 210 }
            }
            run.step(frame.bytes, at: nanoseconds(n, rate: 120))
        }
        #expect(run.normaliser.cuts == 0)
        let before = Double(run.maps[359].gain)
        #expect(run.maps[360...].allSatisfy { abs(Double($0.gain) / before - 1) < 0.1 })
    }

    /// While locked, the gain moves no faster than the limit, and reaches its target.
    @Test func theRateIsLimited() throws {
        let scene = scene(7)
        var run = try Run(ExposureConfiguration(targetMean: 100...100, maximumRate: 0.25))
        for n in 0..<600 {
            run.step(scene.map { $0 * (n < 300 ? 1 : 0.83) }.bytes, at: nanoseconds(n, rate: 60))
        }
        #expect(run.normaliser.cuts == 0)
        let gains = run.maps.map { Double($0.gain) / 128 }
        for n in 300..<600 {
            let limit = exp(0.25 * Double(n - 299) / 60)
            #expect(gains[n] / gains[299] <= limit + 1.0 / 128, "frame \(n)")
        }
        #expect(abs(gains[599] * 0.83 - 1) < 0.03 && gains[599] == gains[570])
    }

    /// In the first two seconds it may move at any rate, as the camera's own exposure does.
    @Test func theFirstSecondsAreFast() throws {
        let scene = scene(13)
        for (start, isFast) in [(60, true), (240, false)] {
            var run = try Run(ExposureConfiguration(targetMean: 100...100, maximumRate: 0.1))
            for n in 0..<(start + 25) {
                run.step(scene.map { $0 * (n < start ? 1 : 0.82) }.bytes, at: nanoseconds(n, rate: 60))
            }
            let reached = try #require(run.maps.last).gain
            #expect(run.normaliser.cuts == 0 && (reached > 150) == isFast, "\(reached)")
        }
    }

    /// Two frames in turn, with means 0.02 luma values apart, so that some lie between two steps of the gain.
    @Test func roundingDoesNotToggle() throws {
        for base in 0..<100 {
            let measures = [-0.3, 0.3].map { swing in
                let mean = 80 + 0.02 * Double(base) + swing
                // As many pixels of each sixteen by sixteen are a code brighter as the fraction asks for.
                let bright = Int((256 * (mean - 79)).rounded())
                return LumaPicture { x, y in (x % 16 + y % 16 * 16) * 89 % 256 * 4 < bright ? 83 : 79 }.bytes.measures
            }
            var run = try Run(level)
            for n in 0..<200 {
                run.maps.append(run.normaliser.step(measures[n % 2], at: nanoseconds(n, rate: 10)))
            }
            #expect(
                run.maps[100...].allSatisfy { $0 == run.maps[100] }, "\(base): \(Set(run.maps[100...].map(\.gain)))")
        }
    }

    @Test func whatLiesWithinTheTargetIsLeftAlone() throws {
        var run = try Run(ExposureConfiguration(targetMean: 80...120))
        for n in 0..<300 {
            let frame = scene(8).map { $0 * (1 + 0.15 * sin(Double(n) / 40)) }.bytes
            #expect(run.step(frame, at: nanoseconds(n, rate: 60)).isIdentity)
        }
    }

    /// Flare lifts black and takes contrast; gain and offset give both back.
    @Test func contrastAndOffset() throws {
        let scene = scene(9)
        var run = try Run(ExposureConfiguration(targetMean: 100...100, targetContrast: 36, gainRange: 0.5...2))
        let frame = scene.map { $0 * 0.7 + 40 }.bytes
        let map = run.step(frame, at: 0)
        let after = frame.mapped(map).measures
        #expect(map.gain > 128 && map.offset < 0)
        #expect(abs(after.mean - 100) < 2)
        let reached = frame.measures.deviation * Double(map.gain) / 128
        #expect(abs(after.deviation - reached) < 1.5 && abs(reached - 36) < 1)
    }

    @Test func blackAndWhiteAndBack() throws {
        for configuration in [
            level, ExposureConfiguration(targetContrast: 127, gainRange: 0.25...2, offsetLimit: 128, maximumRate: 100),
        ] {
            var run = try Run(configuration)
            var random = SplitMix64(seed: 3)
            for n in 0..<400 {
                let code: UInt8 = [0, 255, 1, 254, 128][Int(random.next() % 5)]
                run.step(plain(code), at: nanoseconds(n, rate: 30))
            }
            #expect(run.maps.allSatisfy { (1...256).contains($0.gain) && (-128...128).contains($0.offset) })
            let fresh = scene(10).bytes
            for n in 400..<700 { run.step(fresh, at: nanoseconds(n, rate: 30)) }
            var other = try Run(configuration)
            other.step(fresh, at: 0)
            #expect(abs(Int(run.maps[699].gain) - Int(other.maps[0].gain)) <= 5)
        }
    }

    @Test func timesOfEveryKind() throws {
        var run = try Run(level)
        let frames = [scene(11).map { $0 * 0.6 }.bytes, scene(11).map { $0 * 0.7 }.bytes]
        for (n, time) in [0, Int64.max, .min, .min + 1, -5, 7, 7, 6, .max - 1, .max, 0, .min].enumerated() {
            run.step(frames[n % 2], at: time)
        }
        #expect(run.maps.allSatisfy { (150...220).contains($0.gain) }, "\(run.maps.map(\.gain))")
    }

    @Test func resetForgets() throws {
        var run = try Run(level)
        var fresh = try Run(level)
        for n in 0..<200 { run.step(scene(12).map { $0 * 0.5 }.bytes, at: nanoseconds(n, rate: 60)) }
        run.normaliser.reset()
        #expect(run.normaliser.map.isIdentity)
        for n in 0..<100 {
            let frame = scene(12).map { $0 * (1 + Double(n) / 200) }.bytes
            let (a, b) = (
                run.step(frame, at: nanoseconds(n, rate: 60)), fresh.step(frame, at: nanoseconds(n, rate: 60))
            )
            #expect(a == b, "frame \(n)")
        }
    }

    @Test func defaultsAreWhatIsDocumented() throws {
        let defaults = ExposureConfiguration()
        try defaults.validate()
        #expect(defaults.exposureLockDuration == .seconds(2) && defaults.gainRange == 0.5...2)
        #expect(defaults.targetMean == 60...125 && defaults.targetContrast == nil)
    }

    @Test func faultsAreNamed() {
        func fault(_ change: (inout ExposureConfiguration) -> Void) -> ConfigurationError? {
            var configuration = ExposureConfiguration()
            change(&configuration)
            do {
                _ = try ExposureNormaliser(configuration)
                return nil
            } catch { return error }
        }
        #expect(
            fault { $0.targetMean = 0...100 }
                == ConfigurationError("ExposureConfiguration.targetMean", 0.0, allowed: 1...254))
        #expect(
            fault { $0.targetMean = 100...255 }
                == ConfigurationError("ExposureConfiguration.targetMean", 255.0, allowed: 1...254))
        #expect(
            fault { $0.targetContrast = 128 }
                == ConfigurationError("ExposureConfiguration.targetContrast", 128.0, allowed: 1...127))
        #expect(
            fault { $0.gainRange = 0.2...1 }
                == ConfigurationError("ExposureConfiguration.gainRange", 0.2, allowed: 0.25...2))
        #expect(
            fault { $0.gainRange = 1...2.5 }
                == ConfigurationError("ExposureConfiguration.gainRange", 2.5, allowed: 0.25...2))
        #expect(
            fault { $0.offsetLimit = -1 }
                == ConfigurationError("ExposureConfiguration.offsetLimit", -1.0, allowed: 0...128))
        #expect(
            fault { $0.settlingTime = .seconds(-1) }
                == ConfigurationError(
                    "ExposureConfiguration.settlingTime", Duration.seconds(-1), mustBe: "from 0 to 1 hour"))
        #expect(
            fault { $0.maximumRate = .infinity }
                == ConfigurationError("ExposureConfiguration.maximumRate", Double.infinity, allowed: 0...100))
        #expect(
            fault { $0.exposureLockDuration = .seconds(3601) }
                == ConfigurationError(
                    "ExposureConfiguration.exposureLockDuration", Duration.seconds(3601), mustBe: "from 0 to 1 hour"
                ))
        #expect(
            fault { $0.deadband = 0 } == ConfigurationError("ExposureConfiguration.deadband", 0, allowed: 0.005...1))
        #expect(
            fault { $0.deadband = .nan }
                == ConfigurationError("ExposureConfiguration.deadband", Double.nan, allowed: 0.005...1))
        #expect(fault { $0.settlingTime = .zero } == nil)
    }
}
