import Platform

/// Functions of log-odds without overflow at either end.
enum Logistic {
    /// 1 / (1 + e^-t).
    static func probability(_ logOdds: Double) -> Double {
        let power = Math.exponential(-abs(logOdds))
        return logOdds >= 0 ? 1 / (1 + power) : power / (1 + power)
    }

    /// ln(p / (1 - p)); infinite at 0 and 1.
    static func logOdds(_ probability: Double) -> Double {
        Math.logarithm(probability) - Math.logarithmOfOnePlus(-probability)
    }

    /// ln p; -infinity at 0.
    static func logProbability(_ probability: Double) -> Double { Math.logarithm(probability) }

    /// ln(1 + e^t): the loss of a sample whose log-odds of being wrong are t.
    static func softplus(_ t: Double) -> Double {
        max(t, 0) + Math.logarithmOfOnePlus(Math.exponential(-abs(t)))
    }

    /// ln of the sum of e^v. Requires at least one finite value.
    static func logSumExp(_ values: some Sequence<Double>) -> Double {
        let highest = values.reduce(-Double.infinity, max)
        return highest + Math.logarithm(values.reduce(0) { $0 + Math.exponential($1 - highest) })
    }
}
