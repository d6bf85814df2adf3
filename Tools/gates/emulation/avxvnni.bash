# The tiers of AVX2 and AVX-VNNI, without a CPU that has no more. Two things are checked apart:
#
# - their objects: no instruction needs more than AVX2, or AVX2 and AVX-VNNI with its byte product;
# - the results of AVX-VNNI: the compiler's intermediate code of the same sources is compiled once more, for AVX-512 VNNI, whose byte
#   product is the same operation in another encoding. A harness compares every kernel with the portable tier, byte by byte.
#   It shares its sweeps with `neon` and `wasm`. It must see a wrong weight.
#
# The emulators of Debian 12 do not know AVX-VNNI. No program has run the tier's own encoding.

bin=$(toolchain)
compile_kernels x86_64 KernelsAVX2 KernelsAVXVNNI

# Instructions of AVX-512 begin with the byte 62. Of the shorter ones, those that AVX2, FMA and BMI2 lack are listed here by
# name; the compiler knows them and must not use them. An empty list of products would pass, so they are counted.
#
# used OBJECT: its byte products, functions, instructions of AVX-512, and those of other extensions.
used() {
    "$bin/llvm-objdump" -d "$scratch/$1.o" >"$scratch/listing"
    awk '
        /^[0-9a-f]+ </ { functions++ }
        $1 ~ /:$/ {
            if ($2 == "62") wide++
            if (/\tvpdpbusd\t/) products++
            else if (/\t(vpdp|vpmadd52|vgf2p8|vaes|vpclmul|vsha512|vsm[34]|vbcst|vcvtne|tdp|tile)[a-z0-9]*\t/) later++
        }
        END { print products + 0, functions + 0, wide + 0, later + 0 }' "$scratch/listing"
}
read -r products functions wide later < <(used KernelsAVX2)
echo "avx2: $functions functions, $products byte products, $wide instructions of AVX-512, $later of other extensions"
[ "$functions" -gt 0 ] && [ "$products" -eq 0 ] && [ "$wide" -eq 0 ] && [ "$later" -eq 0 ] || fail "the tier is not AVX2 alone"
read -r products functions wide later < <(used KernelsAVXVNNI)
echo "avxvnni: $functions functions, $products byte products, $wide instructions of AVX-512, $later of other extensions"
[ "$products" -gt 0 ] && [ "$wide" -eq 0 ] && [ "$later" -eq 0 ] || fail "the tier is not AVX2 and byte products"
[ "$(grep -c $'\tvpdpbusd\t' <"$scratch/listing")" -eq "$(grep -c $'{vex}\tvpdpbusd\t' <"$scratch/listing")" ] ||
    fail "a byte product is in the encoding of AVX-512"

if ! grep -qw avx512_vnni /proc/cpuinfo; then
    echo "results: SKIPPED, this machine has no AVX-512 VNNI"
    exit
fi
output=code.ll compile KernelsAVXVNNI ${flags[KernelsAVXVNNI]} -emit-ir Sources/Kernels/KernelsAVXVNNI/*.swift
grep -q '+avxvnni' "$scratch/code.ll" || fail "the intermediate code does not say what it is compiled for"
sed -i 's/+avxvnni/+avx512f,+avx512vl,+avx512vnni/g' "$scratch/code.ll"
"$bin/clang" -O2 -Wno-override-module -c "$scratch/code.ll" -o "$scratch/KernelsAVXVNNI.o"
encoded=$("$bin/llvm-objdump" -d --no-show-raw-insn "$scratch/KernelsAVXVNNI.o" | grep -c $'\tvpdpbusd\t')
echo "for this machine: $encoded byte products"
[ "$encoded" -gt 0 ] || fail "the second object has no byte products"
compile Harness -O -c Tools/gates/emulation/harness/*.swift
swiftc $(objects Harness "${modules[@]}") -o "$scratch/harness"
compare env
