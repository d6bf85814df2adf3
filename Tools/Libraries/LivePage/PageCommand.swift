import Foundation
import GestureEngine

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
        do {
            let command = try JSONDecoder().decode(Message.self, from: Data(text.utf8))
            self = try command.command()
        } catch let error as PageCommandError {
            throw error
        } catch DecodingError.keyNotFound(let key, _) {
            throw .missing(key.stringValue)
        } catch DecodingError.typeMismatch(_, let context) where !context.codingPath.isEmpty {
            throw .wrongType(Self.path(context))
        } catch DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty {
            throw .wrongType(Self.path(context))
        } catch {
            throw .notJSON
        }
    }

    private static func path(_ context: DecodingError.Context) -> String {
        context.codingPath.map(\.stringValue).joined(separator: ".")
    }

    private struct Message: Decodable {
        let `do`: String
        let label: String?
        let gesture: TaughtKind?
        let file: String?
        let settings: PageSettings?

        func command() throws -> PageCommand {
            switch self.do {
            case "settings": .settings(try required(settings, "settings"))
            case "teach": .teach(label: try required(label, "label"), gesture ?? .movement)
            case "stop": .stopTeaching
            case "forget": .forget(label: try required(label, "label"))
            case "load": .load(try bytes())
            case "play": .play
            default: throw PageCommandError.unknown(self.do)
            }
        }

        private func bytes() throws -> [UInt8] {
            guard let data = Data(base64Encoded: try required(file, "file")) else {
                throw PageCommandError.wrongType("file")
            }
            return [UInt8](data)
        }

        private func required<Value>(_ value: Value?, _ name: String) throws -> Value {
            guard let value else { throw PageCommandError.missing(name) }
            return value
        }
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
        case .unknown(let name): "The page asks for \(name.prefix(40)), which this server does not know."
        case .rate(let rate): "The rate must be 30, 60 or 120, not \(rate)."
        case .alreadyTeaching(let label): "The gesture \(label) is being recorded. Stop that first."
        case .noClip: "This server shows the browser's camera and plays no clip."
        case .noPoses: "A held pose needs landmarks of hands, and this model reads pixels. Teach a movement."
        }
    }
}
