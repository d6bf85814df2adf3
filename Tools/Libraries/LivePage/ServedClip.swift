package import Clips
import Foundation
package import Frames
import GestureEngine
package import PageSession
import Platform

/// A recorded clip or a camera of this machine that the server shows instead of the browser's camera.
package struct ServedClip: Sendable {
    enum Footage: Sendable {
        case clip(Clip)
        case camera(CameraProgram)
    }

    /// The file's or device's name, without its folder.
    package let name: String
    let footage: Footage
    /// The sentence of an error, for the page.
    let sentence: @Sendable (any Error) -> String

    /// The frames a second that the file states; nil for a camera.
    package var rate: Double? {
        if case .clip(let clip) = footage { clip.info.rate?.hertz } else { nil }
    }

    /// Opens a clip, or finds a camera. A device is a camera; its pictures are read when a page asks for them.
    package init(
        _ path: String, source: ClipSource, sentence: @escaping @Sendable (any Error) -> String
    ) async throws(ClipError) {
        name = path == "-" ? "standard input" : String(path.split(separator: "/").last ?? "/")
        self.sentence = sentence
        if let camera = CameraProgram(path, source: source) {
            footage = .camera(camera)
        } else {
            footage = .clip(try await source.open(path))
        }
    }

    /// Lends each frame to `body` until the clip ends or `body` returns false.
    nonisolated(nonsending) func forEachFrame(
        _ body: nonisolated(nonsending) (borrowing ClipFrame) async throws -> Bool
    ) async throws {
        switch footage {
        case .clip(let clip): try await clip.forEachFrame(body)
        case .camera(let camera): try await camera.forEachFrame(body)
        }
    }

    /// Whether frames come when they are taken, and not as fast as they can be read.
    var isLive: Bool {
        switch footage {
        case .clip(let clip): clip.isStream
        case .camera: true
        }
    }
}

extension ServedSession {
    /// A frame of a clip that is later than this is left out.
    private static let lateness = Duration.milliseconds(100)

    /// Plays a clip at its own pace, from its beginning, until it ends or the task is cancelled.
    /// - Parameter show: gets each picture before its report.
    func play(_ clip: ServedClip, show: @Sendable (CameraPicture) -> Void) async {
        session.finish()
        session.send(.clip(PageReport.ClipState(isPlaying: true)))
        let clock = ContinuousClock()
        let begin = clock.now
        var counts = PictureCounts()
        do {
            try await clip.forEachFrame { frame in
                counts.received += 1
                let due = begin + frame.time
                if !clip.isLive {
                    if due.duration(to: clock.now) > Self.lateness {
                        counts.superseded += 1
                        return true
                    }
                    try await clock.sleep(until: due, tolerance: .zero)
                }
                let view = try frame.colorView()
                show(CameraPicture(view, time: frame.time))
                session.push(view, at: frame.time, waited: .zero, counts: counts)
                return true
            }
        } catch is CancellationError {
            return
        } catch {
            session.fail(clip.sentence(error))
        }
        session.finish()
        session.send(.clip(PageReport.ClipState(isPlaying: false)))
    }
}

extension CameraPicture {
    /// Sides of pictures that the server sends: what a page shows.
    private static let shownSide = 640

    /// A frame for the page, of every n-th pixel so that both sides fit.
    package init(_ frame: borrowing PixelView, time: Duration) {
        let step = max(1, (max(frame.width, frame.height) + Self.shownSide - 1) / Self.shownSide)
        let (width, height) = (max(frame.width / step, 16), max(frame.height / step, 16))
        if frame.format == .rgba {
            let pixels = Self.samples(
                frame.plane, width: width, height: height, of: (frame.width, frame.height), step: step, bytes: 4,
                bytesPerRow: frame.bytesPerRow)
            self.init(.rgba, width: width, height: height, time: time, pixels: pixels)
            return
        }
        var pixels = Self.samples(
            frame.plane, width: width, height: height, of: (frame.width, frame.height), step: step, bytes: 1,
            bytesPerRow: frame.bytesPerRow)
        let half = (width: (width + 1) / 2, height: (height + 1) / 2)
        if let chroma = frame.chroma {
            let stored = ((frame.width + 1) / 2, (frame.height + 1) / 2)
            func add(_ plane: RawSpan) {
                pixels += Self.samples(
                    plane, width: half.width, height: half.height, of: stored, step: step, bytes: 1,
                    bytesPerRow: chroma.bytesPerRow)
            }
            add(chroma.blue)
            add(chroma.red)
        } else {
            pixels += [UInt8](repeating: 128, count: 2 * half.width * half.height)
        }
        let format = frame.format == .i420(.full) ? Format.i420 : .i420Video
        self.init(format, width: width, height: height, time: time, pixels: pixels)
    }

    private static func samples(
        _ plane: RawSpan, width: Int, height: Int, of size: (width: Int, height: Int), step: Int, bytes: Int,
        bytesPerRow: Int
    ) -> [UInt8] {
        var samples: [UInt8] = []
        samples.reserveCapacity(width * height * bytes)
        for y in 0..<height {
            let row = min(y * step, size.height - 1) * bytesPerRow
            for x in 0..<width {
                let start = row + min(x * step, size.width - 1) * bytes
                for offset in start..<(start + bytes) {
                    samples.append(unsafe plane.unsafeLoad(fromByteOffset: offset, as: UInt8.self))
                }
            }
        }
        return samples
    }
}
