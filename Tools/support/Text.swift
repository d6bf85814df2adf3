import Foundation
import ModelFile
import Platform

/// Text of a file or its path, safe to print: control characters, which could control the terminal, and bytes of a path
/// that are not UTF-8 become escapes.
package func visible(_ text: String) -> String {
    let text = text.excerpt(limit: .max)
    guard text.unicodeScalars.contains(where: { PathText.byte($0) != nil }) else { return text }
    return text.unicodeScalars.reduce(into: "") { result, scalar in
        guard let byte = PathText.byte(scalar) else { return result.unicodeScalars.append(scalar) }
        result += "\\x" + String(byte, radix: 16, uppercase: true)
    }
}

/// Equivalent JSON text that is safe to print: control characters that an encoder leaves in strings become escapes.
/// Line ends stay; encoders write them only between values.
package func visibleJSON(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { result, scalar in
        guard scalar.steers, scalar != "\n" else { return result.unicodeScalars.append(scalar) }
        for unit in scalar.utf16 {
            let digits = String(unit, radix: 16)
            result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
    }
}

/// With a separator between thousands: `1,389,820`.
package func grouped(_ number: Int) -> String {
    var digits = String(number.magnitude)
    var result = ""
    while digits.count > 3 {
        result = "," + digits.suffix(3) + result
        digits.removeLast(3)
    }
    return (number < 0 ? "-" : "") + digits + result
}

/// A number with this many decimals, or a dash for nil.
package func decimals(_ number: Double?, _ count: Int) -> String {
    guard let number else { return "-" }
    return String(format: "%.\(count)f", number)
}

/// As `visible`, for a text of several lines.
package func visibleLines(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { visible(String($0)) }.joined(separator: "\n")
}
