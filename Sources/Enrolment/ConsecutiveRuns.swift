/// Finds values that last long enough for an event, over consecutive slots.
package enum ConsecutiveRuns {
    /// The highest value that `count` consecutive values reach; with fewer values their lowest, with none -infinity.
    package static func best(_ values: some Collection<Double>, count: Int) -> Double {
        let values = Array(values)
        guard values.count > count else { return values.min() ?? -.infinity }
        return (0...values.count - count).map { start in
            values[start..<start + count].min() ?? -.infinity
        }.max() ?? -.infinity
    }

    /// Number of separate runs of at least `count` true values.
    package static func runs(_ values: some Sequence<Bool>, count: Int) -> Int {
        var length = 0
        var runs = 0
        for value in values {
            length = value ? length + 1 : 0
            if length == count { runs += 1 }
        }
        return runs
    }
}
