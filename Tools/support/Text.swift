import Foundation
import ModelFile

/// Text of a file, safe to print: control characters, which could steer the terminal, become escapes.
package func visible(_ text: String) -> String { text.excerpt(limit: .max) }

/// JSON text, safe to print, that means the same: what an encoder leaves as it is in strings becomes escapes there. Line
/// ends, which it writes between values alone, stay.
package func visibleJSON(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { result, scalar in
        guard scalar.steers, scalar != "\n" else { return result.unicodeScalars.append(scalar) }
        for unit in scalar.utf16 {
            let digits = String(unit, radix: 16)
            result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
    }
}

/// Thousands apart: `1,389,820`.
package func grouped(_ number: Int) -> String {
    var digits = String(number.magnitude)
    var result = ""
    while digits.count > 3 {
        result = "," + digits.suffix(3) + result
        digits.removeLast(3)
    }
    return (number < 0 ? "-" : "") + digits + result
}

/// A number with so many decimals, or a dash for none.
package func decimals(_ number: Double?, _ count: Int) -> String {
    guard let number else { return "-" }
    return String(format: "%.\(count)f", number)
}

/// As `visible`, of a text of several lines.
package func visibleLines(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { visible(String($0)) }.joined(separator: "\n")
}
