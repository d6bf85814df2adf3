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

# compile_kernels CPU TIER...: the tiers, the portable one and what they import, as Package.swift says. `modules` has their names,
# `flags` the flags of each.
declare -A flags
modules=()
compile_kernels() {
    local cpu=$1 module folder excluded options
    shift
    while IFS=$'\t' read -r module folder excluded options; do
        modules+=("$module")
        flags[$module]="-O $options"
        compile "$module" ${flags[$module]} -c $(find "$folder" -name "*.swift")
    done < <(swift package dump-package | python3 Tools/gates/modules.py --architecture "$cpu" KernelInterface "$@")
    [ "${#modules[@]}" -gt 1 ] || fail "Package.swift cannot be read"
}

# objects MODULE...: their files.
objects() { printf "$scratch/%s.o\n" "$@"; }

# compare COMMAND...: the program `harness`, by the command: the tiers agree on every case, and wrong weights are seen.
compare() {
    export SWIFT_BACKTRACE=enable=no
    "$@" "$scratch/harness" || fail "a tier differs from the portable one"
    "$@" "$scratch/harness" wrong-weights >"$scratch/wrong" || { cat "$scratch/wrong" >&2; fail "the harness misses wrong weights"; }
    tail -n 1 "$scratch/wrong"
}

