import ModelFile

extension ZipArchive.Fault: CustomStringConvertible {
    /// One sentence for the user.
    package var description: String {
        switch self {
        case .directory: "The zip archive has no directory at its end."
        case .malformed(let offset): "The zip archive is broken at byte \(offset)."
        case .tooManyEntries(let limit): "The zip archive has more than \(limit) members."
        case .unsupported: "The zip archive spans several files, or its 64-bit sizes are not where they should be."
        case .name(let name): "The zip archive has a member with the invalid name '\(name.excerpt())'."
        case .encrypted(let name): "\(name.excerpt()) of the zip archive is encrypted."
        case .compressed(let name, let method):
            "\(name.excerpt()) of the zip archive is compressed by method \(method), which cannot be read here."
        case .ratio(let name, let size):
            "\(name.excerpt()) of the zip archive states a content of \(size) bytes, more than its bytes can give."
        case .tooLarge(let limit): "The contents of the zip archive would exceed \(limit) bytes, the limit."
        case .deflate(let name, let fault): "\(name.excerpt()) of the zip archive cannot be unpacked: \(fault.clause)."
        case .contradiction(let name): "The zip archive's two headers of \(name.excerpt()) contradict each other."
        case .overlap(let name): "\(name.excerpt()) of the zip archive overlaps the member before."
        case .checksum(let name): "\(name.excerpt()) of the zip archive differs from the checksum in its header."
        case .tooDeep(let name, let limit):
            "\(name.excerpt()) is an archive inside \(limit) others; archives are read \(limit) deep."
        }
    }
}

extension Inflate.Fault {
    fileprivate var clause: String {
        switch self {
        case .ended: "its bytes end inside a block"
        case .blockKind: "it has a block of an unknown kind"
        case .storedLength: "the two copies of a length disagree"
        case .codeLengths: "it has an invalid Huffman code"
        case .symbol: "it has bits that mean nothing"
        case .distance: "it copies from before its first byte"
        case .size(let expected, let found):
            found > expected
                ? "it gives more than the \(expected) bytes that it states"
                : "it gives \(found) bytes instead of \(expected)"
        case .trailingBytes(let count): "\(count) bytes follow its last block"
        }
    }
}
