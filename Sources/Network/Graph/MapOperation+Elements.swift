import ModelFile
import Platform

/// Operators that work on floats element by element or along a dimension: parts of heads over points, with a few
/// hundred elements each. Plain loops in the order of the elements.
extension MapOperation {
    static func arithmetic(
        _ arithmetic: NetworkGraph.Arithmetic, _ arena: UnsafeMutableRawPointer, _ a: MapPlace, _ b: MapPlace,
        _ out: MapPlace, _ repetition: GraphSteps.Repetition
    ) {
        switch arithmetic {
        case .subtract: unsafe eachPair(arena, a, b, out, repetition) { $0 - $1 }
        case .multiply: unsafe eachPair(arena, a, b, out, repetition) { $0 * $1 }
        case .divide: unsafe eachPair(arena, a, b, out, repetition) { $0 / $1 }
        case .maximum: unsafe eachPair(arena, a, b, out, repetition) { max($0, $1) }
        case .minimum: unsafe eachPair(arena, a, b, out, repetition) { min($0, $1) }
        }
    }

    @inline(__always)
    private static func eachPair(
        _ arena: UnsafeMutableRawPointer, _ a: MapPlace, _ b: MapPlace, _ out: MapPlace,
        _ repetition: GraphSteps.Repetition, _ value: (Float, Float) -> Float
    ) {
        if out.pixel > out.channels { unsafe clear(arena, out) }
        let (p, q, to) = unsafe (a.floats(arena, 0, 0), b.floats(arena, 0, 0), out.floats(arena, 0, 0))
        for row in 0..<out.height * out.width {
            let first = unsafe p + a.distance(to: row * a.channels)
            let second = unsafe q + b.distance(to: repetition.row(row) * b.channels)
            let result = unsafe to + out.distance(to: row * out.channels)
            for c in 0..<out.channels { unsafe result[c] = value(first[c], second[c * repetition.step]) }
        }
    }

    static func reduce(
        _ reduction: NetworkGraph.Reduction, _ arena: UnsafeMutableRawPointer, _ a: MapPlace, _ out: MapPlace,
        _ axis: GraphSteps.Axis
    ) {
        switch reduction {
        case .mean:
            let count = Float(axis.extent)
            unsafe eachRun(arena, a, out, axis, { $0 + $1 }, { $0 / count })
        case .maximum: unsafe eachRun(arena, a, out, axis, { max($0, $1) }, { $0 })
        case .minimum: unsafe eachRun(arena, a, out, axis, { min($0, $1) }, { $0 })
        }
    }

    /// Combines the elements along a dimension, in order.
    @inline(__always)
    private static func eachRun(
        _ arena: UnsafeMutableRawPointer, _ a: MapPlace, _ out: MapPlace, _ axis: GraphSteps.Axis,
        _ join: (Float, Float) -> Float, _ finish: (Float) -> Float
    ) {
        if out.pixel > out.channels { unsafe clear(arena, out) }
        let (p, to) = unsafe (a.floats(arena, 0, 0), out.floats(arena, 0, 0))
        for run in 0..<axis.outer {
            for index in 0..<axis.inner {
                let first = run * axis.extent * axis.inner + index
                var result = unsafe p[a.distance(to: first)]
                for place in 1..<max(1, axis.extent) {
                    result = unsafe join(result, p[a.distance(to: first + place * axis.inner)])
                }
                unsafe to[out.distance(to: run * axis.inner + index)] = finish(result)
            }
        }
    }

    static func gather(
        _ arena: UnsafeMutableRawPointer, _ a: MapPlace, _ out: MapPlace, _ axis: GraphSteps.Axis, _ indices: [Int]
    ) {
        if out.pixel > out.channels { unsafe clear(arena, out) }
        let (p, to) = unsafe (a.floats(arena, 0, 0), out.floats(arena, 0, 0))
        var element = 0
        for run in 0..<axis.outer {
            for index in indices {
                let first = (run * axis.extent + index) * axis.inner
                for place in 0..<axis.inner {
                    unsafe to[out.distance(to: element)] = p[a.distance(to: first + place)]
                    element += 1
                }
            }
        }
    }

    /// Exponentials of `count` floats over their sum. The largest float is subtracted from all, so that none overflows.
    static func softmax(_ from: UnsafePointer<Float>, _ to: UnsafeMutablePointer<Float>, count: Int) {
        var largest = -Float.infinity
        for c in 0..<count { largest = unsafe max(largest, from[c]) }
        var sum: Float = 0
        for c in 0..<count {
            unsafe to[c] = Math.exponential(from[c] - largest)
            unsafe sum += to[c]
        }
        for c in 0..<count { unsafe to[c] /= sum }
    }
}

extension MapPlace {
    /// Elements from the first element to the one with this row-major index.
    @inline(__always)
    fileprivate func distance(to element: Int) -> Int {
        guard !isDense else { return element }
        let index = element / channels
        return index / width * rowStride + index % width * pixel + element % channels
    }
}
