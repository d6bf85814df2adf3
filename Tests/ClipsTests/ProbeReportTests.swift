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

    /// A report as ffprobe prints it, at 1000 ticks a second.
    private static func report(
        _ timestamps: [Int], container: String, stream: [String] = [], file: [String] = [], last: Int? = nil
    ) -> ProbeReport {
        var report = ProbeReport()
        for timestamp in timestamps {
            for line in ["[FRAME]", "best_effort_timestamp=\(timestamp)", "pkt_duration=N/A", "[/FRAME]"] {
                report.take(line)
            }
        }
        if let last { report.take("pkt_duration=\(last)") }
        for line in ["[STREAM]", "avg_frame_rate=25/1", "time_base=1/1000"] + stream + ["[/STREAM]"] {
            report.take(line)
        }
        for line in ["[FORMAT]", "format_name=\(container)"] + file + ["[/FORMAT]"] { report.take(line) }
        return report
    }

    private static func missing(_ report: ProbeReport) throws -> [Int] {
        let rate = try #require(report.rate)
        let times = report.times(rate: rate)
        return [false, true].map { report.missingFrames(at: times, rate: rate, hasComplaints: $0) }
    }

    private static let even = Array(stride(from: 0, to: 4_000, by: 40))
    private static let mov = "mov,mp4,m4a,3gp,3g2,mj2"

    private struct Case {
        let container: String
        let stream: [String]
        let file: [String]
        let missing: [Int]

        init(_ container: String, _ stream: [String], _ file: [String], _ silent: Int, _ complaining: Int) {
            (self.container, self.stream, self.file, missing) = (container, stream, file, [silent, complaining])
        }
    }

    /// Frames that are missing of 100 at 25 Hz without and with a complaint of FFmpeg's.
    private static let cases = [
        // The last frame ends at 4 s.
        Case("matroska,webm", ["TAG:DURATION=00:00:04.000000000"], [], 0, 0),
        Case("matroska,webm", ["TAG:DURATION=00:00:04.021"], [], 0, 1),
        Case("matroska,webm", ["TAG:DURATION=00:00:04.079"], [], 0, 2),
        Case("matroska,webm", ["TAG:DURATION=00:00:04.120"], [], 3, 3),
        Case("matroska,webm", ["TAG:DURATION=01:02:03"], [], 92_975, 92_975),
        Case("matroska,webm", [], ["duration=6.000000", "nb_streams=1"], 50, 50),
        // Sound may be longer, unless FFmpeg complains, and then for a second.
        Case("matroska,webm", [], ["duration=6.000000", "nb_streams=2"], 0, 50),
        Case("matroska,webm", [], ["duration=4.900000", "nb_streams=2"], 0, 0),
        Case("matroska,webm", ["TAG:DURATION=00:00:04.000"], ["duration=6.000000", "nb_streams=2"], 0, 0),
        Case("matroska,webm", [], ["duration=N/A"], 0, 0),
        Case("flv", [], ["duration=6.000000", "nb_streams=1"], 50, 50),
        Case(mov, ["duration_ts=6000", "nb_frames=150"], [], 50, 50),
        Case(mov, ["duration_ts=4000", "nb_frames=100"], [], 0, 0),
        // The number counts with a complaint, as frames may be there to be hidden.
        Case(mov, ["duration_ts=4000", "nb_frames=101"], [], 0, 1),
        Case(mov, ["duration_ts=4040", "nb_frames=101"], [], 1, 1),
        Case(mov, ["duration_ts=4019", "nb_frames=101"], [], 0, 1),
        Case(mov, ["duration_ts=4040"], [], 0, 1),
        // An edit list shows 4 s of 6 s; one that shows 5 s has nothing to show at the end.
        Case(mov, ["duration_ts=4000", "nb_frames=150"], [], 0, 0),
        Case(mov, ["duration_ts=4900", "nb_frames=150"], [], 0, 0),
        Case(mov, ["duration_ts=5200", "nb_frames=150"], [], 0, 30),
        Case(mov, ["nb_frames=150"], [], 0, 0),
        Case("avi", ["nb_frames=150", "duration_ts=4000"], [], 50, 50),
        Case("avi", ["nb_frames=101", "duration_ts=4040"], [], 1, 1),
        Case("avi", ["nb_frames=100", "duration_ts=4000"], [], 0, 0),
        // What is said of others is taken from what is there.
        Case("mpegts", ["duration_ts=6000", "nb_frames=150"], ["duration=6.000000"], 0, 0),
        Case("gif", ["duration_ts=6000", "nb_frames=150"], ["duration=6.000000"], 0, 0),
        // Numbers that are none, or beyond all bounds.
        Case("matroska,webm", ["TAG:DURATION=inf:00:00"], ["duration=nan"], 0, 0),
        Case("matroska,webm", ["TAG:DURATION=-1:00:00"], ["duration=-5"], 0, 0),
        Case(mov, ["duration_ts=9223372036854775807", "nb_frames=9223372036854775807"], [], 0, 1_000_000_000),
        Case(mov, ["duration_ts=-9223372036854775808", "nb_frames=99999999999999999999"], [], 0, 0),
    ]

    @Test func missingFramesOfARegularClip() throws {
        for test in Self.cases {
            let report = Self.report(Self.even, container: test.container, stream: test.stream, file: test.file)
            #expect(try Self.missing(report) == test.missing, "\(test)")
        }
    }

    @Test func missingFramesOfOtherClips() throws {
        // A hole of ten frames is a pause, unless FFmpeg complains.
        let hole = Self.even.filter { !(2_000..<2_400).contains($0) }
        let whole = ["TAG:DURATION=00:00:04.000"]
        #expect(try Self.missing(Self.report(hole, container: "matroska,webm", stream: whole)) == [0, 10])
        #expect(try Self.missing(Self.report(hole, container: "mpegts")) == [0, 0])
        // Times from zero count from the file's; those of MP4 from the first frame.
        let late = Self.even.map { $0 + 1_000 }
        let five = ["TAG:DURATION=00:00:05.000"]
        #expect(try Self.missing(Self.report(late, container: "matroska,webm", stream: five)) == [0, 0])
        #expect(try Self.missing(Self.report(late, container: Self.mov, stream: ["duration_ts=5000"])) == [25, 25])
        // An irregular clip may hold its last frame as long as any other, and without a complaint for ever.
        let irregular = (0..<30).map { $0 * $0 * 5 }
        #expect(irregular.last == 4_205)
        for (seconds, expected) in [("4.5", [0, 0]), ("4.6", [0, 9]), ("9.0", [0, 119])] {
            let length = ["TAG:DURATION=00:00:0\(seconds)"]
            let report = Self.report(irregular, container: "matroska,webm", stream: length)
            #expect(try Self.missing(report) == expected, "\(seconds)")
        }
        // The last frame says itself how long it is shown.
        let held = Self.report(
            Self.even, container: Self.mov, stream: ["duration_ts=9000", "nb_frames=100"], last: 5_040)
        #expect(try Self.missing(held) == [0, 0])
    }
}
