import Foundation

/// The names of numbered images: those that a pattern such as `hand-%04d.png` stands for, and the numbers that a
/// sequence of them lacks.
package struct NumberedName {
    private let prefix: String
    /// Digits at least, as zeros before the number.
    private let width: Int
    private let suffix: String

    /// - Parameter pattern: a name with one `%d` or `%04d`; `%%` stands for a percent sign. Nil for any other text.
    package init?(pattern: String) {
        let parts = pattern.replacing("%%", with: "\0").split(separator: "%", omittingEmptySubsequences: false)
        guard parts.count == 2, let letter = parts[1].firstIndex(of: "d") else { return nil }
        let digits = parts[1][..<letter]
        guard digits.isEmpty || digits.first == "0", digits.count <= 3, digits.isEmpty || Int(digits: digits) != nil
        else { return nil }
        prefix = String(parts[0].replacing("\0", with: "%"))
        width = max(1, Int(digits: digits) ?? 1)
        suffix = String(parts[1][letter...].dropFirst().replacing("\0", with: "%"))
    }

    /// The extension.
    package var kind: String { suffix.lastIndex(of: ".").map { String(suffix[$0...].dropFirst()) } ?? "" }

    package func matches(_ name: String) -> Bool {
        guard name.hasPrefix(prefix), name.hasSuffix(suffix), name.count > prefix.count + suffix.count else {
            return false
        }
        let digits = name.dropFirst(prefix.count).dropLast(suffix.count)
        guard digits.allSatisfy({ $0.isASCII && $0.isNumber }) else { return false }
        return digits.count == width || (digits.count > width && digits.first != "0")
    }

    /// The name at the end of a path.
    static func last(of path: String) -> String {
        path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[path.utf8.index(after: $0)...]) } ?? path
    }

    // MARK: Gaps

    /// The names that are missing between those of a sequence, each as one name or as the first and the last of a run.
    ///
    /// The numbers of a sequence have one step: at least half of them follow the one before at the smallest distance,
    /// and all others at a multiple of it. Names that differ in other parts, or in several numbers, have no gaps.
    package static func gaps(in names: [String]) -> [String] {
        var groups: [[String]: [[String]]] = [:]
        for name in names {
            let parts = parts(of: name)
            groups[parts.texts, default: []].append(parts.numbers)
        }
        return groups.sorted { $0.key.lexicographicallyPrecedes($1.key) }.flatMap {
            gaps(texts: $0.key, numbers: $0.value)
        }
    }

    /// Numbers further apart, in steps, are no sequence.
    private static let longestGap = 100_000

    private static func isDigit(_ character: Character) -> Bool { character.isASCII && character.isNumber }

    /// The digits of a name and what stands around them: one text more than numbers.
    private static func parts(of name: String) -> (texts: [String], numbers: [String]) {
        var (texts, numbers): ([String], [String]) = ([""], [])
        for character in name {
            if !isDigit(character) {
                texts[texts.count - 1].append(character)
            } else if texts.count > numbers.count, texts[texts.count - 1].isEmpty, !numbers.isEmpty {
                numbers[numbers.count - 1].append(character)
            } else {
                numbers.append(String(character))
                texts.append("")
            }
        }
        return (texts, numbers)
    }

    private static func gaps(texts: [String], numbers: [[String]]) -> [String] {
        guard numbers.count >= 3, let first = numbers.first else { return [] }
        let places = first.indices.filter { place in numbers.contains { $0[place] != first[place] } }
        guard places.count == 1, let place = places.first else { return [] }
        let known = numbers.compactMap { row in Int(digits: row[place]).map { (number: $0, row: row) } }.sorted {
            $0.number < $1.number
        }
        let distances = zip(known.dropFirst(), known).map { $0.number - $1.number }
        guard known.count == numbers.count, let step = distances.min(), step > 0,
            distances.allSatisfy({ $0.isMultiple(of: step) && $0 / step <= longestGap }),
            2 * distances.count(where: { $0 == step }) >= distances.count
        else { return [] }
        return zip(known, distances).filter { $1 > step }.map { before, distance in
            func name(_ number: Int) -> String {
                let digits = String(number)
                let zeros = String(repeating: "0", count: max(0, before.row[place].count - digits.count))
                var row = before.row
                row[place] = zeros + digits
                return zip(texts, row + [""]).map { $0 + $1 }.joined()
            }
            let (start, end) = (name(before.number + step), name(before.number + distance - step))
            return start == end ? start : "\(start) to \(end)"
        }
    }
}
