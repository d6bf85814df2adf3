package import FileOutput
import NumPyFormat

/// Writes an array file row by row, in NumPy's format.
package struct NPYWriter: ~Copyable {
    private static let bufferBytes = 65_536

    private let element: NPYElement
    private let rowBytes: Int
    private let rowCount: Int
    private var file: OutputFile
    private var buffer: [UInt8] = []
    private var rowsWritten = 0

    /// Begins a file with this number of rows of one shape. It is complete and in its target after `finish()`.
    package init(
        _ target: OutputTarget, element: NPYElement, rowShape: [Int], rowCount: Int
    ) throws(NPYError) {
        let shape = [rowCount] + rowShape
        var bytes = element.byteCount
        for axis in rowShape {
            let (product, overflow) = bytes.multipliedReportingOverflow(by: axis)
            guard axis >= 0, !overflow else { throw .shapeOverflow(shape) }
            bytes = product
        }
        guard rowCount >= 0, !bytes.multipliedReportingOverflow(by: rowCount).overflow else {
            throw .shapeOverflow(shape)
        }
        do throws(OutputError) {
            file = try OutputFile(target)
        } catch {
            throw .output(error)
        }
        self.element = element
        self.rowCount = rowCount
        rowBytes = bytes
        buffer.reserveCapacity(Self.bufferBytes)
        buffer += NumPyHeader(element: element.rawValue, isFortranOrder: false, shape: shape).encoded()
    }

    /// Adds a row of bytes: the elements in little-endian memory layout.
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
        guard rowsWritten < rowCount else { throw .rowCount(expected: rowCount, found: rowCount + 1) }
        unsafe row.withUnsafeBytes { unsafe buffer.append(contentsOf: $0) }
        rowsWritten += 1
        if buffer.count >= Self.bufferBytes { try flush() }
    }

    /// Writes the remaining bytes and moves the file to its target.
    package consuming func finish() throws(NPYError) {
        guard rowsWritten == rowCount else { throw .rowCount(expected: rowCount, found: rowsWritten) }
        try flush()
        do throws(OutputError) {
            try file.finish()
        } catch {
            throw .output(error)
        }
    }

    private mutating func flush() throws(NPYError) {
        do throws(OutputError) {
            try file.write(buffer)
        } catch {
            throw .output(error)
        }
        buffer.removeAll(keepingCapacity: true)
    }
}
