import LivePage
import Testing

@Suite struct RequestTests {
    private func parse(_ text: String) throws(RequestError) -> RequestHead? {
        var end = 0
        return try RequestHead(Array(text.utf8), end: &end)
    }

    @Test func aHeadIsParsed() throws {
        let text = "GET /page.js?x=1 HTTP/1.1\r\nHost: localhost:8080\r\nOrigin:\t http://a \r\nEmpty:\r\n\r\nmore"
        var end = 0
        let head = try #require(try RequestHead(Array(text.utf8), end: &end))
        #expect(head.method == "GET" && head.path == "/page.js")
        #expect(head.headers == ["host": "localhost:8080", "origin": "http://a", "empty": ""])
        #expect(text.utf8.count - end == "more".utf8.count)
    }

    @Test func everyBeginningIsIncomplete() throws {
        let text = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
        for count in 0..<text.utf8.count {
            var end = 0
            #expect(try RequestHead(Array(text.utf8.prefix(count)), end: &end) == nil, "\(count)")
        }
    }

    /// The parser is told where it has searched, so that a head which comes byte by byte takes no time of its length squared.
    @Test func aHeadComesByteByByte() throws {
        let text = Array("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
        var end = 0
        for count in 0..<text.count {
            #expect(try RequestHead(Array(text[..<count]), end: &end) == nil)
            #expect(end == max(0, count - 3))
        }
        #expect(try RequestHead(text, end: &end)?.headers == ["host": "localhost"])
        #expect(end == text.count)
    }

    private static let tooMany = (0...64).map { "h\($0): x\r\n" }.joined()
    private static let faults: [(String, RequestError)] = [
        ("GET /\r\n\r\n", RequestError.requestLine), ("GET  / HTTP/1.1\r\n\r\n", .requestLine),
        ("GET x HTTP/1.1\r\n\r\n", .requestLine), ("G(T / HTTP/1.1\r\n\r\n", .requestLine),
        ("GET /\u{e9} HTTP/1.1\r\n\r\n", .requestLine), ("GET / HTTP/1.0\r\n\r\n", .version("HTTP/1.0")),
        ("GET / HTTP/1.1\r\nHost localhost\r\n\r\n", .header(index: 0)),
        ("GET / HTTP/1.1\r\na: b\r\n folded\r\n\r\n", .header(index: 1)),
        ("GET / HTTP/1.1\r\nHost : localhost\r\n\r\n", .header(index: 0)),
        ("GET / HTTP/1.1\r\na: \u{1}\r\n\r\n", .header(index: 0)),
        ("GET / HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n", .repeated("host")),
        ("GET / HTTP/1.1\r\n\(tooMany)\r\n", .tooManyHeaders(65, limit: 64)),
        (String(repeating: "x", count: 8192), .tooLong(limit: 8192)),
        ("GET / HTTP/1.1\r\nlong: \(String(repeating: "x", count: 9000))\r\n\r\n", .tooLong(limit: 8192)),
    ]

    @Test(arguments: faults)
    func faultsAreNamed(_ text: String, _ expected: RequestError) {
        #expect(throws: expected) { try parse(text) }
        #expect(!expected.sentence.isEmpty && (400...505).contains(expected.status))
    }

    @Test func bytesThatAreNotTextAreRefused() {
        var end = 0
        let bytes = Array("GET / HTTP/1.1\r\na: ".utf8) + [0xFF] + Array("\r\n\r\n".utf8)
        #expect(throws: RequestError.notText) { try RequestHead(bytes, end: &end) }
    }

    private static let origins: [(String?, String?, RequestError?)] = [
        ("127.0.0.1:8080", "http://127.0.0.1:8080", nil), ("localhost:8080", "http://localhost:8080", nil),
        ("LocalHost:8080", "http://127.0.0.1:8080", nil),
        ("attacker.example:8080", "http://localhost:8080", .host("attacker.example:8080")),
        ("127.0.0.1", "http://127.0.0.1:8080", .host("127.0.0.1")),
        ("127.0.0.1:8080.attacker.example", nil, .host("127.0.0.1:8080.attacker.example")),
        (nil, "http://127.0.0.1:8080", .host(nil)), ("127.0.0.1:8080", nil, .origin(nil)),
        ("127.0.0.1:8080", "http://attacker.example", .origin("http://attacker.example")),
        ("127.0.0.1:8080", "https://localhost:8080", .origin("https://localhost:8080")),
        ("127.0.0.1:8080", "http://localhost:8081", .origin("http://localhost:8081")),
        ("127.0.0.1:8080", "null", .origin("null")),
    ]

    @Test(arguments: origins)
    func onlyItsOwnPagesOpenASocket(_ host: String?, _ origin: String?, _ expected: RequestError?) throws {
        var text = "GET /session HTTP/1.1\r\n"
        if let host { text += "Host: \(host)\r\n" }
        if let origin { text += "Origin: \(origin)\r\n" }
        let head = try #require(try parse(text + "\r\n"))
        let rule = OriginRule(port: 8080)
        guard let expected else { return try rule.check(head, isSocket: true) }
        #expect(throws: expected) { try rule.check(head, isSocket: true) }
        #expect(expected.status == 403)
    }

    /// A browser that opens the page states no origin.
    @Test func thePageNeedsNoOrigin() throws {
        let head = try #require(try parse("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"))
        try OriginRule(port: 80).check(head, isSocket: false)
    }
}
