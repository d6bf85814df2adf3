import Evaluation
import Foundation
import GestureEngine
import LivePage
import Platform
import Vocabulary

/// A soak: live streams of all kinds under the faults of a plan, on the thread that calls `run`.
struct SoakRun {
    /// A stream with its camera.
    private struct Camera {
        var stream: CountedStream
        let rate: Double
        /// Whether the stream lasts for the whole run.
        let isSteady: Bool
        /// Seconds since the start: of the next frame, and until when none comes.
        var next = 0.0
        var stalledUntil = 0.0
        var index = 0
    }

    /// Frames a second of the streams that stay, and of those that a reload replaces: modest, so that the whole takes
    /// well under half a core.
    private static let rates: [(kind: StreamKind, steady: Double, changing: Double)] = [
        (.landmarks, 8, 4), (.pixels, 30, 15), (.bodies, 3, 2),
    ]
    /// One fast listener and one that stops at times.
    private static let listeners = 2
    private static let threadNames: Set<String> = ["gesture-stream", "body-stream"]

    private let plan: SoakPlan
    private let cycles: Int
    private let sampleInterval: Double
    private let frames: StreamFrames
    private let visits: PageVisits
    private let sensors = FaultySensors()
    private let badFrames = BadFrames()
    private let hog = Hog(threads: 2, nice: 0)
    private let clock = ContinuousClock()
    private let start = ContinuousClock.now
    private var engines: StreamEngines
    private var cameras: [Camera] = []
    private var report: SoakReport
    private var counts: [StreamKind: SoakReport.Counts] = [:]
    private var nextSample = 0.0

    /// - report: without measures.
    init(
        _ plan: SoakPlan, _ report: SoakReport, frames: StreamFrames, page port: UInt16
    ) throws {
        self.plan = plan
        self.report = report
        self.frames = frames
        cycles = max(1, Int(report.planned / plan.cycle))
        sampleInterval = max(1, report.planned / 400)
        visits = PageVisits(port: port)
        engines = try StreamEngines()
        for kind in StreamKind.allCases { counts[kind] = SoakReport.Counts(kind: kind.rawValue) }
    }

    private var now: Double { start.duration(to: clock.now).inSeconds }

    /// Runs until the planned time is over or a signal comes, which ends it in order.
    /// - progress: called after every cycle with what has been measured so far.
    mutating func run(_ progress: (SoakReport) throws -> Void) throws -> SoakReport {
        let used = Machine.processorSeconds
        for (kind, steady, changing) in Self.rates {
            cameras.append(Camera(stream: try makeStream(kind), rate: steady, isSteady: true))
            cameras.append(Camera(stream: try makeStream(kind), rate: changing, isSteady: false))
        }
        for index in 0..<cycles where !Interruption.hasCome {
            try runCycle(index)
            write(used)
            try progress(report)
        }
        for camera in cameras { try retire(camera.stream, finishing: true) }
        cameras = []
        hog.end()
        write(used)
        return report
    }

    private mutating func write(_ used: Double) {
        report.seconds = now
        report.processor_seconds = Machine.processorSeconds - used
        (report.pages_answered, report.pages_failed) = visits.outcome
        report.counts = StreamKind.allCases.compactMap { counts[$0] }
    }

    private func makeStream(_ kind: StreamKind) throws -> CountedStream {
        try engines.makeStream(
            kind, rate: .hz30, sensors: DeviceSensors(thermal: sensors, battery: sensors), listeners: Self.listeners)
    }

    /// Adds what a stream has counted. If it is not finished, its listeners may not have read everything yet, so that
    /// its results are left out.
    private mutating func retire(_ stream: CountedStream, finishing: Bool) throws {
        if finishing {
            _ = try stream.finish()
            // A camera that has not heard of the end.
            try frames.push(0, to: stream, at: .seconds(now))
        } else {
            stream.drain()
        }
        let account = stream.account
        counts[stream.kind]?.add(account, hasFinished: finishing)
    }

    // MARK: A cycle

    private mutating func runCycle(_ index: Int) throws {
        let begin = now
        var waiting = plan.entries(ofCycle: index)[...]
        var active: [SoakPlan.Entry] = []
        while !Interruption.hasCome {
            let time = now - begin
            while let entry = waiting.first, entry.begin <= time {
                waiting.removeFirst()
                try start(entry, at: begin)
                active.append(entry)
            }
            for entry in active where entry.end <= time { end(entry, at: begin) }
            active.removeAll { $0.end <= time }
            if waiting.isEmpty, active.isEmpty, time >= SoakPlan.quietShare * plan.cycle { break }
            try pushDue()
            sampleIfDue()
            sleep(until: [waiting.first?.begin, active.map(\.end).min()].compactMap { $0.map { begin + $0 } }.min())
        }
        for entry in active { end(entry, at: begin) }
        guard !Interruption.hasCome else { return }
        try settle()
        try measure(until: begin + plan.cycle)
    }

    /// Sleeps until the next frame or this time, for a twentieth of a second at most, so that signals are noticed.
    private func sleep(until event: Double?) {
        let next = min(cameras.map { max($0.next, $0.stalledUntil) }.min() ?? .infinity, event ?? .infinity)
        let wait = min(next - now, 0.05)
        if wait > 0 { Thread.sleep(forTimeInterval: wait) }
    }

    private mutating func pushDue() throws {
        for index in cameras.indices { _ = try pushIfDue(index) }
    }

    /// Pushes the next frame of a camera if its time has come.
    private mutating func pushIfDue(_ index: Int) throws -> Bool {
        let time = now
        guard time >= cameras[index].next, time >= cameras[index].stalledUntil else { return false }
        cameras[index].next = max(cameras[index].next + 1 / cameras[index].rate, time - 0.5)
        try push(index, at: time)
        return true
    }

