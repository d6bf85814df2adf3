# The package on other x86-64 CPUs, emulated: one of 2008 without AVX, where only the portable tier may run, and the
# emulator's best, which has AVX2 and no AVX-512. On each the start of the demo clip gives the events of its committed log. On
# the first the kernel tests run, too; `avxvnni` reads every instruction of the AVX2 tier, and `tiers` tests it without
# emulation. What a tier uses beyond its CPU ends here as an illegal instruction.

install qemu-user=1:7.2* ffmpeg=7:5.1.*
needs_tests
export SWIFT_BACKTRACE=enable=no

# replays CPU: the clip gives its events.
replays() {
    local found
    found=$(replay_start pixels Weights/demo/demo.mp4 Weights/demo/events.jsonl qemu-x86_64 -cpu "$1" "$bench") ||
        fail "$1: other events than in the log"
    echo "$1: the demo clip gives the log's $found"
}

status=0
qemu-x86_64 -cpu Nehalem "$tests" --testing-library swift-testing --filter KernelTests >"$scratch/log" 2>&1 || status=$?
if [ "$status" -ne 0 ]; then
    failures_of "$scratch/log"
    fail "Nehalem: the kernel tests end with status $status"
fi
found=$(tiers_of "$scratch/log")
[ "$found" = portable ] || fail "Nehalem: the tests ran on '$found', not on 'portable'"
echo "Nehalem: $(grep -oE 'Test run with .*' "$scratch/log"), tiers: $found"
replays Nehalem
if grep -qw avx2 /proc/cpuinfo; then
    replays max
else
    echo "max: SKIPPED, the host has no AVX2, and what the host lacks is not used"
fi
