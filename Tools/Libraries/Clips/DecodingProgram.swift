import Frames
import Platform
import Subprocess

/// A file that the `ffmpeg` program decodes, and the times of its frames.
///
/// The file is read twice: by `ffprobe`, which lists the time of each frame and no pixels, and by `ffmpeg`, which
/// prints the pixels and no times. Neither drops or repeats frames, so frame n of one is frame n of the other; clips of
/// a variable rate and GIFs keep their times. The list is made when the clip is opened, or while it is read
/// (`ClipSource.listsFramesFirst`); the frames and their times are the same.
struct DecodingProgram: Sendable {
    /// The input of the programs.
    enum Input: Sendable {
        /// A regular file whose format contains its own frames.
        case file
        /// Files of one image each: the name by which the programs find them, the options before it, their paths, the
        /// names of those that are not read because they have no content, and an object that must live as long as the
        /// name is used.
        case images(name: String, options: [String], paths: [String], unread: [String], links: NumberedImages? = nil)
    }

    /// The formats that are read, as FFmpeg names its demuxers: those that keep all frames in one file. Playlists,
    /// manifests, session descriptions and scripts refer to other files, which the program would read as well.
    static let formats = [
        "apng", "asf", "avi", "bmp_pipe", "dv", "flv", "gif", "h264", "hevc", "ivf", "jpeg_pipe", "m4v", "matroska",
        "mjpeg",
        "mov", "mpeg", "mpegts", "mpegvideo", "mxf", "nut", "obu", "ogg", "pgm_pipe", "png_pipe", "ppm_pipe",
        "tiff_pipe",
        "wav", "webp_pipe",
    ]

    var info: ClipInfo
    private var source: ClipSource
    private var input: Input
    /// The video track, as an argument of the programs.
    private var track: String
    private var filter: PictureFilter
    /// The rate of frames without times, and of those that are not listed.
    private var rate: FrameRate
    /// Whether the rate is of the caller, and the file has no times.
    private var isRateStated: Bool
    /// The rate is neither stated by the caller nor by times.
    private var isRateAssumed: Bool
    /// Seconds per tick of the list's times.
    private var tick: ProbeReport.Tick
    /// Nil if the frames are listed while they are read.
    private var list: FrameList?

    /// The frames of a file, as `ffprobe` lists them.
    private struct FrameList: Sendable {
        /// In nanoseconds since the first frame, ascending. A clip takes 8 bytes of memory per frame.
        var times: [Int64]
        /// The messages of `ffprobe`, which have been reported.
        var messages: Set<String>
        /// Frames that the file states but does not have.
        var missing: Int
        /// Whether the last frame is cut off.
        var isCutOff: Bool
        /// The names of images that are damaged or have no content.
        var damaged: [String]
    }

    /// Formats without times, as FFmpeg names them: streams of a codec alone, and images in a row.
    private static let formatsWithoutTimes: Set = [
        "h264", "hevc", "jpeg_pipe", "m4v", "mjpeg", "mpegvideo", "obu", "png_pipe", "webp_pipe",
    ]
    /// Formats that do not state how long they are, so that only a frame that is cut off shows that the file is.
    private static let formatsWithoutLength = formatsWithoutTimes.union(["mpeg", "mpegts"])

