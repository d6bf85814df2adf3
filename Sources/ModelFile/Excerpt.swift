extension String {
    /// The text for a message: characters that could steer a terminal or break a line are escaped, and a text of more
    /// than `limit` characters is cut and followed by its length in bytes. Texts from files may have any length.
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
    /// Whether it may move the cursor, change colours or reverse the direction of the following text.
    package var steers: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
