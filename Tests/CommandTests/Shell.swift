import Foundation
import Subprocess
import TestSupport
import Testing

#if canImport(System)
    import System
#else
    import SystemPackage
#endif

/// Tests that run processes, one after the other: those of other targets that look at the clock run beside them.
///
/// Their time limit, like those of the tests of clips and examples, is there to end a hang. It has to be long: the clock runs
/// while a test waits for a thread, and on two cores without AVX2 the other tests hold all threads for minutes.
@Suite(.serialized, .timeLimit(.minutes(20))) enum CommandTests {}

/// A folder, removed after the test, in which scripts run the built commands.
///
/// A script finds `$BENCH` and `$IMPORT`, the commands; `$MODEL`, an int8 model; `$CHECKPOINT`, what one is made of;
/// `$FRAMES`, 20 frames as an array; `$GRAPHS`, the folder of a small TFLite file; and in its own folder what the test has put
/// there.
final class Shell {
    private let scratch: ScratchFolder
    var folder: URL { scratch.directory }

    init() throws { scratch = try ScratchFolder() }

    struct Result {
        /// As the shell says it: 128 and the signal's number for a process that a signal ended.
        let status: Int32
        let output: String
        let errors: String
    }

    /// Runs a script with `/bin/sh`; its status is that of its last command.
    @discardableResult
    func run(_ script: String) async throws -> Result {
        let result = try await Subprocess.run(
            .path("/bin/sh"), arguments: ["-c", script], environment: .inherit.updating(try Self.variables()),
            workingDirectory: FilePath(folder.path), input: .none, output: .string(limit: 1 << 22),
            error: .string(limit: 1 << 22))
        guard case .exited(let status) = result.terminationStatus else {
            throw Killed(script: script)
        }
        return Result(status: status, output: result.standardOutput, errors: result.standardError)
    }

    /// Runs a command in the background and sends it a signal after 2 seconds: after 8 and then 32 where it was not at work yet,
    /// since when it is depends on what else the machine does. The result is the command's.
    ///
    /// A command that has not come so far may miss the signal, for the shell has its background ignore SIGINT. So it has to end by
    /// itself, and a status of SIGINT shows that it listened.
    /// - Parameter setup: what a script runs before every try.
    func interrupt(
        _ command: String, by signal: String = "INT", after setup: String = "",
        isAtWork: (Result) throws -> Bool = { _ in true }
    ) async throws -> Result {
        func attempt(_ patience: Int) async throws -> Result {
            try await run(
                """
                \(setup)
                \(command) &
                pid=$!; sleep \(patience); kill -\(signal) $pid; wait $pid
                """)
        }
        for patience in [2, 8] {
            let result = try await attempt(patience)
            if result.status > 128, try isAtWork(result) { return result }
        }
        return try await attempt(32)
    }

    /// Lines of Python that read the safetensors file of the first argument: its bytes, the start of its tensors and its header.
    static let readsSafetensors = """
        import json, struct, sys
        data = open(sys.argv[1], "rb").read()
        start = 8 + struct.unpack("<Q", data[:8])[0]
        header = json.loads(data[8:start])
        """

    struct Killed: Error { let script: String }
    struct Missing: Error { let program: String }

    func bytes(_ name: String) throws -> [UInt8] { try scratch.bytes(name) }

    func text(_ name: String) throws -> String { String(decoding: try bytes(name), as: UTF8.self) }

    /// What is in the folder, by name.
    var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
    }

    /// Puts a clip there of so many frames of 64x48, a band that moves.
    func makeClip(_ name: String, frames: Int) throws {
        var bytes = Array("YUV4MPEG2 W64 H48 F30:1 C420jpeg\n".utf8)
        for index in 0..<frames {
            bytes += Array("FRAME\n".utf8)
            bytes += (0..<48).flatMap { row in [UInt8](repeating: row / 8 == index % 6 ? 200 : 60, count: 64) }
            bytes += [UInt8](repeating: 128, count: 2 * 32 * 24)
        }
        try Data(bytes).write(to: folder.appendingPathComponent(name))
    }

    /// Makes a folder with a clip of 20 frames and its labels: nothing, then a tap.
    func makeLabelledClip(_ name: String) throws {
        try FileManager.default.createDirectory(
            at: folder.appendingPathComponent(name), withIntermediateDirectories: false)
        try makeClip(name + "/demo.y4m", frames: 20)
        let labels = #"""
            {"rate_hz": 30, "frames": 20, "events": [{"label": "tap", "onset_s": 0.3, "end_s": 0.5}],
             "labels": [[0, 9, "null"], [9, 15, "tap"], [15, 20, "null"]]}
            """#
        try Data(labels.utf8).write(to: folder.appendingPathComponent(name + "/demo.json"))
    }

    private static func variables() throws -> [Environment.Key: String?] {
        [
            "BENCH": try program("gesture-bench"), "IMPORT": try program("gesture-import"),
            "MODEL": Fixtures.golden("golden-int8.safetensors"), "CHECKPOINT": Fixtures.golden("golden.safetensors"),
            "FRAMES": Fixtures.golden("golden_frames.npy"),
            "GRAPHS": Fixtures.directory.appendingPathComponent("graphs").path,
            "HANDS": Fixtures.repository.appendingPathComponent("Tests/Fixtures/hands").path,
            "DEMO": Fixtures.repository.appendingPathComponent("Weights/demo").path,
        ]
    }

    /// A command that was built beside these tests.
    private static func program(_ name: String) throws -> String {
        #if os(Linux)
            let tests = URL(fileURLWithPath: CommandLine.arguments[0])
        #else
            let tests =
                Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL ?? Bundle.main.bundleURL
        #endif
        let path = tests.absoluteURL.deletingLastPathComponent().appendingPathComponent(name).path
        guard FileManager.default.isExecutableFile(atPath: path) else { throw Missing(program: path) }
        return path
    }
}

/// Whether this process may make devices of its own.
enum Devices {
    static let canBeMade: Bool = {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("null-" + UUID().uuidString).path
        let made = unsafe geteuid() == 0 && mknod(path, S_IFCHR | 0o600, 1 << 8 | 3) == 0
        if made { _ = unsafe unlink(path) } else { print("SKIPPED: outputs that are devices, which takes root") }
        return made
    }()
}

enum FFmpeg {
    static let isInstalled = areInstalled("ffmpeg", "ffprobe")
}
