import Foundation

/// A file as Swift source: base64 in a string literal, which the compiler copies into the program. A literal of bytes would take
/// the compiler minutes for each megabyte.
package enum EmbeddedSource {
    /// The source for these bytes.
    /// - Parameters:
    ///   - declaration: the member that holds the text, such as `static let model: StaticString`.
    ///   - scope: the type or extension around it, such as `enum Weights`.
    ///   - comment: the first lines, such as what wrote the source.
    package static func text(of bytes: [UInt8], as declaration: String, in scope: String, comment: [String]) -> String {
        let base64 = [UInt8](Data(bytes).base64EncodedData())
        var lines = comment.map { "// \($0)" } + ["\(scope) {", "    \(declaration) = \"\"\""]
        for start in stride(from: 0, to: base64.count, by: 110) {
            let row = String(decoding: base64[start..<min(start + 110, base64.count)], as: UTF8.self)
            lines.append("        " + row + "\\")
        }
        // The last line must not be joined to the closing quotes.
        if !base64.isEmpty { lines[lines.count - 1].removeLast() }
        return (lines + ["        \"\"\"", "}", ""]).joined(separator: "\n")
    }
}
