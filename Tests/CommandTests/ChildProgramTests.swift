import Foundation
import Testing

extension CommandTests {
    /// The programs that the commands start, where these fail, hang or cannot start.
    @Suite struct ChildProgramTests {
        /// Puts programs named ffmpeg and ffprobe first in the search path: scripts, where `$REAL` is the real ffmpeg.
        private static func scripts(ffmpeg: String? = nil, ffprobe: String? = nil) -> String {
            var setup = "mkdir bin; REAL=$(command -v ffmpeg); export REAL\n"
            for (name, script) in [("ffmpeg", ffmpeg), ("ffprobe", ffprobe)] {
                guard let script else { continue }
                setup += "cat >bin/\(name) <<'END'\n#!/bin/sh\n\(script)\nEND\nchmod +x bin/\(name)\n"
            }
            return setup + "export PATH=\"$PWD/bin:$PATH\"\n"
        }

        /// An encoder that loses frames and reports success, as FFmpeg 5.1 does on a full disk: no file, and a sentence.
        @Test(arguments: [
            "cat >/dev/null; head -c 5000 /dev/zero >\"$file\"",
            "cat >/dev/null",
            "\"$REAL\" -v error -f rawvideo -pix_fmt rgb24 -s 64x48 -r 30 -i pipe:0 -frames:v 7 -y \"$file\"; exit 0",
            "\"$REAL\" -v error -f rawvideo -pix_fmt rgb24 -s 64x48 -r 30 -i pipe:0 -frames:v 7 -y \"$file\"; cat >/dev/null",
        ])
        func anOverlayThatIsIncomplete(_ encoder: String) async throws {
            let shell = try Shell()
            try shell.makeClip("clip.y4m", frames: 20)
            let encoding =
                "for file; do :; done\ncase $file in *overlay.mp4) \(encoder); exit 0;; esac\nexec \"$REAL\" \"$@\""
            let result = try await shell.run(
                Self.scripts(ffmpeg: encoding) + #"""
                    mkdir tmp; export TMPDIR="$PWD/tmp"; echo before >o.mp4
                    timeout 60 "$BENCH" replay clip.y4m --front-end pixels --overlay o.mp4 >lines
                    status=$?; ls tmp >left; exit $status
                    """#)
            #expect(result.status == 74 && result.errors.contains("ffmpeg"), "\(result.status) \(result.errors)")
            #expect(try shell.text("o.mp4") == "before\n" && shell.text("left").isEmpty)
            // The results that need no overlay are there: of all frames, or of those before the encoder closed its pipe.
            let words = encoder.contains("exit 0") ? "frames encoded" : "20 frames encoded"
            #expect(try shell.text("lines").contains(words))
        }

        /// The programs that a command started end with it, whatever ended it.
        @Test(arguments: ["TERM", "HUP", "INT", "KILL", "ABRT"], ["ffprobe", "ffmpeg"])
        func programsEndWithTheCommand(_ signal: String, _ name: String) async throws {
            let shell = try Shell()
            let spinning = "echo $$ >>\"$PIDS\"\nwhile :; do :; done"
            let result = try await shell.run(
                Self.scripts(
                    ffmpeg: name == "ffmpeg" ? spinning : nil, ffprobe: name == "ffprobe" ? spinning : nil)
                        + #"""
                        ulimit -c 0; export SWIFT_BACKTRACE=enable=no PIDS="$PWD/pids"
                        env --default-signal=INT,TERM,HUP "$BENCH" replay "$DEMO/hands.mp4" >/dev/null 2>&1 & command=$!
                        for try in $(seq 300); do [ -s pids ] && break; sleep 0.1; done
                        sleep 0.3; kill -\#(signal) $command; wait $command; echo $? >status
                        for try in $(seq 50); do
                            left=; for pid in $(cat pids); do kill -0 $pid 2>/dev/null && left=$pid; done
                            [ -z "$left" ] && exit 0; sleep 0.1
                        done
                        kill -9 $(cat pids); exit 1
                        """#)
            #expect(result.status == 0, "the program goes on after SIG\(signal): \(result.errors)")
            let numbers = ["TERM": "143", "HUP": "129", "INT": "130", "KILL": "137", "ABRT": "134"]
            #expect(try shell.text("status") == numbers[signal, default: ""] + "\n")
        }

        /// A signal ends a command at once that waits for a program, and not after the program's stall limit.
        @Test func aSignalDoesNotWaitForAProgram() async throws {
            let shell = try Shell()
            let result = try await shell.run(
                Self.scripts(ffmpeg: "case $* in *frames:v*) exec \"$REAL\" \"$@\";; esac\nexec sleep 100") + #"""
                    env --default-signal=TERM "$BENCH" replay "$DEMO/hands.mp4" >lines 2>errors & command=$!
                    sleep 3; kill -TERM $command; ( sleep 20; kill -9 $command ) & guard=$!
                    wait $command; status=$?; kill $guard; exit $status
                    """#)
            #expect(result.status == 143, "\(result.status) \(result.errors)")
        }

        /// Every number of descriptors: the work is done, or a sentence tells what is missing. Nothing traps or hangs.
        @Test(arguments: [4, 6, 8, 9, 10, 11, 12, 14, 16, 18, 20, 21, 22, 24, 28]) func fewDescriptors(_ count: Int)
            async throws
        {
            let shell = try Shell()
            try shell.makeClip("clip.y4m", frames: 3)
            let result = try await shell.run(
                #"""
                ulimit -c 0; export SWIFT_BACKTRACE=enable=no
                for command in 'replay clip.y4m --front-end pixels' "replay $DEMO/hands.mp4" \
                    'replay clip.y4m --front-end pixels --overlay o.mp4'; do
                    timeout 60 prlimit --nofile=\#(count) "$BENCH" $command >/dev/null 2>errors
                    status=$?; cat errors >&2
                    case $status in
                    0) ;;
                    1 | 74) grep -q 'Too many open files' errors || exit 98;;
                    *) exit $status;;
                    esac
                done
                """#)
            #expect(result.status == 0, "\(result.status) \(result.errors)")
        }

        /// The same for processes and threads, which root has without limit.
        @Test(
            .enabled(if: geteuid() == 0, "only root can become a user without processes"),
            arguments: [3, 4, 5, 6, 8, 9, 12, 16])
        func fewProcesses(_ count: Int) async throws {
            let shell = try Shell()
            let result = try await shell.run(
                #"""
                ulimit -c 0; export SWIFT_BACKTRACE=enable=no
                chmod 755 .; cp "$DEMO/hands.mp4" clip.mp4; chmod 644 clip.mp4
                # Where the user cannot reach the command there is nothing to see.
                setpriv --reuid 60123 --clear-groups test -x "$BENCH" || exit 0
                # How many threads libraries start depends on the CPUs.
                cpu=$(taskset -cp $$ | sed 's/.*: *//; s/[-,].*//')
                for cpus in "" "taskset -c $cpu"; do
                    $cpus setpriv --reuid 60123 --clear-groups prlimit --nproc=\#(count) timeout 60 "$BENCH" hands clip.mp4 \
                        >/dev/null 2>errors
                    status=$?; cat errors >&2
                    case $status in
                    0) ;;
                    1 | 126) grep -qE 'Resource temporarily unavailable|could not be decoded' errors || exit 98;;
                    *) exit $status;;
                    esac
                done
                """#)
            #expect(result.status == 0, "\(result.status) \(result.errors)")
        }
    }
}
