# How long the networks would take on arm64 CPUs that are not at hand: an estimate, no gate. An emulator notes which
# instructions the kernels execute on the shapes of each layer, and llvm-mca's models of CPUs say how many cycles these
# take. Writes Tools/gates/emulation/arm64-times.md; with graph files as arguments, estimates those and writes to the output.
#
# It builds gesture-bench, if GESTURE_BENCH does not name one. It takes about ten minutes.
#
# Left out: memory beyond the first cache, mispredicted branches, what is not a kernel (additions over floats, copies), and
# the crop of a region. The plan's calls of kernels are those of `gesture-bench layers --calls`.

results=Tools/gates/emulation/arm64-times.md
networks=(Weights/hands/{palm-detection,hand-landmark}-lite.safetensors
    Weights/body/pose-{detection,landmark-full}.safetensors)
[ $# -eq 0 ] || { networks=("$@"); results=/dev/stdout; }

install llvm-19=1:19.1.* python3=3.11.*
bench=${GESTURE_BENCH:-.build/release/gesture-bench}
[ -n "${GESTURE_BENCH:-}" ] || Tools/build --product gesture-bench >/dev/null
compile_neon
compile Estimator -O -c Tools/gates/emulation/arm64-times.swift
link_neon Estimator "$scratch/estimator"
"$(toolchain)/llvm-objdump" -d --no-show-raw-insn --mattr=+dotprod,+i8mm "$scratch/estimator" >"$scratch/listing"

calls=()
for network in "${networks[@]}"; do
    name=$(basename "$network" .safetensors)
    "$bench" layers --model "$network" --calls >"$scratch/$name.json"
    calls+=("$name=$scratch/$name.json")
done
{
    cat <<EOF
# arm64, estimated

\`Tools/gates/emulated arm64-times\` wrote this page: cycles by llvm-mca's models of CPUs, at 3 GHz, of the instructions that
the int8 kernels execute. Memory beyond the first cache, mispredicted branches, what is not a kernel, and the crop of a
region are left out, so real times are longer. LLVM describes Apple M1 by its model of an older CPU with three vector
pipes instead of four.

| what | |
|---|---|
| date, commit | $(date -u +%F), $(git describe --always --dirty) |
| compiler | $(swiftc --version 2>/dev/null | sed -nE 's/.*(Swift version [0-9.]+).*/\1/p') |
| models | $(llvm-mca-19 --version | sed -nE 's/.*(LLVM version [0-9.]+).*/\1/p') |

EOF
    python3 Tools/gates/emulation/arm64-times.py "$scratch/estimator" "$scratch/listing" "${calls[@]}"
} >"$scratch/page"
cat "$scratch/page" >"$results"