    /// Determines the format of the file, and lists its frames if the source says so.
    static func probe(path: String, input: Input, source: ClipSource) async throws(ClipError) -> DecodingProgram {
        let stored = try storedOrientation(of: input, path: path)
        var track = "V:0"
        var report = try await probe(path, input, track: track, source)
        if let better = try await defaultTrack(besides: report, path, input, source) {
            track = better
            report = try await probe(path, input, track: track, source)
            source.notify(.defaultTrack(path: path, index: better))
        }
        guard let tick = report.tick else { throw .noVideo(path: path, messages: []) }
        let hasTimes = input.isFile && !formatsWithoutTimes.contains(report.container)
        if hasTimes, source.statedRate != nil { throw .hasTimes(path: path) }
        let stated = hasTimes ? nil : source.statedRate
        var filter = PictureFilter(pixelFormat: report.pixelFormat, transfer: report.transfer)
        filter.orientation = stored
        if let transfer = filter.highDynamicRange {
            filter.mapsTones = try await canMapTones(source)
            if !filter.mapsTones { source.notify(.highDynamicRange(path: path, transfer: transfer)) }
        }
        // The size that the file states may differ from that of its frames.
        let shown = try await size(of: input, path: path, track, filter, source)
        let size = shown ?? report.size ?? (0, 0)
        filter.size = size
        let claim = report.statedLength
        var program = DecodingProgram(
            info: ClipInfo(
                path: path, decoder: .ffmpeg(container: report.container), width: size.width, height: size.height,
                rate: stated ?? report.rate, frameCount: input.count ?? claim.frames,
                duration: claim.seconds.map { .seconds($0) }),
            source: source, input: input, track: track, filter: filter, rate: stated ?? report.rate ?? .thirty,
            isRateStated: stated != nil, isRateAssumed: input.isFile && !hasTimes && stated == nil, tick: tick)
        // Why a file has no frame, its list tells.
        guard source.listsFramesFirst || shown == nil else { return program }
        let list = try await program.listFrames { _ in }
        program.list = list
        program.info.frameCount = list.times.count
        program.info.duration = .nanoseconds(list.times.last ?? 0) + .nanoseconds(program.rate.period.wholeNanoseconds)
        program.info.missingFrames = list.missing
        return program
    }

    /// Lists all frames.
    /// - Parameter take: receives the time of each frame as it is listed, in nanoseconds since the first.
    private func listFrames(_ take: (Int64) -> Void) async throws(ClipError) -> FrameList {
        var clock = FrameClock(tick: tick, rate: rate)
        var times: [Int64] = []
        let (report, outcome) = try await Self.pass(info.path, input, track: track, source, listsFrames: true) {
            stamp in
            times.append(isRateStated ? rate.time(ofFrame: times.count).wholeNanoseconds : clock.next(stamp))
            take(times[times.count - 1])
            if isRateAssumed, times.count == 2 { source.notify(.rateAssumed(path: info.path, rate)) }
        }
        let messages = Self.named(outcome.messageLines, info.path, input)
        if !messages.isEmpty { source.notify(.messages(path: info.path, messages)) }
        let hasComplaints = !messages.isEmpty
        let missing =
            input.count.map { max(0, $0 - times.count) }
            ?? report.missingFrames(at: times, rate: rate, hasComplaints: hasComplaints)
        return FrameList(
            times: times, messages: outcome.messages.known, missing: missing,
            isCutOff: try await Self.isCutOff(
                info.path, input, track, report, hasComplaints: hasComplaints, source),
            damaged: try await Self.damagedImages(info.path, input, track, report, source))
    }

    /// What the file states of a track, without its frames.
    private static func probe(
        _ path: String, _ input: Input, track: String, _ source: ClipSource
    ) async throws(ClipError) -> ProbeReport {
        try await pass(path, input, track: track, source, listsFrames: false).report
    }

    /// One pass of `ffprobe` over a track.
    /// - Parameter each: receives the time stamp of each listed frame, in ticks.
    private static func pass(
        _ path: String, _ input: Input, track: String, _ source: ClipSource, listsFrames: Bool, options: [String] = [],
        each: (Int64?) -> Void = { _ in }
    ) async throws(ClipError) -> (report: ProbeReport, outcome: ChildProgram.Outcome) {
        var report = ProbeReport()
        var lines = LineSplitter(longestLine: 4_096)
        func take(_ line: String) {
            let known = report.timestamps.count
            report.take(line)
            if report.timestamps.count > known { each(report.timestamps[known]) }
        }
        let tool = ChildProgram(name: source.ffprobe, stallLimit: source.stallLimit)
        let outcome = try await tool.run(
            options + probing(input, track, listsFrames: listsFrames), on: input.isFile ? path : nil
        ) { piece in
            lines.take(piece.bytes, take)
            return true
        }
        lines.finish(take)
        guard !Task.isCancelled, !Interruption.hasCome else { throw .cancelled }
        let messages = named(outcome.messageLines, path, input)
        guard outcome.exitCode == 0 else {
            if let format = refusedFormat(messages) { throw .formatRefused(path: path, format: format) }
            throw .notDecodable(path: path, status: outcome.exitCode, messages: messages)
        }
        if let interruption = outcome.interruption {
            throw .programFailed(source.ffprobe, reason: String(describing: interruption))
        }
        guard report.size != nil, report.tick != nil else {
            throw .noVideo(path: path, messages: messages)
        }
        guard !listsFrames || !report.timestamps.isEmpty else { throw .empty(path: path, messages: messages) }
        return (report, outcome)
    }

