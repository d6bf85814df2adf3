/// How well methods point and press in labelled recordings. Property names are the JSON keys.
package struct PointerReport: Codable, Sendable, Equatable {
    /// Recordings, and labelled pinches in them.
    package let recordings: Int
    package let pinches: Int
    package let methods: [PointerMeasures]
    package let left_out: PointerLeftOut

    package init(methods: [PointerMeasures], left_out: PointerLeftOut, recordings: [PointerRecording]) {
        self.recordings = recordings.count
        pinches = recordings.reduce(0) { $0 + $1.labels.pinches.count }
        (self.methods, self.left_out) = (methods, left_out)
    }
}

/// The measures of one method over recordings.
package struct PointerMeasures: Codable, Sendable, Equatable {
    /// Of several recordings or times.
    package struct Spread: Codable, Sendable, Equatable {
        package let median: Double
        package let maximum: Double

        /// Nil without values.
        init?(_ values: [Double]) {
            guard let median = percentile(50, ascending: values.sorted()), let most = values.max() else { return nil }
            (self.median, maximum) = (median, most)
        }
    }

    package struct Presses: Codable, Sendable, Equatable {
        /// Labelled pinches with a press.
        package let found: Int
        /// Those whose press and release are both within 100 ms of the label.
        package let in_time: Int
        /// Other presses.
        package let made_up: Int
        /// The way of the position in the 150 ms before a press that was found.
        package let shift_px: Spread?
    }

    package let method: String
    /// The deviation of a hand held still from a parabola in time, root mean square.
    package let jitter_px: Spread?
    package let lag_ms: Spread?
    /// Nil for a method that does not press.
    package let presses: Presses?
    /// The time of a frame, the median of the recordings.
    package let cost_us: Double

    /// The width of the screen, in pixels.
    package static let width: Float = 1920

    /// - samples: of each recording.
    /// - costs: of a frame of each recording, in microseconds.
    package init(
        _ method: PointerMethod, _ recordings: [PointerRecording], _ samples: [[PointerSample]], costs: [Double]
    ) {
        self.method = method.name
        var (jitters, lags, shifts): ([Double], [Double], [Double]) = ([], [], [])
        var (found, inTime, madeUp) = (0, 0, 0)
        for (recording, samples) in zip(recordings, samples) {
            let scale = SIMD2(Self.width, Self.width * recording.aspect)
            jitters += recording.labels.still.map { Self.jitter(samples, $0, scale) }
            if let lag = Self.lag(samples) { lags.append(lag) }
            let matched = PressMatch(samples, recording.labels.pinches)
            found += matched.found.count
            inTime += matched.found.filter(\.isInTime).count
            madeUp += matched.madeUp
            shifts += matched.found.compactMap { Self.shift(samples, at: $0.press.lowerBound, scale) }
        }
        jitter_px = Spread(jitters)
        lag_ms = Spread(lags)
        cost_us = percentile(50, ascending: costs.sorted()) ?? 0
        presses =
            method.presses ? Presses(found: found, in_time: inTime, made_up: madeUp, shift_px: Spread(shifts)) : nil
    }

    private static func jitter(
        _ samples: [PointerSample], _ range: ClosedRange<Double>, _ scale: SIMD2<Float>
    ) -> Double {
        let points = samples.compactMap { sample in
            sample.position.flatMap { range.contains(sample.time) ? (sample.time - range.lowerBound, $0 * scale) : nil }
        }
        let times = points.map(\.0)
        let squares = [points.map { Double($0.1.x) }, points.map { Double($0.1.y) }].map { residual(times, $0) }
        return (squares.reduce(0, +) / Double(max(points.count, 1))).squareRoot()
    }

    /// The sum of squares that remains after orthogonal polynomials of degrees 0 to 2 are taken away.
    private static func residual(_ times: [Double], _ values: [Double]) -> Double {
        func dot(_ a: [Double], _ b: [Double]) -> Double { zip(a, b).map(*).reduce(0, +) }
        var basis: [[Double]] = []
        var rest = values
        for degree in 0...2 {
            var next = times.map { time in (0..<degree).reduce(1.0) { power, _ in power * time } }
            for other in basis {
                let share = dot(next, other) / max(dot(other, other), 1e-12)
                next = zip(next, other).map { $0 - share * $1 }
            }
            basis.append(next)
            let share = dot(rest, next) / max(dot(next, next), 1e-12)
            rest = zip(rest, next).map { $0 - share * $1 }
        }
        return dot(rest, rest)
    }

    /// The delay in milliseconds that explains the difference of position and target best, where the target moves by more than a
    /// quarter of a screen a second; nil with fewer than five such frames.
    private static func lag(_ samples: [PointerSample]) -> Double? {
        var (sum, squares, count) = (0.0, 0.0, 0)
        for index in samples.indices.dropFirst().dropLast() {
            guard let position = samples[index].position, let target = samples[index].target,
                let before = samples[index - 1].target, let after = samples[index + 1].target
            else { continue }
            let speed = (after - before) / Float(samples[index + 1].time - samples[index - 1].time)
            let square = (speed * speed).sum()
            // Faster ones are another hand. A position at the edge of the screen cannot follow.
            guard square > 0.25 * 0.25, square < 36, position.min() > 0, position.max() < 1 else { continue }
            sum += Double(((target - position) * speed).sum())
            squares += Double(square)
            count += 1
        }
        return count < 5 ? nil : 1000 * sum / squares
    }

    /// The way of the position in the 150 ms before a time.
    private static func shift(_ samples: [PointerSample], at time: Double, _ scale: SIMD2<Float>) -> Double? {
        guard let press = samples.first(where: { $0.time >= time })?.position,
            let before = samples.last(where: { $0.time <= time - 0.15 && $0.position != nil })?.position
        else { return nil }
        let way = (press - before) * scale
        return Double((way * way).sum().squareRoot())
    }
}
