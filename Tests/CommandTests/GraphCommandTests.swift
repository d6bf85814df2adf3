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
            #expect(choice.status == 1 && choice.errors.contains("neither --backend nor --front-end"))
        }

        @Test func refusalsNameTheReason() async throws {
            let shell = try Shell()
            for (script, reason) in [
                (#""$IMPORT" graph "$MODEL" --precision float32 -o a"#, "TFLite"),
                (#""$IMPORT" graph "$GRAPHS/block.tflite" --entry b --precision float32 -o a"#, "by the name b"),
                (#""$IMPORT" run "$MODEL" --input "$GRAPHS/block.input.npy" -o a"#, "not a graph"),
                (#""$IMPORT" run "$GRAPHS/block.tflite" --input "$FRAMES" -o a"#, "|u1"),
                (#"cp "$GRAPHS/block.tflite" a; "$IMPORT" graph a --precision float32 -o a"#, "may not be written"),
            ] {
                let result = try await shell.run(script)
                #expect(result.status == 1 && result.errors.contains(reason), "\(script): \(result.errors)")
            }
        }
    }
}
