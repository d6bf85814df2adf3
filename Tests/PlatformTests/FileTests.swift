import Foundation
import Platform
import Testing

@Suite struct FileTests {
    private func scratch() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    @Test func readsWhatIsThere() throws {
        let folder = try scratch()
        defer { try? FileManager.default.removeItem(at: folder) }
        let content = (0..<70_000).map { UInt8(truncatingIfNeeded: $0 * 7) }
        let path = folder.appendingPathComponent("file").path
        try Data(content).write(to: URL(fileURLWithPath: path))
        let file = try OpenFile(reading: path, waits: false)
        #expect(file.kind == .regular(byteCount: 70_000))
        #expect(try file.readBytes(10) == Array(content.prefix(10)))
        #expect(try file.readBytes(1 << 20) == Array(content.dropFirst(10)))
        #expect(try file.readBytes(5).isEmpty)
        try file.rewind()
        #expect(try file.readBytes(3) == Array(content.prefix(3)))
        let directory = try OpenFile(reading: folder.path)
        #expect(directory.kind == .directory)
        #expect(throws: SystemError.self) { try directory.readBytes(1) }
    }

    /// A pipe holds less than this, so it is read in pieces.
    @Test func aPipeIsReadToTheEnd() throws {
        let folder = try scratch()
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("pipe").path
        try #require(unsafe mkfifo(path, 0o600) == 0)
        let content = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 * 7 ^ $0 >> 8) }
        Thread.detachNewThread {
            FileHandle(forWritingAtPath: path)?.write(Data(content))
        }
        let file = try OpenFile.reading(path, writerWithin: 60)
        #expect(try file.readBytes(content.count) == content)
    }

    /// An end of a pipe, which a tuple cannot hold.
    private final class End {
        let file: OpenFile
        init(_ file: consuming OpenFile) { self.file = file }

        func write(_ bytes: [UInt8]) throws -> Int {
            unsafe try file.writeSome(bytes.span.bytes, within: 0)
        }
    }

    @Test func aPipeLeadsFromItsWriterToItsReader() throws {
        let (reader, writer) = try OpenFile.pipe { (End($0), End($1)) }
        let bytes: [UInt8] = [1, 2, 3]
        #expect(try writer.write(bytes) == 3)
        #expect(try reader.file.readBytes(3) == bytes)
        // Nothing is to be written: that is no failure, whatever failed before.
        errno = ENOENT
        #expect(try writer.write([]) == 0)
        // A full pipe takes no more.
        let many = [UInt8](repeating: 4, count: 1 << 20)
        #expect(try (1..<many.count).contains(writer.write(many)))
        #expect(try writer.write(many) == 0)
    }

    @Test func aFileOpenedForReadingCannotBeWritten() throws {
        let file = try OpenFile(reading: "/dev/null")
        let error = #expect(throws: SystemError.self) {
            let result = unsafe [UInt8](repeating: 1, count: 5).withUnsafeBytes { buffer in
                Result { () throws(SystemError) in unsafe try file.writeFully(buffer) }
            }
            try result.get()
        }
        #expect(error?.code == EBADF)
    }

    @Test func namesOfADirectory() throws {
        let folder = try scratch()
        defer { try? FileManager.default.removeItem(at: folder) }
        let names = (0..<20).map { "name \($0)" }
        for name in names { try Data().write(to: folder.appendingPathComponent(name)) }
        #expect(OpenFile.names(inDirectory: folder.path, limit: 1000).sorted() == names.sorted())
        #expect(OpenFile.names(inDirectory: folder.path, limit: 5).count <= 5)
        #expect(OpenFile.names(inDirectory: folder.path + "/none", limit: 5).isEmpty)
    }

    @Test func anUnnamedFileIsWrittenAndRead() throws {
        let folder = try scratch()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = try OpenFile(unnamedIn: folder.path, prefix: "frames")
        #expect(OpenFile.names(inDirectory: folder.path, limit: 5).isEmpty)
        let bytes: [UInt8] = [1, 2, 3, 4, 5]
        let result = unsafe bytes.withUnsafeBytes { buffer in
            Result { () throws(SystemError) in unsafe try file.writeFully(buffer) }
        }
        try result.get()
        try file.rewind()
        #expect(try file.readBytes(9) == bytes)
    }

    @Test func whatIsMissingHasItsNumber() {
        let error = #expect(throws: SystemError.self) { _ = try OpenFile(reading: "/nowhere/at/all").kind }
        #expect(error?.code == ENOENT)
        #expect(SystemError.reason(ENOENT).lowercased().contains("no such file"))
    }
}