    /// How the images are stored, if the program does not set them upright by itself.
    /// - Throws: `mixedOrientations`, as the frames of a clip have one filter.
    private static func storedOrientation(of input: Input, path: String) throws(ClipError) -> ImageOrientation? {
        guard case .images(_, _, let paths, _, _) = input else { return StoredOrientation.read(path: path) }
        guard let first = paths.first, let orientation = StoredOrientation.read(path: first) else { return nil }
        for other in paths.dropFirst() where (StoredOrientation.read(path: other) ?? .up) != orientation {
            throw .mixedOrientations(path: path, first: first, other: other)
        }
        return orientation
    }

    /// The video track that the file marks as its default, as an argument of `-select_streams` and `-map`; nil if that
    /// is the first one, or if no track is marked.
    private static func defaultTrack(
        besides report: ProbeReport, _ path: String, _ input: Input, _ source: ClipSource
    ) async throws(ClipError) -> String? {
        guard input.isFile, report.streamCount > 1, !report.isDefault else { return nil }
        var lines = LineSplitter(longestLine: 4_096)
        var index: Int?
        var found: Int?
        func take(_ line: String) {
            if let value = line.split(separator: "=").last {
                if line.hasPrefix("index=") { index = Int(digits: value) }
                if line == "DISPOSITION:default=1", found == nil { found = index }
            }
        }
        let tool = ChildProgram(name: source.ffprobe, stallLimit: source.stallLimit)
        let arguments =
            opening(input) + [
                "-select_streams", "V", "-show_entries", "stream=index:stream_disposition=default", "-of", "default",
                "-i", input.name,
            ]
        _ = try await tool.run(arguments, on: path) { piece in
            lines.take(piece.bytes, take)
            return true
        }
        lines.finish(take)
        return found.map(String.init)
    }

    /// Whether the file ends inside a frame, in a format that does not state its length.
    ///
    /// A transport stream consists of packets of one size. In all of these formats a decoder complains about a frame
    /// that is cut off and shows what there is of it, and leaves it out if it is told to give up (`explode`).
    /// Complaints about earlier frames are usual: a recording of a broadcast begins anywhere.
    private static func isCutOff(
        _ path: String, _ input: Input, _ track: String, _ report: ProbeReport, hasComplaints: Bool,
        _ source: ClipSource
    ) async throws(ClipError) -> Bool {
        guard input.isFile, formatsWithoutLength.contains(report.container) else { return false }
        if report.container == "mpegts", TransportStream.hasPartialPacket(path: path) { return true }
        guard hasComplaints else { return false }
        do throws(ClipError) {
            let (strict, _) = try await pass(
                path, input, track: track, source, listsFrames: true, options: ["-err_detect", "explode"])
            return strict.timestamps.last != report.timestamps.last
        } catch {
            switch error {
            case .cancelled, .stalled: throw error
            // No frame at all is whole.
            default: return true
            }
        }
    }

    /// The names of images that the program cannot decode, decodes with complaints, or is not given.
    ///
    /// A decoder that complains may show the picture whole nevertheless. It then shows it as well when it is told to
    /// give up at a fault (`explode`).
    private static func damagedImages(
        _ path: String, _ input: Input, _ track: String, _ report: ProbeReport, _ source: ClipSource
    ) async throws(ClipError) -> [String] {
        guard case .images(_, _, let paths, let unread, _) = input else { return [] }
        // The number of an image is its time.
        let shown = report.timestamps.map { $0.map(Int.init) ?? -1 }
        var damaged = Set(paths.indices).subtracting(shown)
        if !report.faultyFrames.isEmpty {
            var strict: Set<Int> = []
            do throws(ClipError) {
                let (again, _) = try await pass(
                    path, input, track: track, source, listsFrames: true, options: ["-err_detect", "explode"])
                strict = Set(again.timestamps.map { $0.map(Int.init) ?? -1 })
            } catch {
                switch error {
                case .cancelled, .stalled: throw error
                default: break
                }
            }
            damaged.formUnion(
                report.faultyFrames.map { shown[$0] }.filter { paths.indices.contains($0) && !strict.contains($0) })
        }
        let names = damaged.sorted().map { NumberedName.last(of: paths[$0]) }
        return unread.isEmpty ? names : NumberedImages.ordered(names + unread)
    }

