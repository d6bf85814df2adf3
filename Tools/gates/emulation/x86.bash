# The package on other x86-64 CPUs, emulated: one of 2008 without AVX, where only the portable tier may run, and the
# emulator's best, which has AVX2 and no AVX-512. On each the kernel tests run, and the start of the demo clip gives the events
# of its committed log. What a tier uses beyond its CPU ends here as an illegal instruction.

install qemu-user=1:7.2* ffmpeg=7:5.1.*
needs_tests
export SWIFT_BACKTRACE=enable=no

# on CPU TIERS: the tests run on exactly these tiers, and the clip gives its events.
on() {
    local cpu=$1 expected=$2 status=0 found
    qemu-x86_64 -cpu "$cpu" "$tests" --testing-library swift-testing --filter KernelTests >"$scratch/log" 2>&1 || status=$?
    if [ "$status" -ne 0 ]; then
        failures_of "$scratch/log"
        fail "$cpu: the kernel tests end with status $status"
    fi
    found=$(tiers_of "$scratch/log")
    [ "$found" = "$expected" ] || fail "$cpu: the tests ran on '$found', not on '$expected'"
    echo "$cpu: $(grep -oE 'Test run with .*' "$scratch/log"), tiers: $found"
    found=$(replay_start pixels Weights/demo/demo.mp4 Weights/demo/events.jsonl qemu-x86_64 -cpu "$cpu" "$bench") ||
        fail "$cpu: other events than in the log"
    echo "$cpu: the demo clip gives the log's $found"
}

on Nehalem 'portable'
if grep -qw avx2 /proc/cpuinfo; then
    on max 'avx2 portable'
else
    echo "max: SKIPPED, the host has no AVX2, and what the host lacks is not used"
fi
