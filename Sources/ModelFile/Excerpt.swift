extension String {
    /// The text as a message may show it: what could steer a terminal or break a line becomes an escape, and of more than
    /// `limit` characters the first are there and how many bytes the whole has. Texts of files have any length.
    package func excerpt(limit: Int = 100) -> String {
        var result = ""
        for (index, scalar) in unicodeScalars.enumerated() {
            guard index < limit else { return result + "… (\(utf8.count) bytes)" }
            if scalar.steers {
                result += "\\u{\(String(scalar.value, radix: 16))}"
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

extension Unicode.Scalar {
    /// Whether it may move the cursor, change colours, or turn the direction of what follows.
    package var steers: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
