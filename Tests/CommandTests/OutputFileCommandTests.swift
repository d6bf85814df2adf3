import Foundation
import Testing

extension CommandTests {
    /// Files that the commands write, whatever is at their place.
    @Suite struct OutputFileCommandTests {
        /// A command that writes one file, named by `$OUT`, of which the bytes are the same each time.
        struct Writer: CustomTestStringConvertible, Sendable {
            let name: String
            let script: String

            var testDescription: String { name }

            static let all = [
                Writer(name: "infer", script: #""$BENCH" infer --model "$MODEL" --frames "$FRAMES" --output "$OUT""#),
                Writer(
                    name: "infer --columns",
                    script: #""$BENCH" infer --columns --model "$MODEL" --frames "$FRAMES" --output "$OUT""#),
                Writer(
                    name: "infer --window",
                    script: #""$BENCH" infer --window --model "$MODEL" --frames "$FRAMES" --output "$OUT""#),
                Writer(name: "simulate", script: #""$BENCH" simulate heat --duration 5 --html "$OUT" >/dev/null"#),
                Writer(
                    name: "import",
                    script: #""$IMPORT" import "$CHECKPOINT" --precision float16 --output "$OUT" >/dev/null"#),
                Writer(name: "embed", script: #""$IMPORT" embed "$MODEL" --output "$OUT""#),
                Writer(name: "export", script: #""$IMPORT" export "$MODEL" --format onnx --output "$OUT""#),
            ]
        }

        private static func expected(_ writer: Writer, _ shell: Shell) async throws -> [UInt8] {
            let direct = try await shell.run("OUT=direct; " + writer.script)
            try #require(direct.status == 0, "\(direct.errors)")
            return try shell.bytes("direct")
        }

        @Test(arguments: Writer.all) func namedPipesAreWrittenInPlace(_ writer: Writer) async throws {
            let shell = try Shell()
            let bytes = try await Self.expected(writer, shell)
            let result = try await shell.run(
                """
                mkfifo pipe
                timeout 60 cat pipe >got &
                OUT=pipe; timeout 60 \(writer.script); status=$?
                [ -p pipe ] || exit 99
                wait; exit $status
                """)
            #expect(result.status == 0, "\(result.errors)")
            #expect(try shell.bytes("got") == bytes)
        }

        @Test(arguments: Writer.all) func standardOutputByNameIsStandardOutput(_ writer: Writer) async throws {
            let shell = try Shell()
            let bytes = try await Self.expected(writer, shell)
            // Not replaced, and not written from the beginning once more.
            let result = try await shell.run(
                "exec 3>got; printf before >&3; OUT=/dev/fd/3; \(writer.script); status=$?; printf after >&3; exit $status"
            )
            #expect(result.status == 0, "\(result.errors)")
            #expect(try shell.bytes("got") == Array("before".utf8) + bytes + Array("after".utf8))
        }

        @Test(.enabled(if: Devices.canBeMade), arguments: Writer.all)
        func devicesStayDevices(_ writer: Writer) async throws {
            let shell = try Shell()
            let result = try await shell.run(
                """
                mknod null c 1 3; mknod full c 1 7
                OUT=null; \(writer.script) || exit 98
                [ -c null ] || exit 99
                OUT=full; \(writer.script); status=$?
                [ -c full ] || exit 99
                exit $status
                """)
            #expect(result.status == 74)
            #expect(result.errors.contains("full cannot be written: No space left on device."))
        }

        @Test(arguments: Writer.all) func whatIsNoFileIsRefused(_ writer: Writer) async throws {
            let shell = try Shell()
            for (place, reason) in [
                ("folder", "is a directory"), ("socket", "is a socket"), ("folder/", "is a directory"),
            ] {
                let result = try await shell.run(
                    """
                    mkdir -p folder/inner
                    [ -S socket ] || timeout 60 python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind("socket")'
                    OUT=\(place); \(writer.script)
                    """)
                #expect(result.status == 1 && result.errors.contains(reason), "\(place): \(result.errors)")
            }
            let absent = try await shell.run("OUT=none/file; \(writer.script)")
            #expect(
                absent.status == 74 && absent.errors.contains("none/file cannot be written: No such file or directory.")
            )
            #expect(try shell.names == ["folder", "socket"])
        }

        @Test(arguments: Writer.all) func linksStayAndTheirTargetsAreReplaced(_ writer: Writer) async throws {
            let shell = try Shell()
            let bytes = try await Self.expected(writer, shell)
            let result = try await shell.run(
                """
                set -e
                mkdir far; echo old >far/old; ln -s old far/hop; ln -s far/hop link; ln -s far/fresh dangling
                OUT=link; \(writer.script)
                OUT=dangling; \(writer.script)
                [ -L link ] && [ -L far/hop ] && [ -L dangling ] && [ ! -L far/old ] && [ ! -L far/fresh ]
                ls -A far; ln -s loop loop
                OUT=loop; \(writer.script)
                """)
            #expect(
                result.status == 74
                    && result.errors.contains("loop cannot be written: Too many levels of symbolic links."))
            #expect(result.output == "fresh\nhop\nold\n")
            #expect(try shell.bytes("far/old") == bytes && shell.bytes("far/fresh") == bytes)
        }

        @Test(arguments: Writer.all) func modesAreKept(_ writer: Writer) async throws {
            let shell = try Shell()
            let result = try await shell.run(
                """
                set -e; umask 027
                echo old >private; chmod 600 private; echo old >open; chmod 666 open
                for OUT in private open new; do \(writer.script); done
                stat -c '%n %a %F' private open new
                """)
            #expect(
                result.output == "private 600 regular file\nopen 666 regular file\nnew 640 regular file\n",
                "\(result.errors)")
        }

        /// A file of that name beside the output must stay as it is.
        @Test(arguments: Writer.all) func noOtherNameIsTouched(_ writer: Writer) async throws {
            let shell = try Shell()
            let bytes = try await Self.expected(writer, shell)
            let result = try await shell.run(
                """
                set -e
                echo precious >victim; ln -s victim out.partial; mkdir other.partial
                for OUT in out other; do \(writer.script); done
                ls -A
                """)
            #expect(result.status == 0, "\(result.errors)")
            #expect(
                result.output.split(separator: "\n")
                    == ["direct", "other", "other.partial", "out", "out.partial", "victim"])
            #expect(try shell.text("victim") == "precious\n")
            #expect(try shell.bytes("out") == bytes && shell.bytes("other") == bytes)
        }

        /// No file may have a byte.
        @Test(arguments: Writer.all) func whatFailsLeavesTheOldFile(_ writer: Writer) async throws {
            let shell = try Shell()
            let result = try await shell.run(
                "echo old >out; trap '' XFSZ; ulimit -f 0; OUT=out; \(writer.script)")
            #expect(result.status == 74 && result.errors.contains("out cannot be written: File too large."))
            #expect(try shell.text("out") == "old\n")
            #expect(try shell.names == ["out"])
        }

        /// One writer has begun when another one comes and ends.
        @Test func twoWritersEachWriteAWholeFile() async throws {
            let shell = try Shell()
            let result = try await shell.run(
                """
                "$BENCH" infer --model "$MODEL" --frames "$FRAMES" --output logits || exit 97
                "$BENCH" infer --columns --model "$MODEL" --frames "$FRAMES" --output columns || exit 97
                mkfifo frames
                timeout 60 "$BENCH" infer --model "$MODEL" --frames frames --output out & first=$!
                exec 3>frames
                head -c 600000 "$FRAMES" >&3
                until ls -A | grep -q partial; do sleep 0.05; done
                "$BENCH" infer --columns --model "$MODEL" --frames "$FRAMES" --output out || exit 98
                cmp out columns || exit 99
                tail -c +600001 "$FRAMES" >&3; exec 3>&-
                wait $first || exit 96
                cmp out logits || exit 99
                ls -A
                """)
            #expect(result.status == 0, "\(result.errors)")
            #expect(result.output == "columns\nframes\nlogits\nout\n")
        }

        /// A command, what it reads under `$IN`, and the place where it writes.
        struct Reader: CustomTestStringConvertible, Sendable {
            let name: String
            let input: String
            let script: String

            var testDescription: String { name }

            static let all = [
                Reader(
                    name: "the frames of infer", input: "$FRAMES",
                    script: #""$BENCH" infer --model "$MODEL" --frames in --output "$OUT""#),
                Reader(
                    name: "the frames of infer on standard input", input: "$FRAMES",
                    script: #""$BENCH" infer --model "$MODEL" --frames - --output "$OUT" <in"#),
                Reader(
                    name: "the model of infer", input: "$MODEL",
                    script: #""$BENCH" infer --model in --frames "$FRAMES" --output "$OUT""#),
                Reader(
                    name: "the checkpoint", input: "$CHECKPOINT",
                    script: #""$IMPORT" import in --precision float32 --output "$OUT""#),
                Reader(
                    name: "calibration frames", input: "$FRAMES",
                    script: #""$IMPORT" import "$CHECKPOINT" --precision int8 --calibrate in --output "$OUT""#),
                Reader(
                    name: "the labels", input: "labels.json",
                    script: #""$IMPORT" import "$CHECKPOINT" --precision float32 --labels in --output "$OUT""#),
                Reader(
                    name: "the provenance", input: "labels.json",
                    script:
                        #""$IMPORT" import "$CHECKPOINT" --precision float32 --training-provenance in --output "$OUT""#),
                Reader(name: "the model of embed", input: "$MODEL", script: #""$IMPORT" embed in --output "$OUT""#),
                Reader(
                    name: "the model of export", input: "$MODEL",
                    script: #""$IMPORT" export in --format safetensors --output "$OUT""#),
                Reader(name: "the scenario", input: "scenario.json", script: #""$BENCH" simulate in --html "$OUT""#),
                Reader(
                    name: "the clip of live", input: "clip.y4m", script: #""$BENCH" live in --duration 1 --log "$OUT""#),
                Reader(
                    name: "the model of live", input: "$MODEL",
                    script: #""$BENCH" live clip.y4m --model in --duration 1 --log "$OUT""#),
            ]
        }

        @Test(arguments: Reader.all) func inputsAreNeverReplaced(_ reader: Reader) async throws {
            let shell = try Shell()
            try shell.makeClip("clip.y4m", frames: 20)
            let labels = (0..<13).map { $0 == 0 ? #""null""# : #""class \#($0)""# }
            try Data("[\(labels.joined(separator: ", "))]".utf8).write(
                to: shell.folder.appendingPathComponent("labels.json"))
            try Data(#"{"name": "own", "seconds": 5}"#.utf8).write(
                to: shell.folder.appendingPathComponent("scenario.json"))
            // The command itself goes well, before the places are what it reads.
            let well = try await shell.run(#"cp "\#(reader.input)" in; OUT=out; \#(reader.script) >/dev/null"#)
            try #require(well.status == 0, "\(well.errors)")
            for place in ["in", "./in", "link", "hard", "linked/in"] {
                let result = try await shell.run(
                    """
                    ln -sf in link; ln -f in hard; ln -sfn . linked
                    OUT=\(place); \(reader.script); status=$?
                    cmp in "\(reader.input)" || exit 99
                    exit $status
                    """)
                #expect(result.status == 1, "\(place): \(result.errors)")
                #expect(result.errors.contains("an input; choose another file"), "\(place): \(result.errors)")
            }
            #expect(try !shell.names.contains { $0.contains("partial") })
        }

        /// Pictures of `accuracy` may not take the place of a clip or its labels, and are outputs like others.
        @Test func picturesAreOutputsToo() async throws {
            let shell = try Shell()
            try shell.makeLabelledClip("clips")
            let result = try await shell.run(
                """
                cp clips/demo.json before.json; ln clips/demo.json clips/confusion.svg
                "$BENCH" accuracy clips --svg clips; status=$?
                cmp before.json clips/demo.json || exit 99
                ls -A clips
                exit $status
                """)
            #expect(
                result.status == 1
                    && result.errors.contains(
                        "is the same file as \(shell.folder.path)/clips/demo.json, which is an input; choose another"),
                "\(result.errors)")
            #expect(result.output == "confusion.svg\ndemo.json\ndemo.y4m\n")

            let fresh = try await shell.run(
                """
                mkfifo pipe; mkdir -p new; ln -s ../pipe new/demo.svg
                timeout 60 cat pipe >picture & timeout 100 "$BENCH" accuracy clips --svg new >text; status=$?
                wait; ls -A new; exit $status
                """)
            #expect(fresh.status == 0, "\(fresh.errors)")
            #expect(fresh.output == "confusion-decided.svg\nconfusion.svg\ndemo.svg\n")
            #expect(try shell.text("picture").hasSuffix("</svg>\n"))

            let blocked = try await shell.run(#"echo file >text; "$BENCH" accuracy clips --svg text/below"#)
            #expect(blocked.status == 74 && blocked.errors.contains("cannot be written: Not a directory."))
        }
    }
}
