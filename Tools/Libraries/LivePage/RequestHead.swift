/// The first line and the headers of an HTTP/1.1 request.
///
/// Only what a page needs: any method and target, headers without continuation lines, no body. Whoever sends more than
/// `limit` bytes before the empty line is refused before the bytes are kept.
package struct RequestHead: Sendable, Equatable {
    /// As sent: methods are case-sensitive.
    package let method: String
    /// The path without the query.
    package let path: String
    /// By name in lower case. A header that comes twice is an error.
    package let headers: [String: String]

    /// Bytes up to and including the empty line.
    package static let limit = 8192
    package static let headerLimit = 64

    /// Parses the bytes up to the empty line.
    /// - Parameter end: 0 at first. Afterwards the end of the head, or, while the empty line has not come, where the search goes on
    ///   with more bytes, so that each byte is searched once.
    /// - Returns: nil while the empty line has not come.
    package init?(_ bytes: [UInt8], end: inout Int) throws(RequestError) {
        guard let length = Self.length(bytes, from: end) else {
            guard bytes.count < Self.limit else { throw .tooLong(limit: Self.limit) }
            end = max(0, bytes.count - 3)
            return nil
        }
        guard length <= Self.limit else { throw .tooLong(limit: Self.limit) }
        guard let text = String(validating: bytes[..<(length - 4)], as: UTF8.self) else { throw .notText }
        var lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)[...]
        let words = (lines.popFirst() ?? "").split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 3, Self.isToken(words[0]), words[1].hasPrefix("/"),
            words[1].utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { throw .requestLine }
        guard words[2] == "HTTP/1.1" else { throw .version(String(words[2].prefix(16))) }
        guard lines.count <= Self.headerLimit else { throw .tooManyHeaders(lines.count, limit: Self.headerLimit) }
        var headers: [String: String] = [:]
        for (index, line) in lines.enumerated() {
            guard let colon = line.firstIndex(of: ":"), Self.isToken(line[..<colon]) else {
                throw .header(index: index)
            }
            let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
            guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
                throw .header(index: index)
            }
            let name = line[..<colon].lowercased()
            guard headers[name] == nil else { throw .repeated(name) }
            headers[name] = String(
                value[
                    ..<(value.lastIndex { $0 != " " && $0 != "\t" }.map(value.index(after:))
                        ?? value.startIndex)])
        }
        method = String(words[0])
        path = String(words[1].prefix { $0 != "?" })
        self.headers = headers
        end = length
    }

    /// Bytes up to and including the first empty line that ends behind `start`; nil without one.
    private static func length(_ bytes: [UInt8], from start: Int) -> Int? {
        let ending: [UInt8] = [0x0D, 0x0A, 0x0D, 0x0A]
        return bytes.indices.dropFirst(start).dropLast(3).first { bytes[$0..<($0 + 4)].elementsEqual(ending) }
            .map { $0 + 4 }
    }

    /// RFC 9110, 5.6.2.
    private static func isToken(_ text: Substring) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
    }
}

/// Why a request is refused.
package enum RequestError: Error, Sendable, Equatable {
    /// No empty line within this many bytes.
    case tooLong(limit: Int)
    /// Bytes that are not UTF-8.
    case notText
    /// The first line is not a method, a path and a version.
    case requestLine
    /// Another version than HTTP/1.1.
    case version(String)
    case tooManyHeaders(Int, limit: Int)
    /// A line that is no header, counted from 0.
    case header(index: Int)
    /// A header that comes twice.
    case repeated(String)
    /// The request is for another host, as after DNS rebinding; nil if it names none.
    case host(String?)
    /// Another site's page asks; nil if a WebSocket names none.
    case origin(String?)
    /// Another method than GET and HEAD.
    case method(String)
    /// No such page.
    case path(String)
    /// Not a valid request for a WebSocket; why.
    case handshake(String)
    /// A session cannot be made; why.
    case session(String)

    /// The status of the answer, by RFC 9110.
    package var status: Int {
        switch self {
        case .notText, .requestLine, .header, .repeated, .handshake: 400
        case .host, .origin: 403
        case .path: 404
        case .method: 405
        case .tooLong, .tooManyHeaders: 431
        case .session: 500
        case .version: 505
        }
    }

    /// One sentence for the person who reads the answer.
    package var sentence: String {
        switch self {
        case .tooLong(let limit): "The request's head is longer than \(limit) bytes."
        case .notText: "The request's head is not text."
        case .requestLine: "The request's first line is not a method, a path and a version."
        case .version(let version): "The request is \(version); HTTP/1.1 is needed."
        case .tooManyHeaders(let count, let limit): "The request has \(count) headers; \(limit) is the limit."
        case .header(let index): "Header \(index + 1) of the request is malformed."
        case .repeated(let name): "The request has the header \(name) twice."
        case .host(let host): "This server is for its own machine; the request is for \(host ?? "no host")."
        case .origin(let origin): "Pages of \(origin ?? "an unnamed site") may not use this server."
        case .method(let method): "The method \(method) is not GET or HEAD."
        case .path(let path): "There is no page \(path)."
        case .handshake(let reason): "This is no valid request for a WebSocket: \(reason)."
        case .session(let reason): reason
        }
    }
}
