import Platform

/// The columns of a fit, with their sources and weights.
struct EnrolmentSamples {
    /// Where a column comes from.
    enum Source: Hashable {
        /// The gesture, and below it the rest, of the example with this index.
        case gesture(Int)
        case rest(Int)
        /// The background recording with this index.
        case background(Int)
        /// The bank's columns of this class.
        case bank(Int)
        /// The user's earlier gesture with this index.
        case user(Int)
    }

    let base: EnrolmentBase
    private(set) var columns: [Double] = []
    private(set) var offsets: [Double] = []
    /// The natural logarithm of null's probability by the model alone: the most that a gesture of the user's can have.
    private(set) var ceilings: [Double] = []
    /// Null's logit less the log-sum-exp of null's and those of the user's earlier gestures, which share with it.
    private(set) var rivals: [Double] = []
    private(set) var sources: [Source] = []
    /// Whether a column belongs to the second half of its source, where halves are held out.
    private(set) var isSecondHalf: [Bool] = []
    private let users: [UserGestures.Gesture]
    private let backgroundWeight: Double

    /// Slots beside a gesture that count neither as gesture nor as rest.
    static let guardSlots = 5

    init(base: EnrolmentBase, users: [UserGestures.Gesture], backgroundWeight: Double) {
        self.base = base
        self.users = users
        self.backgroundWeight = backgroundWeight
    }

    // MARK: Filling

    mutating func add(example: GestureRecording, index: Int, gesture: Range<Int>) {
        for slot in 0..<example.slotCount {
            if gesture.contains(slot) {
                add(example.column(slot), example.scores(slot), .gesture(index), isSecondHalf: false)
            } else if slot < gesture.lowerBound - Self.guardSlots || slot >= gesture.upperBound + Self.guardSlots {
                add(example.column(slot), example.scores(slot), .rest(index), isSecondHalf: false)
            }
        }
    }

    mutating func add(background: GestureRecording, index: Int) {
        for slot in 0..<background.slotCount {
            add(
                background.column(slot), background.scores(slot), .background(index),
                isSecondHalf: 2 * slot >= background.slotCount)
        }
    }

    mutating func add(_ bank: FeatureBank) {
        var counts = [Int](repeating: 0, count: base.classCount)
        for index in bank.classes { counts[Int(index)] += 1 }
        var seen = [Int](repeating: 0, count: base.classCount)
        for index in 0..<bank.columnCount {
            let classIndex = Int(bank.classes[index])
            // Neighbours may be of one moment, so the halves are those of the order.
            add(
                bank.column(index)[...], bank.scores(index), .bank(classIndex),
                isSecondHalf: 2 * seen[classIndex] >= counts[classIndex])
            seen[classIndex] += 1
        }
    }

    mutating func addUsers() {
        for (index, user) in users.enumerated() {
            let columns = QuantisedFeatures.dequantise(user.exemplars, scale: UserGestures.Gesture.exemplarScale)
            for exemplar in 0..<UserGestures.Gesture.exemplarCount {
                add(
                    columns[exemplar * base.featureCount..<(exemplar + 1) * base.featureCount],
                    user.exemplarLogits[exemplar * base.classCount..<(exemplar + 1) * base.classCount], .user(index),
                    isSecondHalf: exemplar % 2 == 1)
            }
        }
    }

    private mutating func add(
        _ column: ArraySlice<Float>, _ logits: ArraySlice<Float>, _ source: Source, isSecondHalf half: Bool
    ) {
        columns += column.lazy.map(Double.init)
        let all = Self.allLogits(column, logits, base, users)
        let null = all[base.nullIndex]
        offsets.append(null - Logistic.logSumExp(all))
        ceilings.append(null - Logistic.logSumExp(all.prefix(base.classCount)))
        rivals.append(null - Logistic.logSumExp([null] + all.dropFirst(base.classCount)))
        sources.append(source)
        isSecondHalf.append(half)
    }