    /// Size of the first frame as the program prints it; nil if it prints none, in which case reading the clip reports
    /// why.
    private static func size(
        of input: Input, path: String, _ track: String, _ filter: PictureFilter, _ source: ClipSource
    ) async throws(ClipError) -> (width: Int, height: Int)? {
        var stream = Y4MStream(planes: filter.planes)
        let tool = ChildProgram(name: source.ffmpeg, stallLimit: source.stallLimit)
        var size: (width: Int, height: Int)?
        let outcome = try await tool.run(
            decoding(input, track, filter, more: ["-frames:v", "1"]), on: input.isFile ? path : nil
        ) { piece in
            var offset = 0
            let isWhole = try stream.consume(piece.bytes, from: &offset)
            if let header = stream.header { size = (header.width, header.height) }
            return !isWhole
        }
        guard !Task.isCancelled, !Interruption.hasCome else { throw .cancelled }
        if case let error as Y4MError = outcome.interruption { throw .y4m(path: path, error) }
        return size
    }

    /// Whether the program has filters that undo the transfer functions of high dynamic range.
    private static func canMapTones(_ source: ClipSource) async throws(ClipError) -> Bool {
        var lines = LineSplitter(longestLine: 4_096)
        var names: Set<String> = []
        let tool = ChildProgram(name: source.ffmpeg, stallLimit: source.stallLimit)
        _ = try await tool.run(["-hide_banner", "-filters"], on: nil) { piece in
            lines.take(piece.bytes) { line in
                let words = line.split(separator: " ")
                if words.count > 1 { names.insert(String(words[1])) }
            }
            return true
        }
        return names.isSuperset(of: ["zscale", "tonemap"])
    }

    // MARK: Arguments

    /// The arguments of both programs before the input: no other file, no network, no format that refers to either.
    private static func opening(_ input: Input) -> [String] {
        let only = ["-hide_banner", "-v", "error", "-protocol_whitelist", "file,pipe", "-format_whitelist"]
        return switch input {
        case .file: only + [formats.joined(separator: ",")]
        case .images(_, let options, _, _, _): only + ["image2"] + options
        }
    }

    private static func probing(_ input: Input, _ track: String, listsFrames: Bool) -> [String] {
        // One image after another in one thread, so that each has the messages about it.
        opening(input) + (input.isFile ? [] : ["-threads", "1", "-show_log", String(ProbeReport.errorLevel)]) + [
            "-select_streams", track, "-show_entries",
            (listsFrames ? "frame=best_effort_timestamp,pkt_duration,duration:log=level:" : "")
                + "stream=width,height,pix_fmt,color_transfer,time_base,avg_frame_rate,r_frame_rate,nb_frames,duration_ts"
                + ":stream_disposition=default:stream_tags=DURATION:stream_side_data=rotation:format=format_name,duration,nb_streams",
            "-of", "default", "-i", input.name,
        ]
    }

    private static func decoding(
        _ input: Input, _ track: String, _ filter: PictureFilter, more: [String] = []
    ) -> [String] {
        let own = filter.orientation == nil ? [] : ["-noautorotate"]
        return ["-nostdin"] + own + opening(input) + [
            "-i", input.name, "-map", "0:" + track, "-an", "-sn", "-dn", "-vf", filter.argument, "-fps_mode",
            "passthrough",
        ] + more + ["-f", "yuv4mpegpipe", "pipe:1"]
    }

    // MARK: Messages

    /// Messages with the name under which the file was given.
    private static func named(_ messages: [String], _ path: String, _ input: Input) -> [String] {
        guard case .images(_, _, _, _, let links?) = input else {
            return messages.map { $0.replacing(ChildProgram.standardInput, with: path) }
        }
        return messages.map(links.named)
    }