    private mutating func push(_ index: Int, at time: Double) throws {
        cameras[index].index += 1
        try frames.push(cameras[index].index, to: cameras[index].stream, at: .seconds(time))
    }

    private mutating func sampleIfDue() {
        guard now >= nextSample else { return }
        nextSample = now + sampleInterval
        report.samples.append(
            SoakReport.Sample(time: now, resident: Machine.residentBytes, load: Machine.load))
    }

    // MARK: Faults

    private mutating func start(_ entry: SoakPlan.Entry, at begin: Double) throws {
        var random = SplitMix64(seed: entry.seed)
        let camera = Int(random.next(below: UInt64(cameras.count)))
        let stream = cameras[camera].stream
        switch entry.fault {
        case .stall: cameras[camera].stalledUntil = begin + entry.end
        case .burst:
            let time = now
            for index in 0..<12 { try push(camera, at: time + 0.001 * Double(index)) }
        case .badFrames:
            guard try badFrames.pushRefused(to: stream, at: now) else { throw BenchFailure.countsDisagree }
        case .frameSize: try badFrames.pushOtherSizes(to: stream, at: now)
        case .sensorErrors:
            let modes = FaultySensors.Mode.allCases.filter { $0 != .working }
            sensors.mode = modes[Int(random.next(below: UInt64(modes.count)))]
        case .busyCores: hog.isOn = true
        case .modelReload: try reload()
        case .moreStreams: try useMoreStreams(&random)
        case .slowListeners: for camera in cameras { camera.stream.isStalled = true }
        case .pageConnections: for visit in PageVisit.allCases + PageVisit.allCases { visits.begin(visit) }
        case .reset:
            try push(camera, at: now)
            stream.reset()
            try push(camera, at: now)
        }
        if entry.end == entry.begin { report.marks.append(SoakReport.Mark(entry.fault, begin: now, end: now)) }
    }

    private mutating func end(_ entry: SoakPlan.Entry, at begin: Double) {
        switch entry.fault {
        case .sensorErrors: sensors.mode = .working
        case .busyCores: hog.isOn = false
        case .slowListeners: for camera in cameras { camera.stream.isStalled = false }
        case .stall, .burst, .badFrames, .frameSize, .modelReload, .moreStreams, .pageConnections, .reset: break
        }
        guard entry.end > entry.begin else { return }
        report.marks.append(SoakReport.Mark(entry.fault, begin: begin + entry.begin, end: now))
    }

    private mutating func reload() throws {
        engines = try StreamEngines()
        for index in cameras.indices where !cameras[index].isSteady {
            let old = cameras[index].stream
            cameras[index].stream = try makeStream(old.kind)
            cameras[index].stream.isStalled = old.isStalled
            try retire(old, finishing: true)
        }
    }

    private mutating func useMoreStreams(_ random: inout SplitMix64) throws {
        for kind in StreamKind.allCases {
            let stream = try engines.makeStream(kind, rate: .hz30)
            let count = 2 + Int(random.next(below: 6))
            let waits = random.next(below: 2) == 0
            for index in 0..<count {
                try frames.push(index, to: stream, at: .milliseconds(33 * index))
                if waits { stream.drain() }
            }
            try retire(stream, finishing: random.next(below: 2) == 0)
        }
    }

    // MARK: Quiet

    /// Waits until everything that a fault has begun is over.
    private mutating func settle() throws {
        let latest = now + 5
        while now < latest, !Interruption.hasCome, visits.isOpen || Self.streamThreads ?? 0 > cameras.count {
            try pushDue()
            Thread.sleep(forTimeInterval: 0.005)
        }
        if visits.isOpen, !Interruption.hasCome { visits.giveUp() }
        for camera in cameras { camera.stream.drain() }
    }

    private static var streamThreads: Int? { Machine.threads(named: threadNames) }

    /// Times every frame until then, and reads memory, descriptors and threads at the end.
    ///
    /// A push that changes the schedule says so to listeners, which allocates; its allocations are left out.
    private mutating func measure(until end: Double) throws {
        var allocations: Int? = 0
        var (pushes, changes) = (0, 0)
        var latencies: [String: [Double]] = [:]
        repeat {
            for index in cameras.indices {
                let stream = cameras[index].stream
                let schedule = stream.schedule
                guard let before = heapAllocations else {
                    allocations = nil
                    continue
                }
                let begun = now
                guard try pushIfDue(index) else { continue }
                let after = heapAllocations
                if stream.schedule != schedule {
                    changes += 1
                } else {
                    if let after { allocations = allocations.map { $0 + after - before } }
                    pushes += 1
                }
                stream.drain()
                latencies[stream.kind.rawValue, default: []].append(now - begun)
            }
            sampleIfDue()
            sleep(until: end)
        } while now < end && !Interruption.hasCome
        report.cycles.append(
            SoakReport.Cycle(
                time: now, resident: Machine.residentBytes, descriptors: Machine.descriptors,
                streamThreads: Self.streamThreads, liveStreams: cameras.count, allocations: allocations, pushes: pushes,
                scheduleChanges: changes,
                latencies: latencies.compactMapValues(SoakReport.Latency.init), load: Machine.load))
    }
}

extension SoakReport.Counts {
    fileprivate mutating func add(_ account: StreamAccount, hasFinished: Bool) {
        streams += 1
        pushed += account.pushed
        processed += account.processed
        skipped += account.skipped
        superseded += account.superseded
        surplus += account.surplus
        refused += account.refused
        closed += account.closed
        resets += account.resets
        if hasFinished {
            sent += account.sent
            received += account.received
            lost += account.lost
        }
        if !account.framesAddUp || hasFinished && !account.isExact { inexact += 1 }
    }
}
