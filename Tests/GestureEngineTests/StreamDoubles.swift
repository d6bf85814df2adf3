import Frames
import GestureEngine
import PixelFrontEnd
import Streams
import Synchronization
import TestSupport

/// A clock that stands still until it is moved.
final class HandClock: Sendable {
    private let time = Atomic<Int64>(0)

    func move(by nanoseconds: Int64) { time.add(nanoseconds, ordering: .relaxed) }
    var clock: StreamClock { StreamClock { [self] in time.load(ordering: .relaxed) } }
}

/// A unit whose logits say which frame its newest column came from: class `frame[0] % classCount` leads.
///
/// `@unchecked Sendable`: a stream calls one function at a time, and tests look at it when the stream stands still.
final class ScriptedUnit: ComputeUnit, @unchecked Sendable {
    let name: String
    let classCount: Int
    /// Called with the frame's first byte before it is encoded.
    var willEncode: (UInt8) -> Void = { _ in }
    var fails = false
    private(set) var encoded: [UInt8] = []
    private(set) var columns: [UInt8] = []

    init(_ name: String, classCount: Int) {
        self.name = name
        self.classCount = classCount
    }

    var isWarm: Bool { columns.count >= 16 }

    func encode(_ frame: Span<UInt8>) {
        willEncode(frame[0])
        encoded.append(frame[0])
        columns.append(frame[0])
    }

    func repeatColumn() { columns.append(columns.last ?? 0) }

    func advance(_ logits: inout MutableSpan<Float>) {
        for index in logits.indices { logits[index] = fails ? .nan : 0 }
        logits[Int(columns.last ?? 0) % classCount] = fails ? .nan : 20
    }

    func reset() { columns.removeAll() }
}

extension PixelView {
    /// A 224x224 gray frame whose every pixel is `level`, for the length of a call.
    static func withFlat<Result>(_ level: UInt8, _ body: (borrowing PixelView) throws -> Result) throws -> Result {
        let bytes = [UInt8](repeating: level, count: 224 * 224)
        return try body(try PixelView(bytes.span, format: .gray8, width: 224, height: 224, bytesPerRow: 224))
    }
}

/// The golden int8 model: random weights.
func goldenEngine() throws -> GestureEngine {
    try GestureEngine(pixels: .file(path: Fixtures.golden("golden-int8.safetensors")))
}

extension GestureEngine.Configuration {
    /// Events with every change of the leading class.
    static var eager: GestureEngine.Configuration {
        GestureEngine.Configuration(
            recognition: RecognitionConfiguration(medianLength: 1, beginFrames: 1, beginConfidence: 0, endFrames: 1))
    }
}

extension Duration {
    /// Time of a slot of the 120 Hz grid.
    static func slot(_ index: Int) -> Duration { .nanoseconds(Int64(index) * 1_000_000_000 / 120) }
}

extension PixelConfiguration {
    /// Options of a stream that runs this unit alone.
    static func only(_ unit: any ComputeUnit) -> PixelConfiguration { PixelConfiguration(units: [unit.name]) }
}
