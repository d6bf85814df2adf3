import Frames
import LivePage
import Testing
import Vocabulary

/// The message of a picture whose bytes are all `value`.
func pictureMessage(
    format: UInt8 = 2, width: Int = 32, height: Int = 16, time: UInt64 = 1_000, value: UInt8 = 128, extra: Int = 0
) -> [UInt8] {
    let count = format == 1 ? 4 * width * height : width * height + 2 * ((width + 1) / 2) * ((height + 1) / 2)
    return Array("GP".utf8) + [
        1, format, UInt8(width & 0xFF), UInt8(width >> 8), UInt8(height & 0xFF), UInt8(height >> 8),
    ]
        + (0..<8).map { UInt8(time >> (8 * UInt64($0)) & 0xFF) }
        + [UInt8](repeating: value, count: max(0, count + extra))
}

@Suite struct PictureTests {
    @Test(arguments: [1, 2, 3] as [UInt8], [(32, 16), (17, 33), (1280, 720), (720, 1280)])
    func picturesAreRead(_ format: UInt8, _ size: (Int, Int)) throws {
        let picture = try CameraPicture(
            pictureMessage(format: format, width: size.0, height: size.1, time: 0x1F_FFFF_FFFF_FFFF))
        #expect(picture.width == size.0 && picture.height == size.1)
        #expect(picture.time == .microseconds(0x1F_FFFF_FFFF_FFFF))
        let view = try picture.pixelView()
        #expect(view.width == size.0 && view.height == size.1 && view.isColor)
    }

    @Test func faultsAreNamed() {
        func expect(_ message: [UInt8], _ expected: PictureError) {
            #expect(throws: expected) { try CameraPicture(message) }
            #expect(!expected.sentence.isEmpty)
        }
        expect([], .byteCount(0, expected: 16))
        expect(Array(pictureMessage().prefix(15)), .byteCount(15, expected: 16))
        expect([0x50] + pictureMessage().dropFirst(), .signature)
        expect(Array("GP".utf8) + [2] + pictureMessage().dropFirst(3), .version(2))
        expect(pictureMessage(format: 0), .format(0))
        expect(pictureMessage(format: 4), .format(4))
        expect(pictureMessage(width: 15), .size(width: 15, height: 16))
        expect(pictureMessage(width: 1281), .size(width: 1281, height: 16))
        expect(Array(pictureMessage(width: 1280, height: 1280).prefix(16)), .size(width: 1280, height: 1280))
        expect(pictureMessage(time: 1 << 53), .time(1 << 53))
        expect(pictureMessage(extra: 1), .byteCount(785, expected: 784))
        expect(pictureMessage(extra: -1), .byteCount(783, expected: 784))
        expect(pictureMessage(format: 1, extra: -4), .byteCount(2060, expected: 2064))
    }

    private static func canBeViewed(_ picture: CameraPicture) -> Bool {
        do {
            let view = try picture.pixelView()
            return view.width == picture.width && view.height == picture.height
        } catch {
            return false
        }
    }

    /// Every byte of a header, at every value: a picture or an error, and a view of each picture.
    @Test func noHeaderTraps() {
        for offset in 0..<16 {
            for value in UInt8.min...UInt8.max {
                var message = pictureMessage()
                message[offset] = value
                guard let picture = try? CameraPicture(message) else { continue }
                #expect(Self.canBeViewed(picture), "\(offset): \(value)")
            }
        }
    }

    @Test func theNewestPictureWins() throws {
        let holder = NewestPicture()
        let now = ContinuousClock().now
        #expect(holder.take() == nil)
        for time in UInt64(1)...3 { holder.put(try CameraPicture(pictureMessage(time: time)), at: now) }
        let taken = try #require(holder.take())
        #expect(taken.picture.time == .microseconds(3))
        #expect(taken.counts.received == 3 && taken.counts.superseded == 2)
        #expect(holder.take() == nil)
        holder.put(try CameraPicture(pictureMessage(time: 4)), at: now)
        #expect(holder.take()?.counts.superseded == 2)
    }
}

@Suite struct PageCommandTests {
    @Test func commandsAreParsed() throws {
        #expect(try PageCommand(#"{"do": "teach", "label": "wave"}"#) == .teach(label: "wave", .movement))
        #expect(
            try PageCommand(#"{"do": "teach", "label": "horns", "gesture": "pose"}"#) == .teach(label: "horns", .pose))
        #expect(try PageCommand(#"{"do": "stop"}"#) == .stopTeaching)
        #expect(try PageCommand(#"{"do": "forget", "label": "wave"}"#) == .forget(label: "wave"))
        #expect(try PageCommand(#"{"do": "load", "file": "AQI="}"#) == .load([1, 2]))
        #expect(try PageCommand(#"{"do": "play"}"#) == .play)
        let settings =
            #"{"rate": 60, "isMirrored": true, "denied": ["tap"], "hasHeldPoses": false}"#
        guard case .settings(let parsed) = try PageCommand(#"{"do": "settings", "settings": \#(settings)}"#) else {
            Issue.record("no settings")
            return
        }
        #expect(parsed.rate == 60)
    }

    private static let faults: [(String, PageCommandError)] = [
        ("", .notJSON), ("[1]", .notJSON), ("{", .notJSON), ("{}", .missing("do")),
        (#"{"do": "fly"}"#, .unknown("fly")), (#"{"do": "teach"}"#, .missing("label")),
        (#"{"do": "teach", "label": 3}"#, .wrongType("label")), (#"{"do": "load", "file": "%%"}"#, .wrongType("file")),
        (#"{"do": "settings", "settings": {"denied": []}}"#, .missing("rate")),
        (#"{"do": "settings", "settings": {"rate": "fast"}}"#, .wrongType("settings.rate")),
    ]

    @Test(arguments: faults)
    func faultsAreNamed(_ text: String, _ expected: PageCommandError) {
        #expect(throws: expected) { try PageCommand(text) }
        #expect(!expected.sentence.isEmpty)
    }
}
