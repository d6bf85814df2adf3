import FileOutput
import Foundation
import Testing

@Suite struct OutputTargetTests {
    /// Lends a folder that goes afterwards.
    private func withFolder(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("output-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer {
            do {
                try FileManager.default.removeItem(at: folder)
            } catch {
                print("left behind: \(folder.path): \(error)")
            }
        }
        try body(folder.path)
    }

    private func bytes(_ path: String) throws -> [UInt8] { try [UInt8](Data(contentsOf: URL(fileURLWithPath: path))) }

    private func names(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    }

    @Test func filesAreReplacedInOneStep() throws {
        try withFolder { folder in
            let path = folder + "/model"
            for bytes: [UInt8] in [[1, 2, 3], [4], [], [UInt8](repeating: 7, count: 100_000)] {
                try OutputTarget(path).write(bytes)
                #expect(try self.bytes(path) == bytes)
            }
            #expect(try names(folder) == ["model"])
        }
    }

    @Test func theOldFileIsThereUntilTheNewOneIsWhole() throws {
        try withFolder { folder in
            let path = folder + "/model"
            try OutputTarget(path).write([1])
            var file = try OutputFile(OutputTarget(path))
            try file.write([2, 3])
            #expect(try bytes(path) == [1])
            let partial = try #require(try names(folder).first { $0 != "model" })
            #expect(partial.hasPrefix(".gesture-") && partial.hasSuffix(".partial"))
            try file.finish()
            #expect(try bytes(path) == [2, 3] && names(folder) == ["model"])
        }
    }

    @Test func twoWritersHaveTwoNames() throws {
        try withFolder { folder in
            let target = try OutputTarget(folder + "/model")
            var one = try OutputFile(target)
            var other = try OutputFile(target)
            try one.write([1, 1])
            try other.write([2])
            try one.write([1])
            try one.finish()
            #expect(try bytes(folder + "/model") == [1, 1, 1])
            try other.finish()
            #expect(try bytes(folder + "/model") == [2] && names(folder) == ["model"])
        }
    }

    @Test func whatIsNotFinishedLeavesNothing() throws {
        try withFolder { folder in
            do {
                var file = try OutputFile(OutputTarget(folder + "/model"))
                try file.write([1])
            }
            #expect(try names(folder).isEmpty)
        }
    }

    /// Files created at the output's name during a run: a rename would replace all but a directory.
    @Test func theNameIsLookedUpAgainAtTheEnd() throws {
        try withFolder { folder in
            let path = folder + "/model"
            var file = try OutputFile(OutputTarget(path))
            try file.write([1])
            #expect(unsafe mkfifo(path, 0o600) == 0)
            do throws(OutputError) {
                try file.finish()
                Issue.record("a pipe was replaced")
            } catch {
                #expect(error == .unsuitable(path: path, kind: .pipe))
            }
            #expect(try names(folder) == ["model"])

            try FileManager.default.removeItem(atPath: path)
            try OutputTarget(folder + "/frames").write([5])
            let target = try OutputTarget(path, besides: InputFiles([folder + "/frames"]))
            #expect(unsafe link(folder + "/frames", path) == 0)
            #expect(throws: OutputError.isInput(path: path, input: folder + "/frames")) { try target.write([1]) }
            #expect(try bytes(path) == [5] && names(folder) == ["frames", "model"])
        }
    }

    @Test func aDirectoryKeepsItsPlaceWhateverItIsCalled() throws {
        try withFolder { folder in
            try FileManager.default.createDirectory(atPath: folder + "/here", withIntermediateDirectories: false)
            let target = try OutputTarget(folder + "/here/model")
            try FileManager.default.moveItem(atPath: folder + "/here", toPath: folder + "/there")
            try target.write([1])
            #expect(try bytes(folder + "/there/model") == [1])
        }
    }

