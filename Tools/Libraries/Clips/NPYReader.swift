import NumPyFormat
import Platform

/// A file that begins like an array file, opened and not read yet.
package struct ArrayFile: ~Copyable {
    package let path: String
    let file: ByteFile

    /// Whether its bytes can be read only once: a pipe, a device, standard input.
    package var isStream: Bool {
        if case .stream = file.kind { true } else { false }
    }
}

/// Reads the rows of an array file one by one: frames of an array [N, 224, 224], logits of an array [N, 13].
///
/// All numbers of the header are checked before memory is allocated and, for a regular file, against its size.
package struct NPYReader: ~Copyable {
    /// Type of the elements.
    package let element: NPYElement
    /// The shape without its first axis.
    package let rowShape: [Int]
    /// The first axis.
    package let rowCount: Int
    /// Elements in a row.
    package let rowLength: Int
    private var file: ByteFile
    private let path: String
    /// Rows read so far.
    package private(set) var rowsRead = 0

    /// Opens a file and checks that it is a list of rows with this shape.
    /// - Parameter path: `-` is standard input.
    package init(_ path: String, element: NPYElement, rowShape: [Int]) throws(NPYError) {
        let file: ByteFile
        do throws(ByteFile.Failure) {
            file = try ByteFile(reading: path)
        } catch {
            throw .file(path: path, code: error.code)
        }
        try self.init(ArrayFile(path: path, file: file), element: element, rowShape: rowShape)
    }

    /// Checks that an open file is a list of rows with this shape.
    package init(_ array: consuming ArrayFile, element: NPYElement, rowShape: [Int]) throws(NPYError) {
        let path = array.path
        var file = array.file
        let (header, headerBytes) = try Self.header(of: &file, path)

        guard header.element == element.rawValue else {
            throw .elementType(expected: element.rawValue, found: header.element)
        }
        guard !header.isFortranOrder else { throw .fortranOrder }
        let total = try Self.product(header.shape, of: element)
        guard let rowCount = header.shape.first, header.shape.dropFirst().elementsEqual(rowShape) else {
            throw .shape(expectedRow: rowShape, found: header.shape)
        }
        if case .regular(let byteCount) = file.kind {
            let found = byteCount - headerBytes
            guard found >= total else { throw .truncated(expected: total, found: found) }
            guard found == total else { throw .trailingBytes(found - total) }
        }
        // With no rows, the product above does not check the row shape.
        let rowLength = try Self.product(rowShape, of: element) / element.byteCount
        self.path = path
        self.element = element
        self.rowShape = rowShape
        self.rowCount = rowCount
        self.rowLength = rowLength
        self.file = file
    }

    /// Reads the next row of bytes.
    /// - Parameter row: `rowLength` bytes.
    /// - Returns: false, with nothing read, after the last row.
    /// - Throws: faults that show only now, in a stream of unknown size. Read until false to detect trailing bytes.
    package mutating func next(into row: inout MutableSpan<UInt8>) throws(NPYError) -> Bool {
        guard row.count == rowLength * element.byteCount else {
            throw .rowLength(expected: rowLength * element.byteCount, found: row.count)
        }
        return try unsafe row.withUnsafeMutableBytes { bytes throws(NPYError) in try unsafe nextRow(bytes) }
    }

    /// Reads the next row of numbers.
    /// - Parameter row: `rowLength` numbers.
    /// - Returns: false, with nothing read, after the last row.
    /// - Throws: as for bytes; `elementType` if the elements are not floats.
    package mutating func next(into row: inout MutableSpan<Float>) throws(NPYError) -> Bool {
        guard element == .float32 else {
            throw .elementType(expected: NPYElement.float32.rawValue, found: element.rawValue)
        }
        guard row.count == rowLength else { throw .rowLength(expected: rowLength, found: row.count) }
        return try unsafe row.withUnsafeMutableBytes { bytes throws(NPYError) in try unsafe nextRow(bytes) }
    }

    private mutating func nextRow(_ row: UnsafeMutableRawBufferPointer) throws(NPYError) -> Bool {
        let found: Int
        do throws(ByteFile.Failure) {
            found = try unsafe file.readFully(row)
        } catch {
            throw .file(path: path, code: error.code)
        }
        guard rowsRead < rowCount else {
            guard found == 0 else { throw .trailingBytes(found) }
            return false
        }
        guard found == row.count else {
            throw .truncated(expected: rowCount * row.count, found: rowsRead * row.count + found)
        }
        rowsRead += 1
        return true
    }

    /// Reads what stands before the elements, and returns how many bytes it has, too.
    private static func header(
        of file: inout ByteFile, _ path: String
    ) throws(NPYError) -> (NumPyHeader, byteCount: Int) {
        var parser = NumPyHeaderParser()
        var byteCount = 0
        while true {
            let part = try bytes(parser.neededBytes, of: &file, path)
            byteCount += part.count
            do throws(NumPyHeaderFault) {
                if let header = try parser.add(part) { return (header, byteCount) }
            } catch {
                throw .header(error)
            }
        }
    }

    /// Bytes of an array. An axis of 0 does not hide an overflow of the others.
    private static func product(_ axes: [Int], of element: NPYElement) throws(NPYError) -> Int {
        var total = element.byteCount
        for axis in axes {
            let (product, overflow) = total.multipliedReportingOverflow(by: axis)
            guard !overflow else { throw .shapeOverflow(axes) }
            total = product
        }
        return total
    }

    private static func bytes(
        _ count: Int, of file: inout ByteFile, _ path: String
    ) throws(NPYError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let found: Int
        do throws(ByteFile.Failure) {
            var span = bytes.mutableSpan
            found = try unsafe span.withUnsafeMutableBytes { buffer throws(ByteFile.Failure) in
                try unsafe file.readFully(buffer)
            }
        } catch {
            throw .file(path: path, code: error.code)
        }
        guard found == count else { throw .truncated(expected: count, found: found) }
        return bytes
    }
}