    /// The model's logits, followed by those of the user's earlier gestures.
    static func allLogits(
        _ column: ArraySlice<Float>, _ logits: ArraySlice<Float>, _ base: EnrolmentBase, _ users: [UserGestures.Gesture]
    ) -> [Double] {
        let null = Double(logits[logits.startIndex + base.nullIndex])
        return logits.map(Double.init) + users.map { null + $0.score(column) }
    }

    // MARK: Using

    /// Log-odds of the gesture in a stream, where it takes from null's probability alone.
    /// - logOdds: of a column by the fit, which has it compete with all classes.
    func streamed(_ logOdds: Double, ofColumn index: Int) -> Double {
        let share = logOdds - offsets[index] + rivals[index]
        // ln of the ceiling times the share.
        let logP = ceilings[index] - Logistic.softplus(-share)
        return logP - Math.logarithmOfOnePlus(-Math.exponential(min(logP, -1e-12)))
    }

    var problem: RowProblem {
        RowProblem(
            columns: columns, featureCount: base.featureCount, offsets: offsets,
            targets: sources.map { $0.isGesture })
    }

    /// Number of slots without a gesture: rest, background and the bank's null.
    var backgroundCount: Int {
        sources.count { isNull($0) }
    }

    var metric: FeatureMetric {
        let groups = Dictionary(uniqueKeysWithValues: Set(sources).enumerated().map { ($1, $0) })
        return FeatureMetric(
            columns: columns, featureCount: base.featureCount, groups: sources.map { groups[$0] ?? 0 },
            counts: sources.map { $0.isRecorded ? 1 / Double(EnrolmentConfiguration.memory) : 1 })
    }

    /// Weights of the columns that are included, 0 for the others.
    ///
    /// An example weighs as much as its length in units of the network's memory, at least 1. Everything else weighs
    /// `backgroundWeight` times as much as all examples together. The other gestures share half of that evenly. Columns
    /// without a gesture have the other half, divided evenly among the sources that exist: the bank's null, the rest in
    /// the examples and the background recordings.
    func weights(_ isIncluded: (Int) -> Bool) -> [Double] {
        var counts: [Source: Int] = [:]
        for index in sources.indices where isIncluded(index) { counts[sources[index], default: 0] += 1 }
        func mass(_ count: Int) -> Double { max(Double(count) / Double(EnrolmentConfiguration.memory), 1) }
        // In the order of the examples: a sum in a dictionary's order would differ between runs in its last bit.
        let examples = (0..<EnrolmentConfiguration.recordingLimit).map { counts[.gesture($0)] ?? 0 }
        let unit = examples.reduce(0) { $1 > 0 ? $0 + mass($1) : $0 }
        var nullCounts: [Int: Int] = [:]
        for (source, count) in counts where isNull(source) { nullCounts[source.kind, default: 0] += count }
        let half = unit * backgroundWeight / 2
        let share = half / Double(max(nullCounts.count, 1))
        let perClass = half / Double(max(base.classCount - 1 + users.count, 1))
        return sources.indices.map { index in
            guard isIncluded(index), let count = counts[sources[index]] else { return 0 }
            let source = sources[index]
            if source.isGesture { return mass(count) / Double(count) }
            return isNull(source) ? share / Double(nullCounts[source.kind] ?? 1) : perClass / Double(count)
        }
    }

    private func isNull(_ source: Source) -> Bool {
        switch source {
        case .rest, .background: true
        case .bank(let index): index == base.nullIndex
        case .gesture, .user: false
        }
    }
}

extension EnrolmentSamples.Source {
    var isGesture: Bool {
        if case .gesture = self { true } else { false }
    }

    /// Whether it is consecutive slots of a recording, each of which shares most of its inputs with its neighbour.
    var isRecorded: Bool {
        switch self {
        case .gesture, .rest, .background: true
        case .bank, .user: false
        }
    }

    /// The example that it comes from.
    var example: Int? {
        switch self {
        case .gesture(let index), .rest(let index): index
        case .background, .bank, .user: nil
        }
    }

    fileprivate var kind: Int {
        switch self {
        case .gesture: 0
        case .rest: 1
        case .background: 2
        case .bank: 3
        case .user: 4
        }
    }
}
