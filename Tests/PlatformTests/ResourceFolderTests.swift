import Foundation
import Platform
import Testing

/// Where resources are searched, and the error where they are missing.
@Suite struct ResourceFolderTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("resources-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func make(_ name: String) throws -> String {
        let made = folder.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: made, withIntermediateDirectories: true)
        return made.path
    }

    @Test func theOneBesideTheProgramComesFirst() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let program = folder.path + "/bin/program"
        let resources = ResourceFolder("p_A", images: [program])
        #expect(throws: ResourceFolder.Missing(searched: resources.candidates)) { try resources.path(of: "file") }
        let first = try #require(resources.candidates.first)
        #expect(first.hasPrefix(folder.path + "/bin/p_A."))
        let ending = first.dropFirst((folder.path + "/bin/p_A").count)

        // A program that was copied elsewhere does not look into the folder that it was built in.
        _ = try make(".build/release/p_A\(ending)")
        #expect(throws: ResourceFolder.Missing(searched: resources.candidates)) { try resources.path(of: "file") }

        let beside = try make("bin/p_A\(ending)")
        #expect(try resources.path(of: "file") == beside + "/file")
        // Xcode's bundles are deep.
        let deep = try make("bin/p_A\(ending)/Contents/Resources")
        #expect(try resources.path(of: "file") == deep + "/file")
    }

    /// Each path once, though the program and a test bundle may lie in one folder.
    @Test func noPathIsSearchedTwice() {
        defer { try? FileManager.default.removeItem(at: folder) }
        let candidates = ResourceFolder("p_A", images: ["/A/one", "/A/two"]).candidates
        #expect(!candidates.isEmpty && Set(candidates).count == candidates.count)
    }

    /// The layouts of apps, frameworks and test bundles on Apple platforms.
    @Test(arguments: [
        ("/A/X.app/Contents/MacOS/X", "/A/X.app/Contents/Resources/p_A"),
        ("/A/T.xctest/Contents/MacOS/T", "/A/p_A"), ("/A/X.app/X", "/A/X.app/p_A"),
        ("/A/X.app/Frameworks/F.framework/F", "/A/X.app/Frameworks/F.framework/p_A"),
        ("/A/F.framework/Versions/A/F", "/A/F.framework/Versions/A/Resources/p_A"), ("/A/T.xctest/T", "/A/p_A"),
        ("/program", "/p_A"),
    ]) func bundles(_ image: String, _ place: String) {
        defer { try? FileManager.default.removeItem(at: folder) }
        let candidates = ResourceFolder("p_A", images: [image]).candidates
        #expect(candidates.contains { $0.hasPrefix(place + ".") }, "\(candidates)")
    }

    /// Code and data of this test program are in its file, and memory of the heap is in none.
    @Test func theFileAtAnAddress() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = try #require(unsafe BinaryFile.path(containing: #dsohandle))
        #expect(FileManager.default.isReadableFile(atPath: path))
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped)
        #expect(bytes.prefix(4) == Data([0x7F, 0x45, 0x4C, 0x46]))
        let memory = UnsafeMutableRawPointer.allocate(byteCount: 1 << 20, alignment: 8)
        defer { unsafe memory.deallocate() }
        #expect(unsafe BinaryFile.path(containing: memory) == nil)
        #expect(unsafe BinaryFile.path(containing: UnsafeRawPointer(bitPattern: 1)!) == nil)
    }

    /// This test program's own folder is looked at.
    @Test func theRunningProgram() {
        defer { try? FileManager.default.removeItem(at: folder) }
        let candidates = ResourceFolder("p_A").candidates
        #expect(candidates.contains { $0.contains("/p_A.") && $0.hasPrefix("/") })
    }
}