    @Test func whatCannotBeWritten() throws {
        try withFolder { folder in
            try FileManager.default.createDirectory(atPath: folder + "/directory", withIntermediateDirectories: false)
            for path in ["/directory", "/directory/", "/directory/.", "/directory/..", "/none/"] {
                #expect(throws: OutputError.unsuitable(path: folder + path, kind: .directory)) {
                    try OutputTarget(folder + path)
                }
            }
            for (path, code) in [("", ENOENT), (folder + "/none/model", ENOENT), ("/dev/fd/4000", EBADF)] {
                #expect(throws: OutputError.system(path: path, code: code)) { try OutputTarget(path) }
            }
            try OutputTarget(folder + "/file").write([1])
            #expect(throws: OutputError.system(path: folder + "/file/model", code: ENOTDIR)) {
                try OutputTarget(folder + "/file/model")
            }
            let long = folder + "/" + String(repeating: "n", count: 300)
            #expect(throws: OutputError.system(path: long, code: ENAMETOOLONG)) { try OutputTarget(long) }
            #expect(try names(folder) == ["directory", "file"])
        }
    }

    /// An open descriptor by its name is that descriptor; one that cannot be written is refused.
    @Test func descriptorsAreWrittenWhereTheyStand() throws {
        try withFolder { folder in
            let path = folder + "/file"
            let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
            defer { close(descriptor) }
            #expect(unsafe write(descriptor, [1, 2] as [UInt8], 2) == 2)
            try OutputTarget("/dev/fd/\(descriptor)").write([3])
            #expect(unsafe write(descriptor, [4] as [UInt8], 1) == 1)
            #expect(try bytes(path) == [1, 2, 3, 4])
            #expect(throws: OutputError.isInput(path: "/dev/fd/\(descriptor)", input: path)) {
                try OutputTarget("/dev/fd/\(descriptor)", besides: InputFiles([path]))
            }
            let reading = unsafe open(path, O_RDONLY | O_CLOEXEC)
            defer { close(reading) }
            #expect(throws: OutputError.system(path: "/dev/fd/\(reading)", code: EBADF)) {
                try OutputTarget("/dev/fd/\(reading)")
            }
        }
    }

    /// In a directory where everyone may write, such as `/tmp`, a link may be a trap.
    @Test(.enabled(if: geteuid() == 0, "takes another user's link, hence root")) func linksOfOthersInSharedDirectories()
        throws
    {
        try withFolder { folder in
            let shared = folder + "/shared"
            #expect(unsafe mkdir(shared, 0o777) == 0 && chmod(shared, 0o1777) == 0)
            try OutputTarget(folder + "/victim").write([1])
            #expect(unsafe symlink("../victim", shared + "/link") == 0)
            #expect(unsafe lchown(shared + "/link", 65_534, 65_534) == 0)
            #expect(throws: OutputError.foreignLink(path: shared + "/link")) { try OutputTarget(shared + "/link") }
            #expect(unsafe chmod(shared, 0o755) == 0)
            try OutputTarget(shared + "/link").write([2])
            #expect(try bytes(folder + "/victim") == [2])
        }
    }

    @Test(.enabled(if: geteuid() == 0, "takes a file of another user, hence root")) func theOwnerIsKept() throws {
        try withFolder { folder in
            let path = folder + "/file"
            try OutputTarget(path).write([1])
            #expect(unsafe chmod(path, 0o4751) == 0 && chown(path, 65_534, 65_533) == 0)
            try OutputTarget(path).write([2])
            var status = stat()
            #expect(unsafe stat(path, &status) == 0)
            #expect(status.st_uid == 65_534 && status.st_gid == 65_533 && status.st_mode & 0o7777 == 0o751)
        }
    }

    /// A rename would not ask.
    @Test(.enabled(if: geteuid() != 0, "root may write everything")) func whatMayNotBeWrittenIsNotReplaced() throws {
        try withFolder { folder in
            let path = folder + "/file"
            try OutputTarget(path).write([1])
            #expect(unsafe chmod(path, 0o400) == 0)
            #expect(throws: OutputError.system(path: path, code: EACCES)) { try OutputTarget(path) }
            #expect(unsafe chmod(path, 0o600) == 0 && chmod(folder, 0o500) == 0)
            #expect(throws: OutputError.system(path: path, code: EACCES)) { try OutputTarget(path) }
            #expect(unsafe chmod(folder, 0o300) == 0)
            try OutputTarget(path).write([2])
            #expect(unsafe chmod(folder, 0o700) == 0)
            #expect(try bytes(path) == [2])
        }
    }

    @Test func filesThatAPatternOrADirectoryStandsForAreInputs() throws {
        try withFolder { folder in
            for name in ["hand-01.png", "hand-02.png", "model"] { try OutputTarget("\(folder)/\(name)").write([1]) }
            for input in [folder, folder + "/hand-%02d.png"] {
                #expect(throws: OutputError.isInput(path: folder + "/hand-02.png", input: folder + "/hand-02.png")) {
                    try OutputTarget(folder + "/hand-02.png", besides: InputFiles([input]))
                }
                for name in ["/model", "/hand-03.png"] {
                    _ = try OutputTarget(folder + name, besides: InputFiles([input]))
                }
            }
        }
    }

    @Test func foldersAreMadeWithThoseAbove() throws {
        try withFolder { folder in
            for _ in 0..<2 { try OutputFolder.create(folder + "/a/b/c") }
            try OutputTarget(folder + "/a/b/c/file").write([1])
            for path in ["/a/b/c/file", "/a/b/c/file/d"] {
                #expect(throws: OutputError.system(path: folder + path, code: ENOTDIR)) {
                    try OutputFolder.create(folder + path)
                }
            }
        }
    }

    /// A pipe that does not block takes 64 KiB at once and then nothing until it is read.
    @Test func aFullPipeIsWaitedFor() async throws {
        let pipe = Pipe()
        let writing = pipe.fileHandleForWriting.fileDescriptor
        #expect(fcntl(writing, F_SETFL, O_NONBLOCK) == 0)
        let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        let reader = Task.detached {
            try await Task.sleep(for: .milliseconds(100))
            return try pipe.fileHandleForReading.readToEnd()
        }
        try unsafe writeFully(bytes.span.bytes, to: writing, "a pipe")
        try pipe.fileHandleForWriting.close()
        #expect(try await reader.value.map { [UInt8]($0) } == bytes)
    }
}
