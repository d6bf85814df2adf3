import Foundation
import Testing

extension CommandTests {
    /// Recordings with their `truth.csv`.
    @Suite struct TruthTests {
        private func shell(_ truth: String) async throws -> Shell {
            let shell = try Shell()
            for name in ["real", "real/one", "real/none"] {
                try FileManager.default.createDirectory(
                    at: shell.folder.appendingPathComponent(name), withIntermediateDirectories: false)
            }
            try shell.makeClip("real/one/clip.y4m", frames: 20)
            try Data(truth.utf8).write(to: shell.folder.appendingPathComponent("real/one/truth.csv"))
            return shell
        }

        @Test func foundMissedAndMadeUp() async throws {
            let shell = try await shell("start,end,label\n0,8,other\n9,15,tap\n16,19,skip\n")
            let text = try await shell.run(#""$BENCH" accuracy real --front-end pixels"#)
            #expect(text.status == 0, "\(text.errors)")
            #expect(
                text.output.contains("one  0 of 1 found") && text.output.contains("missed   tap 9-15: "),
                "\(text.output)")
            #expect(text.output.contains("1 clips, "))
            let json = try await shell.run(#""$BENCH" accuracy real/one --json"#)
            let report = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
            let total = report?["total"] as? [String: Any]
            #expect(total?["missed"] as? Int == 1 && total?["gestures"] as? Int == 1, "\(json.output) \(json.errors)")
            let clip = (report?["clips"] as? [[String: Any]])?.first
            #expect(clip?["name"] as? String == "one" && clip?["hand_frames"] as? Int == 0)
            let curve = try await shell.run(#""$BENCH" accuracy real --sweep --also real --front-end pixels"#)
            #expect(curve.status == 0 && curve.output.contains("as it is"), "\(curve.output) \(curve.errors)")
        }

        @Test(arguments: [
            ("start,end\n0,3\n", ":1 ", "no column label", 1), ("start,end,label\n0,x,tap\n", ":2 ", "end is x", 1),
            ("start,end,label\n0,1,tap\n5,4,tap\n", ":3 ", "before start", 1),
            ("start,end,label\n0,1,wave\n", ":2 ", "no class wave", 1),
            ("start,end,label\n0,20,tap\n", ":2 ", "20 frames", 65),
        ])
        func aBadTruthIsNamedByFileAndLine(_ truth: String, _ line: String, _ reason: String, _ status: Int)
            async throws
        {
            let shell = try await shell(truth)
            let result = try await shell.run(#""$BENCH" accuracy real --front-end pixels"#)
            #expect(result.status == Int32(status), "\(result.status)")
            #expect(
                result.errors.contains("real/one/truth.csv" + line) && result.errors.contains(reason),
                "\(result.errors)")
            #expect(result.output.isEmpty)
        }

        @Test func whatDoesNotGoWithTruth() async throws {
            let shell = try await shell("start,end,label\n")
            for option in ["--svg new", "--compare bundled", "--every-group", "--also real"] {
                let result = try await shell.run(#""$BENCH" accuracy real "# + option)
                #expect(result.status == 64, "\(option): \(result.status) \(result.errors)")
            }
            for script in ["rm real/one/clip.y4m", "cp real/one/clip.y4m real/one/other.y4m"] {
                let shell = try await self.shell("start,end,label\n")
                let result = try await shell.run(script + #"; "$BENCH" accuracy real"#)
                #expect(result.status == 1 && result.errors.contains("beside its truth.csv"), "\(result.errors)")
            }
            try shell.makeLabelledClip("clips")
            let sweep = try await shell.run(#""$BENCH" accuracy clips --sweep"#)
            #expect(sweep.status == 64, "\(sweep.status)")
        }

        @Test func settingsAreWrittenAndShown() async throws {
            let shell = try Shell()
            let written = try await shell.run(
                #"""
                "$IMPORT" settings "$MODEL" -o new --median-ms 233 --begin-ms 67 --begin-confidence 0.6 --end-ms 333 \
                    --steady 167=0.5 --once-ms 500 --class-confidence tap=0.9 && "$IMPORT" inspect new
                """#)
            #expect(written.status == 0, "\(written.errors)")
            for text in [
                "median of 233 ms, begins after 67 ms above 0.6 or at the end of 167 ms above 0.5, ends after 333 ms",
                "tap above 0.9", "merge window 500 ms",
            ] {
                #expect(written.output.contains(text), "\(written.output)")
            }
            let off = try await shell.run(#""$IMPORT" settings new -o new --steady off && "$IMPORT" inspect new"#)
            #expect(off.output.contains("above 0.6, ends after"), "\(off.output)")
            for steady in ["167", "167=", "=0.5", "a=b", "1=2=3", "0=0.5", "100=1"] {
                let shown = try await shell.run(#""$IMPORT" settings new -o new --steady \#(steady)"#)
                #expect(shown.status != 0 && shown.errors.contains("--steady"), "\(steady): \(shown.errors)")
            }
            let refused = try await shell.run(#""$IMPORT" settings "$MODEL" -o other --median-ms 300"#)
            #expect(refused.status == 1 && refused.errors.contains("--median-ms"), "\(refused.errors)")
            #expect(try !shell.names.contains("other"))
        }
    }
}
