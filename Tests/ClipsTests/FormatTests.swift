import Clips
import Foundation
import TestSupport
import Testing

/// Which file is read, and that it is the only one.
@Suite(.enabled(if: FFmpeg.isInstalled, "ffmpeg and ffprobe are needed to make the clips"))
struct FormatTests {
    /// Formats that name other files: what is in the file, and how it is called.
    static let referring: [(format: String, text: String)] = [
        ("hls", "#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\nsecret.ts\n#EXT-X-ENDLIST\n"),
        ("concat", "ffconcat version 1.0\nfile secret.mkv\n"),
        (
            "dash",
            """
            <?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" \
            mediaPresentationDuration="PT10S" profiles="urn:mpeg:dash:profile:isoff-on-demand:2011"><Period>\
            <AdaptationSet mimeType="video/mp4"><Representation id="1" bandwidth="1000"><BaseURL>secret.mp4</BaseURL>\
            <SegmentBase indexRange="0-1"/></Representation></AdaptationSet></Period></MPD>
            """
        ),
        (
            "sdp",
            "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video 5004 RTP/AVP 96\n"
                + "a=rtpmap:96 H264/90000\n"
        ),
    ]

    @Test(arguments: referring.map(\.format), ["clip.mp4", "clip.m3u8", "clip"])
    func playlistsAreRefused(_ format: String, _ name: String) async throws {
        let scratch = try Scratch()
        for secret in ["secret.ts", "secret.mkv", "secret.mp4"] {
            try FFmpeg.make([
                "-f", "lavfi", "-i", "testsrc=size=64x48:rate=30:duration=0.3", "-c:v", "mpeg4", scratch.path(secret),
            ])
        }
        let text = try #require(Self.referring.first { $0.format == format }?.text)
        let path = try scratch.write(name, Array(text.utf8))
        #expect(
            await clipError { _ = try await ClipSource().open(path) } == .formatRefused(path: path, format: format))
    }

    /// A track whose media are in another file, as an editor writes it.
    @Test func mediaInAnotherFileAreNotRead() async throws {
        let scratch = try Scratch()
        let secret = scratch.path("secret.mov")
        try FFmpeg.make([
            "-f", "lavfi", "-i", "testsrc=size=64x48:rate=30:duration=0.3", "-c:v", "mpeg4", "-movflags", "+faststart",
            secret,
        ])
        var bytes = try scratch.bytes("secret.mov")
        // The data reference: 'url ' with the flag that the media are in this file becomes an alias by absolute path.
        let url = try #require(bytes.indices.first { bytes[$0...].starts(with: Array("url ".utf8) + [0, 0, 0, 1]) })
        let media = try #require(bytes.indices.first { bytes[$0...].starts(with: Array("mdat".utf8)) })
        bytes.replaceSubrange(url..<(url + 8), with: Array("alis".utf8) + [0, 0, 0, 0])
        bytes.replaceSubrange((media + 4)..., with: repeatElement(0, count: bytes.count - media - 4))
        let path = try scratch.write("refers.mov", bytes)
        #expect(await clipError { try await ClipSource().open(path).forEachFrame { _ in true } } != nil)
    }

    private static func gray(_ code: UInt8) -> [UInt8] {
        Array("P5 8 6 255\n".utf8) + Array(repeating: code, count: 48)
    }

    /// Names that FFmpeg would take for a pattern, an option, a protocol or another format.
    @Test(arguments: [
        "a%03d.png", "a%d.gif", "a*.png", "a[0-9].png", "-i.png", "concat:a001.png", "http:x.png", "pipe:0", "a.m3u8",
        "a001.png ", "%", "~a.png", "a\nb.png", "\u{e9}.png",
    ]) func namesAreOnlyNames(_ name: String) async throws {
        let scratch = try Scratch()
        for n in 0...2 {
            let other = try scratch.write("other.pgm", Self.gray(UInt8(100 * n)))
            let names = ["a00\(n).png", "a00\(n).gif", "a\(n).png", "a\(n).gif"]
            try FFmpeg.make(["-i", other] + names.map(scratch.path))
        }
        let own = try scratch.write("own.pgm", Self.gray(255))
        let kind = name.hasSuffix("gif") ? "gif" : "png"
        try FFmpeg.make(["-i", own, scratch.path("own.\(kind)")])
        try FileManager.default.moveItem(atPath: scratch.path("own.\(kind)"), toPath: scratch.path(name))
        let recording = try await Recording(ClipSource().open(scratch.path(name)))
        // Gray comes in video range, the colours of a GIF in full range.
        #expect(recording.lumas == [Array(repeating: kind == "gif" ? 255 : 235, count: 48)])
    }

    /// `other/link/..` is where the link leads, not `other`.
    @Test func linksAreFollowedByTheSystem() async throws {
        let scratch = try Scratch()
        for folder in ["other", "real/deep/images"] {
            try FileManager.default.createDirectory(atPath: scratch.path(folder), withIntermediateDirectories: true)
        }
        try FileManager.default.createDirectory(atPath: scratch.path("other/images"), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: scratch.path("other/link"), withDestinationPath: scratch.path("real/deep/images"))
        for (folder, code) in [("other", UInt8(0)), ("real/deep", 255)] {
            let gray = try scratch.write("gray.pgm", Self.gray(code))
            try FFmpeg.make(["-i", gray, scratch.path(folder + "/clip.png")])
            try FFmpeg.make(["-i", gray, scratch.path(folder + "/images/frame-1.png")])
        }
        for name in ["clip.png", "images", "images/frame-%d.png"] {
            let recording = try await Recording(ClipSource().open(scratch.path("other/link/../" + name)))
            #expect(recording.lumas == [Array(repeating: 235, count: 48)], "\(name)")
        }
    }

    /// Images by number are images, whatever they are called.
    @Test func playlistsByNumber() async throws {
        let scratch = try Scratch()
        try FFmpeg.make([
            "-f", "lavfi", "-i", "testsrc=size=64x48:rate=30:duration=0.3", "-c:v", "mpeg4", scratch.path("secret.ts"),
        ])
        _ = try scratch.write("x001.m3u8", Array(Self.referring[0].text.utf8))
        #expect(await clipError { _ = try await ClipSource().open(scratch.path("x%03d.m3u8")) } != nil)
    }
}
