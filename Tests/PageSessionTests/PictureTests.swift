import Frames
import PageSession
import TestSupport
import Testing
import Vocabulary

@Suite struct PictureTests {
    @Test(arguments: [1, 2, 3, 4, 5, 6] as [UInt8], [(32, 16), (17, 33), (1280, 720), (720, 1280)])
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
        for format in [7, 16, 17, 22, 35] as [UInt8] { expect(pictureMessage(format: format), .format(format)) }
        expect(pictureMessage(width: 15), .size(width: 15, height: 16))
        expect(pictureMessage(width: 4097), .size(width: 4097, height: 16))
        expect(Array(pictureMessage(width: 4096, height: 4096).prefix(16)), .byteCount(16, expected: 25_165_840))
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

    @Test func formatsAreThoseOfTheTable() throws {
        let formats: [PixelView.Format] = [.rgba, .i420(.full), .i420(.video), .nv12(.full), .nv12(.video), .bgra]
        for (index, format) in formats.enumerated() {
            let picture = try CameraPicture(pictureMessage(format: UInt8(index + 1)))
            let view = try picture.pixelView()
            #expect(view.format == format && view.isColor && view.matrix == .bt601, "\(index + 1)")
            guard ![.rgba, .bgra].contains(format) else { continue }
            let other = try CameraPicture(pictureMessage(format: UInt8(index + 1 + 16)))
            let otherView = try other.pixelView()
            #expect(otherView.format == format && otherView.matrix == .bt709, "\(index + 17)")
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
            #"{"rate": 60, "isMirrored": true, "deniedClasses": ["tap"], "hasHeldPoses": false}"#
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
        (#"{"do": "settings", "settings": {"deniedClasses": []}}"#, .missing("rate")),
        (#"{"do": "settings", "settings": {"rate": "fast"}}"#, .wrongType("settings.rate")),
    ]

    @Test(arguments: faults)
    func faultsAreNamed(_ text: String, _ expected: PageCommandError) {
        #expect(throws: expected) { try PageCommand(text) }
        #expect(!expected.sentence.isEmpty)
    }
}
