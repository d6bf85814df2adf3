import Foundation
import Testing

extension CommandTests {
    /// What clips are, and what their containers leave open.
    @Suite struct ClipInputTests {
        /// A file that is no clip is reported by what it is, and not as a damaged video.
        @Test(arguments: [
            ("photo.heic", "\0\0\0\u{18}ftypheic\0\0\0\0mif1heic", "is a HEIC image", "heif-convert"),
            ("photo.mp4", "\0\0\0\u{18}ftypmif1\0\0\0\0mif1heic", "is a HEIC image", "heif-convert"),
            ("picture.jxl", "\0\0\0\u{0C}JXL \r\n\u{87}\n", "is a JPEG XL image", "djxl"),
            ("picture.jpg", "\u{FF}\u{0A}\u{FA}\u{10}\u{0}\u{50}", "is a JPEG XL image", "djxl"),
            ("labels.json", #"["tap", "swipe"]"#, "is a JSON text", ""),
            ("page.mp4", "<!DOCTYPE html><html>404</html>", "is an XML or HTML text", "web page"),
            ("pointer.mp4", "version https://git-lfs.github.com/spec/v1\noid sha256:0", "Git LFS", "git lfs pull"),
            ("paper.pdf", "%PDF-1.7 and more", "is a PDF document", ""),
        ])
        func otherFilesAreNamed(
            _ name: String, _ content: String, _ what: String, _ advice: String
        ) async throws {
            let shell = try Shell()
            // One byte a character, as in Latin-1.
            try Data(content.unicodeScalars.map { UInt8($0.value) }).write(
                to: shell.folder.appendingPathComponent(name))
            for command in ["replay", "hands", "body"] {
                let result = try await shell.run(#""$BENCH" \#(command) \#(name)"#)
                #expect(result.status == 1)
                #expect(
                    result.errors.contains(name) && result.errors.contains(what)
                        && (advice.isEmpty || result.errors.contains(advice)),
                    "\(command): \(result.errors)")
                #expect(!result.errors.contains("moov"), "\(result.errors)")
            }
        }

        /// Whatever a command cannot read, missing, empty, cut off or of another kind, its refusal names it.
        @Test(
            .enabled(if: FFmpeg.isInstalled),
            arguments: [
                #""$BENCH" replay FILE"#, #""$BENCH" hands FILE"#, #""$BENCH" body FILE"#,
                #""$BENCH" live FILE --duration 1"#, #""$BENCH" latency --duration 1 --clip FILE"#,
                #""$BENCH" accuracy FILE"#, #""$BENCH" repetitions FILE"#, #""$BENCH" enrolment FILE"#,
                #""$BENCH" simulate FILE"#, #""$BENCH" compare FILE"#, #""$BENCH" serve --port 0 --user-gestures FILE"#,
                #""$BENCH" hands clip.y4m --model FILE"#, #""$BENCH" allocations --model FILE"#,
                #""$BENCH" infer --frames FILE --output out"#,
                #""$IMPORT" import "$CHECKPOINT" --precision int8 --dry-run --calibrate FILE"#,
                #""$IMPORT" inspect FILE"#,
            ])
        func refusalsNameTheFile(_ command: String) async throws {
            let shell = try Shell()
            try shell.makeClip("clip.y4m", frames: 3)
            let result = try await shell.run(
                #"""
                ffmpeg -v error -i clip.y4m -pix_fmt yuv420p -c:v mpeg4 whole.mp4 || exit 9
                ffmpeg -v error -i clip.y4m -frames:v 1 whole.png || exit 9
                : >blank.x; head -c 600 whole.mp4 >cut.mp4; head -c 90 whole.png >cut.png; head -c 30 clip.y4m >cut.y4m
                echo '{"a": [1' >cut.json; echo '{"a": 1}' >other.json; echo words >other.txt
                head -c 300 "$CHECKPOINT" >cut.safetensors; head -c 40 "$FRAMES" >cut.npy
                "$IMPORT" import "$CHECKPOINT" --precision float32 -o pixels.model >/dev/null || exit 9
                printf 'PK\003\004' >cut.npz; printf 'PK\003\004' >cut.pt; printf '\010\010\022\005' >cut.onnx
                printf 'RIFF\044\0\0\0WAVEfmt \020\0\0\0\001\0\001\0\100\037\0\0\200\076\0\0\002\0\020\0data\0\0\0\0' >sound.wav
                for file in absent.x blank.x cut.mp4 cut.png cut.y4m cut.json other.json other.txt cut.safetensors cut.npy cut.npz \
                    cut.pt cut.onnx sound.wav pixels.model; do
                    timeout 60 \#(command.replacingOccurrences(of: "FILE", with: "$file")) >/dev/null 2>errors </dev/null
                    status=$?
                    [ $status = 0 ] && continue
                    grep -q "$file" errors && [ $status != 64 ] && [ $status -lt 66 ] && continue
                    echo "$file: $status $(cat errors)"
                done
                """#)
            #expect(result.status == 0 && result.output.isEmpty, "\(result.output) \(result.errors)")
        }

        @Test func aStreamWithoutTimesHasTheStatedRate() async throws {
            let shell = try Shell()
            try shell.makeClip("clip.y4m", frames: 20)
            let result = try await shell.run(
                #"""
                ffmpeg -v error -i clip.y4m -c:v mjpeg clip.mjpeg && ffmpeg -v error -i clip.y4m clip.mp4 || exit 99
                "$BENCH" replay clip.mjpeg --front-end pixels >assumed 2>note || exit 98
                "$BENCH" replay clip.mjpeg --front-end pixels --input-rate 10 >stated 2>none || exit 97
                "$BENCH" replay clip.mjpeg --front-end pixels --input-rate 30000/1001 >exact || exit 96
                "$BENCH" replay clip.mp4 --front-end pixels --input-rate 10 2>refused; [ $? = 1 ] || exit 95
                "$BENCH" replay clip.mjpeg --input-rate 0 2>/dev/null; [ $? = 64 ] || exit 94
                [ ! -s none ] || exit 93
                """#)
            #expect(result.status == 0, "\(result.status) \(result.errors)")
            #expect(try shell.text("note").contains("25 frames a second are assumed"))
            #expect(try shell.text("assumed").contains("25 fps") && shell.text("stated").contains("10 fps"))
            #expect(try shell.text("exact").contains("29.97 fps"))
            #expect(try shell.text("refused").contains("clip.mp4 has times of its own"))
        }

        @Test func aStreamThatIsCutInsideAFrame() async throws {
            let shell = try Shell()
            try shell.makeClip("clip.y4m", frames: 40)
            let result = try await shell.run(
                #"""
                ffmpeg -v error -i clip.y4m -vf noise=alls=60:allf=t -c:v mpeg4 -q:v 2 clip.ts || exit 99
                size=$(wc -c <clip.ts); packets=$((size / 188))
                "$BENCH" replay clip.ts --front-end pixels >/dev/null || exit 98
                # Inside a packet, and between two packets of one frame.
                for bytes in $((size - 100)) $(((packets - 3) * 188)); do
                    head -c $bytes clip.ts >cut.ts
                    "$BENCH" replay cut.ts --front-end pixels >lines 2>errors; [ $? = 65 ] || exit 97
                    grep -q 'cut.ts ends inside frame' errors && grep -q 'frames encoded' lines || exit 96
                    "$BENCH" replay cut.ts --front-end pixels --allow-missing-frames >/dev/null || exit 95
                done
                # A broadcast that was joined in its middle is complaint enough for a decoder, and no cut.
                tail -c $(((packets - packets / 3) * 188)) clip.ts >joined.ts
                "$BENCH" replay joined.ts --front-end pixels >/dev/null || exit 94
                """#)
            #expect(result.status == 0, "\(result.status) \(result.errors)")
        }

        @Test func theDefaultTrackIsRead() async throws {
            let shell = try Shell()
            try shell.makeClip("clip.y4m", frames: 20)
            let result = try await shell.run(
                #"""
                ffmpeg -v error -i clip.y4m -map 0:v -map 0:v -c:v ffv1 -filter:v:0 scale=32:24 -disposition:v:0 0 \
                    -disposition:v:1 default two.mkv || exit 99
                "$BENCH" replay two.mkv --front-end pixels >lines 2>note || exit 98
                grep -q 'two.mkv: 64x48, ' lines || exit 97
                grep -q 'track 1 is read' note || exit 96
                ffmpeg -v error -i clip.y4m -map 0:v -map 0:v -c:v ffv1 -filter:v:1 scale=32:24 -disposition:v:0 default \
                    -disposition:v:1 0 first.mkv || exit 95
                "$BENCH" replay first.mkv --front-end pixels >lines 2>note || exit 94
                grep -q 'first.mkv: 64x48' lines && [ ! -s note ] || exit 93
                """#)
            #expect(result.status == 0, "\(result.status) \(result.errors)")
        }
    }
}
