import Scheduling
import TestSupport
import Testing
import Vocabulary

@Suite struct FrameGridSequenceTests {
    private struct Setup {
        var rate: PacingConfiguration.Rate
        /// Nanoseconds; nil for the grid policy.
        var lateAfter: Int64?

        var policy: PacingConfiguration.Policy {
            lateAfter.map { .literal(lateAfter: .nanoseconds($0)) } ?? .grid
        }
    }

    private enum Step {
        /// A frame so many nanoseconds after the one before.
        case later(Int64)
        /// A frame at any time, which the next ones do not follow.
        case at(Int64)
        case restart
    }

    private static func setup(_ random: inout SplitMix64) -> Setup {
        let rate = random.pick(PacingConfiguration.Rate.allCases)
        let slot = 1_000_000_000 / Int64(rate.rawValue)
        return Setup(rate: rate, lateAfter: random.isOne(in: 3) ? slot * Int64(random.pick(3...30)) / 10 : nil)
    }

    /// A camera of some rate, one in eight slower than a frame a second, that jitters, loses frames, stalls and shows wrong times; often at the very edge of a rule.
    private static func steps(_ random: inout SplitMix64, slot: Int64) -> [Step] {
        let period =
            random.isOne(in: 8)
            ? Int64(random.pick(900...5_200)) * 1_000_000
            : random.isOne(in: 3) ? slot : slot * Int64(random.pick(3...40)) / 10
        let jitter = random.isOne(in: 2) ? 0 : period / Int64(random.pick(2...10))
        return (0..<random.pick(1...60)).map { _ in
            switch random.next(below: 40) {
            case 0: .restart
            case 1: .at(random.pick(ends))
            case 2: .at(Int64(bitPattern: random.next()))
            case 3: .later(Int64(random.pick(0...40)) * slot / 2)
            case 4: .later(random.pick([1_000_000_000, 1_000_000_001, 999_999_999, 5_000_000_000]))
            case 5: .later(-Int64(random.pick(0...2_000_000_000)))
            case 6: .later(0)
            // Eighths of slots, one nanosecond to either side.
            case 7...10: .later(Int64(random.pick(1...140)) * slot / 8 + Int64(random.pick(-1...1)))
            default: .later(period + (jitter > 0 ? Int64(random.pick(Int(-jitter)...Int(jitter))) : 0))
            }
        }
    }

    /// Times at the edges of what is taken.
    private static let ends: [Int64] = [.min, -horizon, 1 - horizon, -1, 0, 1, horizon, horizon + 1, .max]
    private static let horizon = Int64(1) << 62

    private static func difference(_ setup: Setup, _ steps: [Step], _ tally: OutcomeTally) throws -> String? {
        var grid = try FrameGrid(PacingConfiguration(nominalRate: setup.rate, policy: setup.policy))
        var model = PlainFrameGrid(rate: setup.rate, lateAfter: setup.lateAfter)
        var counts = FrameCountsByHand()
        // Some clocks begin below zero.
        var time: Int64 = setup.lateAfter == nil ? 7_000_000_000 : -1_000_000_000
        for (index, step) in steps.enumerated() {
            var timestamp = time
            switch step {
            case .restart:
                grid.restart()
                model.restart()
                continue
            case .later(let later):
                time += later
                timestamp = time
            case .at(let moment): timestamp = moment
            }
            let (found, expected) = (grid.admit(timestamp), model.admit(timestamp))
            if found != expected { return "step \(index) at \(timestamp): \(found) instead of \(expected)" }
            counts.outcomes.append(expected)
            if case .run(let run) = expected {
                tally.add(run.reset ? "reset" : run.repeatsBefore > 0 ? "repeats" : "run")
            }
            if case .run = expected {} else { tally.add(expected) }
        }
        return counts.agrees(with: grid.counts) ? nil : "\(grid.counts) instead of \(counts)"
    }

    /// The sequences lead to every outcome.
    @Test func anyTimestamps() throws {
        let tally = OutcomeTally()
        let property = SequenceProperty<Setup, Step>(
            "frame grid", sequences: 100_000,
            draw: { random in
                let setup = Self.setup(&random)
                return (setup, Self.steps(&random, slot: 1_000_000_000 / Int64(setup.rate.rawValue)))
            }, difference: { try Self.difference($0, $1, tally) })
        #expect(try property.counterexample()?.description == nil)
        #expect(tally.missing(["run", "reset", "repeats"], minimum: 300) == [])
        let refusals: [Admission] = [
            .surplus, .dropped(.equalTimestamp), .dropped(.backwardTimestamp), .dropped(.beyondHorizon),
            .dropped(.unconfirmedJump),
        ]
        #expect(tally.missing(refusals, minimum: 300) == [])
    }
}

/// The counts that the comments of `FrameCounts` promise.
private struct FrameCountsByHand {
    var outcomes: [Admission] = []

    func agrees(with counts: FrameCounts) -> Bool {
        var runs: [SlotWork] = []
        for case .run(let run) in outcomes { runs.append(run) }
        func dropped(_ reason: FrameCounts.DropReason) -> Int { outcomes.count { $0 == .dropped(reason) } }
        return counts.run == runs.count && counts.repeats == runs.reduce(0) { $0 + $1.repeatsBefore }
            && counts.resets == runs.count { $0.reset } && counts.surplus == outcomes.count { $0 == .surplus }
            && counts.equalTimestamps == dropped(.equalTimestamp)
            && counts.backwardTimestamps == dropped(.backwardTimestamp)
            && counts.beyondHorizon == dropped(.beyondHorizon)
            && counts.unconfirmedJumps == dropped(.unconfirmedJump)
    }
}
