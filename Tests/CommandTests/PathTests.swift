import Foundation
import Testing

extension CommandTests {
    /// Names of files that are not UTF-8, which Linux allows: 0xE9 is an é of Latin-1.
    @Suite struct PathTests {
        @Test func inputsAndOutputs() async throws {
            let shell = try Shell()
            try shell.makeClip("clip.y4m", frames: 20)
            let result = try await shell.run(
                #"""
                odd=$(printf 'caf\351'); mkdir "$odd" images
                cp clip.y4m "$odd/$odd.y4m"
                "$BENCH" replay "$odd/$odd.y4m" --front-end pixels --overlay "$odd/out$odd.mp4" >lines || exit 99
                [ -s "$odd/out$odd.mp4" ] || exit 98
                "$BENCH" hands "$odd/out$odd.mp4" >/dev/null || exit 97
                ffmpeg -v error -i clip.y4m "images/$odd-%02d.png" || exit 96
                "$BENCH" hands images >/dev/null || exit 95
                mv images "$odd/"; cd "$odd"; "$BENCH" hands images >/dev/null || exit 94; cd ..
                cp "$CHECKPOINT" "$odd.safetensors"
                "$IMPORT" import "$odd.safetensors" --precision float16 --output "$odd/m.safetensors" >/dev/null || exit 93
                "$BENCH" replay clip.y4m --model "$odd/m.safetensors" --front-end pixels >/dev/null || exit 92
                # Nothing has another name than was asked for.
                ls "$odd" | LC_ALL=C sort >names
                printf 'caf\351.y4m\nimages\nm.safetensors\noutcaf\351.mp4\n' | cmp - names || exit 91
                """#)
            #expect(result.status == 0, "\(result.status) \(result.errors)")
        }

        @Test func errorsShowTheBytes() async throws {
            let result = try await Shell().run(#""$BENCH" replay "$(printf 'caf\351.mp4')""#)
            #expect(result.status == 1)
            #expect(result.errors.contains(#"caf\xE9.mp4 cannot be opened: No such file"#), "\(result.errors)")
        }

        /// An output that is an input under a name that is not UTF-8 is refused.
        @Test func anInputIsNotReplaced() async throws {
            let shell = try Shell()
            try shell.makeClip("clip.y4m", frames: 5)
            let result = try await shell.run(
                #"odd=$(printf '\377.y4m'); mv clip.y4m "$odd"; "$BENCH" replay "$odd" --overlay "$odd""#)
            #expect(result.status == 1, "\(result.status) \(result.errors)")
        }
    }
}
