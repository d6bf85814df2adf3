import Foundation

/// Text of a file, safe to print: control characters, which could steer the terminal, become escapes.
package func visible(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { result, scalar in
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator:
            result += "\\u{\(String(scalar.value, radix: 16))}"
        default: result.unicodeScalars.append(scalar)
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
func visibleLines(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { visible(String($0)) }.joined(separator: "\n")
}
