# Every test on every tier that this CPU has below its best: the tests run once for each, with a list of the CPU's features in
# which the better tiers' are missing. Linux tells that list in /proc/cpuinfo, and a mount namespace shows another one to the
# tests alone. Takes root or user namespaces; without them it says so and ends.
#
# Left out are the tests of targets that do not link the kernels, which run the same on every tier. So are those that run
# the commands and the examples as processes, those of clips, those of the page's server, and those that import weights: they are
# about files, streams and sockets, and take longest. Of those that recognise clips, which portable kernels take minutes for, one
# of gestures and one of a pointer run.
# On AVX-VNNI run those of kernels and networks alone.

if ! hides_features; then
    echo "SKIPPED: no mount namespace to be had here; as root it works"
    exit
fi
needs_tests
left_out=$(swift package dump-package | python3 -c '
import json
import sys

targets = {t["name"]: t for t in json.load(sys.stdin)["targets"]}


def links(name):
    for dependency in targets.get(name, {}).get("dependencies", []):
        for other in (dependency.get("byName") or dependency.get("target") or [])[:1]:
            if other == "Kernels" or links(other):
                return True
    return False


print("|".join(f"^{name}\\." for name, target in targets.items() if target["type"] == "test" and not links(name)))
')
[ -n "$left_out" ] || fail "every test links the kernels"

# without NAME PATTERN ARGUMENTS: the tests on a CPU whose features do not match.
without() {
    local name=$1 pattern=$2 status=0
    shift 2
    hide_features "$pattern" \
        "$tests" --testing-library swift-testing --skip "$left_out" \
        --skip 'HandDemoTests/(?!(events|pointers)AreThoseOfTheLog)' --skip CommandTests --skip ClipsTests \
        --skip ExampleProgramTests --skip LivePageTests --skip WeightImportTests "$@" \
        >"$scratch/log" 2>&1 || status=$?
    if [ "$status" -ne 0 ]; then
        failures_of "$scratch/log"
        fail "without $name: the tests end with status $status"
    fi
    echo "without $name: $(grep -oE 'Test run with .*' "$scratch/log")"
}

# With AVX-VNNI and without it only products of int8 differ, so the other tests of the one pass are those of the other.
products=()
if grep -qw avx_vnni /proc/cpuinfo; then products=(--filter '^(KernelTests|NetworkTests|ParityTests|PixelFrontEndTests)\.'); fi
if grep -qw avx512_vnni /proc/cpuinfo; then without AVX-512 'avx512[a-z0-9_]*' "${products[@]}" "$@"; fi
if grep -qw avx_vnni /proc/cpuinfo; then without AVX-VNNI 'avx512[a-z0-9_]*|avx_vnni' "$@"; fi
if grep -qw avx2 /proc/cpuinfo; then without AVX2 'avx512[a-z0-9_]*|avx2' "$@"; fi
