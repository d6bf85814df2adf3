#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// Paths as text, without loss. To Linux a path is bytes, which need not be UTF-8; a `String` is always UTF-8.
///
/// A byte that is not part of UTF-8 becomes the private scalar U+10FF00 + byte, as Python's `surrogateescape` (PEP 383)
/// uses surrogates, which a `String` cannot have. The bytes of such a scalar in a path are themselves replaced, so that
/// every path has exactly one text, and every text of a path its path.
package enum PathText {
    private static let base: UInt32 = 0x10_FF00

    /// The byte for which a scalar stands.
    package static func byte(_ scalar: Unicode.Scalar) -> UInt8? {
        (base + 0x80...base + 0xFF).contains(scalar.value) ? UInt8(truncatingIfNeeded: scalar.value) : nil
    }

    /// The text of a path, given as its bytes without a zero.
    package static func text(_ bytes: some Collection<UInt8>) -> String {
        if let text = String(validating: bytes, as: UTF8.self),
            !text.unicodeScalars.contains(where: { byte($0) != nil })
        {
            return text
        }
        var scalars = String.UnicodeScalarView()
        var decoder = Unicode.UTF8.ForwardParser()
        var source = bytes.makeIterator()
        // The parser consumes what it rejects, so the bytes are followed by their position.
        var position = bytes.startIndex
        parsing: while true {
            switch decoder.parseScalar(from: &source) {
            case .valid(let encoded):
                let scalar = Unicode.UTF8.decode(encoded)
                if byte(scalar) == nil {
                    scalars.append(scalar)
                } else {
                    for byte in encoded { scalars.append(Self.scalar(byte)) }
                }
                position = bytes.index(position, offsetBy: encoded.count)
            case .error(let length):
                for _ in 0..<length {
                    scalars.append(Self.scalar(bytes[position]))
                    position = bytes.index(after: position)
                }
            case .emptyInput: break parsing
            }
        }
        return String(scalars)
    }

    /// The bytes of the path with this text, without a zero.
    package static func bytes(_ text: String) -> [UInt8] {
        guard text.utf8.contains(0xF4) else { return Array(text.utf8) }
        return text.unicodeScalars.flatMap { scalar in byte(scalar).map { [$0] } ?? Array(UTF8.encode(scalar)!) }
    }

    /// Calls `body` with the path that the system takes.
    package static func withSystemPath<Result, Failure: Error>(
        _ text: String, _ body: (UnsafePointer<CChar>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // An array with its zero is never empty.
        let path = bytes(text).map { CChar(bitPattern: $0) } + [0]
        return try unsafe path.withUnsafeBufferPointer { path throws(Failure) in try unsafe body(path.baseAddress!) }
    }

    /// The text of a path that the system has written, with its zero.
    package static func text(systemPath path: UnsafePointer<CChar>) -> String {
        let count = unsafe strlen(path)
        return unsafe text(UnsafeRawBufferPointer(start: path, count: count))
    }

    private static func scalar(_ byte: UInt8) -> Unicode.Scalar {
        // Bytes that are rejected are 0x80 or more, and U+10FF80...U+10FFFF are scalars.
        Unicode.Scalar(base + UInt32(byte)) ?? "\u{FFFD}"
    }

    #if canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
        /// The program's arguments, without its name.
        package static var arguments: [String] {
            let (count, values) = unsafe (CommandLine.argc, CommandLine.unsafeArgv)
            return (1..<max(1, Int(count))).compactMap { index in
                unsafe values[index].map { unsafe text(systemPath: $0) }
            }
        }

        /// Whether the arguments are known: not where the system does not report how the program was started, as Linux
        /// without `/proc`.
        package static var hasArguments: Bool { CommandLine.argc > 0 }

        /// The working directory; empty if it was removed.
        package static var currentDirectory: String {
            guard let path = unsafe getcwd(nil, 0) else { return "" }
            defer { unsafe free(path) }
            return unsafe text(systemPath: path)
        }
    #else
        /// The program's arguments, without its name.
        package static var arguments: [String] { Array(CommandLine.arguments.dropFirst()) }

        /// Whether the arguments are known.
        package static var hasArguments: Bool { !CommandLine.arguments.isEmpty }

        /// This system has no working directory.
        package static var currentDirectory: String { "" }
    #endif
}
