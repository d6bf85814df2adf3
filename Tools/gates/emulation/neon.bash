# The NEON tiers, without an arm64 machine: Embedded Swift compiles them, the portable tier and a harness for arm64, and qemu
# runs it. Every tier must give the same bytes on every case, touch nothing outside its buffers, and use no instruction that its
# CPU need not have. The harness must see a wrong weight.

bin=$(toolchain)
libc=/usr/aarch64-linux-gnu
install qemu-user=1:7.2* libc6-dev-arm64-cross=2.36*
# Embedded Swift needs no library of Swift.
target=(-target aarch64-none-none-elf -enable-experimental-feature Embedded)
compile_kernels aarch64 KernelsNEON
compile Harness -O -c Tools/gates/emulation/harness/*.swift
"$bin/ld.lld" --gc-sections -dynamic-linker /lib/ld-linux-aarch64.so.1 -o "$scratch/harness" \
    $libc/lib/crt1.o $libc/lib/crti.o $(objects Harness "${modules[@]}") \
    $libc/lib/libc.so.6 $libc/lib/libc_nonshared.a $libc/lib/ld-linux-aarch64.so.1 $libc/lib/crtn.o

# One object holds both tiers, and its flags allow the compiler either's instructions: the entry points say which are
# allowed where.
"$bin/llvm-objdump" -d --no-show-raw-insn --mattr=+dotprod,+i8mm "$scratch/KernelsNEON.o" >"$scratch/listing"
# instructions TIER PATTERN: how often the entry points of a tier use an instruction
instructions() {
    awk -v tier="_$1>:$" -v pattern="^($2)$" '
        /^[0-9a-f]+ </ { inside = $0 ~ tier }
        inside && $2 ~ pattern { count++ }
        END { print count + 0 }' "$scratch/listing"
}
matrix='usdot|sudot|usmmla|ummla|smmla'
sdot=$(instructions dotprod 'sdot|udot')
usdot=$(instructions i8mm 'usdot')
usmmla=$(instructions i8mm 'usmmla')
echo "dotprod: $sdot sdot; i8mm: $usdot usdot, $usmmla usmmla"
[ "$(instructions dotprod "$matrix")" -eq 0 ] || fail "the dotprod tier uses instructions of i8mm"
[ "$sdot" -gt 0 ] && [ "$usdot" -gt 0 ] && [ "$usmmla" -gt 0 ] || fail "a tier does not use its instructions"

# All other functions are for every arm64 CPU: a disassembler for the first of them must know each instruction. (Embedded
# Swift's runtime has some of later CPUs.)
foreign=$("$bin/llvm-objdump" -d --no-show-raw-insn --mattr=+neon "$scratch/KernelsNEON.o" |
    awk '/^[0-9a-f]+ </ { inside = $2 ~ /^<(gk_|\$e11KernelsNEON)/ && $2 !~ /_(dotprod|i8mm)>:$/; kernels += inside }
        inside && /<unknown>/ { count++ }
        END { print count + 0, kernels + 0 }')
echo "neon: ${foreign#* } functions, ${foreign% *} instructions beyond ARMv8.0"
[ "${foreign% *}" -eq 0 ] && [ "${foreign#* }" -gt 0 ] || fail "the base tier uses instructions of later CPUs"

# As in Tools/gates/symbols: code of the standard library left out of line would be shared with other tiers. (The weak
# functions without a mangled name are Embedded Swift's runtime.)
stray=$("$bin/llvm-nm" -P "$scratch/KernelsNEON.o" | awk '$1 ~ /^\$[es]/ && $2 == "W" { print $1 }')
[ -z "$stray" ] || fail "weak code in the NEON tiers: $stray"

compare qemu-aarch64 -L $libc -cpu max
