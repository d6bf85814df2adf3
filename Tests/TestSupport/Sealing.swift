import Foundation
import ModelFile

/// Changed model files with a content hash to match, so that the checks after the hash can be tested.
package enum Sealing {
    /// The file with its hash corrected, or nil if it cannot be read or has none.
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
