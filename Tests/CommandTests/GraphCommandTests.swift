import Foundation
import ModelFile
import Testing

extension CommandTests {
    /// Graphs of TFLite files, of which `$GRAPHS` has one: a block of a real network.
    @Suite struct GraphCommandTests {
        @Test func aTFLiteFileBecomesAGraphThatRunsAlike() async throws {
            let shell = try Shell()
            let result = try await shell.run(
                """
                "$IMPORT" graph "$GRAPHS/block.tflite" --precision float32 --provenance 'a block' -o a || exit 1
                "$IMPORT" graph "$GRAPHS/block.tflite" --precision float32 --provenance 'a block' -o b || exit 2
                cmp a b || exit 3
                "$IMPORT" run "$GRAPHS/block.tflite" --input "$GRAPHS/block.input.npy" -o source.npz || exit 4
                "$IMPORT" run a --input "$GRAPHS/block.input.npy" -o graph.npz || exit 5
                cmp source.npz graph.npz || exit 6
                "$IMPORT" inspect a
                """)
            #expect(result.status == 0, "\(result.errors)")
            let file = try GraphFile(bytes: shell.bytes("a"))
            #expect(file.manifest.source == "block.tflite" && file.manifest.provenance == "a block")
            #expect(file.manifest.precision == .float32)
            for part in ["depthwise_convolution", "relu6", "246,240 multiply-adds", "8,520 parameters in float32"] {
                #expect(result.output.contains(part), "\(part) is missing in \(result.output)")
            }
        }

