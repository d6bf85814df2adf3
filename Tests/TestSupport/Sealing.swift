import Foundation
import ModelFile

/// Model files that were changed, with the content hash of what they say now: so that the checks behind it can be tested.
package enum Sealing {
    /// The file with its hash made right, or nil if it cannot be read or has none.
    package static func resealed(_ bytes: [UInt8]) -> [UInt8]? {
        guard let file = try? SafetensorsFile(bytes: bytes), let old = file.metadata[ContentHash.key],
            let place = Data(bytes).range(of: Data("\"\(ContentHash.key)\":\"\(old)\"".utf8))
        else { return nil }
        let digits = place.upperBound - 1 - old.utf8.count..<place.upperBound - 1
        var result = bytes
        result.replaceSubrange(digits, with: ContentHash(file).digits.utf8)
        return result
    }
}