    /// The format that the programs have recognised but may not read.
    private static func refusedFormat(_ messages: [String]) -> String? {
        messages.lazy.compactMap { $0.firstMatch(of: /^\[([^\]]+)\] Format not on whitelist/) }.first.map {
            String($0.1)
        }
    }

    // MARK: Frames

    /// See `Clip.forEachFrame`.
    nonisolated(nonsending) func forEachFrame(
        _ body: nonisolated(nonsending) (borrowing ClipFrame) async throws -> Bool
    ) async throws -> Int {
        let (times, feed) = AsyncThrowingStream<Int64, any Error>.makeStream()
        async let list = listed(into: feed)
        var next = times.makeAsyncIterator()
        var last: Int64?
        var seen = 0
        var stream = Y4MStream(planes: filter.planes)
        let tool = ChildProgram(name: source.ffmpeg, stallLimit: source.stallLimit)
        let outcome = try await tool.run(
            Self.decoding(input, track, filter), on: input.isFile ? info.path : nil
        ) { piece in
            var offset = 0
            while try consume(piece.bytes, from: &offset, &stream) {
                let time: Int64
                if let listed = try await next.next(isolation: #isolation) {
                    time = listed
                } else {
                    // A frame that is not listed follows the one before at the stated rate.
                    time = last.map { $0 + rate.period.wholeNanoseconds } ?? 0
                }
                try Task.checkCancellation()
                last = time
                let goesOn = try await stream.lend(index: stream.frameCount - 1, time: .nanoseconds(time), to: body)
                seen += 1
                guard goesOn, !Interruption.hasCome else { return false }
            }
            return true
        }
        var interruption = outcome.interruption
        // The list ends with the interruption, too, and then has no time for a frame.
        if let interruption, case ClipError.cancelled = interruption, Interruption.hasCome { return seen }
        if interruption == nil, outcome.isFinished {
            do throws(ClipError) { try finish(stream) } catch { interruption = error }
        }
        if let interruption {
            // If the stream ends inside a frame and the program reports a failure, the program's failure is thrown.
            guard case ClipError.y4m = interruption, let code = outcome.exitCode, code != 0 else { throw interruption }
        }
        guard outcome.isFinished || interruption != nil else { return seen }
        try Task.checkCancellation()
        let frames: FrameList
        do {
            frames = try await list
        } catch ClipError.cancelled where Interruption.hasCome {
            return seen
        }
        let messages = Self.named(outcome.messages.lines(besides: frames.messages), info.path, input)
        guard interruption == nil, outcome.exitCode == 0 else {
            throw ClipError.notDecodable(path: info.path, status: outcome.exitCode, messages: messages)
        }
        guard seen > 0 else { throw ClipError.empty(path: info.path, messages: messages) }
        if !messages.isEmpty { source.notify(.messages(path: info.path, messages)) }
        guard frames.damaged.isEmpty else {
            try source.account(forDamaged: frames.damaged, path: info.path)
            return seen
        }
        let (stated, overflow) = max(frames.times.count, seen).addingReportingOverflow(frames.missing)
        try source.account(for: seen, of: overflow ? .max : stated, isCutOff: frames.isCutOff, path: info.path)
        return seen
    }

    /// The list of frames, whose times are also passed on as they come.
    private func listed(into feed: AsyncThrowingStream<Int64, any Error>.Continuation) async throws -> FrameList {
        if let list {
            for time in list.times { feed.yield(time) }
            feed.finish()
            return list
        }
        do {
            let list = try await listFrames { feed.yield($0) }
            feed.finish()
            return list
        } catch {
            feed.finish(throwing: error)
            throw error
        }
    }

    private func consume(_ bytes: RawSpan, from offset: inout Int, _ stream: inout Y4MStream) throws(ClipError) -> Bool
    {
        do throws(Y4MError) {
            return try stream.consume(bytes, from: &offset)
        } catch {
            throw .y4m(path: info.path, error)
        }
    }

    private func finish(_ stream: borrowing Y4MStream) throws(ClipError) {
        // A completely empty stream is not broken: the program reports the reason.
        guard stream.header != nil else { return }
        do throws(Y4MError) {
            try stream.finish()
        } catch {
            throw .y4m(path: info.path, error)
        }
    }
}

extension DecodingProgram.Input {
    /// Whether the programs read it from standard input.
    fileprivate var isFile: Bool {
        if case .file = self { true } else { false }
    }

    /// The number of images, with those that are not read.
    fileprivate var count: Int? {
        if case .images(_, _, let paths, let unread, _) = self { paths.count + unread.count } else { nil }
    }

    /// The programs' name for the input.
    fileprivate var name: String {
        switch self {
        case .file: ChildProgram.standardInput
        case .images(let name, _, _, _, _): name
        }
    }
}
