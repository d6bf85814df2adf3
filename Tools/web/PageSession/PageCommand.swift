import GestureEngine
import ModelFile

/// What a page asks for: a text message, one JSON object whose `do` names the command.
package enum PageCommand: Sendable, Equatable {
    /// `settings`: how the stream recognises from now on.
    case settings(PageSettings)
    /// `teach`: record a new gesture of this label and learn it; `gesture` is `movement`, which is the default, or `pose`.
    case teach(label: String, TaughtKind)
    /// `stop`: end the recording of a gesture, and learn nothing.
    case stopTeaching
    /// `forget`: remove a taught gesture.
    case forget(label: String)
    /// `load`: replace the taught gestures by those of a file, its bytes in Base64.
    case load([UInt8])
    /// `play`: play the server's clip from its beginning.
    case play

    /// Parses a message.
    package init(_ text: String) throws(PageCommandError) {
        let bytes = Array(text.utf8)
        var grammar = JSONReader(bytes)
        do throws(ModelFileError) {
            guard grammar.isObject() else { throw .syntax(.unexpectedEnd, offset: 0) }
            try grammar.skipValue()
            try grammar.finishText()
        } catch {
            throw .notJSON
        }
        // From here on a fault is a value of another kind than its key wants.
        var message = Message()
        try ObjectReader.read(bytes) { key, reader throws(PageCommandError) in
            switch key {
            case "do": message.do = try reader.string(key)
            case "label": message.label = try reader.string(key)
            case "gesture": message.gesture = try reader.choice(key)
            case "file": message.file = try reader.string(key)
            case "settings": message.settings = try PageSettings(reading: &reader)
            default: try reader.skip()
            }
        }
        self = try message.command()
    }

    private struct Message {
        var `do`: String?
        var label: String?
        var gesture: TaughtKind?
        var file: String?
        var settings: PageSettings?

        func command() throws(PageCommandError) -> PageCommand {
            let name = try PageCommand.required(self.do, "do")
            switch name {
            case "settings": return .settings(try PageCommand.required(settings, "settings"))
            case "teach": return .teach(label: try PageCommand.required(label, "label"), gesture ?? .movement)
            case "stop": return .stopTeaching
            case "forget": return .forget(label: try PageCommand.required(label, "label"))
            case "load":
                guard let bytes = Base64.bytes(try PageCommand.required(file, "file")) else { throw .wrongType("file") }
                return .load(bytes)
            case "play": return .play
            default: throw .unknown(name)
            }
        }
    }

    fileprivate static func required<Value>(_ value: Value?, _ name: String) throws(PageCommandError) -> Value {
        guard let value else { throw .missing(name) }
        return value
    }
}

extension PageSettings {
    /// Reads the object of a message.
    fileprivate init(reading reader: inout ObjectReader) throws(PageCommandError) {
        var (rate, isMirrored, deniedClasses, hasHeldPoses): (Int?, Bool?, Set<String>?, Bool?)
        self.init()
        try reader.object("settings") { key, path, reader throws(PageCommandError) in
            switch key {
            case "rate": rate = try reader.integer(path)
            case "isMirrored": isMirrored = try reader.boolean(path)
            case "beginConfidence": beginConfidence = try reader.number(path).map { Float($0) }
            case "beginFrames": beginFrames = try reader.integer(path)
            case "endFrames": endFrames = try reader.integer(path)
            case "deniedClasses": deniedClasses = try reader.strings(path).map { Set($0) }
            case "hasHeldPoses": hasHeldPoses = try reader.boolean(path)
            case "maximumHands": maximumHands = try reader.integer(path)
            case "bodies": bodies = try reader.choice(path)
            case "pointer": pointer = try HandPointer.Configuration(reading: &reader, path)
            default: try reader.skip()
            }
        }
        self.rate = try PageCommand.required(rate, "rate")
        self.isMirrored = try PageCommand.required(isMirrored, "isMirrored")
        self.deniedClasses = try PageCommand.required(deniedClasses, "deniedClasses")
        self.hasHeldPoses = try PageCommand.required(hasHeldPoses, "hasHeldPoses")
    }
}

/// Why a message of a page is refused.
package enum PageCommandError: Error, Sendable, Equatable {
    case notJSON
    case missing(String)
    case wrongType(String)
    case unknown(String)
    /// The nominal rate must be 30, 60 or 120, and is another number.
    case rate(Int)
    /// Another gesture is being recorded.
    case alreadyTeaching(String)
    /// The server plays no clip.
    case noClip
    /// A pose is to be taught, and the front end sees no hands.
    case noPoses

    package var sentence: String {
        switch self {
        case .notJSON: "The page's message is not a JSON object."
        case .missing(let key): "The page's message has no \(key)."
        case .wrongType(let path): "The page's message has a wrong value for \(path)."
        case .unknown(let name): "The page asks for \(name.prefix(40)), which is unknown here."
        case .rate(let rate): "The rate must be 30, 60 or 120, not \(rate)."
        case .alreadyTeaching(let label): "The gesture \(label) is being recorded. Stop that first."
        case .noClip: "Pictures come from the browser, and no clip can be played."
        case .noPoses: "A held pose needs landmarks of hands, and this model reads pixels. Teach a movement."
        }
    }
}