        /// As MediaPipe's bundles: two bytes before the first member, and networks in a bundle in the bundle.
        @Test func aBundleIsReadWhereverItBegins() async throws {
            let shell = try Shell()
            let result = try await shell.run(
                """
                python3 - "$GRAPHS/block.tflite" <<'END' || exit 9
                import sys, zipfile
                def bundle(path, members):
                    with open(path, "wb") as file:
                        file.write(bytes(2))
                        with zipfile.ZipFile(file, "w") as archive:
                            for name, source in members.items():
                                archive.write(source, name)
                bundle("inner.task", {"embedder.tflite": sys.argv[1], "classifier.tflite": sys.argv[1]})
                bundle("one.task", {"block.tflite": sys.argv[1]})
                bundle("outer.task", {"recognizer.task": "inner.task"})
                END
                "$IMPORT" graph one.task --precision float32 -o one || exit 1
                "$IMPORT" graph outer.task --precision float32 --entry recognizer.task/embedder.tflite -o two || exit 2
                "$IMPORT" inspect one.task || exit 3
                "$IMPORT" graph outer.task --precision float32 -o three; [ $? = 1 ] || exit 4
                "$IMPORT" import one.task --precision float32 -o four; [ $? = 1 ] || exit 5
                """)
            #expect(result.status == 0, "\(result.errors)")
            #expect(try GraphFile(bytes: shell.bytes("one")).manifest.source == "one.task/block.tflite")
            let two = try GraphFile(bytes: shell.bytes("two"))
            #expect(two.manifest.source == "outer.task/recognizer.task/embedder.tflite")
            #expect(result.output.contains("246,240 multiply-adds"))
            #expect(
                result.errors.contains("--entry: recognizer.task/embedder.tflite, recognizer.task/classifier.tflite."))
            #expect(
                result.errors.contains("one.task: The checkpoint seems to be a bundle of TensorFlow Lite"),
                "\(result.errors)")
        }

        @Test func metadataThatAreNoTextAreNamed() async throws {
            let shell = try Shell()
            let header = Array(#"{"__metadata__":{"a":"1","step":12}}"#.utf8)
            let bytes = [UInt8(header.count)] + [UInt8](repeating: 0, count: 7) + header
            try Data(bytes).write(to: shell.folder.appendingPathComponent("a.safetensors"))
            let result = try await shell.run(#""$IMPORT" inspect a.safetensors"#)
            #expect(result.status == 1)
            #expect(
                result.errors
                    == "gesture-import: a.safetensors: The values of the file's __metadata__ must be text; that of step is "
                    + "not.\n")
        }

        @Test func int8NeedsPictures() async throws {
            let shell = try Shell()
            let without = try await shell.run(#""$IMPORT" graph "$GRAPHS/block.tflite" --precision int8 -o a"#)
            #expect(without.status == 1 && without.errors.contains("--calibrate"), "\(without.errors)")
            #expect(try shell.names.isEmpty)
            let with = try await shell.run(
                """
                "$IMPORT" graph "$GRAPHS/block.tflite" --precision int8 --calibrate "$GRAPHS/block.input.npy" \
                    --input-range=-2,2 -o a || exit 1
                "$IMPORT" run a --input "$GRAPHS/block.input.npy" -o a.npz
                """)
            #expect(with.status == 0, "\(with.errors)")
            let file = try GraphFile(bytes: shell.bytes("a"))
            #expect(file.manifest.calibration == "minimum and maximum over 2 pictures")
            // Zero is a code, and each side of it has one fewer or more than half of them.
            #expect(file.quantisation[file.graph.values[0].name] == .init(scale: 4 / 255, zeroPoint: 127))
        }

        @Test func picturesFitOnlyASquareOfColours() async throws {
            let shell = try Shell()
            try shell.makeClip("clip.y4m", frames: 1)
            let result = try await shell.run(
                #""$IMPORT" graph "$GRAPHS/block.tflite" --precision int8 --calibrate clip.y4m -o a"#)
            #expect(result.status == 1 && result.errors.contains("[6, 5, 24]"), "\(result.errors)")
        }

        @Test func layersOfAGraphAreTimed() async throws {
            struct Report: Decodable {
                struct Layer: Decodable {
                    let name: String
                    let shape: [Int]
                    let macs: Int
                    let us: Double
                }
                let precision: String
                let p50_us, p99_us: Double
                let layers: [Layer]
            }
            let shell = try Shell()
            let result = try await shell.run(
                """
                "$IMPORT" graph "$GRAPHS/block.tflite" --precision float32 -o a || exit 1
                "$BENCH" layers --model a --frames 100 --json || exit 2
                """)
            #expect(result.status == 0, "\(result.errors)")
            let json = try #require(result.output.split(separator: "\n").last { $0.hasPrefix("{") })
            let report = try JSONDecoder().decode(Report.self, from: Data(json.utf8))
            #expect(report.precision == "float32" && report.p50_us > 0 && report.p50_us <= report.p99_us)
            #expect(report.layers.reduce(0) { $0 + $1.macs } == 246_240)
            #expect(report.layers.allSatisfy { $0.us > 0 && !$0.shape.isEmpty && !$0.name.isEmpty })
            let table = try await shell.run(#""$BENCH" layers --model a --frames 100"#)
            #expect(table.output.contains("float32, 1 thread; median"), "\(table.errors)")
            let choice = try await shell.run(#""$BENCH" layers --model a --front-end pixels"#)
            #expect(choice.status == 1 && choice.errors.contains("--backend and --front-end cannot be used"))
        }

        @Test func refusalsNameTheReason() async throws {
            let shell = try Shell()
            for (script, reason) in [
                (#""$IMPORT" graph "$MODEL" --precision float32 -o a"#, "TFLite"),
                (#""$IMPORT" graph "$GRAPHS/block.tflite" --entry b --precision float32 -o a"#, "no network called b"),
                (#""$IMPORT" run "$MODEL" --input "$GRAPHS/block.input.npy" -o a"#, "not a graph"),
                (#""$IMPORT" run "$GRAPHS/block.tflite" --input "$FRAMES" -o a"#, "|u1"),
                (#"cp "$GRAPHS/block.tflite" a; "$IMPORT" graph a --precision float32 -o a"#, "choose another file"),
            ] {
                let result = try await shell.run(script)
                #expect(result.status == 1 && result.errors.contains(reason), "\(script): \(result.errors)")
            }
        }
    }
}
