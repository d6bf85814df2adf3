import Foundation
import Testing
import Vocabulary

@Suite struct DurationTests {
    private struct Timed: Codable, Equatable {
        var time: Duration
    }

    /// Rounded toward zero, and the nearest end of Int64 where it has no such number.
    @Test(
        arguments: [
            (Duration.nanoseconds(5), 5), (.nanoseconds(-5), -5),
            (Duration(secondsComponent: 0, attosecondsComponent: 1_999_999_999), 1),
            (Duration(secondsComponent: 0, attosecondsComponent: -1_999_999_999), -1),
            (.nanoseconds(Int64.max), .max), (.nanoseconds(Int64.min), .min),
            (.seconds(10_000_000_000), .max), (.seconds(-10_000_000_000), .min),
        ] as [(Duration, Int64)])
    func wholeNanoseconds(_ time: Duration, _ expected: Int64) {
        #expect(time.saturatedNanoseconds == expected)
    }

    /// Seconds in JSON, rounded to the nearest nanosecond, away from zero at a half.
    @Test(arguments: [
        (Int64(1_499_999_999), "1e-09"), (1_500_000_000, "2e-09"), (-1_499_999_999, "-1e-09"),
        (-1_500_000_000, "-2e-09"), (250_000_000_000_000_000, "0.25"),
    ])
    func codedSeconds(_ attoseconds: Int64, _ text: String) throws {
        let time = Duration(secondsComponent: 0, attosecondsComponent: attoseconds)
        let data = try JSONEncoder().encode(Timed(time: time))
        #expect(String(decoding: data, as: UTF8.self) == "{\"time\":\(text)}")
    }

    @Test func secondsAreReadAsTheyAreWritten() throws {
        for nanoseconds: Int64 in [0, 1, -1, 999_999_999, 1_000_000_001, 2_160_000_000_000_001] {
            let timed = Timed(time: .nanoseconds(nanoseconds))
            #expect(try JSONDecoder().decode(Timed.self, from: JSONEncoder().encode(timed)) == timed)
        }
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(Timed.self, from: Data("{\"time\":1e10}".utf8)) }
        let longest = try JSONDecoder().decode(Timed.self, from: Data("{\"time\":9.2e9}".utf8))
        #expect(longest.time == .seconds(9_200_000_000))
    }

    /// Nanoseconds of this time are more than 64 bits count.
    @Test(arguments: [Int64(10_000_000_000), -10_000_000_000])
    func longTimesAreWrittenInWholeSeconds(_ seconds: Int64) throws {
        let data = try JSONEncoder().encode(Timed(time: .seconds(seconds)))
        #expect(try JSONDecoder().decode([String: Double].self, from: data) == ["time": Double(seconds)])
    }
}
