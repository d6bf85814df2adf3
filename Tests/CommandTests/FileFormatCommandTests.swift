import Foundation
import ModelFile
import TestSupport
import Testing

extension CommandTests {
    /// Whatever file a command gets, its refusal names the file, what the file is, and what to do.
    @Suite struct FileFormatCommandTests {
        /// A command that reads `FILE`, and the formats that it does not refuse by their beginning.
        struct Reader {
            let command: String
            var reads: Set<ModelFileError.FileFormat> = [.safetensors]
        }

        private static let checkpoints: Set<ModelFileError.FileFormat> = [
            .safetensors, .npy, .npz, .onnx, .torchArchive,
        ]
        private static let readers = [
            Reader(command: #""$IMPORT" import FILE --precision float32 --dry-run"#, reads: checkpoints),
            Reader(
                command: #""$IMPORT" inspect FILE"#,
                reads: checkpoints.union([.tflite, .mediaPipeTask, .zip])),
            Reader(
                command: #""$IMPORT" graph FILE --precision float32 -o out"#, reads: [.tflite, .mediaPipeTask, .zip]),
            Reader(
                command: #""$IMPORT" run FILE --input "$FRAMES" -o out"#,
                reads: [.safetensors, .tflite, .mediaPipeTask, .zip]),
            Reader(command: #""$IMPORT" verify FILE --checkpoint "$CHECKPOINT""#),
            Reader(command: #""$IMPORT" verify "$MODEL" --checkpoint FILE"#, reads: checkpoints),
            Reader(command: #""$IMPORT" verify "$MODEL" --reference FILE"#, reads: [.npz, .zip]),
            Reader(command: #""$IMPORT" diff FILE "$MODEL""#, reads: checkpoints),
            Reader(command: #""$IMPORT" diff "$MODEL" FILE"#, reads: checkpoints),
            Reader(command: #""$IMPORT" export FILE -o out.onnx"#),
            Reader(command: #""$IMPORT" embed FILE --output out"#),
            Reader(command: #""$IMPORT" settings FILE -o out --once-ms 1"#),
            Reader(
                command: #""$IMPORT" import "$CHECKPOINT" --precision float32 --dry-run --labels FILE"#,
                reads: [.json]),
            Reader(
                command: #""$IMPORT" import "$CHECKPOINT" --precision float32 --dry-run --replace-head FILE"#,
                reads: [.json]),
            Reader(
                command: #""$IMPORT" import "$CHECKPOINT" --precision float32 --dry-run --map FILE"#, reads: [.json]),
            Reader(command: #""$BENCH" layers --model FILE"#),
            Reader(command: #""$BENCH" latency --model FILE"#),
            Reader(command: #""$BENCH" infer --model FILE --frames "$FRAMES" --output out"#),
            Reader(command: #""$BENCH" replay clip.y4m --model FILE"#),
            Reader(command: #""$BENCH" hands clip.y4m --model FILE"#),
            Reader(command: #""$BENCH" body clip.y4m --model FILE"#),
            Reader(command: #""$BENCH" allocations --model FILE"#),
            Reader(command: #""$BENCH" graph FILE --input "$FRAMES" --time 1"#),
        ]

        @Test func everyFormatIsNamedByEveryCommand() async throws {
            let shell = try Shell()
            try shell.makeClip("clip.y4m", frames: 2)
            var samples: [(name: String, words: String, format: ModelFileError.FileFormat?)] = []
            for (index, sample) in FormatSamples.all.enumerated() {
                // One of each format: the others are told apart without a process.
                guard !samples.contains(where: { $0.format == sample.format }) else { continue }
                let name = "file-\(index)"
                try Data(sample.bytes).write(to: shell.folder.appendingPathComponent(name))
                samples.append((name, sample.format == .empty ? "empty" : "\(sample.format)", sample.format))
            }
            try Data([UInt8](repeating: 0xA5, count: 100)).write(to: shell.folder.appendingPathComponent("unknown"))
            samples.append(("unknown", "unknown", nil))
            for reader in Self.readers {
                // The benchmarks start slowly, and read models in one way.
                let few: Set<ModelFileError.FileFormat?> = [nil, .empty, .onnx, .heic, .coreML, .torchScript, .json]
                let refused = samples.filter { sample in
                    !(sample.format.map(reader.reads.contains) ?? false)
                        && (reader.command.contains("$IMPORT") || few.contains(sample.format))
                }
                var script = ""
                for sample in refused {
                    let command = reader.command.replacingOccurrences(of: "FILE", with: sample.name)
                    script += "\(command) >/dev/null 2>errors-\(sample.name); echo $?\n"
                }
                let result = try await shell.run(script)
                let statuses = result.output.split(separator: "\n")
                #expect(
                    statuses.count == refused.count && statuses.allSatisfy { $0 == "1" },
                    "\(reader.command): \(statuses)")
                for sample in refused {
                    let errors = try shell.text("errors-" + sample.name)
                    #expect(errors.contains(sample.name + ": "), "\(reader.command): \(errors)")
                    #expect(errors.contains(sample.words), "\(reader.command): \(errors)")
                    guard let advice = sample.format?.adviceForModels, !reader.reads.contains(.json) else { continue }
                    #expect(errors.contains(advice), "\(reader.command): \(errors)")
                }
            }
            #expect(try !shell.names.contains { $0.hasPrefix("out") })
        }

        @Test func directoriesAreNamed() async throws {
            let shell = try Shell()
            try shell.makeClip("clip.y4m", frames: 2)
            try await shell.run(
                """
                mkdir plain tf.model ml.mlpackage ml.mlpackage/Data
                touch tf.model/saved_model.pb ml.mlpackage/Manifest.json
                """)
            for reader in Self.readers {
                for (name, words) in [
                    ("plain", "is a directory"), ("tf.model", "a TensorFlow model"),
                    ("ml.mlpackage", "a Core ML model"),
                ] {
                    let result = try await shell.run(reader.command.replacingOccurrences(of: "FILE", with: name))
                    #expect(result.status == 1)
                    #expect(result.errors.contains(name), "\(reader.command): \(result.errors)")
                    #expect(result.errors.contains(words), "\(reader.command): \(result.errors)")
                }
            }
        }

        /// The file of labels, the map or the option that is wrong is reported, with the rule that it breaks.
        @Test func faultsOfTheUsersTextsAreReported() async throws {
            let shell = try Shell()
            let many = "[" + (0..<5000).map { "\"\($0)\"" }.joined(separator: ",") + ",\"null\"]"
            let labels: [(String, String, String)] = [
                ("nl.json", #"["null", "a\nb", "c\"d"]"#, "Label 2, a\\u{a}b, has a line break"),
                ("empty.json", #"["null", "", "b"]"#, "Label 2 is empty."),
                ("number.json", #"["null", 7, "b"]"#, "Label 2 is not text"),
                ("one.json", #"["null"]"#, "The number of labels is 1; a model has from 2 to 1024 classes."),
                ("many.json", many, "The number of labels is 5001; a model has from 2 to 1024 classes."),
                ("twice.json", #"["null", "a", "a"]"#, "Labels 2 and 3 are the same, a."),
                ("object.json", #"{"names": ["a"]}"#, "labels"),
                ("broken.json", #"["null", "a""#, "The JSON text is broken"),
                ("lines.txt", "wave\nnull\n", "seems to be a text"), ("other.json", #"["a", "b"]"#, "The label null"),
            ]
            for (name, text, words) in labels {
                try Data(text.utf8).write(to: shell.folder.appendingPathComponent(name))
                for option in ["--labels", "--allow-dropped --replace-head"] {
                    let result = try await shell.run(
                        #""$IMPORT" import "$CHECKPOINT" --precision float32 --dry-run \#(option) \#(name)"#)
                    #expect(result.status == 1)
                    #expect(result.errors.contains(name + ": ") && result.errors.contains(words), "\(result.errors)")
                    #expect(!result.errors.contains("metadata"), "\(result.errors)")
                }
            }
            let others: [(String, String, String, String)] = [
                ("--map", "twice.json", #"{"a":"b","a":"c"}"#, "The key a comes twice."),
                ("--map", "absent.json", #"{"nowhere":"fc.bias"}"#, "The name map renames nowhere"),
                ("--map", "value.json", #"{"fc.bias":1}"#, "The name map gives fc.bias something other than text"),
                ("--map", "array.json", "[]", "an object from names to names"),
                ("--training-provenance", "broken.json", "{", "The JSON text is broken at byte 1"),
            ]
            for (option, name, text, words) in others {
                try Data(text.utf8).write(to: shell.folder.appendingPathComponent(name))
                let result = try await shell.run(
                    #""$IMPORT" import "$CHECKPOINT" --precision float32 --dry-run \#(option) \#(name)"#)
                #expect(result.status == 1)
                #expect(result.errors.contains(name + ": ") && result.errors.contains(words), "\(result.errors)")
            }
            let settings = try await shell.run(
                #""$IMPORT" settings "$MODEL" -o out --class-confidence nothing=0.5 || "$IMPORT" settings "$MODEL" -o out --end-ms 9000"#
            )
            #expect(settings.status == 1 && !settings.errors.contains("metadata"), "\(settings.errors)")
            for words in [
                "--class-confidence cannot be", "--end-ms cannot be 9000: the milliseconds must be from 1 to 5000.",
            ] {
                #expect(settings.errors.contains(words), "\(settings.errors)")
            }
        }

        /// Names of hundreds of bytes, as exporters of TensorFlow write, are shown, and renamed by the map.
        @Test func longNamesAreShownAndRenamed() async throws {
            let shell = try Shell()
            let result = try await shell.run(
                """
                python3 - "$CHECKPOINT" <<'END' || exit 9
                \(Shell.readsSafetensors)
                for length in (1000, 1030):
                    name = ("model/re_lu/Relu;" * 80)[:length]
                    named = {name if key == "fc.weight" else key: value for key, value in header.items()}
                    text = json.dumps(named).encode()
                    open(f"{length}.safetensors", "wb").write(struct.pack("<Q", len(text)) + text + data[start:])
                    json.dump({name: "fc.weight"}, open(f"{length}.json", "w"))
                END
                "$IMPORT" inspect 1000.safetensors || exit 1
                "$IMPORT" import 1000.safetensors --map 1000.json --precision float32 -o long >/dev/null || exit 2
                "$IMPORT" import "$CHECKPOINT" --precision float32 -o short >/dev/null || exit 3
                "$IMPORT" diff long short --json >difference || exit 4
                "$IMPORT" inspect 1030.safetensors; [ $? = 1 ] || exit 5
                """)
            #expect(result.status == 0, "\(result.errors)")
            let name = String(String(repeating: "model/re_lu/Relu;", count: 80).prefix(1000))
            #expect(result.output.contains(name))
            #expect(
                result.errors.contains(
                    "1030.safetensors: A name in the file, which begins with \(name.prefix(100)), has 1030 bytes; 1024 is "
                        + "the limit."), "\(result.errors)")
            let json = try #require(
                try JSONSerialization.jsonObject(with: Data(shell.bytes("difference"))) as? [String: Any])
            #expect((json["tensors"] as? [Any])?.isEmpty == true)
        }
    }
}
