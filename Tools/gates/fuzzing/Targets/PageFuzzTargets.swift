import Frames
import LivePage
import PageSession

/// What comes from a browser, or from whatever connects to the page's server.
enum PageFuzzTargets {
    private static let messageLimit = 1 << 16

    /// Frames of a WebSocket. The first byte says in how many bytes at a time the rest comes.
    static func socket(_ bytes: [UInt8]) -> Bool {
        guard let first = bytes.first else { return false }
        var parser = WebSocketParser(messageLimit: messageLimit)
        var rest = bytes.dropFirst()
        var isTaken = false
        do throws(WebSocketError) {
            while !rest.isEmpty {
                parser.append(Array(rest.prefix(max(1, Int(first)))))
                rest = rest.dropFirst(max(1, Int(first)))
                while let message = try parser.next() {
                    read(message)
                    isTaken = true
                }
            }
        } catch {
            precondition((1000...1015).contains(error.code), "a code that no RFC has")
            return false
        }
        return isTaken
    }

    private static func read(_ message: WebSocketMessage) {
        switch message {
        case .text(let text):
            do throws(PageCommandError) { _ = try PageCommand(text) } catch {
                precondition(!error.sentence.isEmpty, "an error without a sentence")
            }
        case .binary(let bytes):
            do throws(PictureError) {
                let picture = try CameraPicture(bytes)
                do throws(PixelView.FrameError) {
                    let view = try picture.pixelView()
                    precondition(view.width == picture.width, "a picture of another width")
                } catch {
                    preconditionFailure("a picture that cannot be seen: \(error)")
                }
            } catch {
                precondition(!error.sentence.isEmpty, "an error without a sentence")
            }
        case .ping, .close: break
        }
    }

    static func request(_ bytes: [UInt8]) -> Bool {
        var end = 0
        do throws(RequestError) {
            guard let head = try RequestHead(bytes, end: &end) else { return false }
            precondition((1...bytes.count).contains(end) && end <= RequestHead.limit, "a head that ends elsewhere")
            precondition(head.path.hasPrefix("/") && head.headers.count <= RequestHead.headerLimit, "a head")
            return true
        } catch {
            precondition((400...505).contains(error.status) && !error.sentence.isEmpty, "no valid answer")
            return false
        }
    }
}
