#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Writes an array file row by row, as NumPy would, without knowing beforehand how many there will be.
///
/// The rows go to a file beside the one that is wanted, which takes its place in one step at `finish()`. Without that the
/// wanted file stays as it was.
package struct NPYWriter: ~Copyable {
    private static let bufferBytes = 65_536

    private let element: NPYElement
    private let rowShape: [Int]
    private let rowBytes: Int
    private let path: String
    private let partialPath: String
    private let file: ByteFile
    private var buffer: [UInt8] = []
    private var rowCount = 0
    private var isFinished = false

    /// Begins a file of rows of one shape.
    package init(_ path: String, element: NPYElement, rowShape: [Int]) throws(NPYError) {
        let partialPath = path + ".partial"
        var bytes = element.byteCount
        for axis in rowShape {
            let (product, overflow) = bytes.multipliedReportingOverflow(by: axis)
            guard axis >= 0, !overflow else { throw .shapeOverflow(rowShape) }
            bytes = product
        }
        let file: ByteFile
        do throws(ByteFile.Failure) {
            file = try ByteFile(writing: partialPath)
        } catch {
            throw .file(path: partialPath, code: error.code)
        }
        self.path = path
        self.partialPath = partialPath
        self.element = element
        self.rowShape = rowShape
        self.rowBytes = bytes
        self.file = file
        buffer.reserveCapacity(Self.bufferBytes)
        buffer += header.encoded()
    }

    deinit {
        if !isFinished { unsafe unlink(partialPath) }
    }

    private var header: NPYHeader {
        NPYHeader(element: element.rawValue, isFortranOrder: false, shape: [rowCount] + rowShape)
    }

    /// Adds a row of bytes, which are the elements as they lie in memory on a little-endian machine.
    package mutating func append(_ row: Span<UInt8>) throws(NPYError) {
        try unsafe append(row.bytes)
    }

    /// Adds a row of numbers.
    package mutating func append(_ row: Span<Float>) throws(NPYError) {
        guard element == .float32 else {
            throw .elementType(expected: element.rawValue, found: NPYElement.float32.rawValue)
        }
        try unsafe append(row.bytes)
    }

    private mutating func append(_ row: RawSpan) throws(NPYError) {
        guard row.byteCount == rowBytes else { throw .rowLength(expected: rowBytes, found: row.byteCount) }
        unsafe row.withUnsafeBytes { unsafe buffer.append(contentsOf: $0) }
        rowCount += 1
        if buffer.count >= Self.bufferBytes { try flush() }
    }

    /// Writes the number of rows and puts the file in its place.
    package consuming func finish() throws(NPYError) {
        try flush()
        buffer += header.encoded()
        do throws(ByteFile.Failure) {
            try file.rewind()
        } catch {
            throw .file(path: partialPath, code: error.code)
        }
        try flush()
        guard unsafe rename(partialPath, path) == 0 else { throw .file(path: path, code: errno) }
        isFinished = true
    }

    private mutating func flush() throws(NPYError) {
        do throws(ByteFile.Failure) {
            let bytes = buffer.span
            try unsafe bytes.withUnsafeBytes { bytes throws(ByteFile.Failure) in try unsafe file.writeFully(bytes) }
        } catch {
            throw .file(path: partialPath, code: error.code)
        }
        buffer.removeAll(keepingCapacity: true)
    }
}
