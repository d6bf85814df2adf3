import Clips
import Testing

@Suite struct ProbeReportTests {
    private static let hertz30 = FrameRate(30, 1)

    private static func report(_ timestamps: [String], base: String = "1/1000") -> ProbeReport {
        var report = ProbeReport()
        for timestamp in timestamps { report.take("best_effort_timestamp=\(timestamp)") }
        report.take("time_base=\(base)")
        return report
    }

    @Test(arguments: [
        (["500", "533", "600"], [0, 33_000_000, 100_000_000]),
        (["-500", "-467", "0"], [0, 33_000_000, 500_000_000]),
        // No timestamps at all, as in a bare stream: the rate's, without adding up its rounding.
        (["N/A", "N/A", "N/A", "N/A"], [0, 33_333_333, 66_666_666, 100_000_000]),
        (["N/A", "40", "80"], [0, 33_333_333, 66_666_666]),
        // One that is missing follows the one before; the next good one counts again.
        (["0", "100", "N/A", "200"], [0, 100_000_000, 133_333_333, 200_000_000]),
        // Neither repeated nor backward.
        (["0", "100", "100", "90", "400"], [0, 100_000_000, 133_333_333, 166_666_666, 400_000_000]),
        (["0", "9223372036854775807", "50"], [0, 33_333_333, 50_000_000]),
        (["-9223372036854775808", "9223372036854775807"], [0, 33_333_333]),
        (["0", "99999999999999999999", "50"], [0, 33_333_333, 50_000_000]),
        ([], []),
    ]) func times(_ timestamps: [String], _ expected: [Int64]) throws {
        #expect(try Self.report(timestamps).times(rate: #require(Self.hertz30)) == expected)
    }

    @Test func fractionalTicks() throws {
        let rate = try #require(Self.hertz30)
        #expect(
            Self.report(["0", "1", "2", "3"], base: "1001/30000").times(rate: rate) == [
                0, 33_366_666, 66_733_333, 100_100_000,
            ])
        #expect(
            Self.report(["0", "2", "1"], base: "2147483647/1").times(rate: rate) == [
                0, 33_333_333, 2_147_483_647_000_000_000,
            ])
        // Frames of 68 years each: the sum is held back rather than overflow.
        let slow = try #require(FrameRate(1, Int(Int32.max)))
        let times = Self.report(["0", "1"] + Array(repeating: "N/A", count: 8), base: "2147483647/1").times(rate: slow)
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 <= $1 } && times.count == 10)
    }

    @Test(arguments: [
        ("0", 640, 480), ("90", 480, 640), ("-90", 480, 640), ("270", 480, 640), ("180", 640, 480), ("-180", 640, 480),
        ("45", 640, 480), ("x", 640, 480), ("-9223372036854775808", 640, 480),
    ]) func sizes(_ rotation: String, _ width: Int, _ height: Int) throws {
        var report = Self.report(["0"])
        report.take("width=640")
        #expect(report.size == nil)
        report.take("height=480")
        report.take("rotation=\(rotation)")
        let size = try #require(report.size)
        #expect(size == (width, height))
    }

    @Test func rates() {
        var report = Self.report(["0"])
        report.take("r_frame_rate=100/1")
        report.take("avg_frame_rate=0/0")
        #expect(report.rate == FrameRate(100, 1))
        report.take("avg_frame_rate=30000/1001")
        #expect(report.rate == FrameRate(30000, 1001))
        for line in [
            "", "=", "avg_frame_rate", "avg_frame_rate=", "avg_frame_rate=1/0", "avg_frame_rate=-1/1", "else=3",
        ] {
            report.take(line)
        }
        #expect(report.rate == FrameRate(100, 1))
    }
}
