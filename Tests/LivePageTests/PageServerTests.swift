import BodyPose
import Clips
import FlyingSocks
import Foundation
import GestureEngine
import GestureHands
import GesturePixels
import LivePage
import PageSession
import PixelFrontEnd
import TestSupport
import Testing
import TrackerInference

/// A client of a server that listens on a free port.
private struct Client {
    let socket: AsyncSocket
    private var bytes: [UInt8] = []
    private(set) var pictures: [CameraPicture] = []

    init(_ port: UInt16) async throws {
        socket = try await AsyncSocket.connected(to: .inet(ip4: "127.0.0.1", port: port))
    }

    func write(_ bytes: [UInt8]) async throws { try await socket.write(Data(bytes)) }

    private mutating func more() async throws { bytes += try await socket.read(atMost: 4096) }

    /// Everything until the server closes.
    mutating func rest() async throws -> String {
        while true { do { try await more() } catch SocketError.disconnected { break } }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The head of an answer.
    mutating func head() async throws -> String {
        while true {
            if let end = String(decoding: bytes, as: UTF8.self).range(of: "\r\n\r\n") {
                let head = String(decoding: bytes, as: UTF8.self)[..<end.lowerBound]
                bytes.removeFirst(head.utf8.count + 4)
                return String(head)
            }
            try await more()
        }
    }

    /// The opcode and the payload of the next frame. Pings are answered, as browsers do.
    mutating func frame() async throws -> (opcode: UInt8, payload: [UInt8]) {
        while true {
            let frame = try await anyFrame()
            guard frame.opcode == 9 else { return frame }
            try await write(maskedFrame(10, frame.payload))
        }
    }

    mutating func anyFrame() async throws -> (opcode: UInt8, payload: [UInt8]) {
        func wait(_ count: Int, _ client: inout Client) async throws {
            while client.bytes.count < count { try await client.more() }
        }
        try await wait(2, &self)
        let short = Int(bytes[1])
        let lengthBytes = short == 126 ? 2 : short == 127 ? 8 : 0
        try await wait(2 + lengthBytes, &self)
        let count = lengthBytes == 0 ? short : bytes[2..<(2 + lengthBytes)].reduce(0) { $0 << 8 | Int($1) }
        try await wait(2 + lengthBytes + count, &self)
        let payload = Array(bytes[(2 + lengthBytes)..<(2 + lengthBytes + count)])
        let opcode = bytes[0] & 0x0F
        bytes.removeFirst(2 + lengthBytes + count)
        return (opcode, payload)
    }

    struct Report: Decodable {
        struct Event: Decodable {
            let event: String
            let label: String
        }

        let kind: String
        var sentence: String?
        var phase: String?
        var outcome: String?
        var received: Int?
        var events: [Event]?
        var labels: [String]?
        var file: String?
        var refusal: String?
        var warning: String?
        var collidesWith: String?
        var beginConfidence: Float?
        var frontEnd: String?
        var source: String?
        var isPlaying: Bool?
        var bodies: Bodies?
        var watchesArms: Bool?
        var arms: Arms?
        var pointers: [Pointer]?

        struct Pointer: Decodable {
            let identity: Int?
            let handedness: String?
            let x: Float
            let state: String
            let events: [String]
            let scroll: [String: Float]
        }

        struct Bodies: Decodable {
            let people: [[Int]]
            let repetitions: Int?
        }

        struct Arms: Decodable {
            let points: [Int]
            let gesturing: Int
        }
    }

    /// The next report, of this kind if one is given. Pictures of the server are passed over, and counted.
    mutating func report(_ kind: String? = nil) async throws -> Report {
        while true {
            let (opcode, payload) = try await frame()
            if opcode == 2 {
                pictures.append(try CameraPicture(payload))
                continue
            }
            try #require(opcode == 1)
            let report = try JSONDecoder().decode(Report.self, from: Data(payload))
            if kind == nil || report.kind == kind { return report }
        }
    }

    /// The first report of a frame that shows what is asked for. The clip is played again until then: a busy machine leaves out so
    /// many pictures that a round may end without it.
    mutating func report(showing shows: (Report) -> Bool) async throws -> Report {
        while true {
            let report = try await report()
            if report.kind == "frame", shows(report) { return report }
            if report.kind == "clip", report.isPlaying == false { try await tell(#"{"do": "play"}"#) }
        }
    }

    mutating func openSession(_ port: UInt16) async throws -> String {
        try await write(
            Array(
                ("GET /session HTTP/1.1\r\nHost: localhost:\(port)\r\nOrigin: http://localhost:\(port)\r\n"
                    + "Connection: keep-alive, Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                    + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n").utf8))
        return try await head()
    }

    func tell(_ json: String) async throws { try await write(maskedFrame(1, Array(json.utf8))) }

    /// So many clients, each with a session.
    static func withSessions(_ count: Int, _ port: UInt16) async throws -> [Client] {
        var clients: [Client] = []
        for _ in 0..<count {
            var client = try await Client(port)
            #expect(try await client.openSession(port).hasPrefix("HTTP/1.1 101"))
            clients.append(client)
        }
        return clients
    }
}

/// Runs `body` beside a server of the shipped model.
private func withServer(
    clip: String? = nil, arms: BodyModels? = nil, limits: ConnectionTable.Limits = .init(),
    _ body: (UInt16) async throws -> Void
) async throws {
    var served: ServedClip?
    if let clip { served = try await ServedClip(clip, source: ClipSource()) { "\($0)" } }
    let engine = try GestureEngine(hands: .lite(), arms: arms)
    let server = try PageServer(
        port: 0,
        PageSetup(
            engine: engine, settings: PageSettings(), gestures: engine.noUserGestures(), readSensors: nil
        ) { () throws(EngineError) in try BodyPoseEngine() }, clip: served, limits: limits)
    let task = Task { try await server.run() }
    defer { task.cancel() }
    try await body(server.port)
}

@Suite(.serialized, .timeLimit(.minutes(20))) struct PageServerTests {
    private func answer(_ port: UInt16, _ line: String, _ headers: [String]) async throws -> String {
        var client = try await Client(port)
        try await client.write(Array(([line] + headers + ["", ""]).joined(separator: "\r\n").utf8))
        return try await client.rest()
    }

    @Test func thePageIsServedToItsOwnMachineAlone() async throws {
        try await withServer { port in
            let page = try await answer(port, "GET / HTTP/1.1", ["Host: localhost:\(port)"])
            #expect(page.hasPrefix("HTTP/1.1 200") && page.contains("<title>swift-gesture</title>"))
            #expect(page.contains("Content-Security-Policy: default-src 'none'"))
            for file in ["page.css", "page.js", "point.js", "demo.mp4"] {
                #expect(
                    try await answer(port, "GET /\(file) HTTP/1.1", ["Host: 127.0.0.1:\(port)"]).hasPrefix(
                        "HTTP/1.1 200"))
            }
            let head = try await answer(port, "HEAD / HTTP/1.1", ["Host: localhost:\(port)"])
            #expect(head.hasPrefix("HTTP/1.1 200") && head.hasSuffix("\r\n\r\n"))
            for (line, headers, status) in [
                ("GET / HTTP/1.1", ["Host: attacker.example"], 403),
                ("GET / HTTP/1.1", ["Host: localhost:\(port)", "Origin: http://attacker.example"], 403),
                ("GET /session HTTP/1.1", ["Host: localhost:\(port)", "Origin: http://attacker.example"], 403),
                ("GET /session HTTP/1.1", ["Host: localhost:\(port)"], 403),
                ("GET /session HTTP/1.1", ["Host: localhost:\(port)", "Origin: http://localhost:\(port)"], 400),
                ("GET /../Package.swift HTTP/1.1", ["Host: localhost:\(port)"], 404),
                ("POST / HTTP/1.1", ["Host: localhost:\(port)"], 405), ("GET /", ["Host: localhost"], 400),
                ("GET / HTTP/1.0", ["Host: localhost:\(port)"], 505),
            ] {
                let found = try await answer(port, line, headers)
                #expect(found.hasPrefix("HTTP/1.1 \(status) "), "\(line) \(headers): \(found)")
            }
        }
    }

    /// The visits that a soak makes; the server then still has all of its connections.
    @Test func visitsAreAnswered() async throws {
        try await withServer { port in
            for _ in 0..<12 {
                for visit in PageVisit.allCases {
                    let isAnswered = try await visit.isAnswered(byPort: port)
                    #expect(isAnswered, "\(visit)")
                }
            }
        }
    }

    @Test func aTakenPortIsRefused() async throws {
        try await withServer { port in
            let engine = try GestureEngine(pixels: .bundled)
            #expect(throws: PageServerError.listening(port: port, code: EADDRINUSE)) {
                try PageServer(
                    port: port,
                    PageSetup(
                        engine: engine, settings: PageSettings(), gestures: engine.noUserGestures(), readSensors: nil
                    ) { () throws(EngineError) in try BodyPoseEngine() })
            }
        }
    }

    @Test func aSessionAnswersPicturesAndSettings() async throws {
        try await withServer { port in
            var client = try await Client(port)
            // The key and its answer are the example of RFC 6455, 1.3.
            #expect(try await client.openSession(port).contains("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo="))
            let hello = try await client.report()
            #expect(hello.kind == "hello" && hello.frontEnd == "landmarks")
            let settings = try await client.report("settings")
            #expect(settings.labels?.contains("swipeLeft") == true && settings.watchesArms == false)

            try await client.write(maskedFrame(2, pictureMessage(width: 320, height: 180)))
            let frame = try await client.report("frame")
            #expect(frame.outcome == "encoded" && frame.received == 1)
            try await client.write(maskedFrame(2, pictureMessage(extra: 1)))
            #expect(try await client.report("failure").sentence == "The picture has 785 bytes instead of 784.")
            try await client.tell(#"{"do": "fly"}"#)
            #expect(try await client.report("failure").sentence?.contains("fly") == true)

            let mirrored = #"{"rate": 30, "isMirrored": true, "deniedClasses": ["tap"], "hasHeldPoses": false"#
            try await client.tell(#"{"do": "settings", "settings": \#(mirrored), "beginConfidence": 0.5}}"#)
            #expect(try await client.report("settings").beginConfidence == 0.5)
            try await client.write(maskedFrame(2, pictureMessage(width: 320, height: 180, time: 40_000)))
            #expect(try await client.report("frame").outcome == "encoded")
            try await client.tell(#"{"do": "settings", "settings": \#(mirrored), "beginConfidence": 1.5}}"#)
            #expect(try await client.report("failure").sentence?.contains("beginConfidence") == true)
            try await client.tell(#"{"do": "load", "file": "AAAA"}"#)
            #expect(try await client.report("failure").sentence?.isEmpty == false)
        }
    }

    @Test func longMessagesAndManySessionsAreRefused() async throws {
        var limits = ConnectionTable.Limits()
        limits.patience = .seconds(600)
        try await withServer(limits: limits) { port in
            var clients = try await Client.withSessions(4, port)
            var another = try await Client(port)
            // A page learns why from the frame that closes its session, which is the first.
            #expect(try await another.openSession(port).hasPrefix("HTTP/1.1 101"))
            let (opcode, payload) = try await another.frame()
            #expect(opcode == 8 && payload.prefix(2) == [0x03, 0xF5])
            #expect(String(decoding: payload.dropFirst(2), as: UTF8.self).hasPrefix("4 pages use the program"))
            #expect(try await another.rest().isEmpty)
            // The first bytes of a message of 16 MB.
            try await clients[0].write([0x82, 0xFF, 0, 0, 0, 0, 1, 0, 0, 0])
            while true {
                let (opcode, payload) = try await clients[0].frame()
                guard opcode == 8 else { continue }
                #expect(payload == [0x03, 0xF1])
                break
            }
            _ = try await clients[0].rest()
            var next = try await Client(port)
            #expect(try await next.openSession(port).hasPrefix("HTTP/1.1 101"))
        }
    }

    /// Connections that ask for nothing, or for half of something, keep no visitor out.
    @Test func idleConnectionsGiveWay() async throws {
        try await withServer { port in
            var idle: [Client] = []
            for index in 0..<200 {
                let client = try await Client(port)
                if index % 2 == 0 { try await client.write(Array("GET / HTTP/1.1\r\nHos".utf8)) }
                idle.append(client)
            }
            for _ in 0..<5 {
                let page = try await answer(port, "GET / HTTP/1.1", ["Host: localhost:\(port)"])
                #expect(page.hasPrefix("HTTP/1.1 200"))
            }
            // The oldest are closed; the newest are not, and may still ask.
            #expect(try await idle[0].rest().isEmpty)
            try await idle[198].write(Array("t: localhost:\(port)\r\n\r\n".utf8))
            #expect(try await idle[198].rest().hasPrefix("HTTP/1.1 200"))
            for client in idle { try? client.socket.close() }
        }
    }

    /// A visit ends in time, whether its request does not come or its answer is not read.
    @Test func slowVisitsEnd() async throws {
        var limits = ConnectionTable.Limits()
        limits.visitTime = .milliseconds(200)
        try await withServer(limits: limits) { port in
            var slow = try await Client(port)
            let begin = ContinuousClock.now
            await #expect(throws: (any Error).self) {
                while true {
                    try await slow.write([0x41])
                    try await Task.sleep(for: .milliseconds(20))
                }
            }
            #expect(begin.duration(to: ContinuousClock.now) < .seconds(9))
            #expect(try await slow.rest().isEmpty)
        }
    }

    /// Sessions that were opened and say nothing give way to a page; a page that answers pings keeps its place.
    @Test func silentSessionsGiveWay() async throws {
        var limits = ConnectionTable.Limits()
        (limits.heartbeat, limits.patience) = (.milliseconds(20), .milliseconds(500))
        try await withServer(limits: limits) { port in
            var clients = try await Client.withSessions(4, port)
            let begin = ContinuousClock.now
            while begin.duration(to: ContinuousClock.now) < .milliseconds(700) {
                #expect(try await clients[0].anyFrame().opcode != 8)
                try await clients[0].write(maskedFrame(10, []))
            }
            var page = try await Client(port)
            _ = try await page.openSession(port)
            #expect(try await page.report().kind == "hello")
            try await clients[0].write(maskedFrame(9, [1, 2, 3]))
            while try await clients[0].anyFrame() != (10, [1, 2, 3]) {}
        }
    }

    /// A message whose fragments never end closes its session, and of many pings the newest is answered.
    @Test func floodsEnd() async throws {
        try await withServer { port in
            var client = try await Client(port)
            _ = try await client.openSession(port)
            _ = try await client.report("settings")
            try await client.write((0..<20_000).flatMap { maskedFrame(9, [UInt8($0 & 0xFF), UInt8($0 >> 8)]) })
            var pongs = 0
            while true {
                let (opcode, payload) = try await client.anyFrame()
                guard opcode == 10 else { continue }
                pongs += 1
                if payload == [0x1F, 0x4E] { break }
            }
            #expect(pongs < 2000, "\(pongs)")
            // One more than a message may have.
            let fragments =
                maskedFrame(1, [0x41], isFinal: false)
                + (0..<WebSocketParser.fragmentLimit).flatMap { _ in maskedFrame(0, [0x41], isFinal: false) }
            try? await client.write(fragments)
            while true {
                let (opcode, payload) = try await client.anyFrame()
                guard opcode == 8 else { continue }
                #expect(payload == [0x03, 0xF0])
                break
            }
        }
    }

    /// A clip of the server is shown with its reports, at its pace, to its end, and again when the page asks for it.
    @Test func aClipIsPlayed() async throws {
        let scratch = try ScratchFolder()
        var bytes = Array("YUV4MPEG2 W64 H48 F30:1 C420jpeg\n".utf8)
        for index in 0..<15 {
            bytes += Array("FRAME\n".utf8) + [UInt8](repeating: UInt8(10 * index), count: 64 * 48)
            bytes += [UInt8](repeating: 128, count: 2 * 32 * 24)
        }
        let path = try scratch.write("clip.y4m", bytes)
        try await withServer(clip: path) { port in
            var client = try await Client(port)
            _ = try await client.openSession(port)
            #expect(try await client.report("hello").source == (path as NSString).lastPathComponent)
            for round in 1...2 {
                let begin = ContinuousClock().now
                #expect(try await client.report("clip").isPlaying == true)
                while let report = try? await client.report(), report.kind != "clip" {
                    #expect(["frame", "settings"].contains(report.kind))
                }
                #expect(begin.duration(to: ContinuousClock().now) > .milliseconds(400))
                // What comes too late is left out.
                #expect(client.pictures.count > round && client.pictures.count <= 15 * round)
                #expect(client.pictures.allSatisfy { $0.width == 64 && $0.height == 48 })
                try await client.tell(#"{"do": "play"}"#)
            }
        }
        withExtendedLifetime(scratch) {}
    }

    /// The arms of a person come from a server that watches them.
    @Test func watchedArmsAreShown() async throws {
        let clip = Fixtures.repository.appendingPathComponent("Weights/demo/body.webp").path
        try await withServer(clip: clip, arms: .full()) { port in
            var client = try await Client(port)
            _ = try await client.openSession(port)
            #expect(try await client.report("settings").watchesArms == true)
            var arms: Client.Report.Arms?
            while arms == nil {
                let report = try await client.report()
                arms = report.arms
                if report.kind == "clip", report.isPlaying == false { try await client.tell(#"{"do": "play"}"#) }
            }
            #expect(arms?.points.count == 18 && (0...1).contains(arms?.gesturing ?? -1))
        }
    }

    /// People are followed and counted when a page asks for them, and not before.
    @Test func peopleAreShownOnRequest() async throws {
        let clip = Fixtures.repository.appendingPathComponent("Weights/demo/body.webp").path
        try await withServer(clip: clip) { port in
            var client = try await Client(port)
            _ = try await client.openSession(port)
            #expect(try await client.report("frame").bodies == nil)
            let settings = #"{"rate": 30, "isMirrored": false, "deniedClasses": [], "hasHeldPoses": false"#
            try await client.tell(#"{"do": "settings", "settings": \#(settings), "bodies": "squat"}}"#)
            let bodies = try await client.report { $0.bodies?.people.isEmpty == false }.bodies
            #expect(bodies?.people.count == 1 && bodies?.people.first?.count == 99 && bodies?.repetitions != nil)
            try await client.tell(#"{"do": "settings", "settings": \#(settings), "bodies": "flight"}}"#)
            #expect(try await client.report("failure").sentence?.contains("settings.bodies") == true)
        }
    }

    /// Hands are pointers when a page asks for them, and not before.
    @Test func handsPointOnRequest() async throws {
        let clip = Fixtures.repository.appendingPathComponent("Weights/demo/hands.mp4").path
        try await withServer(clip: clip) { port in
            var client = try await Client(port)
            _ = try await client.openSession(port)
            #expect(try await client.report("frame").pointers == nil)
            let settings = #"{"rate": 30, "isMirrored": false, "deniedClasses": [], "hasHeldPoses": false"#
            try await client.tell(#"{"do": "settings", "settings": \#(settings), "pointer": true}}"#)
            let shown = try await client.report { $0.pointers?.first?.events.contains("entered") == true }
            let pointers = shown.pointers ?? []
            #expect(pointers.map(\.state) == ["hovering", "absent"])
            #expect(pointers.map { $0.identity != nil } == [true, false])
            #expect(["left", "right"].contains(pointers[0].handedness) && (0...1).contains(pointers[0].x))
            #expect(pointers[0].scroll == ["x": 0, "y": 0] && pointers[1].events.isEmpty)
        }
    }

    /// A device that is no camera.
    @Test func aCameraThatCannotBeReadIsSaid() async throws {
        try await withServer(clip: "/dev/null") { port in
            var client = try await Client(port)
            _ = try await client.openSession(port)
            #expect(try await client.report("failure").sentence?.contains("/dev/null") == true)
            #expect(try await client.report("clip").isPlaying == false)
        }
    }

    /// An open hand that turns to and fro, three times from rest to rest, becomes a gesture, which is then found. The same
    /// again collides with it, and rest alone is no gesture.
    @Test func aGestureIsTaught() async throws {
        let hand = try await TurningHand()
        try await withServer { port in
            var client = try await Client(port)
            _ = try await client.openSession(port)
            var time = 0.0
            var taught: Client.Report?
            var phases: [String] = []
            var advice: [String] = []
            func push(_ angle: Double, _ client: inout Client) async throws -> Client.Report {
                try await client.write(maskedFrame(2, hand.message(angle: angle, time: UInt64(time * 1e6))))
                time += 1.0 / 30
                while true {
                    let report = try await client.report()
                    if report.kind == "taught" { taught = report }
                    if let phase = report.phase, phase != "gesture" { phases.append(phase) }
                    if report.phase != nil, let sentence = report.sentence { advice.append(sentence) }
                    if report.kind == "frame", report.outcome != "closed" { return report }
                }
            }
            /// Teaches `label` by takes of these strengths.
            func teach(_ label: String, _ strengths: [Double], _ client: inout Client) async throws -> Client.Report {
                for _ in 0..<30 { _ = try await push(0, &client) }
                try await client.tell(#"{"do": "teach", "label": "\#(label)"}"#)
                // A take has 15 slots before it and 66 of its own; the last has no gesture, and fewer.
                for strength in strengths {
                    for slot in 0..<81 {
                        let isTurning = strength > 0 && (30..<66).contains(slot)
                        _ = try await push(isTurning ? strength * sin(Double(slot - 30) / 3) : 0, &client)
                    }
                }
                return try #require(taught)
            }
            let first = try await teach("turn", [0.6, 0.55, 0.65, 0], &client)
            try #require(first.refusal == nil, "\(first.refusal ?? "")")

            var begins: [String] = []
            for slot in 0..<120 {
                let report = try await push((40..<76).contains(slot) ? 0.6 * sin(Double(slot - 40) / 3) : 0, &client)
                begins += (report.events ?? []).filter { $0.event == "begin" }.map(\.label)
            }
            #expect(begins.filter { $0 == "turn" }.count == 1, "\(begins)")

            let again = try await teach("again", [0.6, 0.55, 0.65, 0], &client)
            #expect(again.refusal != nil && again.collidesWith == "turn")
            try await client.tell(#"{"do": "teach", "label": "turn"}"#)
            #expect(try await client.report("failure").sentence?.contains("turn") == true)

            try await client.tell(#"{"do": "teach", "label": "rest"}"#)
            phases = []
            for _ in 0..<260 { _ = try await push(0, &client) }
            #expect(phases == ["ready", "again", "ready", "again", "ready", "stopped"])
            // The hand is there and still: a held pose may be meant. The last sentence says what happens now.
            #expect(advice.count == 3 && advice.allSatisfy { $0.contains("choose a held pose") }, "\(advice)")
            #expect(advice.last?.contains("nothing was learned") == true)
            try await client.tell(#"{"do": "forget", "label": "turn"}"#)
            #expect(try await client.report("settings").labels?.contains("turn") == false)
        }
    }
}

extension PageServerTests {
    /// A fist that is held still twice becomes a gesture. The first take waits for the hand.
    @Test func aHeldPoseIsTaught() async throws {
        let hand = try await TurningHand(frame: 77)
        try await withServer { port in
            var client = try await Client(port)
            _ = try await client.openSession(port)
            var slot = 0
            var phases: [String] = []
            var begins: [String] = []
            var taught: Client.Report?
            func push(_ isShown: Bool, _ client: inout Client) async throws {
                // It trembles, as takes that are equal are refused.
                let angle = isShown ? 0.05 * sin(Double(slot) / 7) : nil
                try await client.write(maskedFrame(2, hand.message(angle: angle, time: UInt64(slot) * 33_333)))
                slot += 1
                while true {
                    let report = try await client.report()
                    if report.kind == "taught" { taught = report }
                    if let phase = report.phase, phase != "gesture" { phases.append(phase) }
                    begins += (report.events ?? []).filter { $0.event == "begin" }.map(\.label)
                    if report.kind == "frame", report.outcome != "closed" { return }
                }
            }
            for _ in 0..<10 { try await push(false, &client) }
            try await client.tell(#"{"do": "teach", "label": "mine", "gesture": "pose"}"#)
            for _ in 0..<40 { try await push(false, &client) }
            #expect(phases == ["hand"])
            for _ in 0..<170 where taught == nil { try await push(true, &client) }
            #expect(phases == ["hand", "ready", "ready", "learning"])
            let report = try #require(taught)
            try #require(report.refusal == nil, "\(report.refusal ?? "")")
            #expect(report.warning == nil)
            for _ in 0..<60 { try await push(true, &client) }
            #expect(begins.filter { $0 == "mine" }.count == 1, "\(begins)")
        }
    }
}

/// A frame of the demo clip with a hand, turned about its middle.
private struct TurningHand {
    private let message: [UInt8]
    private let size: (width: Int, height: Int)

    /// - Parameter frame: the index; by default one with an open hand.
    init(frame index: Int = 15) async throws {
        let path = Fixtures.repository.appendingPathComponent("Weights/demo/hands.mp4").path
        var found: CameraPicture?
        try await ClipSource().open(path).forEachFrame { frame in
            guard frame.index == index else { return true }
            found = CameraPicture(try frame.colorView(), time: .zero)
            return false
        }
        let picture = try #require(found)
        size = (picture.width / 4 * 2, picture.height / 4 * 2)
        let half = (width: size.width / 2, height: size.height / 2)
        var pixels: [UInt8] = []
        var start = 16
        // Every second sample of each plane.
        for (stored, columns, rows) in [
            (picture.width, size.width, size.height), (picture.width / 2, half.width, half.height),
            (picture.width / 2, half.width, half.height),
        ] {
            for y in 0..<rows {
                for x in 0..<columns { pixels.append(picture.message[start + 2 * y * stored + 2 * x]) }
            }
            start += stored * (stored == picture.width ? picture.height : picture.height / 2)
        }
        message = Array(pictureMessage(format: 3, width: size.width, height: size.height).prefix(16)) + pixels
    }

    /// - Parameters:
    ///   - angle: radians; nil for a gray picture.
    ///   - time: microseconds.
    func message(angle: Double?, time: UInt64) -> [UInt8] {
        var turned = message
        for index in 0..<8 { turned[8 + index] = UInt8(time >> (8 * UInt64(index)) & 0xFF) }
        guard let angle else { return Array(turned[..<16]) + [UInt8](repeating: 128, count: turned.count - 16) }
        guard angle != 0 else { return turned }
        let (width, height) = size
        var start = 16
        for (columns, rows) in [(width, height), (width / 2, height / 2), (width / 2, height / 2)] {
            let (middleX, middleY) = (Double(columns) / 2, Double(rows) / 2)
            let (cosine, sine) = (cos(angle), sin(angle))
            for y in 0..<rows {
                for x in 0..<columns {
                    let (dx, dy) = (Double(x) - middleX, Double(y) - middleY)
                    let (fromX, fromY) = (
                        Int(middleX + cosine * dx - sine * dy), Int(middleY + sine * dx + cosine * dy)
                    )
                    let isInside = (0..<columns).contains(fromX) && (0..<rows).contains(fromY)
                    turned[start + y * columns + x] = isInside ? message[start + fromY * columns + fromX] : 128
                }
            }
            start += columns * rows
        }
        return turned
    }
}
