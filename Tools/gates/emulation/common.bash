# What the modes of Tools/gates/emulated share; sourced, not run.

tests=$PWD/.build/release/swift-gesturePackageTests.xctest
bench=$PWD/.build/release/gesture-bench

# Fails where the last build did not make the tests and the command.
needs_tests() {
    local program
    for program in "$tests" "$bench"; do
        [ -x "$program" ] || fail "no $program: Tools/build --build-tests comes first"
    done
}

# failures_of LOG: what failed in a run of tests.
failures_of() { grep -E '✘|↳|Fatal|error' "$1" | tail -n 40 >&2 || true; }

# tiers_of LOG: the tiers that the kernel tests ran on, in one line.
tiers_of() { sed -nE 's/.*tier → "([a-z0-9]+)".*/\1/p' "$1" | sort -u | paste -sd ' '; }

# first_pause LOG: the first moment of a demo clip, in seconds, 0.1 s after an end event of its log and 0.1 s before the next
# begin event. No gesture is open there.
first_pause() {
    local seconds
    seconds=$(awk '
        match($0, /"decision_s":[0-9.]+/) {
            time = substr($0, RSTART + 13, RLENGTH - 13) + 0
            if (ended && time > ended + 0.2) exit
            ended = /"event":"end"/ ? time : 0
        }
        END { if (ended) print ended + 0.1 }' "$1")
    [ -n "$seconds" ] || fail "$1 has no end event with a pause after it"
    echo "$seconds"
}

# replay_start FRONT_END VIDEO LOG COMMAND...: gesture-bench, by the command, on the clip's first seconds, decoded here. It gives
# the events of the log, and this prints how many of how long; or it fails.
replay_start() {
    local front_end=$1 video=$2 log=$3 seconds events
    shift 3
    seconds=$(first_pause "$log")
    events=$(mktemp -p "$scratch")
    ffmpeg -v error -i "$video" -t "$seconds" -f yuv4mpegpipe -pix_fmt yuv420p - |
        "$@" replay - --front-end "$front_end" --json >"$events" || return
    awk -v end="$seconds" 'match($0, /"decision_s":[0-9.]+/) && substr($0, RSTART + 13, RLENGTH - 13) + 0 < end' "$log" |
        diff - "$events" >&2 || return
    echo "$(wc -l <"$events") events of $seconds s"
}

# compile MODULE ARGUMENTS...: a module, without SwiftPM, for the machine that `target` names.
target=()
compile() {
    local module=$1
    shift
    swiftc -wmo "${target[@]}" -enable-experimental-feature Extern -parse-as-library -swift-version 6 -warnings-as-errors \
        -package-name swift-gesture -enable-upcoming-feature ExistentialAny \
        -enable-upcoming-feature InternalImportsByDefault -enable-upcoming-feature MemberImportVisibility \
        -module-name "$module" -I "$scratch" -emit-module -emit-module-path "$scratch/$module.swiftmodule" \
        -o "$scratch/${output:-$module.o}" "$@"
}

# compile_base: what every tier is compared with, and what all share.
compile_base() {
    compile KernelInterface -O -c Sources/KernelInterface/*.swift
    compile KernelsPortable -O -c Sources/KernelsPortable/*.swift
}

# compare COMMAND...: the program `harness`, by the command: the tiers agree on every case, and wrong weights are seen.
compare() {
    export SWIFT_BACKTRACE=enable=no
    "$@" "$scratch/harness" || fail "a tier differs from the portable one"
    "$@" "$scratch/harness" wrong-weights >"$scratch/wrong" || { cat "$scratch/wrong" >&2; fail "the harness misses wrong weights"; }
    tail -n 1 "$scratch/wrong"
}

libc=/usr/aarch64-linux-gnu

# compile_neon: the NEON tiers and what they are compared with, as Embedded Swift for arm64, which needs no library of Swift.
compile_neon() {
    install qemu-user=1:7.2* libc6-dev-arm64-cross=2.36*
    target=(-target aarch64-none-none-elf -enable-experimental-feature Embedded)
    compile_base
    compile KernelsNEON -Ounchecked -c -Xcc -march=armv8.2-a+dotprod+i8mm Sources/KernelsNEON/*.swift
}

# link_neon MODULE PROGRAM: a module that exports `main`, with the kernels.
link_neon() {
    "$(toolchain)/ld.lld" --gc-sections -dynamic-linker /lib/ld-linux-aarch64.so.1 -o "$2" \
        $libc/lib/crt1.o $libc/lib/crti.o "$scratch"/{"$1",KernelsNEON,KernelsPortable,KernelInterface}.o \
        $libc/lib/libc.so.6 $libc/lib/libc_nonshared.a $libc/lib/ld-linux-aarch64.so.1 $libc/lib/crtn.o
}
