import Evaluation
import Foundation
import Frames
import GestureEngine
import LivePage
import Platform
import Scheduling
import Synchronization
import Vocabulary

/// Sensors that fail on request.
final class FaultySensors: ThermalSensor, BatterySensor {
    enum Mode: Int, CaseIterable {
        case working
        /// They cannot be read.
        case missing
        /// They give numbers that no device has.
        case nonsense
        /// The device is too hot.
        case hot
    }

    private let number = Atomic(Mode.working.rawValue)

    var mode: Mode {
        get { Mode(rawValue: number.load(ordering: .relaxed)) ?? .working }
        set { number.store(newValue.rawValue, ordering: .relaxed) }
    }

    func readThermal() -> DeviceSensors.ThermalReading? {
        switch mode {
        case .working: DeviceSensors.ThermalReading(state: .nominal, celsius: 30)
        case .missing: nil
        case .nonsense: DeviceSensors.ThermalReading(state: .nominal, celsius: .nan)
        case .hot: DeviceSensors.ThermalReading(state: .critical, celsius: 95)
        }
    }

    func readBattery() -> DeviceSensors.BatteryReading? {
        switch mode {
        case .working, .hot: DeviceSensors.BatteryReading(level: 0.9, isExternallyPowered: true)
        case .missing: nil
        case .nonsense: DeviceSensors.BatteryReading(level: .nan)
        }
    }
}

/// Visits to the page, each a task.
final class PageVisits: Sendable {
    private struct Counts {
        var open = 0
        var answered = 0
        var failed = 0
    }

    private let port: UInt16
    private let counts = Mutex(Counts())

    init(port: UInt16) { self.port = port }

    func begin(_ visit: PageVisit) {
        counts.withLock { $0.open += 1 }
        Task {
            let isAnswered: Bool
            do { isAnswered = try await visit.isAnswered(byPort: port) } catch { isAnswered = false }
            counts.withLock { counts in
                counts.open -= 1
                // A signal ends the server, too, and whom it was answering.
                if isAnswered { counts.answered += 1 } else if !Interruption.hasCome { counts.failed += 1 }
            }
        }
    }

    var isOpen: Bool { counts.withLock { $0.open > 0 } }

    /// Counts the visits that have not ended as failures.
    func giveUp() { counts.withLock { $0.failed += $0.open } }

    /// Visits that ended as they should, and those that did not.
    var outcome: (answered: Int, failed: Int) { counts.withLock { ($0.answered, $0.failed) } }
}

/// Frames that a camera should not give.
struct BadFrames {
    private static let (width, height) = (1920, 1080)
    /// Of another size than the clips.
    private let large = [UInt8](repeating: 90, count: 4 * width * height)
    private let small: [UInt8] = [10, 20, 30, 255]

    /// Pushes frames of other sizes, a millisecond apart.
    func pushOtherSizes(to stream: CountedStream, at time: Double) throws {
        for index in 0..<3 {
            stream.push(
                try PixelView(
                    large.span, format: .rgba, width: Self.width, height: Self.height, bytesPerRow: 4 * Self.width),
                at: .seconds(time + 0.001 * Double(index)))
        }
        stream.push(
            try PixelView(small.span, format: .rgba, width: 1, height: 1, bytesPerRow: 4), at: .seconds(time + 0.004))
    }

    /// Pushes frames whose times are refused by the grid of gestures. Bodies have no grid, and get times that go back a
    /// little. Then it makes frames that are shorter than they state, which are refused before they can be pushed.
    /// - Returns: whether all of the latter were refused.
    func pushRefused(to stream: CountedStream, at time: Double) throws -> Bool {
        let times: [Duration] =
            stream.kind == .bodies
            ? [.seconds(time), .seconds(time), .seconds(time - 0.2)]
            : [.seconds(time), .seconds(time), .seconds(time - 1), .seconds(-1), .seconds(200 * 366 * 86_400)]
        for time in times {
            stream.push(
                try PixelView(
                    large.span, format: .rgba, width: 640, height: 360, bytesPerRow: 4 * Self.width), at: time)
        }
        for (width, height) in [(2, 1), (0, 1), (1, -1), (Int.max, Int.max)] {
            do {
                _ = try PixelView(small.span, format: .rgba, width: width, height: height, bytesPerRow: 4)
                return false
            } catch {
                continue
            }
        }
        return true
    }
}
